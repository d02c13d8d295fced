package io.sluice.topology.flow;

import static io.sluice.topology.flow.FlowCommands.SQL_2;
import static io.sluice.topology.flow.FlowCommands.create;
import static io.sluice.topology.flow.FlowCommands.drop;
import static io.sluice.topology.flow.FlowCommands.replace;
import static io.sluice.topology.flow.FlowSamples.context;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.Peer;
import io.sluice.state.flow.FlowFact.FlowIdsUsed;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The create table 2.3: the order of its rows, its eight combinations of flags, and the create column of 2.4. */
class CreateFlowDecisionTest {
    private final FlowScenario flows = new FlowScenario();

    // The order of decisions.

    @Test
    void row1_fieldsComeFirst() {
        flows.when(create("f").orReplace().createIfNotExists().option("foo", "1"))
                .expectInvalid("foo");
    }

    @Test
    void row2_bothFlagsAreUnsupportedWhateverExists() {
        flows.when(create("f").orReplace().createIfNotExists()).expectUnsupported("greptime.f", "one of them");
        flows.given(create("f"));
        flows.when(create("f").id(3000).orReplace().createIfNotExists())
                .expectRefused(OutcomeCode.UNSUPPORTED, 1024, 1, "greptime.f");
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true"})
    void row3a_aNameWithoutRecordAsksForRebuild(boolean orReplace, boolean createIfNotExists) {
        flows.given(create("f")).givenLostRecord(1024);
        for (FlowCommands command :
                List.of(create("f"), create("f").id(3000), create("f").id(1024))) {
            flows.when(withFlags(command, orReplace, createIfNotExists)).expectRecordGone(1024);
        }
    }

    @Test
    void row3a_aNameThatStandsForAnotherFlowIsDamagedToo() {
        flows.given(create("f")).givenNameOf("g", 1024);
        flows.when(create("g").orReplace()).expectRecordGone(1024);
        flows.when(drop("g")).expectRecordGone(1024);
    }

    @Test
    void row3b_anotherIdWithAFlagIsAMismatch() {
        flows.given(create("f"));
        flows.when(create("f").id(3000).orReplace())
                .expectRefused(OutcomeCode.FLOW_ID_MISMATCH, 1024, 1, "greptime.f", "1024", "3000");
        flows.when(create("f").id(3000).createIfNotExists())
                .expectRefused(OutcomeCode.FLOW_ID_MISMATCH, 1024, 1, "greptime.f", "1024", "3000");
    }

    @Test
    void row3c_createIfNotExistsLooksAtNothingElse() {
        flows.given(create("f"));
        flows.when(create("f")
                        .createIfNotExists()
                        .sql(SQL_2)
                        .noRoutes()
                        .sink("greptime.public.req")
                        .at(9000))
                .expectUnchanged(1024, 1);
        flows.when(create("f").id(1024).createIfNotExists()).expectUnchanged(1024, 1);
    }

    @Test
    void row3d_theSameDefinitionUnderTheSameIdIsDone() {
        flows.given(create("f").evalInterval(60).at(1000));
        flows.when(create("f").id(1024).evalInterval(60).at(5000)).expectUnchanged(1024, 1);
    }

    @Test
    void row3d_anotherDefinitionUnderTheSameIdNamesTheFirstDifference() {
        flows.given(create("f"));
        flows.when(create("f").id(1024).sql(SQL_2).sink("greptime.public.other"))
                .expectRefused(
                        OutcomeCode.FLOW_VALUE_MISMATCH,
                        1024,
                        1,
                        "greptime.f",
                        "1024",
                        "another sink_table_name",
                        "greptime.public.out",
                        "greptime.public.other");
    }

    @Test
    void row3e_anExistingNameIsRefused() {
        flows.given(create("f"));
        flows.when(create("f"))
                .expectRefused(
                        OutcomeCode.FLOW_ALREADY_EXISTS,
                        1024,
                        1,
                        "greptime.f",
                        "1024",
                        "or_replace",
                        "create_if_not_exists");
        flows.when(create("f").id(3000)).expectRefused(OutcomeCode.FLOW_ALREADY_EXISTS, 1024, 1, "greptime.f");
    }

    @Test
    void row4_theNewNameComesBeforeTheId() {
        flows.given(create("f"));
        flows.when(create("1a").id(1024)).expectInvalid("flow_name", "\"1a\"", "[a-zA-Z_:-]");
    }

    @Test
    void row5_anIdOfALiveFlowComesBeforeTheSources() {
        flows.given(create("f"));
        flows.when(create("g").id(1024).unresolved("greptime.public.late"))
                .expectRefused(OutcomeCode.FLOW_ID_TAKEN, "1024", "greptime.f", "greptime.g");
        flows.when(create("g").id(1024).catalog("other")).expectOk(1024, 1);
    }

    @Test
    void row6_unresolvedSourcesNeedTheOption() {
        flows.when(create("f").unresolved("greptime.public.late").sink("greptime.public.late"))
                .expectUnsupported("greptime.public.late", "defer_on_missing_source");
        flows.when(create("f").unresolved("greptime.public.late").option("defer_on_missing_source", "false"))
                .expectUnsupported("defer_on_missing_source");
    }

    @Test
    void row7_aReplaceDoesNotMakePendingActiveOrBack() {
        flows.given(create("f"), create("p").unresolved("greptime.public.late").deferOnMissingSource());
        flows.when(create("f").orReplace().unresolved("greptime.public.late").deferOnMissingSource())
                .expectRefused(OutcomeCode.UNSUPPORTED, 1024, 1, "greptime.f", "Active", "PendingSources");
        flows.when(create("p").orReplace().sink("greptime.public.req"))
                .expectRefused(OutcomeCode.UNSUPPORTED, 1025, 1, "greptime.p", "PendingSources", "Active");
    }

    @Test
    void row8_aFlowMustNotReadItsSink() {
        flows.when(create("f").sink("greptime.public.req")).expectUnsupported("greptime.public.req", "sink");
    }

    @Test
    void row9_idsAreAllocatedAboveEverythingEverUsed() {
        flows.given(create("a"), create("b").id(7000), drop("b"));
        flows.when(create("c")).expectOk(7001, 1);
        flows.given(create("low").id(3));
        flows.when(create("d")).expectOk(7002, 1);
    }

    @Test
    void row9_theLastIdIsUsedAndNotWrapped() {
        flows.given(create("a").id(4294967294L));
        flows.when(create("b")).expectOk(4294967295L, 1);
        flows.when(create("c")).expectUnsupported("flow_id", "4294967296", "4294967295", "greptime");
        flows.given(drop("b"));
        flows.when(create("c")).expectUnsupported("4294967295");
        flows.when(create("c").id(4294967295L)).expectOk(4294967295L, 1);
    }

    @Test
    void row9_theSinkIsLookedAtBeforeTheIds() {
        flows.given(create("a").id(4294967295L));
        flows.when(create("b").sink("greptime.public.req")).expectUnsupported("sink");
    }

    @Test
    void row10_anEqualReplaceChangesNothing() {
        flows.given(create("f").evalInterval(60).at(1000));
        flows.when(create("f").orReplace().evalInterval("1 minute").at(5000)).expectUnchanged(1024, 1);
        flows.when(create("f").id(1024).orReplace().evalInterval(60).at(5000)).expectUnchanged(1024, 1);
    }

    @Test
    void row11_newStartsAtOneAndReplacedGainsOne() {
        flows.when(create("f")).expectOk(1024, 1);
        flows.when(create("f").orReplace().sql("S2")).expectOk(1024, 2);
        flows.when(create("f").orReplace().sql("S3")).expectOk(1024, 3);
    }

    // The flag table.

    @ParameterizedTest(name = "exists {0}, or_replace {1}, create_if_not_exists {2}: {3}")
    @CsvSource({
        "false, false, false, NEW",
        "false, false, true, NEW",
        "false, true, false, NEW",
        "false, true, true, UNSUPPORTED",
        "true, false, false, FLOW_ALREADY_EXISTS",
        "true, false, true, UNCHANGED",
        "true, true, false, REPLACED",
        "true, true, true, UNSUPPORTED"
    })
    void flagTable(boolean exists, boolean orReplace, boolean createIfNotExists, String expected) {
        if (exists) {
            flows.given(create("f"));
        }
        FlowRecord before = flows.flow("f");
        flows.when(withFlags(create("f").sql(SQL_2), orReplace, createIfNotExists));
        switch (expected) {
            case "NEW" -> flows.expectOk(1024, 1);
            case "REPLACED" -> {
                flows.expectOk(1024, 2);
                assertThat(flows.flow("f").rawSql()).isEqualTo(SQL_2);
            }
            case "UNCHANGED" -> {
                flows.expectUnchanged(1024, 1);
                assertThat(flows.flow("f")).isEqualTo(before);
            }
            default -> {
                OutcomeCode code = OutcomeCode.valueOf(expected);
                if (exists) {
                    flows.expectRefused(code, 1024, 1, "greptime.f");
                } else {
                    flows.expectRefused(code, "greptime.f");
                }
            }
        }
    }

    // What a create stores.

    @Test
    void aCreateStoresTheWholeRecord() {
        flows.when(create("f")
                        .commandId("c-1")
                        .at(1000)
                        .sources(1024, 1025)
                        .routes("1:2,0:1")
                        .context(context("public"))
                        .expireAfter("1h")
                        .evalInterval(60)
                        .comment("hi"))
                .expectOk(1024, 1);
        TreeMap<Long, Peer> routes =
                new TreeMap<>(Map.of(0L, new Peer(1, "10.0.0.1:6800"), 1L, new Peer(2, "10.0.0.2:6800")));
        FlowRecord expected = new FlowRecord(
                "greptime",
                1024,
                "f",
                1,
                "c-1",
                List.of(1024L, 1025L),
                List.of(FlowCommands.table("greptime.public.req")),
                List.of(),
                FlowCommands.table("greptime.public.out"),
                routes,
                context("public"),
                FlowCommands.SQL_1,
                3600L,
                60L,
                "hi",
                new TreeMap<>(Map.of("flow_type", "batching")),
                FlowStatus.ACTIVE,
                1_000_000_000_000L,
                1_000_000_000_000L,
                new EvalSchedule(0, 1020, "bounded_catch_up", 3, 300));
        flows.expectFacts(new FlowRecorded(expected), new FlowIdsUsed("greptime", 1025));
    }

    @Test
    void anExplicitIdMovesTheAllocatorOnlyForward() {
        flows.when(create("a").id(10)).expectFacts(new FlowRecorded(flows.flow("a")));
        flows.when(create("b").id(2000))
                .expectFacts(new FlowRecorded(flows.flow("b")), new FlowIdsUsed("greptime", 2001));
        flows.when(create("c").id(1999)).expectFacts(new FlowRecorded(flows.flow("c")));
    }

    @ParameterizedTest
    @CsvSource({
        // interval, issued at (ns), start, lag
        "60, 1000000000000, 1020, 300",
        "60, 1020000000000, 1020, 300",
        "60, 1020000000001, 1020, 300",
        "60, 1021000000000, 1080, 300",
        "900, 1782886200000000000, 1782886500, 2700",
        "60, 0, 0, 300",
        "60, -5000000000, 0, 300"
    })
    void theScheduleStartsWithTheFirstMultiple(long interval, long issuedAtNanos, long start, long lag) {
        flows.given(create("f").evalInterval(interval).atNanos(issuedAtNanos));
        assertThat(flows.flow("f").evalSchedule())
                .isEqualTo(new EvalSchedule(0, start, EvalSchedule.BOUNDED_CATCH_UP, 3, lag));
    }

    @Test
    void theLargestIntervalHasASchedule() {
        flows.given(create("f").evalInterval(9223372036854775L));
        assertThat(flows.flow("f").evalSchedule().startSecs()).isEqualTo(9223372036854775L);
    }

    // Names (G14).

    @ParameterizedTest
    @ValueSource(strings = {"`f`", "\"f\""})
    void aNewFlowGetsTheNameInsideTheQuotes(String quoted) {
        flows.when(create(quoted)).expectOk(1024, 1);
        assertThat(flows.flow("f").flowName()).isEqualTo("f");
        flows.when(create("f")).expectRefused(OutcomeCode.FLOW_ALREADY_EXISTS, 1024, 1, "greptime.f");
        flows.when(create(quoted)).expectRefused(OutcomeCode.FLOW_ALREADY_EXISTS, 1024, 1, "greptime.f");
    }

    @ParameterizedTest
    @ValueSource(strings = {"`", "\"", "``", "\"\"", "\"a\".\"b\"", "`a`.`b`", "`a\"", "``a``", "'a'", "`1a`", "` a`"})
    void otherQuotingIsRefused(String name) {
        flows.when(create(name)).expectInvalid("flow_name", "[a-zA-Z_:-]");
        flows.when(replace(name)).expectRefused(OutcomeCode.FLOW_NOT_FOUND, "no flow");
        flows.when(drop(name)).expectRefused(OutcomeCode.FLOW_NOT_FOUND, "no flow");
    }

    @Test
    void theExactNameWinsOverTheOneInsideTheQuotes() {
        flows.given(create("f")).givenImported(withName("`f`", 2000));
        flows.when(replace("`f`").sql("S9")).expectOk(2000, 2);
        flows.when(drop("`f`")).expectOk(2000, 2);
        flows.when(replace("`f`").sql("S9")).expectOk(1024, 2);
    }

    // What a definition is.

    static Stream<Arguments> otherDefinitions() {
        return Stream.of(
                other("raw_sql", c -> c.sql("S9")),
                other("sink_table_name", c -> c.sink("greptime.public.Out")),
                other("source_table_ids", c -> c.sources(1025)),
                other("source_table_ids", c -> c.sources(1024, 1025)),
                other("all_source_table_names", c -> c.sourceNames()),
                other("unresolved_source_table_names", c -> c.unresolved("greptime.public.late")),
                other("flow_routes", c -> c.routes("0:2")),
                other("flow_routes", c -> c.routes("1:1")),
                other("flow_routes", c -> c.route(1, "elsewhere:1")),
                other("flow_routes", c -> c.noRoutes()),
                other("query_context", c -> c.context(context("other"))),
                other("query_context", c -> c.context(null)),
                other("expire_after", c -> c.expireAfter(2)),
                other("eval_interval_secs", c -> c.evalInterval(61)),
                other("comment", c -> c.comment("other")),
                other("options", c -> c.option("flow_type", "streaming")));
    }

    private static Arguments other(String field, UnaryOperator<FlowCommands> change) {
        return Arguments.of(field, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("otherDefinitions")
    void everyPartOfTheDefinitionCounts(String field, UnaryOperator<FlowCommands> change) {
        flows.given(full());
        flows.when(full().id(1024).at(7000)).expectUnchanged(1024, 1);
        flows.when(change.apply(full()).id(1024))
                .expectRefused(OutcomeCode.FLOW_VALUE_MISMATCH, 1024, 1, "greptime.f", "another " + field + ":");
    }

    @Test
    void aDefinitionIsEveryFieldOfTheRecordButIdentityTimesAndRevision() {
        Set<String> notCompared = Set.of(
                "catalog", "flowId", "flowName", "revision", "commandId", "createdTimeNanos", "updatedTimeNanos");
        Set<String> compared = Arrays.stream(FlowRecord.class.getRecordComponents())
                .map(component -> component.getName())
                .filter(name -> !notCompared.contains(name))
                .map(CreateFlowDecisionTest::asCallersWriteIt)
                .collect(Collectors.toSet());
        assertThat(FlowDifference.fieldNames()).containsExactlyInAnyOrderElementsOf(compared);
    }

    private static String asCallersWriteIt(String component) {
        return switch (component) {
            case "routes" -> "flow_routes";
            case "expireAfterSecs" -> "expire_after";
            default -> component.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
        };
    }

    @Test
    void namingFlownodesByIdSaysNothingAboutAddresses() {
        flows.given(create("f"));
        flows.when(create("f").id(1024).noRoutes().flownodeIds("0:1")).expectUnchanged(1024, 1);
        flows.when(create("f").id(1024).noRoutes().flownodeIds("0:2"))
                .expectRefused(
                        OutcomeCode.FLOW_VALUE_MISMATCH, 1024, 1, "flow_routes", "{0:1@10.0.0.1:6800}", "{0:2@}");
    }

    @Test
    void aPendingFlowIsTheSameWhateverRoutesWereAskedFor() {
        flows.given(pending().routes("0:1"));
        flows.when(pending().id(1024).routes("0:7,1:8")).expectUnchanged(1024, 1);
    }

    private static FlowCommands full() {
        return create("f")
                .context(context("public"))
                .expireAfter(1)
                .evalInterval(60)
                .comment("c");
    }

    private static FlowCommands pending() {
        return create("f").unresolved("greptime.public.late").deferOnMissingSource();
    }

    private static FlowCommands withFlags(FlowCommands command, boolean orReplace, boolean createIfNotExists) {
        FlowCommands flagged = orReplace ? command.orReplace() : command;
        return createIfNotExists ? flagged.createIfNotExists() : flagged;
    }

    private static FlowRecord withName(String flowName, long flowId) {
        return FlowSamples.oldRecord(flowName, flowId, null, null);
    }
}
