package io.sluice.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.flownode.FlowStateEntry;
import io.sluice.service.json.FlowStateJson;
import io.sluice.service.json.JsonText;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FakeCopies;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The merged view of what flownodes report: docs/behaviour.md B-F22. Flow 1024 and 1025 of {@code greptime} exist. */
class FlowStateGatherTest {
    private static final String ALL = "/v1/flow-state";

    private final FakeCopies copies = new FakeCopies(4);
    private final Gather gather = new FlowStateGather();

    @BeforeEach
    void givenFlows() {
        copies.recorded("greptime", 1024, "f");
        copies.recorded("greptime", 1025, "g");
    }

    private static FlowStateEntry ran(long flowId, long lastExecMs) {
        return ran("greptime", flowId, lastExecMs);
    }

    private static FlowStateEntry ran(String catalog, long flowId, long lastExecMs) {
        return new FlowStateEntry(catalog, flowId, 0, lastExecMs, null);
    }

    private List<FlowStateEntry> shown(String path) {
        Request request = TestRequests.get(path);
        SortedMap<FamilyPartition, JsonNode> parts = new TreeMap<>();
        for (FamilyPartition partition : gather.asks(request, copies.partitions())) {
            Answer<ObjectNode> part = gather.part(request, copies.queries(), partition);
            parts.put(partition, JsonText.tree(JsonText.write(part.value())));
        }
        return FlowStateJson.entries(gather.whole(request, parts).json());
    }

    @Test
    void itIsMadeOfTheReportsOfAllFlownodes() {
        copies.reported(1, ran(1024, 100));
        copies.reported(2, ran(1025, 200));
        copies.reported(1, ran(1024, 300));

        assertThat(shown(ALL)).containsExactly(ran(1024, 300), ran(1025, 200));
    }

    @Test
    void aReportTakesThePlaceOfTheOneBefore() {
        copies.reported(1, ran(1024, 100));
        copies.reported(1, ran(1025, 5));
        assertThat(shown(ALL)).containsExactly(ran(1025, 5));

        copies.reported(1);
        assertThat(shown(ALL)).isEmpty();
    }

    @Test
    void aClockMayGoBack() {
        copies.reported(1, ran(1024, 100));
        copies.reported(1, ran(1024, 50));

        assertThat(shown(ALL)).containsExactly(ran(1024, 50));
    }

    @Test
    void ofSeveralFlownodesTheLatestAndLargestCountWhereverTheyAre() {
        // So many that they are in all partitions, and in some there are several.
        for (int flownode = 1; flownode <= 20; flownode++) {
            copies.reported(flownode, new FlowStateEntry("greptime", 1024, flownode, 100 - flownode, 50L + flownode));
        }

        assertThat(shown(ALL)).containsExactly(new FlowStateEntry("greptime", 1024, 20, 99, 51L));
    }

    @Test
    void aFlowThatDoesNotExistIsNotShown() {
        copies.reported(1, ran(1024, 100), ran(99, 1), ran("foo", 1024, 1));
        assertThat(shown(ALL)).containsExactly(ran(1024, 100));

        copies.dropped("greptime", 1024);
        copies.reported(1, ran(1024, 120));
        assertThat(shown(ALL)).isEmpty();
    }

    @Test
    void theyAreInTheOrderOfCatalogAndFlowId() {
        copies.recorded("foo", 7, "f");
        copies.reported(1, ran(1025, 1), ran(1024, 1), ran("foo", 7, 1));

        assertThat(shown(ALL)).containsExactly(ran("foo", 7, 1), ran(1024, 1), ran(1025, 1));
    }

    @Test
    void ofOneCatalogOnlyItsFlowsAreShown() {
        copies.recorded("foo", 7, "f");
        copies.recorded("foo-x", 7, "f");
        copies.reported(1, ran(1024, 1), ran("foo", 7, 1), ran("foo-x", 7, 1));

        assertThat(shown(ALL + "?catalog=foo")).containsExactly(ran("foo", 7, 1));
        assertThat(shown(ALL + "?catalog=unknown")).isEmpty();
    }

    @Test
    void everyPartitionOfFlownodesIsAskedAndOfFlowsThoseOfTheCatalog() {
        assertThat(gather.asks(TestRequests.get(ALL), copies.partitions()))
                .containsExactlyInAnyOrderElementsOf(
                        copies.partitions().of(CommandFamily.FLOW, CommandFamily.FLOWNODE));
        List<FamilyPartition> ofOne = gather.asks(TestRequests.get(ALL + "?catalog=foo"), copies.partitions());
        assertThat(ofOne)
                .containsAll(copies.partitions().of(CommandFamily.FLOWNODE))
                .contains(copies.partitions().ofCatalog("foo"))
                .hasSize(FakeCopies.FLOWNODE_PARTITIONS + 1);
    }

    @Test
    void eachPartSaysWhichDecisionItReflects() {
        FamilyPartition flows = copies.partitions().ofCatalog("greptime");
        FamilyPartition flownodes = copies.partitions().ofFlownode(1);
        copies.decided(flows, 17);
        copies.decided(flownodes, 9);

        assertThat(gather.part(TestRequests.get(ALL), copies.queries(), flows).positions())
                .containsExactly(flows.at(17));
        assertThat(gather.part(TestRequests.get(ALL), copies.queries(), flownodes)
                        .positions())
                .containsExactly(flownodes.at(9));
    }

    @Test
    void aCatalogThatIsNoneIsRefused() {
        assertThatThrownBy(() -> gather.asks(TestRequests.get(ALL + "?catalog=a%20b"), copies.partitions()))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("catalog is \"a b\"");
    }
}
