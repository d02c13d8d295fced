package io.sluice.service.writer;

import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.ManifestReport;
import io.sluice.schemas.region.ManifestReportCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongToIntFunction;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes reports into their topic, without a transaction: one that comes twice is ignored the second time. Thread-safe. */
final class ReportTopic implements ReportSink, AutoCloseable {
    private static final int MAX_BLOCK_MS = 5_000;
    private static final int DELIVERY_WITHIN_MS = 30_000;
    private static final int REQUEST_WITHIN_MS = 10_000;
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private final Producer<byte[], byte[]> producer;
    private final LongToIntFunction partitionOf;

    /**
     * @param producer is closed with it
     * @param partitionOf the partition of a region
     */
    ReportTopic(Producer<byte[], byte[]> producer, LongToIntFunction partitionOf) {
        this.producer = producer;
        this.partitionOf = partitionOf;
    }

    /** @param kafka settings of clients */
    static ReportTopic open(Map<String, Object> kafka, LongToIntFunction partitionOf) {
        Map<String, Object> config = new HashMap<>(kafka);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS);
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_WITHIN_MS);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_WITHIN_MS);
        return new ReportTopic(
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()), partitionOf);
    }

    @Override
    public void send(ManifestReport report, Consumer<Exception> onFailure) {
        ProducerRecord<byte[], byte[]> row = new ProducerRecord<>(
                TopicNames.REGION_REPORTS,
                partitionOf.applyAsInt(report.regionId()),
                U64.text(report.regionId()).getBytes(StandardCharsets.UTF_8),
                ManifestReportCodec.encode(report));
        try {
            producer.send(row, (metadata, failure) -> {
                if (failure != null) {
                    onFailure.accept(failure);
                }
            });
        } catch (RuntimeException e) {
            onFailure.accept(e);
        }
    }

    /** What was sent is brought to the brokers if they take it soon. */
    @Override
    public void close() {
        producer.close(CLOSE_WITHIN);
    }
}
