package io.sluice.state.region;

import static io.sluice.state.region.TestRegions.REGION;
import static io.sluice.state.region.TestRegions.change;
import static io.sluice.state.region.TestRegions.edit;
import static io.sluice.state.region.TestRegions.file;
import static io.sluice.state.region.TestRegions.id;
import static io.sluice.state.region.TestRegions.indexed;
import static io.sluice.state.region.TestRegions.marks;
import static io.sluice.state.region.TestRegions.metadata;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.ManifestAction.PartitionExprChange;
import io.sluice.schemas.region.ManifestAction.Remove;
import io.sluice.schemas.region.ManifestAction.TruncateAll;
import io.sluice.schemas.region.ManifestAction.TruncatePartial;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.schemas.region.SstFormat;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table of docs/behaviour.md 4.5, row by row, in memory. */
class ManifestActionsTest {
    private static final long IMPORTED_MS = 77;
    private final ManifestBuilder manifest = new ManifestBuilder();
    private long version;

    private ManifestActionsTest apply(ManifestAction... actions) {
        manifest.apply(new ManifestDelta(version++, List.of(actions)), IMPORTED_MS);
        return this;
    }

    private RegionManifest given(ManifestAction... actions) {
        apply(change(metadata(0))).apply(actions);
        return manifest.build();
    }

    @Test
    void changeReplacesMetadataAndFormat() {
        given(new Change(metadata(1, "c"), SstFormat.FLAT, true));
        apply(new Change(metadata(2, "d"), SstFormat.FLAT, null));
        RegionManifest built = manifest.build();
        assertThat(built.metadata()).isEqualTo(metadata(2, "d"));
        assertThat(built.sstFormat()).isEqualTo(SstFormat.FLAT);
        assertThat(built.appendMode()).as("null leaves it").isTrue();
        assertThat(built.manifestVersion()).isEqualTo(2);
    }

    @Test
    void partitionExprChangeNeedsMetadata() {
        apply(new PartitionExprChange("{}"));
        assertThat(manifest.hasMetadata()).isFalse();
        assertThatThrownBy(manifest::build).isInstanceOf(IllegalStateException.class);
        apply(change(metadata(0))).apply(new PartitionExprChange("{\"a\":1}"));
        assertThat(manifest.build().metadata()).isEqualTo(metadata(0).withPartitionExpr("{\"a\":1}"));
    }

    @Test
    void editPutsFilesAndTheLastOneWins() {
        RegionManifest built = given(edit(List.of(file('A'), file('A').withSequence(3)), List.of(), 5L));
        assertThat(built.files()).containsOnlyKeys(id('A'));
        assertThat(built.files().get(id('A')).sequence()).isEqualTo(3);
        assertThat(built.removedFiles()).isEmpty();
    }

    @Test
    void anIndexThatIsReplacedIsRemoved() {
        given(edit(List.of(indexed('A', 1), indexed('B', 1), indexed('C', 2), file('D')), List.of(), 5L));
        apply(edit(List.of(indexed('A', 2), file('B'), indexed('C', 2), indexed('D', 1)), List.of(), 6L));
        assertThat(manifest.build().removedFiles())
                .containsExactly(new RemovedFiles(6, Set.of(new IndexFile(id('A'), 1), new IndexFile(id('B'), 1))));
    }

    @Test
    void indexVersionsAreUnsigned() {
        given(edit(List.of(indexed('A', Long.MAX_VALUE)), List.of(), 5L));
        apply(edit(List.of(indexed('A', Long.MIN_VALUE)), List.of(), 6L));
        assertThat(manifest.build().removedFiles())
                .containsExactly(new RemovedFiles(6, Set.of(new IndexFile(id('A'), Long.MAX_VALUE))));
    }

    @Test
    void theVersionOfARemovedIndexIsTheManifestsOwn() {
        given(edit(List.of(indexed('A', 4), file('B')), List.of(), 5L));
        apply(edit(List.of(), List.of(indexed('A', 1), indexed('B', 2), indexed('X', 3), file('Y')), 6L));
        RegionManifest built = manifest.build();
        assertThat(built.files()).isEmpty();
        assertThat(built.removedFiles())
                .containsExactly(new RemovedFiles(
                        6,
                        Set.of(
                                new DataFile(id('A'), 4L),
                                new DataFile(id('B'), 2L),
                                new DataFile(id('X'), 3L),
                                new DataFile(id('Y'), null))));
    }

