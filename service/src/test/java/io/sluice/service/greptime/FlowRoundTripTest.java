package io.sluice.service.greptime;

import static io.sluice.service.greptime.GreptimeStores.lines;
import static io.sluice.service.greptime.GreptimeStores.resource;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.service.greptime.FlowExport.Report;
import io.sluice.service.greptime.FlowExport.Settings;
import io.sluice.state.flow.FlowInfoIndex;
import io.sluice.state.flow.FlowTextKeys.Layout;
import io.sluice.topology.flow.Decision;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of keys and values in and out again, through the real decider and stores. */
class FlowRoundTripTest {
    private static final String TODAY = "today.jsonl";
    private static final String FLOW_TASK = "flow-task.jsonl";

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

    @Test
    void whatGreptimeDbWritesTodayComesBackByteForByte() throws Exception {
        stores.load(resource(TODAY), false);

        assertThat(stores.found()).isEmpty();
        assertThat(stores.export(Layout.FLOW)).isEqualTo(text(TODAY));
    }

    @Test
    void whatEtcdctlPrintsIsTheSame() throws Exception {
        stores.load(resource("today.etcd.json"), false);

        assertThat(stores.found()).isEmpty();
        assertThat(stores.export(Layout.FLOW)).isEqualTo(text(TODAY));
    }

    @Test
    void theOldestLayoutLosesNothing() throws Exception {
        stores.load(resource(FLOW_TASK), false);

        assertThat(stores.found()).isEmpty();
        assertThat(stores.export(Layout.FLOW_TASK)).isEqualTo(text(FLOW_TASK));
        assertThat(stores.export(Layout.FLOW)).isEqualTo(text(TODAY));
    }

    @Test
    void bothLayoutsAreOfTheSameFlows() throws Exception {
        stores.load(resource(TODAY), false);

        assertThat(stores.export(Layout.FLOW_TASK)).isEqualTo(text(FLOW_TASK));
    }

    @Test
    void importingTwiceChangesNothing() throws Exception {
        stores.load(resource(TODAY), false);

        assertThat(stores.load(resource(TODAY), false)).hasSize(3).noneMatch(Decision::applied);
        assertThat(stores.load(resource(FLOW_TASK), true)).hasSize(3).noneMatch(Decision::applied);
    }

    @Test
    void theNextIdIsTheStoredOneWhereThatIsLarger() throws Exception {
        stores.load(resource(TODAY), false);

        assertThat(stores.nextFlowId("plant")).isEqualTo(1034);
    }

    @Test
    void theNextIdIsBehindTheLargestWhereNothingIsStored() throws Exception {
        stores.load(resource("odd-names.jsonl"), false);

        assertThat(stores.nextFlowId("greptime")).isEqualTo(1028);
        assertThat(stores.export(Layout.FLOW)).contains("\"__meta_seq-flow_id\",\"value\":\"BAQAAAAAAAA=\"");
    }

    @Test
    void namesOutsideThePatternComeBack() throws Exception {
        stores.load(resource("odd-names.jsonl"), false);

        String exported = stores.export(Layout.FLOW);

        for (String name : new String[] {"`f`", "a/b", "流 1", "two words"}) {
            assertThat(exported).contains("\"__flow/name/greptime/" + name + "\"");
        }
    }

    @Test
    void idsThatTwoCatalogsUseAreNamed() throws Exception {
        stores.load(twoCatalogs(), false);

        assertThatThrownBy(() -> stores.export(Layout.FLOW))
                .isInstanceOf(ExportRefusedException.class)
                .hasMessageContaining("a flow id is used in two catalogs")
                .hasMessageContaining("1024 (a.f, b.f)")
                .hasMessageContaining("--renumber");
    }

    @Test
    void ofManyIdsThatTwoCatalogsUseTheFirstAreNamedAndAllCounted() throws Exception {
        List<String> many = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            many.add(flowTask("a", 1024 + i, "f" + i));
            many.add(flowTask("b", 1024 + i, "f" + i));
        }
        stores.load(lines(many.toArray(String[]::new)), false);

