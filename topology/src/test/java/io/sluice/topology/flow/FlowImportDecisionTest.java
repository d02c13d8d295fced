package io.sluice.topology.flow;

import static io.sluice.topology.flow.FlowCommands.create;
import static io.sluice.topology.flow.FlowCommands.drop;
import static io.sluice.topology.flow.ForeignFlow.foreign;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.ImportFlow;
import io.sluice.schemas.flow.ImportFlowIds;
import io.sluice.schemas.flow.Peer;
import io.sluice.state.flow.FlowFact.FlowIdsUsed;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of table 2.5 about imports. */
class FlowImportDecisionTest {
    private static final String COMMAND = "import-1";

    private final FlowScenario flows = new FlowScenario();

    @Nested
    class NewFlow {
        @Test
        void isTakenAsItIs() {
            FlowRecord foreign = foreign("f").record();

            flows.when(imported(foreign)).expectOk(2000, 1);

            assertThat(flows.flow("f")).isEqualTo(foreign.withRevision(1, COMMAND));
        }

        @Test
        void bringsARowForEveryPartitionAndSource() {
            flows.when(imported(foreign("f").record())).expectRows(2000, 2 + 2 * (2 + 2));
        }

        @Test
        void movesTheAllocatorBehindItsId() {
            flows.when(imported(foreign("f").record()));

            assertThat(flows.nextFlowId()).isEqualTo(2001);
        }

        @Test
        void leavesTheAllocatorWhereItIsFurther() {
            flows.when(imported(foreign("f").id(7).record()))
                    .expectFacts(new FlowRecorded(foreign("f").id(7).record().withRevision(1, COMMAND)));

            assertThat(flows.nextFlowId()).isEqualTo(1024);
        }

        @Test
        void usesUpTheLastId() {
            flows.when(imported(foreign("f").id(4_294_967_295L).record())).expectOk(4_294_967_295L, 1);

            flows.when(create("g")).expectUnsupported("no flow_id left");
        }

        @Test
        void startsAtTheRevisionItBrings() {
            flows.when(imported(foreign("f").record().withRevision(-1, "other")))
                    .expectOk(2000, -1);
        }

        @Test
        void mayHaveTheIdOfADroppedFlow() {
            flows.given(create("f"), drop("f"));

            flows.when(imported(foreign("g").id(1024).record())).expectOk(1024, 1);
        }

        @ParameterizedTest
        @ValueSource(strings = {"流 1", "a/b", "`f`", "\"f\"", " ", "1"})
        void mayHaveAnyName(String name) {
            flows.when(imported(foreign(name).record())).expectOk(2000, 1);

            assertThat(flows.flow(name).flowId()).isEqualTo(2000);
        }

        @Test
        void isNotTheOneInsideItsQuotes() {
            flows.given(create("f"));

            flows.when(imported(foreign("`f`").record())).expectOk(2000, 1);

            assertThat(flows.flow("f").flowId()).isEqualTo(1024);
        }

        @Test
        void mayBeActiveWithoutAPartition() {
            flows.when(imported(FlowSamples.recordWithoutPartitions("f"))).expectOk(1024, 1);

            flows.when(drop("f")).expectRefused(OutcomeCode.FLOW_ROUTE_NOT_FOUND, 1024, 1, "no partition");
        }
    }

    @Nested
    class FlowThatIsThere {
        private final FlowRecord there = foreign("f").record();

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void staysWhenItIsEqual(boolean orReplace) {
            flows.given(create("f").id(2000));
            FlowRecord current = flows.flow("f");

            flows.when(imported(current.withRevision(9, "other"), orReplace)).expectUnchanged(2000, 1);
        }

        static Stream<Arguments> changes() {
            return Stream.of(
                    change("source_table_ids", f -> f.sources(1026L)),
                    change("flow_routes", f -> f.routes(Map.of(0L, new Peer(2, "a:1")))),
                    change("flow_routes", f -> f.routes(Map.of(0L, new Peer(1, "b:1"), 7L, new Peer(-1, "")))),
                    change("comment", f -> f.comment("x")),
                    change("created_time", f -> f.created(5_000_000_001L)),
                    change("updated_time", f -> f.updated(6_000_000_000L)),
                    change("eval_schedule", f -> f.schedule(new EvalSchedule(3, 34, EvalSchedule.SKIP, 9, 42))),
                    change("eval_schedule", f -> f.schedule(null)));
        }

        private static Arguments change(String field, UnaryOperator<ForeignFlow> changed) {
            return Arguments.of(field, changed);
        }

        @ParameterizedTest
        @MethodSource("changes")
        void isNotReplacedUnlessAskedTo(String field, UnaryOperator<ForeignFlow> changed) {
            flows.when(imported(there));

            flows.when(imported(changed.apply(foreign("f")).record()))
                    .expectRefused(OutcomeCode.FLOW_VALUE_MISMATCH, 2000, 1, "greptime.f", field, "or_replace");
        }

        @ParameterizedTest
        @MethodSource("changes")
        void isReplacedAsAWholeWhenAskedTo(String field, UnaryOperator<ForeignFlow> changed) {
            flows.when(imported(there));
            FlowRecord other = changed.apply(foreign("f")).record();

            flows.when(imported(other.withRevision(77, "other"), true)).expectOk(2000, 2);

            assertThat(flows.flow("f")).isEqualTo(other.withRevision(2, COMMAND));
        }

