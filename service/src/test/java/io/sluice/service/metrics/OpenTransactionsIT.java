package io.sluice.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.TopicNames;
import io.sluice.service.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real broker, with transactions that are left open. */
class OpenTransactionsIT {
    private static final List<FamilyPartition> PARTITIONS =
            List.of(new FamilyPartition(CommandFamily.FLOW, 0), new FamilyPartition(CommandFamily.FLOW, 1));

    private final AtomicLong nowNanos = new AtomicLong();

    @Test
    void aTransactionThatStaysOpenHoldsReadersBackAndNoneThatEnds(@TempDir Path directory) throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.builder(directory).build().start()) {
            Map<String, Object> kafka = Map.of("bootstrap.servers", broker.bootstrapServers());
            try (Admin admin = Admin.create(kafka)) {
                admin.createTopics(List.of(new NewTopic(TopicNames.FLOW_OUTCOMES, PARTITIONS.size(), (short) 1)))
                        .all()
                        .get();
            }
            try (OpenTransactions open = new OpenTransactions(Admin.create(kafka), PARTITIONS, nowNanos::get);
                    Producer<byte[], byte[]> quiet = transactional(kafka, "quiet");
                    Producer<byte[], byte[]> busy = transactional(kafka, "busy")) {
                assertThat(secondsAfter(open, 0)).as("nothing was written").isZero();

                quiet.beginTransaction();
                send(quiet, 0);
                assertThat(secondsAfter(open, 5)).as("seen for the first time").isZero();
                busy.beginTransaction();
                send(busy, 1);
                assertThat(secondsAfter(open, 5)).isEqualTo(5);
                busy.commitTransaction();
                busy.beginTransaction();
                send(busy, 1);
                assertThat(secondsAfter(open, 5)).as("the longest counts").isEqualTo(10);

                quiet.commitTransaction();
                awaitEnd(kafka, 0);
                assertThat(secondsAfter(open, 5)).as("another one since").isEqualTo(5);
                busy.abortTransaction();
                awaitEnd(kafka, 1);
                assertThat(secondsAfter(open, 5)).isZero();
            }
        }
    }

    private long secondsAfter(OpenTransactions open, int seconds) throws InterruptedException {
        nowNanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
        open.look();
        return open.longest(CommandFamily.FLOW).toSeconds();
    }

    /** The brokers answer whoever ends a transaction before its readers get beyond it. */
    private static void awaitEnd(Map<String, Object> kafka, int partition) {
        TopicPartition at = new TopicPartition(TopicNames.FLOW_OUTCOMES, partition);
        try (Admin admin = Admin.create(kafka)) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> end(admin, at, IsolationLevel.READ_COMMITTED)
                            == end(admin, at, IsolationLevel.READ_UNCOMMITTED));
        }
    }

    private static long end(Admin admin, TopicPartition at, IsolationLevel isolation) throws Exception {
        return admin.listOffsets(Map.of(at, OffsetSpec.latest()), new ListOffsetsOptions(isolation))
                .partitionResult(at)
                .get()
                .offset();
    }

    private static Producer<byte[], byte[]> transactional(Map<String, Object> kafka, String id) {
        Map<String, Object> config = new HashMap<>(kafka);
        config.put("transactional.id", id);
        Producer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        return producer;
    }

    private static void send(Producer<byte[], byte[]> producer, int partition) throws Exception {
        producer.send(new ProducerRecord<>(TopicNames.FLOW_OUTCOMES, partition, new byte[] {1}, new byte[] {1}))
                .get();
    }
}
