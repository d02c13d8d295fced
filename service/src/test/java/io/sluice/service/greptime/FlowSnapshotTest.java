package io.sluice.service.greptime;

import static io.sluice.service.greptime.GreptimeStores.lines;
import static io.sluice.service.greptime.GreptimeStores.resource;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.Peer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of files, and what is found in them. */
class FlowSnapshotTest {
    private static final String PEER_1 = "{'peer':{'id':1,'addr':'a:1'}}";

    @TempDir
    private Path folder;

    private GreptimeStores stores;

    @BeforeEach
    void open() {
        stores = new GreptimeStores(folder);
    }

    @AfterEach
    void close() {
        stores.close();
    }

    // ---- older layouts

    @Test
    void theFirstLayoutHasItsAddressesElsewhere() throws Exception {
        List<FlowRecord> flows = stores.flowsOf(resource("april-2024-flow-task.jsonl"));

        assertThat(flows).extracting(FlowRecord::catalog).containsExactly("greptime", "other");
        FlowRecord second = flows.get(0);
        assertThat(second.flowName()).isEqualTo("second");
        assertThat(second.flowId()).isEqualTo(1024);
        assertThat(second.sourceTableIds()).containsExactly(1024L, 1025L);
        assertThat(second.routes()).isEqualTo(Map.of(0L, new Peer(1, "10.0.0.1:6800"), 1L, new Peer(2, "")));
        assertThat(second.expireAfterSecs()).isNull();
        assertThat(second.status()).isEqualTo(FlowStatus.ACTIVE);
        assertThat(second.createdTimeNanos()).isZero();
        assertThat(stores.found())
                .containsExactlyInAnyOrder(
                        "ERROR UNDECODABLE_ROW __flow_task/greptime/info/1",
                        "WARNING NO_CONTEXT __flow_task/greptime/info/1024",
                        "WARNING EXPIRE_TEXT __flow_task/greptime/info/1024",
                        "WARNING NO_CONTEXT __flow_task/other/info/1024");
        assertThat(stores.findings())
                .anySatisfy(finding -> assertThat(finding.message()).contains("sink_table"))
                .anySatisfy(finding -> assertThat(finding.message()).contains("NOW() - INTERVAL '1 hour'"));
    }

    @Test
    void theSecondLayoutIsToldFromTodaysAlsoInCatalogsCalledLikeAFamily() throws Exception {
        List<FlowRecord> flows = stores.flowsOf(resource("april-2024-flow.jsonl"));

        assertThat(flows)
                .extracting(flow -> flow.catalog() + "/" + flow.flowId() + "/" + flow.flowName())
                .containsExactly("greptime/1025/f", "info/1024/f", "name/1024/f");
        assertThat(flows)
                .allSatisfy(flow -> assertThat(flow.routes()).isEqualTo(Map.of(0L, new Peer(1, "10.0.0.1:6800"))));
        assertThat(stores.found()).hasSize(3).allMatch(found -> found.startsWith("WARNING NO_CONTEXT __flow/"));
    }

    @Test
    void theThirdLayoutHasNoRouteRows() throws Exception {
        List<FlowRecord> flows = stores.flowsOf(resource("may-2024.jsonl"));

        assertThat(flows).hasSize(1);
        assertThat(flows.get(0).routes()).isEqualTo(Map.of(0L, new Peer(1, "10.0.0.1:6800"), 1L, new Peer(7, "")));
        assertThat(stores.found()).containsExactly("WARNING NO_CONTEXT __flow/info/1024");
    }

    @Test
    void theOldestShapeUnderTodaysKeysTakesDefaults() throws Exception {
        FlowRecord flow = stores.flowsOf(resource("july-2024.jsonl")).get(0);

        assertThat(flow.routes()).isEqualTo(Map.of(0L, new Peer(1, "10.0.0.1:6800")));
        assertThat(flow.allSourceTableNames()).isEmpty();
        assertThat(flow.queryContext()).isNull();
        assertThat(flow.evalIntervalSecs()).isNull();
        assertThat(flow.evalSchedule()).isNull();
        assertThat(flow.updatedTimeNanos()).isZero();
        assertThat(stores.found()).containsExactly("WARNING NO_CONTEXT __flow/info/1024");
    }

