package io.sluice.state.flow;

import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.Peer;
import io.sluice.state.common.Damage;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.state.common.OutcomeCheck;
import io.sluice.state.common.RowFinding;
import io.sluice.state.common.RowFinding.Code;
import io.sluice.state.common.RowFinding.Mend;
import io.sluice.state.common.RowMerge;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowStore;
import io.sluice.state.common.UnknownRows;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Checks a flow store: derives every row again that follows from a record, and compares both ways with those that are there.
 *
 * <p>Thread-safe; one check is one thread's. Never fails because of a row, and takes none for another: one that cannot be read is a
 * finding, and the rows of a record that cannot be read are left alone, since only it could say what they should be.
 */
public final class FlowCheck {
    private static final List<FlowKeyFamily> PLACEMENTS =
            List.of(FlowKeyFamily.ROUTE, FlowKeyFamily.FLOWNODE, FlowKeyFamily.SOURCE_TABLE);

    private final FlowRecordCodec codec;
    private final OutcomeCheck outcomes;

    public FlowCheck(SingleObject singleObject) {
        codec = new FlowRecordCodec(singleObject);
        outcomes = new OutcomeCheck(new OutcomeCodec(singleObject));
    }

    /**
     * Checks the rows of one partition.
     *
     * @param scratch has no rows at first; gets those that should be there
     * @param isHere whether the rows of a catalog belong into this partition
     * @param nowMs as for {@link OutcomeCheck#check}
     * @param findings is told what is wrong, row by row
     */
    public void check(
            RowScanner stored, RowStore scratch, Predicate<String> isHere, long nowMs, Consumer<RowFinding> findings) {
        new Run(stored, scratch, isHere, findings).run();
        outcomes.check(stored, scratch, isHere, nowMs, findings);
    }

    /** One check. */
    private final class Run {
        private final RowScanner stored;
        private final RowStore derived;
        private final Predicate<String> isHere;
        private final Consumer<RowFinding> findings;
        /** Records that are there and cannot be used. */
        private final Set<FlowInfoIndex.Key> unusable = new HashSet<>();
        /** Of each catalog that has records, whether they can be read or not. */
        private final Map<String, Long> highestIds = new TreeMap<>();

        private long usable;

        Run(RowScanner stored, RowStore derived, Predicate<String> isHere, Consumer<RowFinding> findings) {
            this.stored = stored;
            this.derived = derived;
            this.isHere = isHere;
            this.findings = findings;
        }

        void run() {
            deriveAll();
            settleNames();
            checkAllocators();
            RowMerge.of(stored, derived, FlowKeyFamily.NAME.prefix(), new NameDifferences());
            for (FlowKeyFamily family : PLACEMENTS) {
                RowMerge.of(stored, derived, family.prefix(), new PlacementDifferences(family));
            }
            UnknownRows.check(stored, FlowKeyFamily.values(), FlowRowText::of, findings);
        }

        private void report(Code code, byte[] key, String message, Mend mend) {
            findings.accept(new RowFinding(code, key, FlowRowText.of(key), message, mend));
        }

        // Records.

        private void deriveAll() {
            stored.scanPrefix(FlowKeyFamily.INFO.prefix(), (key, value) -> {
                FlowInfoIndex.Key id = Damage.readOrNull(() -> FlowInfoIndex.decodeKey(key));
                if (id == null) {
                    report(Code.NONCANONICAL_KEY, key, "no record of a flow has such a key", Mend.NONE);
                    return true;
                }
                if (isHere.test(id.catalog())) {
                    highestIds.merge(id.catalog(), id.flowId(), Math::max);
                }
                FlowRecord flow = usable(id, key, value);
                if (flow == null) {
                    unusable.add(id);
                } else {
                    usable++;
                    FlowState.deriveIndices(flow, derived);
                }
                return true;
            });
        }

