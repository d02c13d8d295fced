package io.sluice.state.flow;

import io.sluice.state.common.RowDigest;
import io.sluice.state.common.RowScanner;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** Digests of the flows in a flow store, one per key family. Outcomes and the cursor are no part: they are about commands. Stateless. */
public final class FlowDigest {
    private FlowDigest() {}

    /** Digests the rows of one partition. */
    public static Map<FlowKeyFamily, RowDigest> of(RowScanner rows) {
        Map<FlowKeyFamily, RowDigest> digests = new EnumMap<>(FlowKeyFamily.class);
        for (FlowKeyFamily family : FlowKeyFamily.values()) {
            if (family.isState()) {
                digests.put(family, RowDigest.of(rows, family));
            }
        }
        return digests;
    }

    /** One digest per family over the digests of all partitions, in partition order. */
    public static Map<FlowKeyFamily, RowDigest> combine(TreeMap<Integer, Map<FlowKeyFamily, RowDigest>> byPartition) {
        Map<FlowKeyFamily, RowDigest> combined = new EnumMap<>(FlowKeyFamily.class);
        for (FlowKeyFamily family : FlowKeyFamily.values()) {
            if (family.isState()) {
                combined.put(
                        family,
                        RowDigest.combine(byPartition.values().stream()
                                .map(partition -> partition.get(family))
                                .toList()));
            }
        }
        return combined;
    }
}
