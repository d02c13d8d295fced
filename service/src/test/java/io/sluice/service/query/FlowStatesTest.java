package io.sluice.service.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.flownode.FlowStateEntry;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What flownodes say, merged: docs/behaviour.md B-F22.4. */
class FlowStatesTest {
    private static FlowStateEntry said(String catalog, long flowId, long size, long lastExecMs, Long startMs) {
        return new FlowStateEntry(catalog, flowId, size, lastExecMs, startMs);
    }

    private static List<FlowStateEntry> merged(FlowStateEntry... said) {
        FlowStates states = new FlowStates();
        Stream.of(said).forEach(states::add);
        return states.of(flow -> true);
    }

    @Test
    void theLargestSizeTheLastExecutionAndTheEarliestStartCount() {
        assertThat(merged(said("a", 1, 5, 100, 30L), said("a", 1, 9, 70, 20L), said("a", 1, 7, 80, 40L)))
                .containsExactly(said("a", 1, 9, 100, 20L));
    }

    @Test
    void sizesAreUnsigned() {
        assertThat(merged(said("a", 1, Long.MIN_VALUE, 1, null), said("a", 1, 9, 1, null)))
                .containsExactly(said("a", 1, Long.MIN_VALUE, 1, null));
    }

    @Test
    void timesBeforeTheEpochAreEarlier() {
        assertThat(merged(said("a", 1, 1, -5, -7L), said("a", 1, 1, -9, 3L))).containsExactly(said("a", 1, 1, -5, -7L));
    }

    @Test
    void whoDoesNotTellAStartDoesNotMatter() {
        assertThat(merged(said("a", 1, 1, 1, null), said("a", 1, 1, 1, 20L), said("a", 1, 1, 1, null)))
                .containsExactly(said("a", 1, 1, 1, 20L));
        assertThat(merged(said("a", 1, 1, 1, null))).containsExactly(said("a", 1, 1, 1, null));
    }

    @Test
    void theyAreInTheOrderOfCatalogAndFlowId() {
        assertThat(merged(said("b", 1, 1, 1, null), said("a", 10, 1, 1, null), said("a", 9, 1, 1, null)))
                .extracting(flow -> flow.catalog() + flow.flowId())
                .containsExactly("a9", "a10", "b1");
    }

    @Test
    void onlyThoseThatAreWantedAreGiven() {
        FlowStates states = new FlowStates();
        states.add(said("a", 1, 1, 1, null));
        states.add(said("b", 1, 1, 1, null));

        assertThat(states.of(flow -> flow.catalog().equals("b"))).containsExactly(said("b", 1, 1, 1, null));
    }
}
