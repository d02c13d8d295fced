package io.sluice.topology.flow;

import static io.sluice.topology.flow.FlowCommands.SQL_2;
import static io.sluice.topology.flow.FlowCommands.comment;
import static io.sluice.topology.flow.FlowCommands.create;
import static io.sluice.topology.flow.FlowCommands.drop;
import static io.sluice.topology.flow.FlowCommands.replace;
import static io.sluice.topology.flow.FlowSamples.context;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.Peer;
import io.sluice.state.flow.FlowFact.FlowDropped;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of table 2.5 that are about flows, and the replace column of 2.4. */
class OtherFlowDecisionsTest {
    private static final long SECOND = 1_000_000_000L;

    private final FlowScenario flows = new FlowScenario();

    /** ReplaceFlow: the order of decisions, each step shown to come before the next. */
    @Nested
    class ReplaceFlowOrder {
        @Test
        void fields() {
            flows.when(replace("absent").evalInterval(0)).expectInvalid("eval_interval_secs");
        }

        @Test
        void notFound() {
            flows.when(replace("f").id(3000).expectedRevision(9))
                    .expectRefused(OutcomeCode.FLOW_NOT_FOUND, "greptime.f");
        }

        @Test
        void notFoundWhenTheRecordIsGone() {
            flows.given(create("f")).givenLostRecord(1024);
            flows.when(replace("f")).expectRecordGone(1024);
        }

        @Test
        void idMismatch() {
            flows.given(create("f"));
            flows.when(replace("f").id(3000).expectedRevision(9))
                    .expectRefused(OutcomeCode.FLOW_ID_MISMATCH, 1024, 1, "greptime.f", "1024", "3000");
        }

        @Test
        void revisionMismatch() {
            flows.given(create("f"));
            flows.when(replace("f").id(1024).expectedRevision(9).unresolved("greptime.public.late"))
                    .expectRefused(OutcomeCode.REVISION_MISMATCH, 1024, 1, "greptime.f", "revision 1", "9");
        }

        @Test
        void revisionsAreUnsigned() {
            flows.given(create("f"));
            flows.when(replace("f").expectedRevision(-1))
                    .expectRefused(OutcomeCode.REVISION_MISMATCH, 1024, 1, "18446744073709551615");
        }

        @Test
        void unresolvedSources() {
            flows.given(create("f"));
            flows.when(replace("f").expectedRevision(1).unresolved("greptime.public.late"))
                    .expectRefused(OutcomeCode.UNSUPPORTED, 1024, 1, "greptime.public.late", "defer_on_missing_source");
        }

        @Test
        void pendingOrActiveStays() {
            flows.given(create("f"));
            flows.when(replace("f")
                            .unresolved("greptime.public.late")
                            .deferOnMissingSource()
                            .sink("greptime.public.late"))
                    .expectRefused(OutcomeCode.UNSUPPORTED, 1024, 1, "Active", "PendingSources");
        }

        @Test
        void sinkIsSource() {
            flows.given(create("f").sink("greptime.public.out"));
            flows.when(replace("f").sink("greptime.public.req"))
                    .expectRefused(OutcomeCode.UNSUPPORTED, 1024, 1, "greptime.public.req", "sink");
        }

        @Test
        void equalDefinition() {
            flows.given(create("f"));
            flows.when(replace("f").id(1024).expectedRevision(1).at(9000)).expectUnchanged(1024, 1);
        }

        @Test
        void otherDefinition() {
            flows.given(create("f"));
            flows.when(replace("f").id(1024).expectedRevision(1).sql(SQL_2)).expectOk(1024, 2);
            flows.expectFacts(new FlowRecorded(flows.flow("f")));
        }
    }

