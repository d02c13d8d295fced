package io.sluice.topology.flow;

import static io.sluice.topology.flow.FlowCommands.create;
import static io.sluice.topology.flow.FlowCommands.drop;
import static io.sluice.topology.flow.FlowCommands.replace;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flow.FlowRecord;
import org.junit.jupiter.api.Test;

/**
 * The scenarios of the flow metadata manager of GreptimeDB's metadata server, by their names, as commands: same flow,
 * ids, tables and sink. Partitions of routes and flownode ids agree here (docs/behaviour.md, decision 24); the previous
 * value of an update is an expected revision, and a repeatable destroy is a drop with if_exists (decision 25).
 */
class GreptimeFlowManagerScenariosTest {
    private static final long FLOW_ID = 10;
    private static final long[] TABLES = {1024, 1025, 1026};

    private final FlowScenario flows = new FlowScenario();

    @Test
    void createFlowMetadata() {
        flows.when(createFlow())
                .expectOk(FLOW_ID, 1)
                .expectRoutes(FLOW_ID, "1:1,2:2")
                .expectRows(FLOW_ID, 12);
        FlowRecord flow = flows.flow("flow");
        assertThat(flow.flowId()).isEqualTo(FLOW_ID);
        assertThat(flow.rawSql()).isEqualTo("raw");
        assertThat(flow.comment()).isEqualTo("hi");
        assertThat(flow.expireAfterSecs()).isEqualTo(300);
        assertThat(flow.sinkTableName()).isEqualTo(FlowCommands.table("greptime.my_schema.sink_table"));
        assertThat(flows.flownode(1)).containsExactly("10/1");
        assertThat(flows.flownode(2)).containsExactly("10/2");
        for (long tableId : TABLES) {
            assertThat(flows.flownodesOfTable(tableId)).containsExactly(1L, 2L);
        }
    }

    @Test
    void createFlowMetadataAgain() {
        flows.given(createFlow());
        FlowRecord before = flows.flow("flow");
        flows.when(createFlow().at(9000)).expectUnchanged(FLOW_ID, 1);
        assertThat(flows.flow("flow")).isEqualTo(before);
    }

    @Test
    void createFlowMetadataFlowExists() {
        flows.given(createFlow());
        flows.when(createFlow().id(FLOW_ID + 1))
                .expectRefused(OutcomeCode.FLOW_ALREADY_EXISTS, FLOW_ID, 1, "greptime.flow", "already exists");
        assertThat(flows.flow(FLOW_ID + 1)).isNull();
    }

    @Test
    void createFlowMetadataDifferentValue() {
        flows.given(createFlow());
        flows.when(createFlow().sink("greptime.my_schema.another_sink_table"))
                .expectRefused(
                        OutcomeCode.FLOW_VALUE_MISMATCH,
                        FLOW_ID,
                        1,
                        "greptime.flow",
                        "sink_table_name",
                        "greptime.my_schema.sink_table",
                        "greptime.my_schema.another_sink_table");
    }

    @Test
    void getFlowMetadata() {
        flows.given(createFlow());
        assertThat(flows.flow(FLOW_ID)).isEqualTo(flows.flow("flow")).isNotNull();
        assertThat(flows.flow(FLOW_ID + 1)).isNull();
        assertThat(flows.flow("other", "flow")).isNull();
    }

    @Test
    void destroyFlowMetadata() {
        flows.given(createFlow());
        flows.when(drop("flow").id(FLOW_ID)).expectOk(FLOW_ID, 1).expectRows(FLOW_ID, 0);
        assertThat(flows.flow("flow")).isNull();
        assertThat(flows.flownode(1)).isEmpty();
        for (long tableId : TABLES) {
            assertThat(flows.flownodesOfTable(tableId)).isEmpty();
        }
    }

    @Test
    void destroyFlowMetadataTwice() {
        flows.given(createFlow(), drop("flow").id(FLOW_ID));
        flows.when(drop("flow").id(FLOW_ID).ifExists()).expectUnchanged(null, null);
        flows.when(drop("flow").id(FLOW_ID)).expectRefused(OutcomeCode.FLOW_NOT_FOUND, "greptime.flow");
    }

    @Test
    void updateFlowMetadata() {
        flows.given(createFlow());
        flows.when(updateFlow().expectedRevision(1)).expectOk(FLOW_ID, 2).expectRows(FLOW_ID, 12);
        assertThat(flows.flow("flow").rawSql()).isEqualTo("new");
        assertThat(flows.flow("flow").flowId()).isEqualTo(FLOW_ID);
        flows.expectRoutes(FLOW_ID, "1:1,2:2");
    }

    @Test
    void updateFlowMetadataDiffFlownode() {
        flows.given(createFlow());
        flows.when(updateFlow().routes("1:3,2:4").expectedRevision(1))
                .expectOk(FLOW_ID, 2)
                .expectRows(FLOW_ID, 12);
        flows.expectRoutes(FLOW_ID, "1:3,2:4");
        assertThat(flows.flownode(1)).isEmpty();
        assertThat(flows.flownode(2)).isEmpty();
        assertThat(flows.flownode(3)).containsExactly("10/1");
        assertThat(flows.flownode(4)).containsExactly("10/2");
        for (long tableId : TABLES) {
            assertThat(flows.flownodesOfTable(tableId)).containsExactly(3L, 4L);
        }
    }

    @Test
    void updateFlowMetadataFlowReplaceDiffId() {
        flows.given(createFlow());
        flows.when(updateFlow().id(FLOW_ID + 1))
                .expectRefused(OutcomeCode.FLOW_ID_MISMATCH, FLOW_ID, 1, "greptime.flow", "10", "11");
        flows.when(createFlow().id(FLOW_ID + 1).sql("new").orReplace())
                .expectRefused(OutcomeCode.FLOW_ID_MISMATCH, FLOW_ID, 1, "greptime.flow", "10", "11");
    }

    @Test
    void updateFlowMetadataPrevValueDiff() {
        flows.given(createFlow(), updateFlow());
        flows.when(updateFlow().sql("newer").expectedRevision(1))
                .expectRefused(OutcomeCode.REVISION_MISMATCH, FLOW_ID, 2, "greptime.flow", "revision 2", "1");
        assertThat(flows.flow("flow").rawSql()).isEqualTo("new");
    }

    private static FlowCommands createFlow() {
        return definition(create("flow").id(FLOW_ID).routes("1:1,2:2").sql("raw"));
    }

    private static FlowCommands updateFlow() {
        return definition(replace("flow").id(FLOW_ID).routes("1:1,2:2").sql("new"));
    }

    private static FlowCommands definition(FlowCommands command) {
        return command.sources(TABLES)
                .sourceNames()
                .sink("greptime.my_schema.sink_table")
                .expireAfter(300)
                .comment("hi");
    }
}
