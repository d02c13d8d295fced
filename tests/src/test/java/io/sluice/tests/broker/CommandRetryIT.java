package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.DropFlow;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.ReplaceFlow;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.Parallel;
import io.sluice.tests.harness.TestSize;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A command id is decided once, and whoever sends it again gets its first outcome (docs/behaviour.md G1, B-F4, B-H2;
 * docs/kafka.md, K-16).
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class CommandRetryIT {
    private static final String CATALOG = "greptime";
    private static final long SECOND = 1_000_000_000L;

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

    @Test
    void aRetryGetsTheFirstOutcomeAfterLaterChangesAfterARestartAndFromStoresRestoredFromTheTopics() {
        CreateFlow create =
                new CreateFlow(at("retry-c1", 1_000), "retried", null, false, false, Flows.definition("S1"));
        ReplaceFlow second = Flows.replace(at("retry-c2", 2_000), "retried", Flows.definition("S2"));
        ReplaceFlow third = Flows.replace(at("retry-c3", 3_000), "retried", Flows.definition("S3"));
        FlowCommand refused = Flows.create(CATALOG, "retry-c4", "retried", Flows.definition("S4"));
        List<FlowCommand> commands = List.of(create, second, third, refused);

        List<Outcome> first = commands.stream().map(sluice::settle).toList();

        assertThat(first)
                .extracting(Outcome::code)
                .containsExactly(OutcomeCode.OK, OutcomeCode.OK, OutcomeCode.OK, OutcomeCode.FLOW_ALREADY_EXISTS);
        assertThat(first).extracting(Outcome::revision).containsExactly(1L, 2L, 3L, 3L);
        FlowRecord flow = sluice.queries().flow(CATALOG, "retried").value();
        assertThat(flow.rawSql()).isEqualTo("S3");
        assertThat(flow.createdTimeNanos()).isEqualTo(1_000 * SECOND);
        assertThat(flow.updatedTimeNanos()).isEqualTo(3_000 * SECOND);

        assertAnsweredAlike("live", commands, first, flow);
        sluice.stopInstance().startInstance();
        assertAnsweredAlike("after a restart", commands, first, flow);
        sluice.stopInstance().wipeState().startInstance();
        assertAnsweredAlike("with stores restored from the topics", commands, first, flow);
    }

    private static void assertAnsweredAlike(
            String when, List<FlowCommand> commands, List<Outcome> first, FlowRecord flow) {
        assertThat(commands.stream().map(sluice::settle).toList()).as(when).isEqualTo(first);
        assertThat(sluice.queries().flow(CATALOG, "retried").value()).as(when).isEqualTo(flow);
        for (Outcome outcome : first) {
            assertThat(sluice.queries().outcome(CATALOG, outcome.commandId()).value())
                    .as(when)
                    .isEqualTo(outcome);
        }
    }

    @Test
    void aRetriedDropWritesNothingButItsOutcome() {
        sluice.settle(Flows.create(CATALOG, "drop-c1", "dropped", Flows.definition("S1")));
        DropFlow drop = Flows.drop(CATALOG, "drop-d1", "dropped");
        Outcome first = sluice.settle(drop);
        assertThat(first.isOk()).isTrue();
        String[] written = {TopicNames.FLOW_CHANGELOG, TopicNames.FLOWNODE_ROUTES, TopicNames.DEAD_LETTERS};
        Map<TopicPartition, Long> before = sluice.topics().ends(written);

        Outcome again = sluice.settle(drop);

        assertThat(again).isEqualTo(first);
        assertThat(sluice.topics().outcomesOf(CATALOG, "drop-d1")).containsExactly(first, first);
        assertThat(sluice.topics().ends(written)).isEqualTo(before);
        assertThat(sluice.settle(Flows.drop(CATALOG, "drop-d2", "dropped")).code())
                .isEqualTo(OutcomeCode.FLOW_NOT_FOUND);
        Outcome absent = sluice.settle(Flows.dropIfExists(CATALOG, "drop-d3", "dropped"));
        assertThat(absent.code()).isEqualTo(OutcomeCode.OK);
        assertThat(absent.flowId()).isNull();
    }

    @Test
    void oneCommandIdFloodedByTwoProducersIsDecidedOnceAndAllAreAnsweredAlike() {
        int sends = TestSize.of(500, 5_000);
        FlowCommand command = Flows.create("plant", "flood", "flooded", Flows.definition("S1"));
        long decisionsBefore = decisions();

        List<List<Outcome>> answers = Parallel.run(2, producer -> {
            try (SluiceClient client = sluice.connect()) {
                List<CompletableFuture<Outcome>> sent =
                        Stream.generate(() -> client.send(command)).limit(sends).toList();
                return sent.stream().map(LocalSluice::within).toList();
            }
        });

        Outcome first = answers.get(0).get(0);
        assertThat(first.isOk()).isTrue();
        assertThat(answers).allSatisfy(all -> assertThat(all).hasSize(sends).containsOnly(first));
        await().atMost(LocalSluice.WITHIN)
                .untilAsserted(() -> assertThat(sluice.topics().outcomesOf("plant", "flood"))
                        .as("every record is answered")
                        .hasSize(2 * sends)
                        .containsOnly(first));
        assertThat(decisions()).isEqualTo(decisionsBefore + 1);
        assertThat(sluice.queries().list("plant", "flooded", null, 0).value().flows())
                .hasSize(1);
    }

    private static long decisions() {
        return sluice.queries().flow("plant", "flooded").positions().get(0).decision();
    }

    private static CommandEnvelope at(String commandId, long seconds) {
        return new CommandEnvelope(CATALOG, commandId, seconds * SECOND);
    }
}
