package io.sluice.state.region;

import static io.sluice.state.region.TestRegions.REGION;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.ManifestAction.PartitionExprChange;
import io.sluice.schemas.region.ManifestAction.Remove;
import io.sluice.schemas.region.ManifestAction.TruncateAll;
import io.sluice.schemas.region.ManifestAction.TruncatePartial;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.SstFormat;
import io.sluice.state.common.InMemoryRows;
import io.sluice.state.common.RecordingRows;
import io.sluice.state.common.RowBuffer;
import io.sluice.state.region.RegionFact.ManifestAdvanced;
import io.sluice.state.region.RegionFact.RegionRecorded;
import io.sluice.state.region.RegionFact.RegionRestored;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Random histories, also such as no command would make: rows and memory always say the same, whichever way they came about. */
class RegionRowsProperty {
    private final RegionStateStore store = new RegionStateStore(new SingleObject(KnownSchemas.shipped()));

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void rowsSayWhatIsInMemory(@ForAll("histories") List<List<ManifestAction>> history, @ForAll int split) {
        RecordingRows rows = new RecordingRows();
        ManifestBuilder inMemory = new ManifestBuilder();
        List<ManifestDelta> deltas = new ArrayList<>();
        deltas.add(new ManifestDelta(0, List.of(TestRegions.change(TestRegions.metadata(0)))));
        history.forEach(actions -> deltas.add(new ManifestDelta(deltas.size(), actions)));
        store.apply(new RegionRecorded(RegionStateStoreTest.beingCreated()), rows);
        RecordingRows restored = null;
        int restoredAfter = Math.floorMod(split, deltas.size());
        for (int i = 0; i < deltas.size(); i++) {
            ManifestDelta delta = deltas.get(i);
            apply(delta, rows);
            if (restored != null) {
                apply(delta, restored);
            }
            inMemory.apply(delta, 0);
            if (i == restoredAfter) {
                restored = new RecordingRows();
                store.apply(
                        new RegionRestored(store.regions().find(rows, REGION), store.manifest(rows, REGION)), restored);
            }
        }
        RegionManifest expected = inMemory.build();
        assertThat(store.manifest(rows, REGION)).isEqualTo(expected);
        assertThat(store.manifest(restored, REGION)).as("by way of a manifest").isEqualTo(expected);
        assertThat(store.regions().find(rows, REGION).fileCount())
                .isEqualTo(expected.files().size());
        assertThat(ManifestBuilder.from(expected).build()).isEqualTo(expected);
        InMemoryRows again = new InMemoryRows();
        rows.writes().forEach(write -> write.replayTo(again));
        assertThat(again.toHex()).isEqualTo(rows.rows().toHex());
        assertThat(buffered(deltas).toHex())
                .as("held back, delta by delta")
                .isEqualTo(rows.rows().toHex());
    }

    /** As a decision does it: reads and scans see what was not written yet. */
    private InMemoryRows buffered(List<ManifestDelta> deltas) {
        InMemoryRows below = new InMemoryRows();
        RowBuffer buffer = new RowBuffer(below);
        store.apply(new RegionRecorded(RegionStateStoreTest.beingCreated()), buffer);
        for (ManifestDelta delta : deltas) {
            store.apply(new ManifestAdvanced(RegionStateStoreTest.region(delta.version()), "c", delta, 0), buffer);
            if (delta.version() % 3 == 1) {
                buffer.flushTo(below);
            }
        }
        buffer.flushTo(below);
        return below;
    }

    private void apply(ManifestDelta delta, RecordingRows rows) {
        store.apply(new ManifestAdvanced(RegionStateStoreTest.region(delta.version()), "c", delta, 0), rows);
    }

    @Provide
    Arbitrary<List<List<ManifestAction>>> histories() {
        Arbitrary<Long> marks = Arbitraries.of(0L, 1L, 5L, Long.MAX_VALUE, Long.MIN_VALUE, -1L);
        Arbitrary<Long> maybe = marks.injectNull(0.5);
        Arbitrary<Long> times = Arbitraries.longs().between(-5, 5).injectNull(0.2);
        Arbitrary<FileMeta> files = Combinators.combine(
                        Arbitraries.chars().range('A', 'E'), Arbitraries.of(-2L, 0L, 1L, 2L, -1L))
                .as((letter, index) -> index == -2 ? TestRegions.file(letter) : TestRegions.indexed(letter, index));
        Arbitrary<List<FileMeta>> lists = files.list().ofMaxSize(3);
        Arbitrary<ManifestAction> edits = Combinators.combine(lists, lists, times, maybe, maybe, maybe)
                .as((added, removed, time, entry, sequence, committed) ->
                        new Edit(added, removed, time, null, entry, sequence, committed));
        Arbitrary<ManifestAction> others = Arbitraries.oneOf(
                Combinators.combine(marks, marks, times)
                        .as((entry, sequence, time) -> new TruncateAll(REGION, entry, sequence, time)),
                Combinators.combine(lists, times).as((removed, time) -> new TruncatePartial(REGION, removed, time)),
                Arbitraries.of("", "{}").map(PartitionExprChange::new),
                Arbitraries.just(new Remove(REGION)),
                Arbitraries.of(true, false)
                        .injectNull(0.5)
                        .map(mode -> new Change(TestRegions.metadata(1, "c"), SstFormat.FLAT, mode)));
        return Arbitraries.oneOf(edits, edits, others)
                .list()
                .ofMaxSize(3)
                .list()
                .ofMaxSize(12);
    }
}
