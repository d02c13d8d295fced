package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.client.GateSettings;
import io.sluice.client.RegionAdmission;
import io.sluice.client.RegionWriteGate;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.Admission;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RegionStateKey;
import io.sluice.schemas.region.RegionStateRecord;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.heartbeat.RegionHeartbeats;
import io.sluice.tests.harness.LocalSluice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The gate of a data node and the heartbeats it lives on, over a real broker (docs/kafka.md, K-44). */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RegionWriteGateIT {
    private static final int PARTITIONS = 4;
    private static final long REGION = 8796093022211L;
    private static final Duration MAX_STALENESS = Duration.ofSeconds(4);
    /** For what lies between a look at the clock and the answer. */
    private static final Duration MARGIN = Duration.ofSeconds(10);

    @TempDir
    Path data;

    private final AtomicLong decision = new AtomicLong();
    private EmbeddedBroker broker;
    private RegionHeartbeats heartbeats;
    private Producer<byte[], byte[]> decider;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.builder(data.resolve("kafka")).start();
    }

    @AfterEach
    void stop() {
        if (decider != null) {
            decider.close(Duration.ZERO);
        }
        if (heartbeats != null) {
            heartbeats.close();
        }
        broker.close();
    }

    @Test
    void withoutItsTopicItDoesNotOpen() {
        assertThatThrownBy(() -> RegionWriteGate.open(GateSettings.of(broker.bootstrapServers())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("topic sluice.region.states does not exist at " + broker.bootstrapServers());
    }

    @Test
    void whatIsDecidedIsAnswered() {
        startDeciding();
        decide(RegionState.WRITABLE);
        try (RegionWriteGate gate = openGate()) {
            assertThat(gate.await(REGION, LocalSluice.WITHIN).state()).isEqualTo("WRITABLE");
            assertThat(gate.await(REGION + 1, LocalSluice.WITHIN).state()).isEqualTo("UNKNOWN");

            decide(RegionState.ALTERING);
            await().until(() -> gate.admission(REGION).state().equals("ALTERING"));
            decide(RegionState.READ_ONLY);

            RegionAdmission answer = gate.await(REGION, partition().at(decision.get()), LocalSluice.WITHIN);
            assertThat(answer).isEqualTo(new RegionAdmission(Admission.REJECT, "READ_ONLY", null, 3, 1, 1));
        }
    }

    @Test
    void heartbeatsKeepAnIdleRegionAdmittedAndTheirEndStallsIt() {
        startDeciding();
        decide(RegionState.WRITABLE);
        try (RegionWriteGate gate = openGate()) {
            assertThat(gate.await(REGION, LocalSluice.WITHIN).admission()).isEqualTo(Admission.ADMIT);
            await().during(MAX_STALENESS.multipliedBy(2))
                    .atMost(LocalSluice.WITHIN)
                    .failFast(() -> assertThat(gate.admission(REGION).admission())
                            .as("%s", gate.admission(REGION))
                            .isEqualTo(Admission.ADMIT))
                    .until(() -> true);

            heartbeats.close();

            await().atMost(MAX_STALENESS.plus(MARGIN))
                    .until(() -> gate.admission(REGION).admission() == Admission.STALL);
            assertThat(gate.admission(REGION).why()).startsWith("whoever decides partition " + partition());
        }
    }

    @Test
    void aDowngradeThatAStuckTransactionHidesStallsWithinTheBoundAndIsNeverAdmitted() {
        startDeciding();
        decide(RegionState.WRITABLE);
        try (RegionWriteGate gate = openGate();
                Producer<byte[], byte[]> stuck = newProducer("stuck")) {
            assertThat(gate.await(REGION, LocalSluice.WITHIN).admission()).isEqualTo(Admission.ADMIT);
            stuck.initTransactions();
            stuck.beginTransaction();
            LocalSluice.within(stuck.send(record(RegionStateKey.of(REGION), null)));

            decide(RegionState.READ_ONLY);

            // The end that readers of committed records are told does not move: it looks as if there were nothing new.
            await().atMost(MAX_STALENESS.plus(MARGIN))
                    .until(() -> gate.admission(REGION).admission() == Admission.STALL);
            assertThat(gate.behind()).isEmpty();
            await().during(Duration.ofSeconds(2))
                    .atMost(LocalSluice.WITHIN)
                    .failFast(
                            () -> assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL))
                    .until(() -> true);
            try (RegionWriteGate late = openGate()) {
                assertThat(late.await(REGION, Duration.ofSeconds(4)).admission())
                        .as("one that begins now, with a heartbeat of before")
                        .isEqualTo(Admission.STALL);
            }

            stuck.abortTransaction();
            assertThat(gate.await(REGION, LocalSluice.WITHIN).admission()).isEqualTo(Admission.REJECT);
        }
    }

    @Test
    void withoutABrokerItStallsWithinTheBound() {
        startDeciding();
        decide(RegionState.WRITABLE);
        try (RegionWriteGate gate = openGate()) {
            assertThat(gate.await(REGION, LocalSluice.WITHIN).admission()).isEqualTo(Admission.ADMIT);

            broker.close();

            await().atMost(MAX_STALENESS.plus(MARGIN))
                    .until(() -> gate.admission(REGION).admission() == Admission.STALL);
        }
    }

    private RegionWriteGate openGate() {
        return RegionWriteGate.open(GateSettings.of(broker.bootstrapServers()).withMaxStaleness(MAX_STALENESS));
    }

    private void startDeciding() {
        try (Admin admin = Admin.create(kafka())) {
            admin.createTopics(List.of(new NewTopic(TopicNames.REGION_STATES, PARTITIONS, (short) 1)
                            .configs(Map.of("cleanup.policy", "compact"))))
                    .all()
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
        decider = newProducer("decider");
        decider.initTransactions();
        heartbeats = new RegionHeartbeats(
                kafka(),
                partition -> new Cursor(decision.get(), decision.get()),
                IntStream.range(0, PARTITIONS)
                        .mapToObj(partition -> new FamilyPartition(CommandFamily.REGION, partition))
                        .toList());
        heartbeats.start();
    }

    private void decide(RegionState state) {
        long number = decision.get() + 1;
        decider.beginTransaction();
        decider.send(record(
                RegionStateKey.of(REGION),
                RegionRecordCodec.encode(
                        new RegionStateRecord(REGION, state.name(), state.admission(), number, 1, 1))));
        decider.commitTransaction();
        decision.set(number);
    }

    private static ProducerRecord<byte[], byte[]> record(byte[] key, byte[] value) {
        return new ProducerRecord<>(TopicNames.REGION_STATES, partition().partition(), key, value);
    }

    private static FamilyPartition partition() {
        return new FamilyPartition(CommandFamily.REGION, Partitions.of(U64.text(REGION), PARTITIONS));
    }

    private Map<String, Object> kafka() {
        return Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers());
    }

    private Producer<byte[], byte[]> newProducer(String transactionalId) {
        return new KafkaProducer<>(
                Map.of(
                        CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
                        broker.bootstrapServers(),
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        transactionalId),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }
}