        assertThatThrownBy(() -> stores.export(Layout.FLOW))
                .hasMessageContaining("12 flow ids are used")
                .hasMessageContaining("1033 (a.f9, b.f9), ...")
                .hasMessageNotContaining("1034");
    }

    @Test
    void renumberingTwiceGivesTheSameFile() throws Exception {
        stores.load(
                lines(
                        flowTask("c", 7, "z"),
                        flowTask("b", 7, "y"),
                        flowTask("a", 7, "x"),
                        flowTask("a", 9, "w"),
                        flowTask("c", 9, "v")),
                false);
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        ByteArrayOutputStream second = new ByteArrayOutputStream();

        Report report = stores.export(new Settings(Layout.FLOW, Set.of(), true), first);
        stores.export(new Settings(Layout.FLOW, Set.of(), true), second);

        assertThat(second.toByteArray()).isEqualTo(first.toByteArray());
        assertThat(report.renumbered()).isEqualTo(Map.of("b/7", 1024L, "c/7", 1025L, "c/9", 1026L));
    }

    @Test
    void eachOfTwoCatalogsCanBeExportedByItself() throws Exception {
        stores.load(twoCatalogs(), false);

        assertThat(stores.export(Layout.FLOW, "a")).contains("__flow/name/a/f").doesNotContain("__flow/name/b/");
        assertThat(stores.export(Layout.FLOW_TASK)).contains("__flow_task/a/name/f", "__flow_task/b/name/f");
    }

    @Test
    void theSecondOfTwoFlowsWithOneIdGetsAnotherWhenAskedTo() throws Exception {
        stores.load(twoCatalogs(), false);
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        Report report = stores.export(new Settings(Layout.FLOW, Set.of(), true), out);

        assertThat(report.renumbered()).isEqualTo(Map.of("b/1024", 1025L));
        assertThat(report.nextFlowId()).isEqualTo(1026);
        try (GreptimeStores other = new GreptimeStores(folder)) {
            other.load(out.toByteArray(), false);
            assertThat(other.flows()).containsOnlyKeys("a/1024", "b/1025");
        }
    }

    @Test
    void aCatalogThatIsNotThereIsNoEmptyFile() throws Exception {
        stores.load(twoCatalogs(), false);

        assertThatThrownBy(() -> stores.export(Layout.FLOW, "A"))
                .isInstanceOf(ExportRefusedException.class)
                .hasMessageContaining("no catalog A")
                .hasMessageContaining("There are a, b.");
    }

    @Test
    void aCatalogIsNotAnotherOneThatBeginsAlike() throws Exception {
        stores.load(lines(flow("foo", 1), flow("foobar", 2), flow("foo-x", 3)), false);

        assertThat(stores.export(Layout.FLOW, "foo")).contains("/foo/f").doesNotContain("foobar", "foo-x");
    }

    @Test
    void aRecordThatCannotBeReadLeavesTheOthers() throws Exception {
        stores.load(lines(flow("a", 1), flow("b", 2)), false);
        stores.damage(FlowInfoIndex.key("a", 1));

        assertThat(stores.export(Layout.FLOW)).contains("__flow/info/2").doesNotContain("__flow/info/1\"");
        assertThat(stores.found()).anyMatch(found -> found.startsWith("ERROR UNDECODABLE_ROW row "));
    }

    @Test
    void nothingIsExportedOfNothing() throws Exception {
        assertThat(stores.export(Layout.FLOW)).isEmpty();
    }

    private static byte[] twoCatalogs() {
        return lines(
                "{'key':'__flow_task/a/info/1024','value':'" + info("a") + "'}",
                "{'key':'__flow_task/b/info/1024','value':'" + info("b") + "'}");
    }

    private static String flowTask(String catalog, long id, String name) {
        return "{'key':'__flow_task/" + catalog + "/info/" + id + "','value':'"
                + info(catalog).replace("flow_name\\':\\'f", "flow_name\\':\\'" + name) + "'}";
    }

    private static String flow(String catalog, long id) {
        return "{'key':'__flow/info/" + id + "','value':'" + info(catalog) + "'}";
    }

    private static String info(String catalog) {
        return ("{'sink_table_name':{'catalog_name':'c','schema_name':'s','table_name':'t'},'flownode_ids':{},"
                        + "'catalog_name':'" + catalog
                        + "','flow_name':'f','raw_sql':'S','comment':'','options':{},'query_context':null}")
                .replace("'", "\\'");
    }

    private static String text(String resource) {
        return new String(resource(resource), StandardCharsets.UTF_8);
    }
}