    @Test
    void namesOfOlderReleasesAreKeptAndNoted() throws Exception {
        assertThat(stores.flowsOf(resource("odd-names.jsonl")))
                .extracting(FlowRecord::flowName)
                .containsExactly("`f`", "a/b", "流 1", "two words");
        assertThat(stores.found())
                .contains("WARNING ODD_NAME __flow/info/1024", "WARNING ODD_NAME __flow/info/1027")
                .filteredOn(found -> found.contains("ODD_NAME"))
                .hasSize(4);
    }

    @Test
    void theNewNameOfAFieldWins() throws Exception {
        FlowRecord flow = stores.flowsOf(lines(line(
                        "__flow/info/5",
                        info("'flow_name':'new','task_name':'old','expire_after':9,'expire_when':'x'"))))
                .get(0);

        assertThat(flow.flowName()).isEqualTo("new");
        assertThat(flow.expireAfterSecs()).isEqualTo(9);
        assertThat(stores.found()).noneMatch(found -> found.contains("EXPIRE_TEXT"));
    }

    // ---- rows that contradict each other

    @Test
    void theInfoRowHoldsWhereARouteRowSaysSomethingElse() throws Exception {
        FlowRecord flow = stores.flowsOf(lines(
                        line("__flow/info/5", named("f", "{'0':1}")),
                        line("__flow/name/c/f", "{'flow_id':5}"),
                        line("__flow/route/5/0", "{'peer':{'id':2,'addr':'b:1'}}"),
                        line("__flow/flownode/1/5/0", "")))
                .get(0);

        assertThat(flow.routes()).isEqualTo(Map.of(0L, new Peer(1, "")));
        assertThat(stores.found()).containsExactly("WARNING ROUTE_MISMATCH __flow/route/5/0");
    }

    @Test
    void everyMissingAndEverySurplusRowIsNamed() throws Exception {
        stores.flowsOf(lines(
                line(
                        "__flow/info/5",
                        named("f", "{'0':1,'1':2}").replace("'options'", "'source_table_ids':[7,8,7],'options'")),
                line("__flow/route/5/0", PEER_1),
                line("__flow/route/5/9", PEER_1),
                line("__flow/flownode/1/5/0", ""),
                line("__flow/flownode/3/5/0", ""),
                line("__flow/source_table/7/1/5/0", PEER_1),
                line("__flow/source_table/7/9/5/0", PEER_1),
                line("__flow/source_table/8/1/5/0", "{'peer':{'id':4,'addr':''}}"),
                line("__flow/route/77/0", PEER_1),
                line("__flow/flownode/1/77/0", ""),
                line("__flow/source_table/1/1/77/0", PEER_1),
                line("__flow/name/c/gone", "{'flow_id':78}"),
                line("__flow/name/c/other", "{'flow_id':5}")));

        assertThat(stores.found())
                .containsExactlyInAnyOrder(
                        "WARNING RECORD_WITHOUT_NAME __flow/info/5",
                        "WARNING OUT_OF_RANGE __flow/info/5",
                        "WARNING MISSING_ROW __flow/route/5/1",
                        "WARNING ORPHAN_ROW __flow/route/5/9",
                        "WARNING MISSING_ROW __flow/flownode/2/5/1",
                        "WARNING ORPHAN_ROW __flow/flownode/3/5/0",
                        "WARNING MISSING_ROW __flow/source_table/7/2/5/1",
                        "WARNING MISSING_ROW __flow/source_table/8/2/5/1",
                        "WARNING ORPHAN_ROW __flow/source_table/7/9/5/0",
                        "WARNING ROUTE_MISMATCH __flow/source_table/8/1/5/0",
                        "WARNING ORPHAN_ROW __flow/route/77/0",
                        "WARNING ORPHAN_ROW __flow/flownode/1/77/0",
                        "WARNING ORPHAN_ROW __flow/source_table/1/1/77/0",
                        "WARNING NAME_WITHOUT_RECORD __flow/name/c/gone",
                        "WARNING ORPHAN_ROW __flow/name/c/other");
    }

