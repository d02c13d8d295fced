package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.ReplaceFlow;
import io.sluice.state.flow.FlowTextKeys;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.LogWatch;
import io.sluice.topology.common.DecisionLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A flow with 10,000 rows changes in one step (docs/behaviour.md B-K1), and a decision too large for a transaction is
 * refused (K-43).
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class LargeFlowIT {
    private static final String CATALOG = "retail";
    private static final int SOURCES = 9_996;
    private static final long FLOWNODE = 7;

    @TempDir
    Path data;

    @Test
    void aFlowOfTenThousandRowsIsCreatedReplacedAndDroppedInOneStepForEveryReader() {
        try (LocalSluice sluice = LocalSluice.on(data).start()) {
            Outcome created = sluice.settle(Flows.create(CATALOG, "c1", "big", large(10_000)));
            assertThat(created.isOk()).as("%s", created).isTrue();
            List<String> before = rows(10_000);
            List<String> after = rows(50_000);
            assertThat(keys(sluice)).hasSize(10_000).isEqualTo(before);

            Readings readings = readWhile(sluice, replace(50_000));
            assertThat(readings.seen())
                    .isNotEmpty()
                    .allSatisfy(keys -> assertThat(keys.equals(before) || keys.equals(after))
                            .as("rows of the old or of the new definition, %s of them", keys.size())
                            .isTrue());
            assertThat(readings.outcome().revision()).isEqualTo(2);
            assertThat(keys(sluice)).isEqualTo(after);

            Readings dropping = readWhile(sluice, Flows.drop(CATALOG, "c3", "big"));
            assertThat(dropping.seen())
                    .allSatisfy(keys ->
                            assertThat(keys.isEmpty() || keys.equals(after)).isTrue());
            assertThat(dropping.outcome().isOk()).isTrue();
            assertThat(keys(sluice)).isEmpty();

            sluice.settle(
                    Flows.create(CATALOG, "wide-1", "wide", Flows.definition("S1", 40, 1, Flows.tables(1024, 248))));
            assertThat(keys(sluice)).hasSize(2 + 40 * (2 + 248));
            sluice.settle(Flows.drop(CATALOG, "wide-2", "wide"));
            assertThat(keys(sluice)).isEmpty();
        }
    }

    @Test
    void aDecisionWhoseRowsExceedTheLimitIsRefusedWithoutATraceAndTheThreadGoesOn() {
        int limitBytes = 256 * 1024;
        try (LocalSluice sluice = LocalSluice.on(data)
                        .withInstance(
                                settings -> settings.withDecisionLimits(limited(settings.decisionLimits(), limitBytes)))
                        .start();
                LogWatch log = LogWatch.open()) {
            Map<TopicPartition, Long> routes = sluice.topics().ends(TopicNames.FLOWNODE_ROUTES);

            Outcome refused = sluice.settle(Flows.create(CATALOG, "c1", "big", large(10_000)));

            assertThat(refused.code()).isEqualTo(OutcomeCode.TOO_LARGE);
            assertThat(refused.message()).contains(Integer.toString(limitBytes));
            assertThat(refused.applied()).isFalse();
            assertThat(keys(sluice)).isEmpty();
            assertThat(sluice.topics().ends(TopicNames.FLOWNODE_ROUTES)).isEqualTo(routes);
            assertThat(sluice.topics().read(TopicNames.DEAD_LETTERS)).hasSize(1);

            Outcome next = sluice.settle(Flows.create(CATALOG, "c2", "big", Flows.definition("S1")));
            assertThat(next.isOk()).isTrue();
            assertThat(next.flowId()).as("no id was used up").isEqualTo(1024);
            Outcome replaced = sluice.settle(replace(10_000));
            assertThat(replaced.code()).isEqualTo(OutcomeCode.TOO_LARGE);
            assertThat(replaced.revision()).as("the flow is as it was").isEqualTo(1);
            assertThat(keys(sluice)).hasSize(5);
            assertThat(sluice.instance().broken()).isEmpty();
            assertThat(log.errors()).isEmpty();
        }
    }

    /** What a reader saw from before a command was sent until its outcome was known. */
    private record Readings(List<List<String>> seen, Outcome outcome) {}

    private static Readings readWhile(LocalSluice sluice, FlowCommand command) {
        List<List<String>> seen = new ArrayList<>();
        CompletableFuture<Outcome> settling = sluice.instance().service().settle(command, LocalSluice.WITHIN);
        do {
            seen.add(keys(sluice));
        } while (!settling.isDone());
        return new Readings(seen, LocalSluice.within(settling));
    }

    private static List<String> keys(LocalSluice sluice) {
        return sluice.queries().keys(CATALOG, FlowTextKeys.Layout.FLOW_TASK).value();
    }

    private static ReplaceFlow replace(long firstTable) {
        return Flows.replace(CATALOG, "replace-" + firstTable, "big", large(firstTable));
    }

    private static FlowDefinition large(long firstTable) {
        return Flows.definition("S1", 1, FLOWNODE, Flows.tables(firstTable, SOURCES));
    }

    /** Every row of the large flow in canonical text, written down by hand, in text order. */
    private static List<String> rows(long firstTable) {
        List<String> rows = new ArrayList<>(List.of(
                "__flow_task/retail/flownode/7/1024/0",
                "__flow_task/retail/info/1024",
                "__flow_task/retail/name/big",
                "__flow_task/retail/route/1024/0"));
        LongStream.range(firstTable, firstTable + SOURCES)
                .forEach(table -> rows.add("__flow_task/retail/source_table/" + table + "/7/1024/0"));
        rows.sort(null);
        return rows;
    }

    private static DecisionLimits limited(DecisionLimits limits, long decisionMaxBytes) {
        return new DecisionLimits(
                limits.commandMaxBytes(), limits.factMaxBytes(), decisionMaxBytes, limits.outcomeRetentionMs());
    }
}