        private FlowRecord usable(FlowInfoIndex.Key id, byte[] key, byte[] value) {
            FlowRecord flow;
            try {
                flow = codec.decodeRecord(value);
            } catch (UndecodableException e) {
                report(Code.UNDECODABLE_ROW, key, e.getMessage(), Mend.NONE);
                return null;
            }
            if (!flow.catalog().equals(id.catalog()) || flow.flowId() != id.flowId()) {
                report(
                        Code.UNDECODABLE_ROW,
                        key,
                        "is the record of flow " + flow.flowId() + " of catalog " + flow.catalog(),
                        Mend.NONE);
                return null;
            }
            if (!isHere.test(id.catalog())) {
                report(Code.ORPHAN_ROW, key, "the catalog belongs into another partition", Mend.NONE);
                return null;
            }
            return flow;
        }

        // Names.

        /** Two records of one name have derived one row: it is then the one that is stored, if it is one of theirs. */
        private void settleNames() {
            long[] names = {0};
            derived.scanPrefix(FlowKeyFamily.NAME.prefix(), (key, value) -> {
                names[0]++;
                return true;
            });
            if (names[0] == usable) {
                return;
            }
            stored.scanPrefix(FlowKeyFamily.INFO.prefix(), (key, value) -> {
                FlowInfoIndex.Key id = Damage.readOrNull(() -> FlowInfoIndex.decodeKey(key));
                if (id != null && !unusable.contains(id)) {
                    settleName(key, codec.decodeRecord(value));
                }
                return true;
            });
        }

        private void settleName(byte[] recordKey, FlowRecord flow) {
            byte[] name = FlowNameIndex.key(flow.catalog(), flow.flowName());
            long holder = codec.decodeFlowId(derived.get(name));
            if (holder == flow.flowId()) {
                return;
            }
            byte[] now = stored.get(name);
            Long named = now == null ? null : Damage.readOrNull(() -> codec.decodeFlowId(now));
            if (named != null && named == flow.flowId()) {
                // The holder was derived last, so its record comes later here and is told then.
                derived.put(name, now);
                return;
            }
            report(
                    Code.NAME_CONFLICT,
                    recordKey,
                    "has the name " + flow.flowName() + ", and so has flow " + holder + ": drop one of them",
                    Mend.NONE);
        }

        private final class NameDifferences implements RowMerge.Differences {
            @Override
            public void missing(byte[] key, byte[] wanted) {
                report(
                        Code.RECORD_WITHOUT_NAME,
                        key,
                        "flow " + codec.decodeFlowId(wanted) + " has this name, but no row says so",
                        Mend.put(wanted));
            }

            @Override
            public void extra(byte[] key, byte[] value) {
                FlowNameIndex.Key name = Damage.readOrNull(() -> FlowNameIndex.decodeKey(key));
                if (name == null) {
                    report(Code.NONCANONICAL_KEY, key, "no name has such a key", Mend.DELETE);
                    return;
                }
                try {
                    long flowId = codec.decodeFlowId(value);
                    if (!unusable.contains(new FlowInfoIndex.Key(name.catalog(), flowId))) {
                        report(
                                Code.NAME_WITHOUT_RECORD,
                                key,
                                "names flow " + flowId + ", but no record has this name",
                                Mend.DELETE);
                    }
                } catch (UndecodableException e) {
                    report(Code.UNDECODABLE_ROW, key, e.getMessage() + "; no record has this name", Mend.DELETE);
                }
            }

            @Override
            public void different(byte[] key, byte[] value, byte[] wanted) {
                long flowId = codec.decodeFlowId(wanted);
                try {
                    long named = codec.decodeFlowId(value);
                    if (named != flowId) {
                        report(
                                Code.NAME_CONFLICT,
                                key,
                                "names flow " + named + ", but flow " + flowId + " has this name",
                                Mend.put(wanted));
                    }
                } catch (UndecodableException e) {
                    report(Code.UNDECODABLE_ROW, key, e.getMessage(), Mend.put(wanted));
                }
            }
        }

        // Where partitions run.

        private final class PlacementDifferences implements RowMerge.Differences {
            private final FlowKeyFamily family;

            PlacementDifferences(FlowKeyFamily family) {
                this.family = family;
            }

            @Override
            public void missing(byte[] key, byte[] wanted) {
                report(Code.MISSING_ROW, key, "the record of its flow has it", Mend.put(wanted));
            }

