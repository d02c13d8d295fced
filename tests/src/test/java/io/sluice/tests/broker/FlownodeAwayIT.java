package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.FollowingFlownode;
import io.sluice.tests.harness.ForcedCleaning;
import io.sluice.tests.harness.LocalSluice;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A flownode that was away for longer than tombstones are kept (docs/kafka.md, K-9): it never runs a ghost. The cleaner is waited
 * for until no tombstone of the flownode is left, and a record that was written over twice is the canary.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FlownodeAwayIT {
    private static final long AWAY = 7;
    private static final long ELSEWHERE = 8;
    private static final int PARTITIONS = 4;
    private static final Duration DELETE_RETENTION = Duration.ofSeconds(3);

    @TempDir
    Path data;

    @Test
    void whatWasDroppedAndMovedMeanwhileIsRevokedThoughItsTombstonesAreGone() {
        try (LocalSluice sluice = LocalSluice.on(data)
                        .withBroker(
                                broker -> broker.property(ForcedCleaning.BACKOFF_SETTING, ForcedCleaning.BACKOFF_MS))
                        .withInstance(settings -> settings.withTopicOverrides(
                                ForcedCleaning.topicOverrides(TopicNames.FLOWNODE_ROUTES, DELETE_RETENTION)))
                        .start();
                FollowingFlownode flownode = new FollowingFlownode(AWAY)) {
            for (String name : List.of("dropped", "moved", "replaced", "kept", "again")) {
                settle(
                        sluice,
                        Flows.create("plant", "create-" + name, name, Flows.definition("S1", 1, AWAY, List.of())));
            }
            flownode.start(sluice.bootstrapServers());
            assertThat(flownode.takeEvents())
                    .containsExactly(
                            "assigned plant/1024/0 1",
                            "assigned plant/1025/0 1",
                            "assigned plant/1026/0 1",
                            "assigned plant/1027/0 1",
                            "assigned plant/1028/0 1");
            flownode.stop();

            settle(sluice, Flows.drop("plant", "d1", "dropped"));
            settle(sluice, Flows.replace("plant", "r1", "moved", Flows.definition("S1", 1, ELSEWHERE, List.of())));
            settle(sluice, Flows.replace("plant", "r2", "replaced", Flows.definition("S2", 1, AWAY, List.of())));
            settle(sluice, Flows.replace("plant", "r3", "replaced", Flows.definition("S3", 1, AWAY, List.of())));
            settle(sluice, Flows.drop("plant", "d2", "again"));
            settle(sluice, Flows.create("plant", "c2", "again", Flows.definition("S1", 1, AWAY, List.of())));
            List<ConsumerRecord<byte[], byte[]>> cleaned = ForcedCleaning.ofRoutes(
                            sluice.topics(), Partitions.of(Long.toString(AWAY), PARTITIONS))
                    .until(
                            "neither what was dropped nor its tombstone is left",
                            records -> records.stream().noneMatch(record -> isOf("7/plant/1024/0", record))
                                    && records.stream().noneMatch(record -> isOf("7/plant/1025/0", record))
                                    && records.stream().noneMatch(record -> isOf("7/plant/1028/0", record)));
            assertThat(cleaned.stream().filter(record -> isOf("7/plant/1026/0", record)))
                    .as("the canary: what was replaced twice is there once")
                    .hasSize(1);

            flownode.start(sluice.bootstrapServers());

            assertThat(flownode.takeEvents())
                    .containsExactlyInAnyOrder(
                            "revoked plant/1024/0 1",
                            "revoked plant/1025/0 1",
                            "revoked plant/1028/0 1",
                            "updated plant/1026/0 3",
                            "assigned plant/1029/0 1");
            assertThat(flownode.runs()).containsOnlyKeys("plant/1026/0", "plant/1027/0", "plant/1029/0");
            assertThat(flownode.objections()).isEmpty();
        }
    }

    private static void settle(LocalSluice sluice, FlowCommand command) {
        assertThat(sluice.settle(command).isOk()).as(command.toString()).isTrue();
    }

    private static boolean isOf(String key, ConsumerRecord<byte[], byte[]> record) {
        return key.equals(new String(record.key(), StandardCharsets.UTF_8));
    }
}
