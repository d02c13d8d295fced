package io.sluice.service.cluster;

import io.sluice.schemas.common.FamilyPartition;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;

/**
 * What the last rebalance told this instance about who holds what.
 *
 * <p>Asks by partition, never by key: Kafka Streams would compute the partition of a key itself, with a count that may be wrong
 * during a rebalance (docs/kafka.md, K-22).
 *
 * <p>Thread-safe.
 */
public final class StreamsPartitionMap implements PartitionMap {
    private final KafkaStreams streams;
    private final HostInfo self;

    public StreamsPartitionMap(KafkaStreams streams, HostInfo self) {
        this.streams = streams;
        this.self = self;
    }

    @Override
    public HostInfo self() {
        return self;
    }

    @Override
    public Optional<HostInfo> owner(FamilyPartition partition) {
        TopicPartition wanted = commands(partition);
        return instances().stream()
                .filter(instance -> instance.topicPartitions().contains(wanted))
                .map(StreamsMetadata::hostInfo)
                .findFirst();
    }

    @Override
    public List<HostInfo> standbys(FamilyPartition partition) {
        TopicPartition wanted = commands(partition);
        return instances().stream()
                .filter(instance -> instance.standbyTopicPartitions().contains(wanted))
                .map(StreamsMetadata::hostInfo)
                .toList();
    }

    /** What the task that decides it reads. */
    private static TopicPartition commands(FamilyPartition partition) {
        return new TopicPartition(partition.family().commandsTopic(), partition.partition());
    }

    private Collection<StreamsMetadata> instances() {
        try {
            return streams.metadataForAllStreamsClients();
        } catch (InvalidStateStoreException | IllegalStateException e) {
            // Not started yet, or closing: then nothing is known.
            return List.of();
        }
    }
}
