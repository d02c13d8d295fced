package io.sluice.benchmarks.rival;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.Peer;
import io.sluice.service.greptime.FlowKeyValues;
import io.sluice.state.flow.FlowTextKeys.Layout;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RivalFlowsTest {
    private final RivalFlows flows = new RivalFlows();

    @Test
    void aFlowHasTwelveRowsAsInSluice() {
        assertThat(rows(flows.record(5, 0))).hasSize(12).containsKeys("__flow/info/1029", "__flow/route/1029/1");
    }

    @Test
    void movingAFlowMovesBothPartitionsOneFlownodeFurtherOn() {
        assertThat(flows.record(5, 0).routes().values()).extracting(Peer::id).containsExactly(5L, 6L);
        assertThat(flows.record(5, 1).routes().values()).extracting(Peer::id).containsExactly(6L, 7L);
        assertThat(flows.record(5, 0).flowId()).isEqualTo(flows.record(5, 1).flowId());
    }

    @Test
    void theNumberOfAFlowIsKnownFromItsId() {
        assertThat(flows.number(flows.flowId(77))).isEqualTo(77);
    }

    @Test
    void eachTableIsReadByFlowsOfOneCatalog() {
        Map<Long, String> catalogs = new TreeMap<>();
        for (long number = 0; number < 5_000; number++) {
            String catalog = flows.catalog(number);
            assertThat(catalogs.computeIfAbsent(flows.firstTable(number), table -> catalog))
                    .isEqualTo(catalog);
        }
    }

    private static Map<String, byte[]> rows(FlowRecord flow) {
        Map<String, byte[]> rows = new TreeMap<>();
        FlowKeyValues.of(flow, flow.flowId(), Layout.FLOW, rows::put);
        return rows;
    }
}
