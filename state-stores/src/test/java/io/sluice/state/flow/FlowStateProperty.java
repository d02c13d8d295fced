package io.sluice.state.flow;

import static io.sluice.state.flow.TestFlows.STATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.U32;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.Peer;
import io.sluice.state.common.InMemoryRows;
import io.sluice.state.common.RecordingRows;
import io.sluice.state.common.RecordingRows.Write;
import io.sluice.state.flow.FlowFact.FlowDropped;
import io.sluice.state.flow.FlowFact.FlowIdsUsed;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * The flow store against a model: records by id, from which all rows are written out anew, with keys put together here.
 * The facts are what decisions can make true (one name, one flow), in any order, repeated, and about flows that are not
 * there.
 */
class FlowStateProperty {
    private static final int TRIES = 300;

    @Property(tries = TRIES)
    void afterEveryFactTheRowsAreThoseOfTheModel(@ForAll("facts") List<FlowFact> facts) {
        Model model = new Model();
        InMemoryRows rows = new InMemoryRows();
        for (FlowFact fact : facts) {
            model.apply(fact);
            STATE.apply(fact, rows);
            assertThat(rows.toHex()).isEqualTo(model.rows());
        }
    }

    @Property(tries = TRIES)
    void everyFactWritesExactlyTheKeysWhoseValueDiffersAndEachOnce(@ForAll("facts") List<FlowFact> facts) {
        InMemoryRows rows = new InMemoryRows();
        for (FlowFact fact : facts) {
            Map<String, String> before = rows.toHex();
            RecordingRows recording = new RecordingRows(rows);
            STATE.apply(fact, recording);
            Map<String, String> after = rows.toHex();
            Set<String> different = new HashSet<>(before.keySet());
            different.addAll(after.keySet());
            different.removeIf(key -> Objects.equals(before.get(key), after.get(key)));
            assertThat(recording.writtenKeys()).containsExactlyInAnyOrderElementsOf(different);
        }
    }

    @Property(tries = TRIES)
    void stateUpToAnyFactAndTheChangelogFromThereIsTheState(@ForAll("facts") List<FlowFact> facts) {
        RecordingRows recording = new RecordingRows();
        List<InMemoryRows> stateAfter = new ArrayList<>();
        List<Integer> writesAfter = new ArrayList<>();
        stateAfter.add(recording.rows().copy());
        writesAfter.add(0);
        for (FlowFact fact : facts) {
            STATE.apply(fact, recording);
            stateAfter.add(recording.rows().copy());
            writesAfter.add(recording.writes().size());
        }
        List<Write> changelog = recording.writes();
        NavigableMap<String, String> expected = recording.rows().toHex();
        for (int split = 0; split <= facts.size(); split++) {
            InMemoryRows replayed = stateAfter.get(split).copy();
            changelog.subList(writesAfter.get(split), changelog.size()).forEach(write -> write.replayTo(replayed));
            assertThat(replayed.toHex()).as("split after fact %d", split).isEqualTo(expected);
        }
    }

    @Property(tries = TRIES)
    void stateUpToAnyFactAndTheFactsFromThereIsTheState(@ForAll("facts") List<FlowFact> facts) {
        InMemoryRows whole = new InMemoryRows();
        facts.forEach(fact -> STATE.apply(fact, whole));
        InMemoryRows upTo = new InMemoryRows();
        for (int split = 0; split <= facts.size(); split++) {
            InMemoryRows rest = upTo.copy();
            facts.subList(split, facts.size()).forEach(fact -> STATE.apply(fact, rest));
            assertThat(rest.toHex()).as("split after fact %d", split).isEqualTo(whole.toHex());
            if (split < facts.size()) {
                STATE.apply(facts.get(split), upTo);
            }
        }
    }

    @Property(tries = TRIES)
    void aCompactedChangelogGivesTheSameRows(@ForAll("facts") List<FlowFact> facts, @ForAll Random random) {
        RecordingRows recording = new RecordingRows();
        facts.forEach(fact -> STATE.apply(fact, recording));
        InMemoryRows replayed = new InMemoryRows();
        compacted(recording.writes(), random).forEach(write -> write.replayTo(replayed));
        assertThat(replayed.toHex()).isEqualTo(recording.rows().toHex());
    }

    @Property(tries = TRIES)
    void factsAfterACompactedChangelogMeetTheSameRows(
            @ForAll("facts") List<FlowFact> before, @ForAll("facts") List<FlowFact> after, @ForAll Random random) {
        RecordingRows live = new RecordingRows();
        before.forEach(fact -> STATE.apply(fact, live));
        InMemoryRows restored = new InMemoryRows();
        compacted(live.writes(), random).forEach(write -> write.replayTo(restored));
        after.forEach(fact -> STATE.apply(fact, live));
        after.forEach(fact -> STATE.apply(fact, restored));
        assertThat(restored.toHex()).isEqualTo(live.rows().toHex());
    }

