package io.sluice.service.query;

import io.sluice.schemas.flownode.FlowStateEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What several flownodes say about flows, merged: of each flow the largest size and last execution, and the earliest start that any
 * of them tells. The order in which they come does not matter, nor does merging what was merged.
 *
 * <p>Threading: one thread.
 */
public final class FlowStates {
    private final Map<Flow, FlowStateEntry> byFlow =
            new TreeMap<>(Comparator.comparing(Flow::catalog).thenComparing(Flow::flowId));

    private record Flow(String catalog, long flowId) {}

    public void add(FlowStateEntry said) {
        byFlow.merge(new Flow(said.catalog(), said.flowId()), said, FlowStates::merged);
    }

    /** Those that fit, by catalog and flow id. */
    public List<FlowStateEntry> of(Predicate<FlowStateEntry> wanted) {
        List<FlowStateEntry> all = new ArrayList<>(byFlow.values());
        all.removeIf(wanted.negate());
        return all;
    }

    private static FlowStateEntry merged(FlowStateEntry one, FlowStateEntry other) {
        return new FlowStateEntry(
                one.catalog(),
                one.flowId(),
                Long.compareUnsigned(one.stateSizeBytes(), other.stateSizeBytes()) >= 0
                        ? one.stateSizeBytes()
                        : other.stateSizeBytes(),
                Math.max(one.lastExecTimeMs(), other.lastExecTimeMs()),
                earlier(one.startTimeMs(), other.startTimeMs()));
    }

    private static Long earlier(Long one, Long other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Math.min(one, other);
    }
}