            @Override
            public void extra(byte[] key, byte[] value) {
                FlowInfoIndex.Key flow;
                try {
                    flow = flowOf(key);
                } catch (NoncanonicalKeyException e) {
                    report(Code.NONCANONICAL_KEY, key, "no " + family.label() + " row has such a key", Mend.DELETE);
                    return;
                }
                if (!unusable.contains(flow)) {
                    report(Code.ORPHAN_ROW, key, "no record has it", Mend.DELETE);
                }
            }

            private FlowInfoIndex.Key flowOf(byte[] key) {
                if (family == FlowKeyFamily.ROUTE) {
                    FlowRouteIndex.Key route = FlowRouteIndex.decodeKey(key);
                    return new FlowInfoIndex.Key(route.catalog(), route.flowId());
                }
                if (family == FlowKeyFamily.FLOWNODE) {
                    FlownodeIndex.Key flownode = FlownodeIndex.decodeKey(key);
                    return new FlowInfoIndex.Key(flownode.catalog(), flownode.flowId());
                }
                SourceTableIndex.Key source = SourceTableIndex.decodeKey(key);
                return new FlowInfoIndex.Key(source.catalog(), source.flowId());
            }

            @Override
            public void different(byte[] key, byte[] value, byte[] wanted) {
                if (family == FlowKeyFamily.FLOWNODE) {
                    report(
                            Code.UNDECODABLE_ROW,
                            key,
                            "has " + value.length + " bytes, a flownode row has none",
                            Mend.put(wanted));
                    return;
                }
                try {
                    Peer found = codec.decodePeer(value);
                    Peer peer = codec.decodePeer(wanted);
                    // Not by bytes: an older version wrote the same in another way.
                    if (!found.equals(peer)) {
                        report(
                                Code.ROUTE_MISMATCH,
                                key,
                                "says " + text(found) + ", the record of its flow " + text(peer),
                                Mend.put(wanted));
                    }
                } catch (UndecodableException e) {
                    report(Code.UNDECODABLE_ROW, key, e.getMessage(), Mend.put(wanted));
                }
            }
        }

        // Ids.

        private void checkAllocators() {
            Set<String> seen = new HashSet<>();
            stored.scanPrefix(FlowKeyFamily.ALLOCATOR.prefix(), (key, value) -> {
                String catalog = Damage.readOrNull(() -> FlowIdAllocator.decodeKey(key));
                if (catalog == null) {
                    report(Code.NONCANONICAL_KEY, key, "no allocator has such a key", Mend.NONE);
                } else if (!isHere.test(catalog)) {
                    report(Code.ORPHAN_ROW, key, "the catalog belongs into another partition", Mend.NONE);
                } else {
                    seen.add(catalog);
                    checkAllocator(key, value, catalog);
                }
                return true;
            });
            highestIds.forEach((catalog, highest) -> {
                if (!seen.contains(catalog) && highest >= FlowView.FIRST_FLOW_ID) {
                    report(
                            Code.MISSING_ROW,
                            FlowIdAllocator.key(catalog),
                            "the catalog has flow " + highest + ", so its next id is above that",
                            nextFlowId(highest));
                }
            });
        }

        private void checkAllocator(byte[] key, byte[] value, String catalog) {
            long highest = highestIds.getOrDefault(catalog, FlowView.FIRST_FLOW_ID - 1);
            try {
                long next = codec.decodeNextFlowId(value);
                if (next <= highest) {
                    report(
                            Code.OUT_OF_RANGE,
                            key,
                            "the next id is " + next + ", but there is flow " + highest,
                            nextFlowId(highest));
                }
            } catch (UndecodableException e) {
                report(
                        Code.UNDECODABLE_ROW,
                        key,
                        e.getMessage() + "; ids of dropped flows above " + highest + " may be given again",
                        nextFlowId(highest));
            }
        }

        private Mend nextFlowId(long highest) {
            return Mend.put(FlowRecordCodec.encodeNextFlowId(Math.max(FlowView.FIRST_FLOW_ID, highest + 1)));
        }
    }

    private static String text(Peer peer) {
        return "flownode " + U64.text(peer.id()) + " at " + (peer.addr().isEmpty() ? "no address" : peer.addr());
    }
}