    /** What cleaning may leave of a changelog: any superseded record may be gone, and a delete without predecessors. */
    private static List<Write> compacted(List<Write> changelog, Random random) {
        Map<String, Integer> last = new HashMap<>();
        for (int i = 0; i < changelog.size(); i++) {
            last.put(changelog.get(i).key(), i);
        }
        List<Write> left = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < changelog.size(); i++) {
            Write write = changelog.get(i);
            boolean superseded = last.get(write.key()) != i;
            boolean forgotten = write.isDelete() && !superseded && !seen.contains(write.key());
            if ((superseded || forgotten) && random.nextBoolean()) {
                continue;
            }
            seen.add(write.key());
            left.add(write);
        }
        return left;
    }

    /** The naive form of the store. */
    private static final class Model {
        private final Map<List<Object>, FlowRecord> flows = new LinkedHashMap<>();
        private final Map<String, Long> nextFlowIds = new HashMap<>();

        void apply(FlowFact fact) {
            if (fact instanceof FlowRecorded recorded) {
                FlowRecord flow = recorded.flow();
                flows.put(List.of(flow.catalog(), flow.flowId()), flow);
            } else if (fact instanceof FlowDropped dropped) {
                flows.remove(List.of(dropped.catalog(), dropped.flowId()));
            } else if (fact instanceof FlowIdsUsed used) {
                long next = Math.max(used.nextFlowId(), nextFlowIds.getOrDefault(used.catalog(), 1024L));
                if (next > 1024) {
                    nextFlowIds.put(used.catalog(), next);
                }
            }
        }

        NavigableMap<String, String> rows() {
            NavigableMap<String, String> rows = new TreeMap<>();
            nextFlowIds.forEach(
                    (catalog, next) -> rows.put("02" + utf8(catalog), hex(FlowRecordCodec.encodeNextFlowId(next))));
            for (FlowRecord flow : flows.values()) {
                String catalog = utf8(flow.catalog()) + "00";
                String id = u32(flow.flowId());
                rows.put("01" + catalog + id, hex(FlowRecordCodec.encode(flow)));
                rows.put("03" + catalog + utf8(flow.flowName()), hex(FlowRecordCodec.encodeFlowId(flow.flowId())));
                for (Map.Entry<Long, Peer> route : flow.routes().entrySet()) {
                    String partition = u32(route.getKey());
                    String node = u64(route.getValue().id());
                    String peer = hex(FlowRecordCodec.encode(route.getValue()));
                    rows.put("04" + catalog + id + partition, peer);
                    rows.put("05" + catalog + node + id + partition, "");
                    for (long table : flow.sourceTableIds()) {
                        rows.put("06" + catalog + u32(table) + node + id + partition, peer);
                    }
                }
            }
            return rows;
        }

        boolean isNameFree(FlowRecord by) {
            return flows.values().stream()
                    .noneMatch(flow -> flow.catalog().equals(by.catalog())
                            && flow.flowName().equals(by.flowName())
                            && flow.flowId() != by.flowId());
        }

        private static String utf8(String text) {
            return hex(text.getBytes(StandardCharsets.UTF_8));
        }

        private static String u32(long value) {
            return hex(ByteBuffer.allocate(4).putInt((int) value).array());
        }

        private static String u64(long value) {
            return hex(ByteBuffer.allocate(8).putLong(value).array());
        }

        private static String hex(byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        }
    }

    /** Sequences in which no record claims a name that another flow has, as decisions make sure. */
    @Provide
    Arbitrary<List<FlowFact>> facts() {
        return fact().list().ofMaxSize(24).map(FlowStateProperty::legal);
    }

    private static List<FlowFact> legal(List<FlowFact> candidates) {
        Model model = new Model();
        List<FlowFact> legal = new ArrayList<>();
        for (FlowFact fact : candidates) {
            if (!(fact instanceof FlowRecorded recorded) || model.isNameFree(recorded.flow())) {
                legal.add(fact);
                model.apply(fact);
            }
        }
        return legal;
    }

    private static Arbitrary<FlowFact> fact() {
        Arbitrary<String> catalogs = Arbitraries.of("foo", "foobar", "foo-x");
        Arbitrary<Long> ids = Arbitraries.of(5L, 1024L, 1025L, U32.MAX);
        Arbitrary<FlowFact> dropped = Combinators.combine(catalogs, ids).as(FlowDropped::new);
        Arbitrary<FlowFact> used = Combinators.combine(
                        catalogs, Arbitraries.of(5L, 1023L, 1024L, 1025L, 1026L, U32.MAX + 1))
                .as(FlowIdsUsed::new);
        return Arbitraries.frequencyOf(Tuple.of(6, recorded(catalogs, ids)), Tuple.of(3, dropped), Tuple.of(1, used));
    }

    private static Arbitrary<FlowFact> recorded(Arbitrary<String> catalogs, Arbitrary<Long> ids) {
        Arbitrary<String> names = Arbitraries.of("a", "a-", "ab", "`odd/name` \u00fc");
        Arbitrary<Long> revisions = Arbitraries.of(1L, 2L, -1L);
        Arbitrary<SortedMap<Long, Long>> nodes = Arbitraries.maps(
                        Arbitraries.of(0L, 1L, 10L, U32.MAX), Arbitraries.of(1L, 2L, -1L))
                .ofMaxSize(3)
                .map(TreeMap::new);
        // May name a table twice.
        Arbitrary<List<Long>> sources =
                Arbitraries.of(1024L, 1025L, U32.MAX).list().ofMaxSize(3);
        Arbitrary<String> sql = Arbitraries.of("SELECT 1", "SELECT 2");
        return Combinators.combine(catalogs, ids, names, revisions, nodes, sources, sql)
                .as((catalog, id, name, revision, node, source, text) ->
                        new TestFlows(catalog, id, name, revision, node, source, text).recorded());
    }
}
