package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FlowQueries;
import io.sluice.state.flow.FlowTextKeys;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.Parallel;
import io.sluice.tests.harness.TestSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * However commands of many clients interleave, a reader sees all rows of a flow as it is at one moment, or none
 * (B-H1.3).
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class ConcurrentChangesIT {
    private static final String CATALOG = "greptime";
    private static final int CLIENTS = 8;
    private static final int LEAST_POSITIONS = 8;
    private static final int MAX_WAVES = 50;

    @TempDir
    Path data;

    @Test
    void whileEightClientsReplaceDropAndCreateOneFlowItsRowsAreCompleteOrGoneAtEveryReadPosition() throws Exception {
        int rounds = TestSize.of(200, 1_000);
        try (LocalSluice sluice = LocalSluice.on(data).start()) {
            AtomicBoolean done = new AtomicBoolean();
            Set<Long> positions = ConcurrentHashMap.newKeySet();
            List<Outcome> outcomes = new ArrayList<>();
            ExecutorService reading = Executors.newSingleThreadExecutor();
            try {
                Future<?> reader = reading.submit(() -> readUntil(done, sluice.queries(), positions));
                // Commits are grouped, so a wave has few states to be seen: more of them until the reader saw enough.
                for (int wave = 0; wave < MAX_WAVES && positions.size() < LEAST_POSITIONS; wave++) {
                    int number = wave;
                    Parallel.run(CLIENTS, client -> change(sluice, number + "-" + client, client, rounds / CLIENTS))
                            .forEach(outcomes::addAll);
                }
                done.set(true);
                LocalSluice.within(reader);
            } finally {
                done.set(true);
                reading.shutdownNow();
            }
            assertThat(positions)
                    .as("positions with rows at which a reader looked; too few prove too little")
                    .hasSizeGreaterThanOrEqualTo(LEAST_POSITIONS);
            assertThat(outcomes)
                    .extracting(outcome -> outcome.position().decision())
                    .as("each command is a decision of its own")
                    .doesNotHaveDuplicates()
                    .hasSizeGreaterThanOrEqualTo(3 * (rounds / CLIENTS) * CLIENTS);
            assertComplete(sluice.queries().flow(CATALOG, "f"), keys(sluice.queries()));
        }
    }

    /** Sends without waiting; the outcomes come at the end. */
    private static List<Outcome> change(LocalSluice sluice, String prefix, int client, int rounds) {
        try (SluiceClient own = sluice.connect()) {
            List<CompletableFuture<Outcome>> sent = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                String id = prefix + "-" + round;
                sent.add(own.send(Flows.replace(CATALOG, "r" + id, "f", definition(client, round))));
                sent.add(own.send(Flows.drop(CATALOG, "d" + id, "f")));
                sent.add(own.send(Flows.create(CATALOG, "c" + id, "f", definition(client + 1, round))));
            }
            return sent.stream().map(LocalSluice::within).toList();
        }
    }

    /** 1 to 3 partitions, 1 to 4 sources. */
    private static FlowDefinition definition(int client, int round) {
        return Flows.definition(
                "S" + client + "-" + round,
                1 + round % 3,
                client,
                Flows.tables(1024 + client, 1 + (client + round) % 4));
    }

    private static void readUntil(AtomicBoolean done, FlowQueries queries, Set<Long> positions) {
        while (!done.get()) {
            Answer<FlowRecord> flow = queries.flow(CATALOG, "f");
            Answer<List<String>> keys = keys(queries);
            if (flow.positions().equals(keys.positions())) {
                assertComplete(flow, keys);
                if (flow.value() != null) {
                    positions.add(flow.positions().get(0).decision());
                }
            }
        }
    }

    private static Answer<List<String>> keys(FlowQueries queries) {
        return queries.keys(CATALOG, FlowTextKeys.Layout.FLOW_TASK);
    }

    private static void assertComplete(Answer<FlowRecord> flow, Answer<List<String>> keys) {
        assertThat(keys.value())
                .as("rows at %s of %s", flow.positions(), flow.value())
                .containsExactlyInAnyOrderElementsOf(flow.value() == null ? List.of() : rowsOf(flow.value()));
    }

    private static List<String> rowsOf(FlowRecord flow) {
        String scope = "__flow_task/" + CATALOG + "/";
        List<String> rows = new ArrayList<>(List.of(scope + "name/f", scope + "info/" + flow.flowId()));
        flow.routes().forEach((partition, peer) -> {
            rows.add(scope + "route/" + flow.flowId() + "/" + partition);
            rows.add(scope + "flownode/" + peer.id() + "/" + flow.flowId() + "/" + partition);
            flow.sourceTableIds()
                    .forEach(table -> rows.add(
                            scope + "source_table/" + table + "/" + peer.id() + "/" + flow.flowId() + "/" + partition));
        });
        return rows;
    }
}
