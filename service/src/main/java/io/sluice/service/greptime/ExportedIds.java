package io.sluice.service.greptime;

import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U32;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Which ids flows have in a layout whose keys do not say the catalog: there two catalogs must not use the same one.
 *
 * <p>One thread. Invariant: which flow keeps its id depends on the flows alone: the one of the first catalog, in the order of their
 * names; the others get ids that nobody has, in the order of catalogs and ids.
 */
final class ExportedIds {
    private static final int SHOWN = 10;

    private final Map<Flow, Long> others = new TreeMap<>();
    private long next;

    /** A flow by what it is in Sluice. */
    record Flow(String catalog, long flowId) implements Comparable<Flow> {
        @Override
        public int compareTo(Flow other) {
            int byCatalog = catalog.compareTo(other.catalog);
            return byCatalog == 0 ? Long.compare(flowId, other.flowId) : byCatalog;
        }
    }

    private ExportedIds(long next) {
        this.next = next;
    }

    /** Knows what flows are called. */
    interface FlowNames {
        String of(String catalog, long flowId);
    }

    /** Every flow has the id that it has. */
    static ExportedIds asTheyAre(long nextFlowId) {
        return new ExportedIds(nextFlowId);
    }

    /**
     * No two flows have one id.
     *
     * @param ids of the flows of each catalog
     * @param nextFlowId one that no catalog has given out
     * @param renumber whether flows may get another one
     * @param names of the flows, for the refusal
     * @throws ExportRefusedException if two have the same, and none may get another
     */
    static ExportedIds distinct(
            SortedMap<String, SortedSet<Long>> ids, long nextFlowId, boolean renumber, FlowNames names)
            throws ExportRefusedException {
        Map<Long, String> holders = new HashMap<>();
        List<String> shown = new ArrayList<>();
        long collisions = 0;
        ExportedIds exported = new ExportedIds(nextFlowId);
        for (Map.Entry<String, SortedSet<Long>> ofCatalog : ids.entrySet()) {
            for (long flowId : ofCatalog.getValue()) {
                String holder = holders.putIfAbsent(flowId, ofCatalog.getKey());
                if (holder != null && renumber) {
                    exported.others.put(new Flow(ofCatalog.getKey(), flowId), exported.take());
                } else if (holder != null) {
                    collisions++;
                    if (shown.size() < SHOWN) {
                        shown.add(flowId + " (" + Texts.shortened(holder + "." + names.of(holder, flowId)) + ", "
                                + Texts.shortened(ofCatalog.getKey() + "." + names.of(ofCatalog.getKey(), flowId))
                                + ")");
                    }
                }
            }
        }
        if (collisions > 0) {
            throw new ExportRefusedException((collisions == 1 ? "a flow id is" : collisions + " flow ids are")
                    + " used in two catalogs, which this layout cannot hold: " + String.join(", ", shown)
                    + (collisions > SHOWN ? ", ..." : "")
                    + ". Export one catalog at a time with --catalog, or all with --layout flow_task, which keeps them"
                    + " apart; or give the second ones other ids with --renumber.");
        }
        return exported;
    }

    private long take() throws ExportRefusedException {
        if (next > U32.MAX) {
            throw new ExportRefusedException(
                    "there are no flow ids left to give the second of two flows with one id: the next" + " would be "
                            + next + ". Export one catalog at a time with --catalog.");
        }
        return next++;
    }

    long of(String catalog, long flowId) {
        return others.getOrDefault(new Flow(catalog, flowId), flowId);
    }

    /** The flows that have another id than in Sluice. */
    Map<Flow, Long> others() {
        return others;
    }

    /** The first id that is not used up. */
    long next() {
        return next;
    }
}
