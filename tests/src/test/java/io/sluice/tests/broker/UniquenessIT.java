package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.service.query.FlowQueries;
import io.sluice.state.flow.FlowRouteIndex;
import io.sluice.state.flow.FlowTextKeys;
import io.sluice.state.flow.FlownodeIndex;
import io.sluice.state.flow.SourceTableIndex;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.Parallel;
import io.sluice.tests.harness.TestSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many producers race for the same names (docs/kafka.md, K-15): names and ids are unique, and the outcomes are one
 * legal history.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class UniquenessIT {
    private static final List<String> CATALOGS = List.of("plant", "retail");
    private static final long SHARED_FLOWNODE = 1_000;

    @TempDir
    static Path data;

    private static LocalSluice sluice;

    @BeforeAll
    static void start() {
        sluice = LocalSluice.on(data).start();
    }

    @AfterAll
    static void stop() {
        sluice.close();
    }

    /** What one producer asked for and what it was told. */
    private record Attempt(int producer, String flowName, Outcome outcome) {}

    @Test
    void everyNameThatProducersRaceForHasExactlyOneWinnerAndTheOutcomesAreOneLegalHistory() {
        int producers = TestSize.of(16, 64);
        int namesPerCatalog = 100;
        assertThat(CATALOGS.stream().map(catalog -> Partitions.of(catalog, 4)).distinct())
                .as("the catalogs are decided by different tasks")
                .hasSize(2);

        Map<String, List<Attempt>> attempts = race(producers, namesPerCatalog);

        for (String catalog : CATALOGS) {
            List<Attempt> history = attempts.get(catalog);
            assertThat(history).hasSize(producers * namesPerCatalog);
            assertLegalHistory(catalog, history);
            assertIndicesAgree(
                    catalog,
                    history.stream().filter(attempt -> attempt.outcome().isOk()).toList());
        }
    }

    private static Map<String, List<Attempt>> race(int producers, int namesPerCatalog) {
        List<List<Map.Entry<String, Attempt>>> byProducer = Parallel.run(producers, producer -> {
            try (SluiceClient client = sluice.connect()) {
                List<Map.Entry<String, CompletableFuture<Attempt>>> sent = new ArrayList<>();
                for (int name = 0; name < namesPerCatalog; name++) {
                    for (String catalog : CATALOGS) {
                        // Each begins elsewhere, so that all of them win some.
                        String flowName = "flow_" + (name + producer * 7) % namesPerCatalog;
                        sent.add(Map.entry(
                                catalog,
                                client.send(Flows.create(
                                                catalog,
                                                "p" + producer + "-" + flowName,
                                                flowName,
                                                Flows.definition(
                                                        "SELECT " + producer,
                                                        1,
                                                        SHARED_FLOWNODE + producer,
                                                        List.of(1024L + producer))))
                                        .thenApply(outcome -> new Attempt(producer, flowName, outcome))));
                    }
                }
                return sent.stream()
                        .map(one -> Map.entry(one.getKey(), LocalSluice.within(one.getValue())))
                        .toList();
            }
        });
        Map<String, List<Attempt>> byCatalog = new HashMap<>();
        byProducer.forEach(attempts -> attempts.forEach(attempt -> byCatalog
                .computeIfAbsent(attempt.getKey(), ignored -> new ArrayList<>())
                .add(attempt.getValue())));
        return byCatalog;
    }

    /**
     * Replays the attempts in the order of their decisions against the rule: who comes first gets the name and the next
     * id.
     */
    private static void assertLegalHistory(String catalog, List<Attempt> attempts) {
        List<Attempt> inOrder = attempts.stream()
                .sorted(Comparator.comparingLong(
                        attempt -> attempt.outcome().position().decision()))
                .toList();
        int partition = Partitions.of(catalog, 4);
        assertThat(inOrder)
                .extracting(attempt -> attempt.outcome().position().decision())
                .as("every decision of the partition has one number")
                .isEqualTo(LongStream.rangeClosed(1, attempts.size()).boxed().toList());
        Map<String, Long> taken = new HashMap<>();
        long nextId = 1024;
        for (Attempt attempt : inOrder) {
            Outcome outcome = attempt.outcome();
            Long holder = taken.putIfAbsent(attempt.flowName(), nextId);
            OutcomeCode expected = holder == null ? OutcomeCode.OK : OutcomeCode.FLOW_ALREADY_EXISTS;
            assertThat(outcome.code()).as("%s", outcome).isEqualTo(expected);
            assertThat(outcome.flowId()).as("%s", outcome).isEqualTo(holder == null ? nextId++ : holder);
            assertThat(outcome.revision()).as("%s", outcome).isEqualTo(1);
            assertThat(outcome.applied()).as("%s", outcome).isEqualTo(holder == null);
            assertThat(outcome.position().partition()).isEqualTo(partition);
        }
    }

    private static void assertIndicesAgree(String catalog, List<Attempt> winners) {
        FlowQueries queries = sluice.queries();
        List<FlowRecord> listed = queries.list(catalog, "", null, 0).value().flows();
        assertThat(listed)
                .extracting(FlowRecord::flowName)
                .containsExactlyInAnyOrderElementsOf(
                        winners.stream().map(Attempt::flowName).toList());
        assertThat(listed).extracting(FlowRecord::flowId).doesNotHaveDuplicates();
        for (Attempt winner : winners) {
            long flowId = winner.outcome().flowId();
            long flownode = SHARED_FLOWNODE + winner.producer();
            FlowRecord flow = queries.flow(catalog, winner.flowName()).value();
            assertThat(flow.flowId()).isEqualTo(flowId);
            assertThat(flow.rawSql()).isEqualTo("SELECT " + winner.producer());
            assertThat(queries.flow(catalog, flowId).value()).isEqualTo(flow);
            assertThat(queries.routes(catalog, flowId).value())
                    .extracting(FlowRouteIndex.Entry::peer)
                    .containsExactly(flow.routes().get(0L));
            assertThat(queries.flowsOfFlownode(catalog, flownode).value())
                    .contains(new FlownodeIndex.Key(catalog, flownode, flowId, 0));
            assertThat(queries.flowsOfTable(catalog, 1024L + winner.producer()).value())
                    .extracting(SourceTableIndex.Entry::key)
                    .contains(new SourceTableIndex.Key(catalog, 1024L + winner.producer(), flownode, flowId, 0));
        }
        assertThat(queries.keys(catalog, FlowTextKeys.Layout.FLOW).value())
                .as("rows of all flows: name, info, route, flownode and one source table each")
                .hasSize(5 * winners.size());
    }
}
