package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.tests.harness.Alone;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.TestSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nothing is written while nothing happens: the janitor's tombstones settle down, and no empty transaction follows
 * (K-40).
 */
@Alone
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class IdleIT {
    private static final List<String> CATALOGS = List.of("greptime", "plant", "retail");

    /** Every topic that a transaction touches, and those of the coordinators. */
    private static final String[] WRITTEN = {
        TopicNames.FLOW_COMMANDS,
        TopicNames.FLOW_OUTCOMES,
        TopicNames.FLOW_CHANGELOG,
        TopicNames.FLOWNODE_ROUTES,
        TopicNames.DEAD_LETTERS,
        "__consumer_offsets",
        "__transaction_state"
    };

    @TempDir
    Path data;

    @Test
    void afterABurstTheLagIsZeroEverySettledCommandHasItsTombstoneAndNothingIsCommittedAnyMore() {
        try (LocalSluice sluice = LocalSluice.on(data).start()) {
            List<FlowCommand> burst = new ArrayList<>();
            for (int i = 0; i < TestSize.of(300, 3_000); i++) {
                for (String catalog : CATALOGS) {
                    burst.add(Flows.create(catalog, "burst-" + i, "flow_" + i, Flows.definition("S1")));
                }
            }
            sluice.settle(burst);

            await().atMost(LocalSluice.WITHIN)
                    .pollInterval(Duration.ofMillis(200))
                    .untilAsserted(() -> assertThat(tombstoned(sluice)).hasSize(burst.size()));
            await().atMost(LocalSluice.WITHIN).untilAsserted(() -> assertNoLag(sluice));

            Map<TopicPartition, Long> ends = sluice.topics().ends(WRITTEN);
            await().during(Duration.ofSeconds(3))
                    .atMost(Duration.ofSeconds(4))
                    .pollInterval(Duration.ofMillis(250))
                    .untilAsserted(
                            () -> assertThat(sluice.topics().ends(WRITTEN)).isEqualTo(ends));
        }
    }

    /** The keys whose last record is a tombstone; each must lie in its command's partition. */
    private static Set<CommandKey> tombstoned(LocalSluice sluice) {
        Map<CommandKey, Boolean> settled = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : sluice.topics().read(TopicNames.FLOW_COMMANDS)) {
            CommandKey key = CommandKey.decode(record.key());
            assertThat(record.partition()).as("%s", key).isEqualTo(Partitions.of(key.partitionKey(), 4));
            settled.put(key, record.value() == null);
        }
        settled.values().removeIf(isTombstone -> !isTombstone);
        return new HashSet<>(settled.keySet());
    }

    private static void assertNoLag(LocalSluice sluice) {
        Map<TopicPartition, Long> committed = sluice.topics().committed(TopicNames.APPLICATION_ID);
        sluice.topics().ends(TopicNames.FLOW_COMMANDS).forEach((partition, end) -> {
            if (end > 0) {
                assertThat(committed).containsEntry(partition, end);
            }
        });
    }
}