    /** The replace column of 2.4, for both commands that replace. */
    @Nested
    class ReplaceEffect {
        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void idNameAndCreationStay(boolean byCreate) {
            flows.given(create("f").at(1000));
            flows.when(replacing(byCreate).sql(SQL_2).at(2000).commandId("c-2")).expectOk(1024, 2);
            FlowRecord flow = flows.flow("f");
            assertThat(flow.createdTimeNanos()).isEqualTo(1000 * SECOND);
            assertThat(flow.updatedTimeNanos()).isEqualTo(2000 * SECOND);
            assertThat(flow.commandId()).isEqualTo("c-2");
            assertThat(flow.rawSql()).isEqualTo(SQL_2);
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void routesAndContextStayWhenNotGiven(boolean byCreate) {
            flows.given(create("f").routes("4:1,9:2").context(context("public")));
            flows.when(replacing(byCreate).noRoutes().sql(SQL_2)).expectOk(1024, 2);
            assertThat(flows.flow("f").queryContext()).isEqualTo(context("public"));
            assertThat(flows.flow("f").routes().get(9L)).isEqualTo(new Peer(2, "10.0.0.2:6800"));
            flows.expectRoutes(1024, "4:1,9:2");
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void everythingElseTakesItsDefault(boolean byCreate) {
            flows.given(
                    create("f").expireAfter(60).evalInterval(60).comment("hi").option("flow_type", "streaming"));
            flows.when(replacing(byCreate)).expectOk(1024, 2);
            FlowRecord flow = flows.flow("f");
            assertThat(flow.expireAfterSecs()).isNull();
            assertThat(flow.evalIntervalSecs()).isNull();
            assertThat(flow.evalSchedule()).isNull();
            assertThat(flow.comment()).isEmpty();
            assertThat(flow.options()).containsOnlyKeys("flow_type").containsEntry("flow_type", "batching");
        }

        @Test
        void givenRoutesAndContextReplaceTheOnesThereAre() {
            flows.given(create("f").routes("0:1,1:2").context(context("public")));
            flows.when(replace("f").routes("1:5").context(context("other"))).expectOk(1024, 2);
            flows.expectRoutes(1024, "1:5");
            assertThat(flows.flow("f").queryContext()).isEqualTo(context("other"));
        }

        @Test
        void anotherAddressIsAChange() {
            flows.given(create("f").route(1, "a:1"));
            flows.when(replace("f").route(1, "a:1")).expectUnchanged(1024, 1);
            flows.when(replace("f").route(1, "b:1")).expectOk(1024, 2);
            assertThat(flows.flow("f").routes().get(0L)).isEqualTo(new Peer(1, "b:1"));
        }

        @Test
        void flownodesByIdKeepTheAddressOfAPartitionThatStays() {
            flows.given(create("f").routes("0:1,1:2"));
            flows.when(replace("f").flownodeIds("0:1,1:2")).expectUnchanged(1024, 1);
            flows.when(replace("f").flownodeIds("0:1,1:3,2:1")).expectOk(1024, 2);
            assertThat(flows.flow("f").routes())
                    .containsEntry(0L, new Peer(1, "10.0.0.1:6800"))
                    .containsEntry(1L, new Peer(3, ""))
                    .containsEntry(2L, new Peer(1, ""))
                    .hasSize(3);
        }

        @Test
        void aPendingFlowGetsNoRoutes() {
            flows.given(create("f").unresolved("greptime.public.late").deferOnMissingSource());
            flows.when(replace("f")
                            .routes("0:1")
                            .sources(1, 2)
                            .unresolved("greptime.public.late")
                            .deferOnMissingSource())
                    .expectOk(1024, 2)
                    .expectRoutes(1024, "")
                    .expectRows(1024, 2);
            assertThat(flows.flow("f").sourceTableIds()).containsExactly(1L, 2L);
        }

        private FlowCommands replacing(boolean byCreate) {
            return byCreate ? create("f").orReplace() : replace("f");
        }
    }

    /** G16 on replace. */
    @Nested
    class ReplaceSchedule {
        @Test
        void staysWithTheSameInterval() {
            flows.given(create("f").evalInterval(60).at(1000));
            flows.when(replace("f").evalInterval("60s").sql(SQL_2).at(9000)).expectOk(1024, 2);
            assertThat(flows.flow("f").evalSchedule().startSecs()).isEqualTo(1020);
        }

        @Test
        void isComputedAgainForAnotherInterval() {
            flows.given(create("f").evalInterval(60).at(1000));
            flows.when(replace("f").evalInterval(900).at(9001)).expectOk(1024, 2);
            assertThat(flows.flow("f").evalSchedule())
                    .isEqualTo(new EvalSchedule(0, 9900, EvalSchedule.BOUNDED_CATCH_UP, 3, 2700));
        }

        @Test
        void comesAndGoesWithTheInterval() {
            flows.given(create("f").evalInterval(60), replace("f"));
            assertThat(flows.flow("f").evalSchedule()).isNull();
            flows.given(replace("f").evalInterval(60).at(7000));
            assertThat(flows.flow("f").evalSchedule().startSecs()).isEqualTo(7020);
        }

        @Test
        void anOldRecordCountsAsScheduledAtItsCreation() {
            flows.givenImported(FlowSamples.oldRecord("f", 1024, 900L, null));
            flows.when(replace("f").evalInterval(900).sourceNames().at(5000)).expectUnchanged(1024, 1);
            flows.when(replace("f").evalInterval(900).sourceNames().sql(SQL_2).at(5000))
                    .expectOk(1024, 2);
            assertThat(flows.flow("f").evalSchedule())
                    .isEqualTo(new EvalSchedule(0, 0, EvalSchedule.BOUNDED_CATCH_UP, 3, 2700));
        }

        @Test
        void anImportedScheduleStaysWhole() {
            EvalSchedule imported = new EvalSchedule(0, 7, "skip", 9, 42);
            flows.givenImported(FlowSamples.oldRecord("f", 1024, 60L, imported));
            flows.when(replace("f").evalInterval(60).sourceNames()).expectUnchanged(1024, 1);
            flows.when(replace("f").evalInterval(60).sql(SQL_2)).expectOk(1024, 2);
            assertThat(flows.flow("f").evalSchedule()).isEqualTo(imported);
        }

        @Test
        void anotherAnchorIsGivenUp() {
            flows.givenImported(FlowSamples.oldRecord("f", 1024, 60L, new EvalSchedule(30, 90, "skip", 9, 42)));
            flows.when(replace("f").evalInterval(60).sourceNames().at(1000)).expectOk(1024, 2);
            assertThat(flows.flow("f").evalSchedule())
                    .isEqualTo(new EvalSchedule(0, 1020, EvalSchedule.BOUNDED_CATCH_UP, 3, 300));
        }

        @Test
        void anImportedIntervalOfZeroDoesNoHarm() {
            flows.givenImported(FlowSamples.oldRecord("f", 1024, 0L, null));
            flows.when(replace("f")).expectOk(1024, 2);
            flows.when(drop("f")).expectOk(1024, 2);
        }
    }

    /** DropFlow: the order of decisions. */
    @Nested
    class DropFlowOrder {
        @Test
        void absentIsNotFoundUnlessIfExists() {
            flows.when(drop("f").id(3000)).expectRefused(OutcomeCode.FLOW_NOT_FOUND, "greptime.f");
            flows.when(drop("f").id(3000).ifExists()).expectUnchanged(null, null);
        }

        @Test
        void aNameWithoutRecordIsNeverSilentlyOk() {
            flows.given(create("f")).givenLostRecord(1024);
            flows.when(drop("f")).expectRecordGone(1024);
            flows.when(drop("f").ifExists()).expectRecordGone(1024);
        }

        @Test
        void idMismatch() {
            flows.given(create("f"));
            flows.when(drop("f").id(3000).expectedRevision(9).ifExists())
                    .expectRefused(OutcomeCode.FLOW_ID_MISMATCH, 1024, 1, "1024", "3000");
        }

        @Test
        void revisionMismatch() {
            flows.givenImported(FlowSamples.recordWithoutPartitions("f"));
            flows.when(drop("f").expectedRevision(9))
                    .expectRefused(OutcomeCode.REVISION_MISMATCH, 1024, 1, "revision 1", "9");
        }

        @Test
        void routeNotFound() {
            flows.givenImported(FlowSamples.recordWithoutPartitions("f"));
            flows.when(drop("f").expectedRevision(1))
                    .expectRefused(OutcomeCode.FLOW_ROUTE_NOT_FOUND, 1024, 1, "greptime.f", "partition", "replace");
        }

        @Test
        void dropped() {
            flows.given(create("f"), replace("f").sql(SQL_2));
            flows.when(drop("f").id(1024).expectedRevision(2)).expectOk(1024, 2).expectRows(1024, 0);
            flows.expectFacts(new FlowDropped("greptime", 1024));
            assertThat(flows.nextFlowId()).isEqualTo(1025);
        }

        @Test
        void aFlowWithoutPartitionsMayBeReplacedAndStaySo() {
            flows.givenImported(FlowSamples.recordWithoutPartitions("f"));
            flows.when(replace("f").routes("").sql(SQL_2)).expectOk(1024, 2).expectRoutes(1024, "");
        }
    }

    /** CommentFlow. */
    @Nested
    class CommentFlowOrder {
        @Test
        void notFound() {
            flows.when(comment("f", "x")).expectRefused(OutcomeCode.FLOW_NOT_FOUND, "greptime.f");
            flows.given(create("f")).givenLostRecord(1024);
            flows.when(comment("f", "x")).expectRecordGone(1024);
        }

        @ParameterizedTest
        @CsvSource(
                value = {"NULL, NULL", "NULL, ''", "'', NULL", "hi, hi"},
                nullValues = "NULL")
        void equalTextChangesNothing(String stored, String given) {
            flows.given(create("f").comment(stored));
            flows.when(comment("f", given).at(9000)).expectUnchanged(1024, 1);
        }

        @Test
        void onlyCommentAndUpdatedTimeChange() {
            flows.given(create("f")
                    .at(1000)
                    .evalInterval(60)
                    .context(context("public"))
                    .expireAfter(5));
            FlowRecord before = flows.flow("f");
            flows.when(comment("f", "new").at(2000).commandId("c-9")).expectOk(1024, 2);
            flows.expectFacts(new FlowRecorded(before.withComment("new", 2, "c-9", 2000 * SECOND)));
        }

        @Test
        void nullTakesTheCommentAway() {
            flows.given(create("f").comment("hi"));
            flows.when(comment("f", null)).expectOk(1024, 2);
            assertThat(flows.flow("f").comment()).isEmpty();
        }

        @Test
        void isDecidedAgainstTheFlowAsItIsThen() {
            flows.given(create("f"), replace("f").sql(SQL_2));
            flows.when(comment("f", "new")).expectOk(1024, 3);
            assertThat(flows.flow("f").rawSql()).isEqualTo(SQL_2);
            flows.when(replace("f").sql("S3").expectedRevision(2))
                    .expectRefused(OutcomeCode.REVISION_MISMATCH, 1024, 3, "revision 3", "2");
        }

        @Test
        void worksOnPendingFlowsAndQuotedNames() {
            flows.given(create("f").unresolved("greptime.public.late").deferOnMissingSource());
            flows.when(comment("`f`", "new")).expectOk(1024, 2).expectRows(1024, 2);
        }
    }
}