        @Test
        void mayBecomeAPendingOne() {
            flows.when(imported(there));

            flows.when(imported(
                            foreign("f")
                                    .unresolved("greptime.public.late")
                                    .routes(Map.of())
                                    .status(FlowStatus.PENDING_SOURCES)
                                    .record(),
                            true))
                    .expectOk(2000, 2);

            flows.expectRows(2000, 2);
        }

        @Test
        void isNotRenamedUnlessAskedTo() {
            flows.when(imported(there));

            flows.when(imported(foreign("g").record()))
                    .expectRefused(OutcomeCode.FLOW_ID_TAKEN, "2000", "greptime.f", "greptime.g", "or_replace");
        }

        @Test
        void givesItsOldNameFreeWhenItIsReplacedByOneWithAnother() {
            flows.when(imported(there));

            flows.when(imported(foreign("g").record(), true)).expectOk(2000, 2);

            assertThat(flows.flow("f")).isNull();
            assertThat(flows.flow("g").flowId()).isEqualTo(2000);
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void keepsItsNameFromOthers(boolean orReplace) {
            flows.when(imported(there));

            flows.when(imported(foreign("f").id(3000).record(), orReplace))
                    .expectRefused(OutcomeCode.FLOW_ALREADY_EXISTS, 2000, 1, "greptime.f", "2000", "3000");
        }

        @Test
        void isNotGuessedAtWhenItsRecordIsGone() {
            flows.given(create("f")).givenLostRecord(1024);

            flows.when(imported(foreign("f").id(1024).record(), true)).expectRecordGone(1024);
        }
    }

    @Nested
    class TheRecord {
        private final ForeignFlow f = foreign("f");

        @Test
        void isOfTheCommandsCatalog() {
            expectInvalid(f.catalog("other").record(), "catalog", "other", "greptime");
        }

        @Test
        void hasAnId() {
            expectInvalid(foreign("f").id(4_294_967_296L).record(), "flow_id", "4294967296");
        }

        @Test
        void hasARevision() {
            expectInvalid(f.record().withRevision(0, ""), "revision");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "a\nb", "a\r", "\n"})
        void hasANameThatCanBeAKey(String name) {
            expectInvalid(foreign(name).record(), "flow_name");
        }

        @Test
        void hasPartitionIds() {
            expectInvalid(f.routes(Map.of(-1L, new Peer(1, ""))).record(), "partition_id", "-1");
        }

        @Test
        void hasSourceIds() {
            expectInvalid(f.sources(4_294_967_296L).record(), "source_table_ids", "4294967296");
        }

        @Test
        void hasNoPartitionsWhileItIsPending() {
            expectInvalid(f.status(FlowStatus.PENDING_SOURCES).record(), "flow_routes", "PendingSources");
        }

        @Test
        void hasAChannel() {
            expectInvalid(f.context(FlowSamples.context("s", 256, Map.of())).record(), "channel", "256");
        }

        @Test
        void hasAKnownPolicy() {
            expectInvalid(
                    f.schedule(new EvalSchedule(0, 0, "never", 1, 1)).record(),
                    "missed_tick_policy",
                    "never",
                    "bounded_catch_up",
                    "skip");
        }

        @Test
        void hasANumberOfRuns() {
            expectInvalid(
                    f.schedule(new EvalSchedule(0, 0, EvalSchedule.SKIP, -1, 1)).record(), "catchup_max_runs", "-1");
        }

        private void expectInvalid(FlowRecord record, String... parts) {
            flows.when(imported(record)).expectInvalid(parts);
        }
    }

    @Nested
    class Ids {
        @Test
        void moveForward() {
            flows.when(ids(1034)).expectFacts(new FlowIdsUsed("greptime", 1034));

            flows.when(create("f")).expectOk(1034, 1);
        }

        @ParameterizedTest
        @ValueSource(longs = {0, 1023, 1024, 2001})
        void neverMoveBack(long nextFlowId) {
            flows.when(imported(foreign("f").record()));

            flows.when(ids(nextFlowId)).expectUnchanged(null, null);
        }

        @Test
        void mayBeUsedUp() {
            flows.when(ids(4_294_967_296L));

            flows.when(create("f")).expectUnsupported("no flow_id left");
        }

        @ParameterizedTest
        @ValueSource(longs = {-1, 4_294_967_297L})
        void areIds(long nextFlowId) {
            flows.when(ids(nextFlowId)).expectInvalid("next_flow_id", Long.toString(nextFlowId));
        }

        @Test
        void areThoseOfACatalog() {
            flows.when(new ImportFlowIds(new CommandEnvelope("no name", COMMAND, 0), 2000))
                    .expectInvalid("catalog");
        }
    }

    private static ImportFlow imported(FlowRecord flow) {
        return imported(flow, false);
    }

    private static ImportFlow imported(FlowRecord flow, boolean orReplace) {
        return new ImportFlow(new CommandEnvelope("greptime", COMMAND, 1_000), flow, orReplace);
    }

    private static ImportFlowIds ids(long nextFlowId) {
        return new ImportFlowIds(new CommandEnvelope("greptime", COMMAND, 1_000), nextFlowId);
    }
}