    @Test
    void twoRecordsOfOneNameAreBothLeftOut() throws Exception {
        assertThat(stores.flowsOf(lines(
                        line("__flow/info/5", named("f", "{}")),
                        line("__flow/info/6", named("f", "{}")),
                        line("__flow/info/7", named("g", "{}")))))
                .extracting(FlowRecord::flowId)
                .containsExactly(7L);
        assertThat(stores.found()).contains("ERROR NAME_CONFLICT __flow/info/5", "ERROR NAME_CONFLICT __flow/info/6");
    }

    @Test
    void aNameThatPointsToAnotherIdLeavesBothOut() throws Exception {
        assertThat(stores.flowsOf(lines(
                        line("__flow/info/5", named("f", "{}")),
                        line("__flow/info/6", named("g", "{}")),
                        line("__flow/name/c/f", "{'flow_id':6}"),
                        line("__flow/name/c/g", "{'flow_id':6}"))))
                .isEmpty();
        assertThat(stores.found())
                .containsExactlyInAnyOrder("ERROR NAME_CONFLICT __flow/info/5", "ERROR NAME_CONFLICT __flow/info/6");
    }

    @Test
    void oneFlowInTwoLayoutsIsLeftOut() throws Exception {
        assertThat(stores.flowsOf(
                        lines(line("__flow/info/5", named("f", "{}")), line("__flow_task/c/info/5", named("f", "{}")))))
                .isEmpty();
        assertThat(stores.found())
                .containsExactlyInAnyOrder(
                        "ERROR NAME_CONFLICT __flow/info/5", "ERROR NAME_CONFLICT __flow_task/c/info/5");
    }

    @Test
    void theCatalogOfKeyAndValueIsTheSame() throws Exception {
        assertThat(stores.flowsOf(lines(line("__flow_task/d/info/5", named("f", "{}")))))
                .isEmpty();
        assertThat(stores.found()).containsExactly("ERROR UNDECODABLE_ROW __flow_task/d/info/5");
    }

    // ---- rows that cannot be read

