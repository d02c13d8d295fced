package io.sluice.client;

import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.U64;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the records of a flownode are, as asked once. Immutable.
 *
 * @param flownodeId the bits of a u64
 * @param topicId of the routes topic
 * @param partitionCount of the routes topic
 * @param routes the partition that has the routes
 * @param addresses the partition that has the address; null when there is none that can be read
 * @param deleteRetention how long tombstones are kept
 */
record RoutesPlace(
        long flownodeId,
        String topicId,
        int partitionCount,
        TopicPartition routes,
        TopicPartition addresses,
        Duration deleteRetention) {
    private static final Logger LOG = LoggerFactory.getLogger(RoutesPlace.class);
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(30);

    List<TopicPartition> partitions() {
        return Stream.of(routes, addresses)
                .filter(partition -> partition != null)
                .toList();
    }

    /**
     * Asks the brokers.
     *
     * @throws IllegalStateException if the routes topic does not exist
     * @throws CheckpointRefusedException if the checkpoint in the settings is about something else, or about more than is there
     * @throws KafkaException if the brokers cannot be asked in time
     */
    static RoutesPlace find(RouteSettings settings, Consumer<byte[], byte[]> consumer) {
        long deadlineNanos = System.nanoTime() + CONNECT_WITHIN.toNanos();
        int partitionCount =
                TopicFacts.partitionCount(settings.kafka(), consumer, TopicNames.FLOWNODE_ROUTES, CONNECT_WITHIN);
        if (partitionCount == 0) {
            throw TopicFacts.missing(settings.kafka(), TopicNames.FLOWNODE_ROUTES);
        }
        String topicId = TopicFacts.topicId(settings.kafka(), TopicNames.FLOWNODE_ROUTES, left(deadlineNanos));
        TopicPartition routes = partitionOf(settings.flownodeId(), TopicNames.FLOWNODE_ROUTES, partitionCount);
        RoutesCheckpoint checkpoint = settings.checkpoint();
        if (checkpoint != null) {
            checkpoint.requireOf(settings.flownodeId(), topicId, partitionCount);
            long end = consumer.endOffsets(List.of(routes), left(deadlineNanos)).get(routes);
            checkpoint.requireNotBeyond(end);
        }
        return new RoutesPlace(
                settings.flownodeId(),
                topicId,
                partitionCount,
                routes,
                addresses(settings, consumer, deadlineNanos),
                deleteRetention(settings, deadlineNanos));
    }

    /** A flownode that knows its own address needs none: better to follow without than not at all. */
    private static TopicPartition addresses(
            RouteSettings settings, Consumer<byte[], byte[]> consumer, long deadlineNanos) {
        String why = "does not exist";
        try {
            int count = consumer.partitionsFor(TopicNames.FLOWNODE_ADDRESSES, left(deadlineNanos))
                    .size();
            if (count > 0) {
                return partitionOf(settings.flownodeId(), TopicNames.FLOWNODE_ADDRESSES, count);
            }
        } catch (AuthorizationException e) {
            why = "may not be read: " + e.getMessage();
        }
        LOG.warn(
                "topic {} {}: routes of flownode {} show the address that is stored with each",
                TopicNames.FLOWNODE_ADDRESSES,
                why,
                U64.text(settings.flownodeId()));
        return null;
    }

    private static Duration deleteRetention(RouteSettings settings, long deadlineNanos) {
        if (settings.deleteRetention() != null) {
            return settings.deleteRetention();
        }
        try {
            return TopicFacts.deleteRetention(settings.kafka(), TopicNames.FLOWNODE_ROUTES, left(deadlineNanos));
        } catch (KafkaException e) {
            LOG.warn(
                    "delete.retention.ms of {} is not known, taken to be {}",
                    TopicNames.FLOWNODE_ROUTES,
                    TopicFacts.DEFAULT_DELETE_RETENTION,
                    e);
            return TopicFacts.DEFAULT_DELETE_RETENTION;
        }
    }

    private static TopicPartition partitionOf(long flownodeId, String topic, int partitionCount) {
        return new TopicPartition(topic, Partitions.of(U64.text(flownodeId), partitionCount));
    }

    private static Duration left(long deadlineNanos) {
        return Duration.ofNanos(Math.max(1_000_000, deadlineNanos - System.nanoTime()));
    }
}