    @Test
    void aFileAddedAndRemovedInOneEditEndsRemoved() {
        RegionManifest built = given(edit(List.of(file('A')), List.of(file('A')), 5L));
        assertThat(built.files()).isEmpty();
        assertThat(built.removedFiles()).containsExactly(new RemovedFiles(5, Set.of(new DataFile(id('A'), null))));
    }

    @Test
    void editRaisesMarks() {
        given(new Edit(List.of(), List.of(), null, Duration.ofHours(1), 3L, 7L, 9L));
        apply(marks(2L, 8L, 4L));
        RegionManifest built = manifest.build();
        assertThat(built.flushedEntryId()).isEqualTo(3);
        assertThat(built.flushedSequence()).isEqualTo(8);
        assertThat(built.committedSequence()).isEqualTo(9);
        assertThat(built.compactionTimeWindow()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void bM27_2_marksNeverGoBackByAnEdit() {
        given(marks(3L, 7L, null));
        apply(marks(2L, 3L, null));
        assertThat(manifest.build().flushedEntryId()).isEqualTo(3);
        assertThat(manifest.build().flushedSequence()).isEqualTo(7);
        assertThat(manifest.build().committedSequence()).isNull();
    }

    @Test
    void bM27_3_aForeignTruncateSetsThem() {
        given(marks(3L, 7L, 9L), edit(List.of(indexed('A', 1)), List.of(), null));
        apply(new TruncateAll(REGION, 3, 5, null));
        RegionManifest built = manifest.build();
        assertThat(built.flushedEntryId()).isEqualTo(3);
        assertThat(built.flushedSequence()).isEqualTo(5);
        assertThat(built.truncatedEntryId()).isEqualTo(3);
        assertThat(built.committedSequence()).as("stays").isEqualTo(9);
        assertThat(built.files()).isEmpty();
        assertThat(built.removedFiles())
                .as("removed when it was imported")
                .containsExactly(new RemovedFiles(IMPORTED_MS, Set.of(new DataFile(id('A'), 1L))));
    }

    @Test
    void bM27_5_marksAreUnsigned() {
        given(marks(Long.MIN_VALUE, 1L, -1L));
        apply(marks(Long.MAX_VALUE, 1L, 5L));
        assertThat(manifest.build().flushedEntryId()).isEqualTo(Long.MIN_VALUE);
        assertThat(manifest.build().committedSequence()).isEqualTo(-1);
    }

    @Test
    void partialTruncateLeavesTheMarks() {
        given(marks(3L, 7L, null), edit(List.of(file('A'), file('B')), List.of(), 5L));
        apply(new TruncatePartial(REGION, List.of(file('A')), 6L));
        RegionManifest built = manifest.build();
        assertThat(built.files()).containsOnlyKeys(id('B'));
        assertThat(built.flushedEntryId()).isEqualTo(3);
        assertThat(built.truncatedEntryId()).isNull();
        assertThat(built.removedFiles()).containsExactly(new RemovedFiles(6, Set.of(new DataFile(id('A'), null))));
    }

    @Test
    void removeChangesNothingButTheVersion() {
        RegionManifest before = given(edit(List.of(file('A')), List.of(), 5L));
        apply(new Remove(REGION));
        RegionManifest built = manifest.build();
        assertThat(built.files()).isEqualTo(before.files());
        assertThat(built.manifestVersion()).isEqualTo(before.manifestVersion() + 1);
    }

    @Test
    void anEmptyRegionTruncatedHasNoRecordOfRemovedFiles() {
        assertThat(given(new TruncateAll(REGION, 0, 0, 5L)).removedFiles()).isEmpty();
    }

    @Test
    void aManifestGoesOnWhereItWas() {
        RegionManifest built = given(
                new Edit(List.of(file('A'), indexed('B', 2)), List.of(), 1L, Duration.ofDays(1), 2L, 3L, 4L),
                edit(List.of(), List.of(file('A')), 5L),
                new TruncateAll(REGION, 9, 9, 6L));
        assertThat(ManifestBuilder.from(built).build()).isEqualTo(built);
    }
}
