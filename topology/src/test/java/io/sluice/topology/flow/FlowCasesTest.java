package io.sluice.topology.flow;

import static io.sluice.topology.flow.FlowCommands.SQL_1;
import static io.sluice.topology.flow.FlowCommands.SQL_2;
import static io.sluice.topology.flow.FlowCommands.comment;
import static io.sluice.topology.flow.FlowCommands.create;
import static io.sluice.topology.flow.FlowCommands.drop;
import static io.sluice.topology.flow.FlowCommands.replace;
import static io.sluice.topology.flow.FlowSamples.context;
import static io.sluice.topology.flow.FlowSamples.oldRecord;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of docs/behaviour.md, section 3, that a decider alone can show, named by their ids. */
class FlowCasesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String LATE = "greptime.public.late";

    private final FlowScenario flows = new FlowScenario();

    // F1: replace answered "already exists".

    @Test
    void bF1_1_create() {
        flows.when(create("f")).expectOk(1024, 1);
    }

    @Test
    void bF1_2_createIfNotExistsOfANewName() {
        flows.when(create("f").createIfNotExists()).expectOk(1024, 1);
    }

    @Test
    void bF1_3_createOrReplaceOfANewName() {
        flows.when(create("f").orReplace()).expectOk(1024, 1);
    }

    @Test
    void bF1_4_bothFlagsUseNoId() {
        flows.when(create("f").orReplace().createIfNotExists()).expectUnsupported("or_replace");
        flows.when(create("g")).expectOk(1024, 1);
    }

    @Test
    void bF1_5_createOfAnExistingNameIsRefused() {
        flows.given(create("f").at(1000));
        flows.when(create("f").sql(SQL_2).at(2000))
                .expectRefused(OutcomeCode.FLOW_ALREADY_EXISTS, 1024, 1, "greptime.f");
    }

    @Test
    void bF1_6_createIfNotExistsLeavesTheFlowAlone() {
        flows.given(create("f").at(1000));
        flows.when(create("f").sql(SQL_2).createIfNotExists().at(2000)).expectUnchanged(1024, 1);
        assertThat(flows.flow("f").updatedTimeNanos()).isEqualTo(1000 * SECOND);
    }

    @Test
    void bF1_7_createOrReplaceReplaces() {
        flows.given(create("f").at(1000));
        flows.when(create("f").sql(SQL_2).orReplace().at(2000)).expectOk(1024, 2);
        assertThat(flows.flow("f").rawSql()).isEqualTo(SQL_2);
        assertThat(flows.flow("f").createdTimeNanos()).isEqualTo(1000 * SECOND);
        assertThat(flows.flow("f").updatedTimeNanos()).isEqualTo(2000 * SECOND);
    }

    @Test
    void bF1_8_bothFlagsChangeNothing() {
        flows.given(create("f"));
        flows.when(create("f").orReplace().createIfNotExists())
                .expectRefused(OutcomeCode.UNSUPPORTED, 1024, 1, "or_replace", "create_if_not_exists");
    }

    @Test
    void bF1_9_aRefusedCreateUsesNoId() {
        flows.when(create("f").unresolved(LATE)).expectUnsupported(LATE);
        flows.when(create("f")).expectOk(1024, 1);
    }

    @Test
    void bF1_10_catalogsAreIndependent() {
        flows.given(create("f"));
        flows.when(create("f").catalog("other")).expectOk(1024, 1);
        flows.given(drop("f").catalog("other"));
        assertThat(flows.flow("f").revision()).isEqualTo(1);
    }

    // R1: explicit ids and idempotent create.

    @Test
    void bR1_1_explicitIdMovesTheAllocator() {
        flows.when(create("f").id(2000)).expectOk(2000, 1);
        flows.when(create("g")).expectOk(2001, 1);
    }

    @Test
    void bR1_2_createAgainWithTheSameIdAndDefinition() {
        flows.given(create("f").at(1000));
        flows.when(create("f").id(1024).at(2000)).expectUnchanged(1024, 1);
        assertThat(flows.flow("f").updatedTimeNanos()).isEqualTo(1000 * SECOND);
    }

    @Test
    void bR1_3_createAgainWithAnotherDefinition() {
        flows.given(create("f"));
        flows.when(create("f").id(1024).sql(SQL_2))
                .expectRefused(OutcomeCode.FLOW_VALUE_MISMATCH, 1024, 1, "raw_sql", SQL_1, SQL_2);
    }

    @Test
    void bR1_4_createAgainWithAnotherId() {
        flows.given(create("f"));
        flows.when(create("f").id(3000)).expectRefused(OutcomeCode.FLOW_ALREADY_EXISTS, 1024, 1, "greptime.f");
    }

    @Test
    void bR1_5_idOfAnotherFlow() {
        flows.given(create("f"));
        flows.when(create("g").id(1024)).expectRefused(OutcomeCode.FLOW_ID_TAKEN, "1024", "greptime.f");
    }

    @Test
    void bR1_6_aFreedIdIsNotAllocatedButMayBeGiven() {
        flows.given(create("f"), drop("f"));
        flows.when(create("g")).expectOk(1025, 1);
        flows.when(create("h").id(1024)).expectOk(1024, 1);
    }

    @Test
    void bR1_7_orReplaceWithAnotherId() {
        flows.given(create("f"));
        flows.when(create("f").id(3000).orReplace())
                .expectRefused(OutcomeCode.FLOW_ID_MISMATCH, 1024, 1, "1024", "3000");
    }

    @Test
    void bR1_8_createIfNotExistsWithAnotherId() {
        flows.given(create("f"));
        flows.when(create("f").id(3000).createIfNotExists())
                .expectRefused(OutcomeCode.FLOW_ID_MISMATCH, 1024, 1, "1024", "3000");
    }

    @Test
    void bR1_9_aLowIdMayBeGiven() {
        flows.when(create("f").id(10)).expectOk(10, 1);
        flows.when(create("g")).expectOk(1024, 1);
    }

    @Test
    void bR1_10_idsDoNotWrap() {
        flows.when(create("f").id(4294967295L)).expectOk(4294967295L, 1);
        flows.when(create("g")).expectUnsupported("4294967295");
    }

    @Test
    void bR1_11_createdAgainStartsAtRevisionOne() {
        flows.given(create("f"), replace("f").sql(SQL_2), drop("f"));
        flows.when(create("f")).expectOk(1025, 1);
    }

    @Test
    void bR1_12_replaceAndDropWithAnotherId() {
        flows.given(create("f"));
        flows.when(replace("f").id(3000).sql(SQL_2)).expectRefused(OutcomeCode.FLOW_ID_MISMATCH, 1024, 1, "3000");
        flows.when(drop("f").id(3000)).expectRefused(OutcomeCode.FLOW_ID_MISMATCH, 1024, 1, "3000");
    }

    @Test
    void bR1_13_replaceWithTheEqualDefinition() {
        flows.given(create("f").at(1000));
        flows.when(replace("f").at(2000)).expectUnchanged(1024, 1);
    }

    @Test
    void bR1_14_routesThatDisagree() {
        flows.when(create("f").routes("0:1").flownodeIds("0:2")).expectInvalid("flownode_ids", "partition 0");
        flows.when(create("f").routes("0:1,0:1")).expectInvalid("flow_routes", "partition 0");
    }

    // F2: replace left old rows behind.

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bF2_1_and_8_everyPartitionMoves(boolean byCreate) {
        flows.given(create("f").routes("0:1,1:2").sources(1024, 1025, 1026));
        FlowCommands command = byCreate ? create("f").orReplace() : replace("f").expectedRevision(1);
        flows.when(command.routes("0:3,1:4").sources(1024, 1025, 1026)).expectOk(1024, 2);
        assertThat(flows.flownode(1)).isEmpty();
        assertThat(flows.flownode(2)).isEmpty();
        assertThat(flows.flownode(3)).containsExactly("1024/0");
        assertThat(flows.flownode(4)).containsExactly("1024/1");
        for (long tableId : new long[] {1024, 1025, 1026}) {
            assertThat(flows.flownodesOfTable(tableId)).containsExactly(3L, 4L);
        }
        flows.expectRoutes(1024, "0:3,1:4").expectRows(1024, 12);
    }

    @Test
    void bF2_2_otherSources() {
        flows.given(create("f").sources(1024, 1025));
        flows.when(replace("f").sources(1026, 1027)).expectOk(1024, 2);
        assertThat(flows.flownodesOfTable(1024)).isEmpty();
        assertThat(flows.flownodesOfTable(1025)).isEmpty();
        assertThat(flows.flownodesOfTable(1026)).containsExactly(1L);
        assertThat(flows.flownodesOfTable(1027)).containsExactly(1L);
    }

    @Test
    void bF2_3_fewerPartitions() {
        flows.given(create("f").routes("0:1,1:2,2:3"));
        flows.when(replace("f").routes("0:1")).expectOk(1024, 2).expectRoutes(1024, "0:1");
        assertThat(flows.flownode(2)).isEmpty();
        assertThat(flows.flownode(3)).isEmpty();
    }

    @Test
    void bF2_4_onlyTheSqlChanges() {
        flows.given(create("f").routes("0:1,1:2"));
        SortedSet<String> before = flows.rows(1024);
        flows.when(replace("f").sql(SQL_2)).expectOk(1024, 2);
        assertThat(flows.rows(1024)).isEqualTo(before);
    }

    @Test
    void bF2_5_pendingStaysPending() {
        flows.given(pending()).expectRows(1024, 2);
        flows.when(replace("f").unresolved(LATE).deferOnMissingSource().sql(SQL_2))
                .expectOk(1024, 2)
                .expectRows(1024, 2);
    }

    @Test
    void bF2_6_partitionsSwapTheirFlownodes() {
        flows.given(create("f").routes("0:1,1:2"));
        flows.when(replace("f").routes("0:2,1:1")).expectOk(1024, 2);
        assertThat(flows.flownode(1)).containsExactly("1024/1");
        assertThat(flows.flownode(2)).containsExactly("1024/0");
    }

    @Test
    void bF2_7_routesStayWhenNotGiven() {
        flows.given(create("f").routes("0:1,1:2"));
        flows.when(replace("f").sources(1030)).expectOk(1024, 2).expectRoutes(1024, "0:1,1:2");
        assertThat(flows.flownodesOfTable(1030)).containsExactly(1L, 2L);
    }

    // F3: dropping one flow cut off another on the same flownode.

    @Test
    void bF3_1_to_3_flownodesOfATable() {
        flows.given(create("a").id(2001), create("b").id(2003), drop("a"));
        assertThat(flows.flownodesOfTable(1024)).containsExactly(1L);
        flows.given(drop("b"));
        assertThat(flows.flownodesOfTable(1024)).isEmpty();
        flows.given(create("c").id(2004).routes("0:5"));
        assertThat(flows.flownodesOfTable(1024)).containsExactly(5L);
    }

    // F4: retry of a drop.

    @Test
    void bF4_2_dropOfADroppedFlow() {
        flows.given(create("f"), drop("f"));
        flows.when(drop("f")).expectRefused(OutcomeCode.FLOW_NOT_FOUND, "greptime.f");
        flows.when(drop("f").ifExists()).expectUnchanged(null, null);
    }

    // F9: characters and case.

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "a@b", "a#b", "a:b", "-a", "_a", ":", "A9"})
    void bF9_1_namesInThePattern(String name) {
        flows.when(create(name)).expectOk(1024, 1);
        flows.when(replace(name).sql(SQL_2)).expectOk(1024, 2);
        flows.when(drop(name)).expectOk(1024, 2);
        flows.when(create(name)).expectOk(1025, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1a", ".a", "@a", "#a", "", "a b", "a/b", "流", "a\n", "a\r", "a\u0085", "a\u2028"})
    void bF9_2_namesOutsideThePattern(String name) {
        flows.when(create(name)).expectInvalid("flow_name", "[a-zA-Z_:-]");
        flows.when(create("a")).expectOk(1024, 1);
    }

    @Test
    void bF9_3_caseCounts() {
        flows.given(create("Foo"));
        flows.when(create("foo")).expectOk(1025, 1);
        flows.when(drop("FOO")).expectRefused(OutcomeCode.FLOW_NOT_FOUND, "greptime.FOO");
    }

    @Test
    void bF9_4_anImportedOddNameStaysUsable() {
        flows.givenImported(oldRecord("流 1", 1024, null, null));
        flows.when(replace("流 1").sql(SQL_2)).expectOk(1024, 2);
        flows.when(comment("流 1", "x")).expectOk(1024, 3);
        flows.when(create("流 1").createIfNotExists()).expectUnchanged(1024, 3);
        flows.when(drop("流 1")).expectOk(1024, 3);
        flows.when(create("流 1")).expectInvalid("flow_name", "流 1");
    }

    @Test
    void bF9_5_longNames() {
        flows.when(create("a".repeat(300))).expectOk(1024, 1);
    }

    // F10: old records.

    @Test
    void bF10_2_replaceOfAnOldRecord() {
        flows.givenImported(oldRecord("f", 1024, null, null));
        flows.when(replace("f").sql(SQL_2).at(5000)).expectOk(1024, 2);
        assertThat(flows.flow("f").createdTimeNanos()).isZero();
        assertThat(flows.flow("f").updatedTimeNanos()).isEqualTo(5000 * SECOND);
    }

    // F13: the session schema.

    @Test
    void bF13_1_contextIsStored() {
        flows.given(create("f").context(context("jsdp_log")));
        assertThat(flows.flow("f").queryContext().currentSchema()).isEqualTo("jsdp_log");
    }

    @Test
    void bF13_4_contextIsKept() {
        flows.given(create("f").context(context("jsdp_log")));
        flows.when(replace("f").sql(SQL_2)).expectOk(1024, 2);
        assertThat(flows.flow("f").queryContext()).isEqualTo(context("jsdp_log"));
    }

    // F17: source equals sink.

    @Test
    void bF17_1_sourceEqualsSink() {
        flows.when(create("f").sourceNames("greptime.public.t").sink("greptime.public.t"))
                .expectUnsupported("greptime.public.t");
        flows.when(create("f")).expectOk(1024, 1);
    }

    @Test
    void bF17_2_anotherSchemaIsAnotherTable() {
        flows.when(create("f").sourceNames("greptime.public.t").sink("greptime.other.t"))
                .expectOk(1024, 1);
    }

    @Test
    void bF17_3_replaceWithItsSource() {
        flows.given(create("f"));
        flows.when(replace("f").sink("greptime.public.req"))
                .expectRefused(OutcomeCode.UNSUPPORTED, 1024, 1, "greptime.public.req");
    }

    @Test
    void bF17_4_unresolvedSourceEqualsSink() {
        flows.when(create("f")
                        .unresolved("greptime.public.t")
                        .deferOnMissingSource()
                        .sink("greptime.public.t"))
                .expectUnsupported("greptime.public.t", "sink");
    }

    @Test
    void bF17_5_caseCounts() {
        flows.when(create("f").sourceNames("greptime.public.T").sink("greptime.public.t"))
                .expectOk(1024, 1);
    }

    // F18: pending sources.

    @Test
    void bF18_1_pendingCreate() {
        flows.when(pending()).expectOk(1024, 1).expectRows(1024, 2);
        FlowRecord flow = flows.flow("f");
        assertThat(flow.status()).isEqualTo(FlowStatus.PENDING_SOURCES);
        assertThat(flow.routes()).isEmpty();
        assertThat(flow.sourceTableIds()).containsExactly(3026L);
        assertThat(flow.unresolvedSourceTableNames()).containsExactly(FlowCommands.table(LATE));
        assertThat(flow.options()).isEqualTo(Map.of("defer_on_missing_source", "true", "flow_type", "batching"));
    }

    @Test
    void bF18_2_withoutTheOption() {
        flows.when(create("f").sources(3026).unresolved(LATE)).expectUnsupported(LATE, "defer_on_missing_source");
        flows.when(create("f")).expectOk(1024, 1);
    }

    @Test
    void bF18_3_spellingsOfTheOption() {
        flows.when(create("f").unresolved(LATE).option("defer_on_missing_source", " TRUE "))
                .expectOk(1024, 1);
        assertThat(flows.flow("f").options()).containsEntry("defer_on_missing_source", " TRUE ");
        flows.when(create("g").unresolved(LATE).option("defer_on_missing_source", "yes"))
                .expectInvalid("defer_on_missing_source", "\"yes\"", "true or false");
    }

    @Test
    void bF18_4_pendingDoesNotBecomeActive() {
        flows.given(pending());
        flows.when(replace("f").sources(3026, 3027))
                .expectRefused(OutcomeCode.UNSUPPORTED, 1024, 1, "PendingSources", "Active");
    }

    @Test
    void bF18_5_activeDoesNotBecomePending() {
        flows.given(create("f"));
        flows.when(replace("f").unresolved(LATE).deferOnMissingSource())
                .expectRefused(OutcomeCode.UNSUPPORTED, 1024, 1, "Active", "PendingSources");
    }

    @Test
    void bF18_6_pendingMayWaitForAnotherSource() {
        flows.given(pending());
        flows.when(replace("f").unresolved("greptime.public.later").deferOnMissingSource())
                .expectOk(1024, 2)
                .expectRows(1024, 2);
    }

    @Test
    void bF18_7_pendingDrops() {
        flows.given(pending());
        flows.when(drop("f")).expectOk(1024, 1).expectRows(1024, 0);
    }

    @Test
    void bF18_8_pendingIsNotFoundByItsSources() {
        flows.given(pending());
        assertThat(flows.flownodesOfTable(3026)).isEmpty();
    }

    @Test
    void bF18_9_activeWithoutPartitions() {
        flows.givenImported(FlowSamples.recordWithoutPartitions("f"));
        flows.when(drop("f")).expectRefused(OutcomeCode.FLOW_ROUTE_NOT_FOUND, 1024, 1, "greptime.f");
        flows.when(replace("f").routes("0:1")).expectOk(1024, 2);
        flows.when(drop("f")).expectOk(1024, 2).expectRows(1024, 0);
    }

    @Test
    void bF18_10_theOptionAloneDoesNotMakeItPending() {
        flows.when(create("f").deferOnMissingSource()).expectOk(1024, 1).expectRows(1024, 5);
        assertThat(flows.flow("f").status()).isEqualTo(FlowStatus.ACTIVE);
    }

    // F20: compare of re-serialized bytes.

    @Test
    void bF20_1_oldRecordsCompare() {
        flows.givenImported(oldRecord("f", 1024, null, null));
        flows.when(replace("f").expectedRevision(1).sql(SQL_2)).expectOk(1024, 2);
        flows.when(comment("f", "x")).expectOk(1024, 3);
    }

    @Test
    void bF20_3_staleReplace() {
        flows.given(create("f"), replace("f").sql("S2"), replace("f").sql("S3"));
        flows.when(replace("f").sql("S4").expectedRevision(2))
                .expectRefused(OutcomeCode.REVISION_MISMATCH, 1024, 3, "revision 3", "expected_revision is 2");
    }

    @Test
    void bF20_4_staleDrop() {
        flows.given(create("f"), replace("f").sql("S2"), replace("f").sql("S3"));
        flows.when(drop("f").expectedRevision(2)).expectRefused(OutcomeCode.REVISION_MISMATCH, 1024, 3, "2");
        flows.when(drop("f").expectedRevision(3)).expectOk(1024, 3);
    }

    // F24: leftovers.

    @Test
    void bF24_1_aDropLeavesNothing() {
        flows.given(create("f").routes("0:1,1:2").sources(1, 2, 3));
        flows.when(drop("f")).expectOk(1024, 1).expectRows(1024, 0);
    }

    // K1: numbers of rows.

    @ParameterizedTest
    @CsvSource({"1, 124, 128", "1, 125, 129", "16, 8, 162", "1, 9996, 10000", "40, 248, 10002"})
    void bK1_1_2_5_noLimitOnRows(int partitions, int sources, int rows) {
        flows.when(create("f")
                        .routes(routes(partitions))
                        .sources(LongStream.range(0, sources).toArray()))
                .expectOk(1024, 1)
                .expectRows(1024, rows);
        flows.when(drop("f")).expectOk(1024, 1).expectRows(1024, 0);
    }

    @Test
    void bK1_3_replaceOfEverySource() {
        flows.given(create("f").sources(LongStream.range(0, 9996).toArray()));
        flows.when(replace("f").sources(LongStream.range(20_000, 29_996).toArray()))
                .expectOk(1024, 2)
                .expectRows(1024, 10_000);
        assertThat(flows.flownodesOfTable(0)).isEmpty();
    }

    // H1: replace and drop.

    @Test
    void bH1_1_replaceThenDrop() {
        flows.given(create("f"), replace("f").routes("0:3"), drop("f")).expectRows(1024, 0);
    }

    @Test
    void bH1_2_dropThenReplace() {
        flows.given(create("f"), drop("f"));
        flows.when(replace("f").routes("0:3")).expectRefused(OutcomeCode.FLOW_NOT_FOUND, "greptime.f");
        flows.expectRows(1024, 0);
    }

    // H17: fields are checked where a later step would not use them.

    @Test
    void bH17_1_unknownOption() {
        flows.given(create("f"));
        flows.when(create("f").createIfNotExists().option("foo", "1")).expectInvalid("\"foo\"");
    }

    @Test
    void bH17_2_intervalZero() {
        flows.given(create("f"));
        flows.when(create("f").createIfNotExists().evalInterval(0)).expectInvalid("eval_interval_secs");
    }

    @Test
    void bH17_3_unresolvedSourceIsNotLookedAt() {
        flows.given(create("f"));
        flows.when(create("f").createIfNotExists().unresolved(LATE)).expectUnchanged(1024, 1);
    }

    private static FlowCommands pending() {
        return create("f").sources(3026).unresolved(LATE).deferOnMissingSource();
    }

    private static String routes(int partitions) {
        return LongStream.range(0, partitions)
                .mapToObj(p -> p + ":" + (p + 1))
                .reduce((a, b) -> a + "," + b)
                .orElseThrow();
    }
}