    @Test
    void aBrokenRecordIsOneFindingAndTheOthersAreTaken() throws Exception {
        assertThat(stores.flowsOf(lines(
                        line("__flow/info/5", "{'a':"),
                        line("__flow/name/c/broken", "{'flow_id':5}"),
                        line("__flow/route/5/0", PEER_1),
                        line("__flow/flownode/1/5/0", ""),
                        line("__flow/info/6", named("f", "{}")),
                        line("__flow/name/c/f", "{'flow_id':6}"))))
                .hasSize(1);
        assertThat(stores.found()).containsExactly("ERROR UNDECODABLE_ROW __flow/info/5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            nullValues = "-",
            value = {
                "comment|-|comment is missing",
                "comment|null|comment is null",
                "options|-|options is missing",
                "flownode_ids|-|flownode_ids is missing",
                "flownode_ids|{'01':1}|flownode_ids",
                "raw_sql|7|raw_sql is 7",
                "catalog_name|'1c'|catalog_name",
                "flow_name|''|flow_name",
                "flow_name|'a\\nb'|flow_name",
                "status|'Paused'|status",
                "status|'PendingSources'|flownode_ids",
                "expire_after|1.0|expire_after",
                "source_table_ids|[-1]|source_table_ids",
                "created_time|'2262-04-12T00:00:00Z'|created_time",
                "query_context|{}|query_context"
            })
    void whatIsWrongWithARecordIsNamed(String field, String value, String named) throws Exception {
        Map<String, String> fields = new java.util.LinkedHashMap<>(Map.of(
                "comment", "''",
                "options", "{}",
                "flownode_ids", "{'0':1}",
                "raw_sql", "'S'",
                "catalog_name", "'c'",
                "flow_name", "'f'",
                "sink_table_name", "{'catalog_name':'c','schema_name':'s','table_name':'t'}"));
        fields.put(field, value);
        fields.values().removeIf(java.util.Objects::isNull);
        StringBuilder info = new StringBuilder();
        fields.forEach((name, json) -> info.append(info.isEmpty() ? "{" : ",").append("'" + name + "':" + json));

        assertThat(stores.flowsOf(lines(line("__flow/info/5", info + "}")))).isEmpty();

        assertThat(stores.found()).containsExactly("ERROR UNDECODABLE_ROW __flow/info/5");
        assertThat(stores.findings().get(0).message()).contains(named);
    }

    @Test
    void nullIsAbsentAndZeroBytesOfARecordAreNot() throws Exception {
        stores.flowsOf(lines(
                line("__flow/info/5", "null"),
                line("__flow/info/6", ""),
                line("__flow/route/7/0", "null"),
                line("__flow/flownode/1/8/0", "null"),
                line("__node_address/2/1", "null")));

        assertThat(stores.found())
                .containsExactlyInAnyOrder(
                        "WARNING NULL_VALUE __flow/info/5",
                        "ERROR UNDECODABLE_ROW __flow/info/6",
                        "WARNING NULL_VALUE __flow/route/7/0",
                        "WARNING ORPHAN_ROW __flow/flownode/1/8/0",
                        "WARNING NULL_VALUE __node_address/2/1");
    }

    @ParameterizedTest
    @CsvSource({
        "__flow/info/007,ERROR NONCANONICAL_KEY",
        "__flow/info/+7,ERROR NONCANONICAL_KEY",
        "__flow/info/,ERROR NONCANONICAL_KEY",
        "__flow/info/4294967296,ERROR NONCANONICAL_KEY",
        "__flow/route/7,ERROR NONCANONICAL_KEY",
        "__flow/route/7/0/0,ERROR NONCANONICAL_KEY",
        "__flow/flownode/18446744073709551616/7/0,ERROR NONCANONICAL_KEY",
        "__flow/c/info/007,ERROR NONCANONICAL_KEY",
        "__flow_task/c/info/007,ERROR NONCANONICAL_KEY",
        "__flow/state/node/01,ERROR NONCANONICAL_KEY",
        "__node_address/2/01,ERROR NONCANONICAL_KEY",
        "__flow/name/1c/f,ERROR UNDECODABLE_ROW",
        "__flow/name/c/,ERROR UNDECODABLE_ROW",
        "__flow_task/1c/info/7,ERROR UNDECODABLE_ROW",
        "__flow/what/1,WARNING UNKNOWN_KEY",
        "__flow/c/what/1,WARNING UNKNOWN_KEY",
        "__flow_task/c/what,WARNING UNKNOWN_KEY"
    })
    void aKeyThatIsNoneIsNamed(String key, String found) throws Exception {
        assertThat(stores.flowsOf(lines(line(key, "{'flow_id':7}")))).isEmpty();

        assertThat(stores.found()).containsExactly(found + " " + key);
    }

    @Test
    void whatIsNotAboutFlowsIsCounted() throws Exception {
        FlowSnapshot snapshot = stores.read(
                lines(
                        line("__table_info/1", "x"),
                        line("ab__flow/name/greptime/y", "{'flow_id':7}"),
                        line("__node_address/0/1", PEER_1),
                        line("__flow", ""),
                        line("__flow/name/c/f", "{'flow_id':7}")),
                null);

        assertThat(snapshot.otherKeys()).isEqualTo(4);
    }

    @Test
    void aKeyThatStandsTwiceIsTakenFromNeither() throws Exception {
        assertThat(stores.flowsOf(lines(
                        line("__flow/info/5", named("f", "{'0':1}")),
                        line("__flow/flownode/1/5/0", ""),
                        line("__flow/info/6", named("g", "{}")),
                        line("__flow/info/5", named("h", "{'0':1}")))))
                .extracting(FlowRecord::flowName)
                .containsExactly("g");
        assertThat(stores.found()).contains("ERROR UNDECODABLE_ROW __flow/info/5");
        assertThat(stores.findings().get(0).message()).contains("line 1, line 4");
    }

    @Test
    void reportsOfFlownodesAreCheckedOnly() throws Exception {
        stores.flowsOf(lines(
                line("__flow/state", "{}"),
                line(
                        "__flow/state/node/3",
                        "{'state_size':{'1024':18446744073709551615},'last_exec_time_map':{'1024':-1}}"),
                line("__flow/state/node/4", "{'state_size':{'01':1},'last_exec_time_map':{}}")));

        assertThat(stores.found())
                .containsExactlyInAnyOrder(
                        "ERROR UNDECODABLE_ROW __flow/state", "ERROR UNDECODABLE_ROW __flow/state/node/4");
    }

    @Test
    void addressesAreOfTheFlownodeOfTheirKey() throws Exception {
        FlowSnapshot snapshot = stores.read(
                lines(
                        line("__node_address/2/1", PEER_1),
                        line("__node_address/2/2", PEER_1),
                        line("__node_address/2/3", "{'peer':{'id':3,'addr':''}}")),
                null);

        assertThat(snapshot.addresses()).isEqualTo(Map.of(1L, "a:1"));
        assertThat(stores.found())
                .containsExactlyInAnyOrder(
                        "ERROR UNDECODABLE_ROW __node_address/2/2", "WARNING OUT_OF_RANGE __node_address/2/3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CgQAAAAAAA==", "AAAAAAEAAAAA", "AQAAAAEAAAA=", "//////////8="})
    void aSequenceIsANumberThatCanBeAnId(String base64) throws Exception {
        FlowSnapshot snapshot =
                stores.read(lines("{'key':'__meta_seq-flow_id','value':'" + base64 + "','encoding':'base64'}"), null);

        assertThat(snapshot.sequence()).isEmpty();
        assertThat(stores.found()).containsExactly("ERROR UNDECODABLE_ROW __meta_seq-flow_id");
    }

    @Test
    void whatACommandWouldRefuseIsKeptAndNoted() throws Exception {
        FlowRecord flow = stores.flowsOf(lines(line(
                        "__flow/info/5",
                        named("f", "{}")
                                .replace("'options':{}", "'options':{'access_key_id':'k'},'eval_interval_secs':-5"))))
                .get(0);

        assertThat(flow.evalIntervalSecs()).isEqualTo(-5);
        assertThat(flow.options()).isEqualTo(Map.of("access_key_id", "k"));
        assertThat(stores.found())
                .filteredOn(found -> found.equals("WARNING OUT_OF_RANGE __flow/info/5"))
                .hasSize(2);
    }

    @Test
    void anotherCatalogIsNotLookedAt() throws Exception {
        FlowSnapshot snapshot = stores.read(
                lines(
                        line("__flow/info/5", named("f", "{}")),
                        line("__flow/info/6", named("f", "{'0':1}").replace("'c'", "'cc'")),
                        line("__flow/name/c/f", "{'flow_id':5}"),
                        line("__flow/name/cc/g", "{'flow_id':6}"),
                        line("__flow/route/6/7", PEER_1)),
                "c");
        List<FlowRecord> flows = new java.util.ArrayList<>();
        snapshot.forEachFlow(flows::add);

        assertThat(flows).extracting(FlowRecord::flowId).containsExactly(5L);
        assertThat(snapshot.highestIds()).isEqualTo(Map.of("c", 5L));
        assertThat(stores.found()).isEmpty();
    }

    // ---- files

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'key':'__flow/state'}",
                "{'key':7,'value':''}",
                "{'key':'a','key':'b','value':''}",
                "{'key':'a','value':'+','encoding':'base64'}",
                "{'key':'a','value':'CgQ','encoding':'base64'}",
                "{'key':'a','value':'','encoding':'hex'}",
                "{'key':'a','va",
                "[]"
            })
    void aLineThatIsNoneIsNamedByItsNumber(String line) throws Exception {
        assertThat(stores.flowsOf(
                        lines("{'value':'','key':'a'}", "", line, line("__flow/info/5", named("f", "{}")), line)))
                .hasSize(1);
        assertThat(stores.found()).startsWith("ERROR UNDECODABLE_ROW line 3", "ERROR UNDECODABLE_ROW line 5");
    }

    @Test
    void bytesThatAreNoTextAreNamedToo() throws Exception {
        byte[] file = ("{\"key\":\"a\",\"value\":\"\"}\n{\"key\":\"\u00e4\",\"value\":\"\"}")
                .getBytes(StandardCharsets.ISO_8859_1);
        stores.flowsOf(file);

        assertThat(stores.found()).containsExactly("ERROR UNDECODABLE_ROW line 2");
    }

    @Test
    void theOutputOfEtcdctlMayBeEmptyOrSeveralAnswers() throws Exception {
        String one = "{'header':{'revision':1},'kvs':[{'value':'" + base64(named("f", "{}"))
                + "','lease':{'a':[1]},'key':'" + base64("__flow/info/5") + "'}],'count':1}";

        assertThat(stores.flowsOf(lines("{'header':{'revision':1}}"))).isEmpty();
        assertThat(stores.flowsOf(lines(one
                        + one.replace(base64("__flow/info/5"), base64("__flow/info/6"))
                                .replace(base64(named("f", "{}")), base64(named("g", "{}"))))))
                .hasSize(2);
    }

    @Test
    void anEntryOfEtcdctlThatIsNoneIsNamed() throws Exception {
        stores.flowsOf(
                lines("{'kvs':[{'value':''},{'key':'X19mbG93L2luZm8vNQ'},{'key':'/w=='},{'key':'YQ==','value':'*'}]}"));

        assertThat(stores.found())
                .containsExactly(
                        "ERROR UNDECODABLE_ROW entry 1",
                        "ERROR UNDECODABLE_ROW entry 2",
                        "ERROR UNDECODABLE_ROW entry 3",
                        "ERROR UNDECODABLE_ROW entry 4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "|it is empty",
                "   |it is empty",
                "[1]|does not begin with a JSON object",
                "not json|does not begin with a JSON object",
                "{}|does not begin with a JSON object that has fields",
                "{'flow_name':'f'}|its first field is \"flow_name\"",
                "{'header':{},'kvs':[{'key':'YQ=='}|broken at line 1",
                "{'header':{},'kvs':{}}|expected a list under kvs",
                "{'kvs':[{'key':1}]}|expected base64 text under key"
            })
    void aFileThatIsNoneIsRefusedAsAWhole(String text, String named) {
        assertThatThrownBy(() -> stores.flowsOf(lines(text == null ? "" : text)))
                .isInstanceOf(BrokenFileException.class)
                .hasMessageContaining(named);
    }

    private static String line(String key, String value) {
        return "{'key':'" + key + "','value':'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'}";
    }

    private static String named(String flowName, String flownodeIds) {
        String status = flownodeIds.equals("{}") ? "PendingSources" : "Active";
        return info("'flow_name':'" + flowName + "','status':'" + status + "'")
                .replace("'flownode_ids':{}", "'flownode_ids':" + flownodeIds);
    }

    private static String info(String more) {
        return "{'sink_table_name':{'catalog_name':'c','schema_name':'s','table_name':'t'},'flownode_ids':{},"
                + "'catalog_name':'c','raw_sql':'S','comment':'','options':{},'query_context':{'current_catalog':'c',"
                + "'current_schema':'s','timezone':'UTC','extensions':{},'channel':0}," + more + "}";
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
