package io.sluice.state.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.state.common.InMemoryRows;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One bad row never hides the others of a listing (docs/behaviour.md, G9). */
class DamageTest {
    private static final byte[] GARBAGE = {1, 2, 3};

    private final FlowState state = TestFlows.STATE;
    private final InMemoryRows rows = new InMemoryRows();
    private FlowRecord damaged;

    @BeforeEach
    void twoFlowsOnTheSameFlownodeAndTable() {
        damaged = TestFlows.flow().withName("damaged").record();
        FlowState.derive(damaged, rows);
        FlowState.derive(TestFlows.flow().withId(1025).withName("sound").record(), rows);
    }

    @Test
    void anUnreadableNameRowIsLeftOutOfTheListing() {
        rows.put(FlowNameIndex.key("greptime", "damaged"), GARBAGE);

        assertThat(state.names().list(rows, "greptime", "", null, 0))
                .extracting(FlowNameIndex.Entry::flowName)
                .containsExactly("sound");
    }

    @Test
    void anUnreadablePeerIsLeftOutOfTheRoutesAndOfTheTablesFlows() {
        long partition = damaged.routes().firstKey();
        long table = damaged.sourceTableIds().get(0);
        rows.put(FlowRouteIndex.key("greptime", 1024, partition), GARBAGE);
        rows.put(
                SourceTableIndex.key(
                        "greptime", table, damaged.routes().get(partition).id(), 1024, partition),
                GARBAGE);

        assertThat(state.routes().routesOf(rows, "greptime", 1024))
                .extracting(FlowRouteIndex.Entry::partitionId)
                .doesNotContain(partition);
        assertThat(state.sourceTables().flowsOf(rows, "greptime", table))
                .extracting(entry -> entry.key().flowId())
                .contains(1025L);
    }

    @Test
    void aKeyThatNoRowCanHaveIsLeftOutOfFlownodeAndKeyListings() {
        byte[] sound = FlownodeIndex.key(
                "greptime", damaged.routes().get(damaged.routes().firstKey()).id(), 1024, 0);
        byte[] tooLong = Arrays.copyOf(sound, sound.length + 1);
        int keysBefore =
                FlowTextKeys.list(rows, "greptime", FlowTextKeys.Layout.FLOW).size();
        int flowsBefore = flowsOf().size();
        rows.put(tooLong, new byte[0]);

        assertThat(FlowTextKeys.list(rows, "greptime", FlowTextKeys.Layout.FLOW))
                .hasSize(keysBefore);
        assertThat(flowsOf()).hasSize(flowsBefore);
    }

    private List<FlownodeIndex.Key> flowsOf() {
        return FlownodeIndex.flowsOf(
                rows,
                "greptime",
                damaged.routes().get(damaged.routes().firstKey()).id());
    }
}
