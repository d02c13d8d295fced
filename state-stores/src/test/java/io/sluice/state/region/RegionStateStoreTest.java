package io.sluice.state.region;

import static io.sluice.state.region.TestRegions.REGION;
import static io.sluice.state.region.TestRegions.change;
import static io.sluice.state.region.TestRegions.edit;
import static io.sluice.state.region.TestRegions.file;
import static io.sluice.state.region.TestRegions.id;
import static io.sluice.state.region.TestRegions.indexed;
import static io.sluice.state.region.TestRegions.metadata;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.region.DropRegion;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.QueuedCommand;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RegionWriteKind;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.schemas.region.SstFormat;
import io.sluice.schemas.region.WriteInFlight;
import io.sluice.state.common.InMemoryRows;
import io.sluice.state.common.Keys;
import io.sluice.state.common.RecordingRows;
import io.sluice.state.region.RegionFact.CommandLeftQueue;
import io.sluice.state.region.RegionFact.CommandQueued;
import io.sluice.state.region.RegionFact.FilesDeleted;
import io.sluice.state.region.RegionFact.FilesGivenUp;
import io.sluice.state.region.RegionFact.ManifestAdvanced;
import io.sluice.state.region.RegionFact.RegionDropped;
import io.sluice.state.region.RegionFact.RegionRecorded;
import io.sluice.state.region.RegionFact.RegionRestored;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What facts do to the rows of the region store. */
class RegionStateStoreTest {
    private final RegionStateStore store = new RegionStateStore(new SingleObject(KnownSchemas.shipped()));
    private final RecordingRows rows = new RecordingRows();
    private final ManifestBuilder inMemory = new ManifestBuilder();
    private long version;

    /** A writable region at a version, in memory only. */
    static RegionRecord region(long version) {
        return new RegionRecord(
                REGION,
                5,
                RegionState.WRITABLE.role(),
                RegionState.WRITABLE,
                "c",
                9,
                version,
                metadata(0),
                SstFormat.PRIMARY_KEY,
                null,
                0,
                0,
                null,
                null,
                null,
                0,
                0,
                null);
    }

    static RegionRecord beingCreated() {
        WriteInFlight write = new WriteInFlight(
                0, RegionWriteKind.CREATE, List.of(new WriteInFlight.Waiting("c", 1, CommandEnvelope.KAFKA)));
        return new RegionRecord(
                REGION,
                5,
                RegionState.WRITABLE.role(),
                RegionState.WRITABLE,
                "c",
                9,
                null,
                metadata(0),
                SstFormat.PRIMARY_KEY,
                null,
                0,
                0,
                null,
                null,
                null,
                0,
                0,
                write);
    }

    private RegionStateStoreTest given(ManifestAction... actions) {
        store.apply(new RegionRecorded(beingCreated()), rows);
        advance(change(metadata(0)));
        for (ManifestAction action : actions) {
            advance(action);
        }
        return this;
    }

    private void advance(ManifestAction... actions) {
        ManifestDelta delta = new ManifestDelta(version++, List.of(actions));
        store.apply(new ManifestAdvanced(region(delta.version()), "c", delta, 0), rows);
        inMemory.apply(delta, 0);
    }

    @Test
    void rowsSayWhatIsInMemory() {
        given(
                edit(List.of(indexed('A', 1), file('B')), List.of(), 3L),
                edit(List.of(indexed('A', 2)), List.of(file('B')), 4L),
                TestRegions.marks(7L, 8L, 9L));
        assertThat(store.manifest(rows, REGION)).isEqualTo(inMemory.build());
        assertThat(store.regions().find(rows, REGION).fileCount()).isEqualTo(1);
        assertThat(store.view(rows).isRemoved(REGION, id('B'))).isTrue();
        assertThat(store.view(rows).isRemoved(REGION, id('A')))
                .as("only its index")
                .isFalse();
    }

    @Test
    void aFileThatStaysAsItIsIsNotWritten() {
        given(edit(List.of(file('A')), List.of(), 3L));
        int before = rows.writes().size();
        advance(edit(List.of(file('A')), List.of(), 4L));
        assertThat(rows.writtenKeys().subList(before, rows.writes().size()))
                .containsExactly(Keys.hex(RegionIndex.key(REGION)), Keys.hex(ManifestDeltaIndex.key(REGION, 2)));
    }

    @Test
    void deltasAreThereFromAVersionOnUntilOneIsNotKeptAnyMore() {
        given(TestRegions.marks(1L, 1L, 1L), TestRegions.marks(2L, 2L, 2L));
        ManifestDelta third = new ManifestDelta(3, List.of(TestRegions.marks(3L, 3L, 3L)));

        assertThat(store.deltas().above(rows, REGION, 0, 2))
                .extracting(ManifestDelta::version)
                .containsExactly(1L, 2L);
        assertThat(store.deltas().above(rows, REGION, -1, 2))
                .as("-1 is the highest of all")
                .isEmpty();
        assertThat(store.deltas().above(rows, REGION, 2, 2)).isEmpty();
        assertThat(store.deltas().above(rows, REGION, 0, 3))
                .as("3 is not there")
                .isNull();

        store.apply(new ManifestAdvanced(region(3), "c", third, 2), rows);
        assertThat(store.deltas().above(rows, REGION, 1, 3)).last().isEqualTo(third);
        assertThat(store.deltas().above(rows, REGION, 0, 3)).as("1 is not kept").isNull();
        store.apply(new RegionDropped(REGION), rows);
        assertThat(store.deltas().above(rows, REGION, 2, 3)).isNull();
    }

    @Test
    void whatIsToBeDeletedIsForgottenOnceItIsDeleted() {
        given(edit(List.of(indexed('A', 1), file('B')), List.of(), 3L), edit(List.of(), List.of(file('A')), 4L));
        store.apply(new FilesGivenUp(REGION, new RemovedFiles(5, Set.of(new DataFile(id('C'), null)))), rows);
        RegionView view = store.view(rows);
        assertThat(view.isToBeDeleted(REGION, new DataFile(id('A'), 1L))).isTrue();
        assertThat(view.isToBeDeleted(REGION, new DataFile(id('A'), 2L)))
                .as("another index")
                .isFalse();
        assertThat(view.isToBeDeleted(REGION, new DataFile(id('C'), 9L)))
                .as("given up")
                .isTrue();
        assertThat(view.isToBeDeleted(REGION, new DataFile(id('B'), null)))
                .as("alive")
                .isFalse();

        store.apply(new FilesDeleted(REGION, Set.of(new DataFile(id('A'), 1L), new DataFile(id('C'), null))), rows);
        assertThat(view.removed(REGION)).isEmpty();
        assertThat(view.givenUp(REGION)).isEmpty();
    }

    @Test
    void aRegionThatIsBeingCreatedHasNoManifest() {
        store.apply(new RegionRecorded(beingCreated()), rows);
        assertThat(store.manifest(rows, REGION)).isNull();
        assertThat(store.manifest(rows, REGION + 1)).isNull();
    }

    @Test
    void aDropLeavesTheCleanupOnly() {
        given(edit(List.of(file('A'), file('B')), List.of(), 3L), edit(List.of(), List.of(file('A')), 4L));
        RemovedFiles givenUp = new RemovedFiles(5, Set.of(new DataFile(id('C'), 2L)));
        store.apply(new FilesGivenUp(REGION, givenUp), rows);
        store.apply(new RegionDropped(REGION), rows);
        assertThat(rows.rows().toHex().keySet())
                .allMatch(key -> key.startsWith("05"))
                .hasSize(1);
        assertThat(store.cleanup().filesOf(rows, REGION)).containsExactly(givenUp);
        version = 0;
        given();
        assertThat(store.cleanup().filesOf(rows, REGION))
                .as("a region begins clean")
                .isEmpty();
    }

    @Test
    void otherRegionsAreLeftAlone() {
        given(edit(List.of(file('A')), List.of(file('B')), 3L));
        Map<String, String> before = rows.rows().toHex();
        store.apply(new RegionDropped(REGION + 1), rows);
        store.apply(new RegionDropped(REGION - 1), rows);
        store.apply(new FilesDeleted(REGION + 1, Set.of(new DataFile(id('B'), null))), rows);
        assertThat(rows.rows().toHex()).isEqualTo(before);
    }

    @Test
    void filesThatAreDeletedVanishWithoutAVersion() {
        given(
                edit(List.of(indexed('A', 1), indexed('B', 1)), List.of(), 3L),
                edit(List.of(indexed('A', 2)), List.of(file('B')), 4L));
        FilesDeleted deleted = new FilesDeleted(REGION, Set.of(new IndexFile(id('A'), 1), new DataFile(id('B'), 1L)));
        store.apply(deleted, rows);
        Map<String, String> once = rows.rows().toHex();
        store.apply(deleted, rows);
        assertThat(rows.rows().toHex()).isEqualTo(once);
        assertThat(store.manifest(rows, REGION).removedFiles()).isEmpty();
        assertThat(store.manifest(rows, REGION).files()).containsOnlyKeys(id('A'));
        assertThat(store.manifest(rows, REGION).manifestVersion()).isEqualTo(2);
    }

    @Test
    void aRegionIsRestored() {
        given(
                edit(List.of(indexed('A', 1), file('B')), List.of(), 3L),
                edit(List.of(indexed('A', 2)), List.of(file('B')), 4L));
        RegionManifest manifest = store.manifest(rows, REGION);
        RegionRecord record = store.regions().find(rows, REGION);
        RecordingRows other = new RecordingRows();
        store.apply(new RegionRestored(record, manifest), other);
        assertThat(store.manifest(other, REGION)).isEqualTo(manifest);
        store.apply(
                new ManifestAdvanced(
                        region(3), "c", new ManifestDelta(3, List.of(edit(List.of(), List.of(file('A')), 5L))), 0),
                other);
        assertThat(store.manifest(other, REGION).removedFiles())
                .as("oldest first")
                .hasSize(2)
                .last()
                .isEqualTo(new RemovedFiles(5, Set.of(new DataFile(id('A'), 2L))));
    }

    @Test
    void commandsWaitInTheOrderOfTheirArrival() {
        QueuedCommand first = queued("b", 9);
        QueuedCommand second = queued("a", 10);
        store.apply(new CommandQueued(10, second), rows);
        store.apply(new CommandQueued(9, first), rows);
        RegionView view = store.view(rows);
        assertThat(view.nextWaiting(REGION, 0)).isEqualTo(new RegionQueueIndex.Entry(9, first));
        assertThat(view.nextWaiting(REGION, 10)).isEqualTo(new RegionQueueIndex.Entry(10, second));
        assertThat(view.nextWaiting(REGION, 11)).isNull();
        assertThat(view.nextWaiting(REGION - 1, 0)).isNull();
        assertThat(view.isWaiting(REGION, "a")).isTrue();
        store.apply(new CommandLeftQueue(REGION, 10, "a"), rows);
        store.apply(new CommandLeftQueue(REGION, 9, "b"), rows);
        assertThat(view.isWaiting(REGION, "a")).isFalse();
        assertThat(rows.rows().size()).isZero();
    }

    private static QueuedCommand queued(String commandId, long offset) {
        CommandEnvelope envelope = new CommandEnvelope(Long.toUnsignedString(REGION), commandId, 1);
        return new QueuedCommand(new DropRegion(envelope, REGION), offset);
    }

    @Test
    void oneBadRowDoesNotHideTheOthers() {
        given(edit(List.of(file('A'), file('B')), List.of(file('X'), file('Y')), 3L));
        InMemoryRows damaged = rows.rows().copy();
        damaged.put(RegionFileIndex.key(REGION, id('A')), new byte[] {1});
        damaged.put(RegionIndex.key(REGION + 1), new byte[] {1});
        damaged.put(RemovedFileIndex.key(REGION, new DataFile(id('X'), null), 1, 0), new byte[] {1});
        damaged.put(CleanupIndex.key(REGION, id('C')), new byte[] {1});
        assertThat(store.files().filesOf(damaged, REGION)).containsExactly(file('B'));
        assertThat(store.regions().list(damaged, null, null, 0)).hasSize(1);
        assertThat(store.removedFiles().removedOf(damaged, REGION))
                .containsExactly(new RemovedFiles(3, Set.of(new DataFile(id('Y'), null))));
        assertThat(store.cleanup().filesOf(damaged, REGION)).isEmpty();
    }

    @Test
    void regionsAreListedPageByPage() {
        for (long regionId : new long[] {-1, 1, Long.MAX_VALUE}) {
            rows.put(RegionIndex.key(regionId), io.sluice.schemas.region.RegionRecordCodec.encode(region(0)));
        }
        assertThat(store.regions().list(rows, null, null, 2)).hasSize(2);
        assertThat(store.regions().list(rows, null, Long.MAX_VALUE, 0)).hasSize(1);
        assertThat(store.regions().list(rows, null, -1L, 0)).isEmpty();
    }

    @Test
    void ofATableOnlyItsRegionsAreListed() {
        long table = 4294967295L << 32;
        for (long regionId : new long[] {7, table - 1, table, -1}) {
            rows.put(RegionIndex.key(regionId), io.sluice.schemas.region.RegionRecordCodec.encode(region(0)));
        }
        assertThat(store.regions().list(rows, 4294967295L, null, 0)).hasSize(2);
        assertThat(store.regions().list(rows, 4294967295L, 7L, 0)).hasSize(2);
        assertThat(store.regions().list(rows, 4294967295L, table, 0)).hasSize(1);
        assertThat(store.regions().list(rows, 4294967295L, -1L, 0)).isEmpty();
        assertThat(store.regions().list(rows, 0L, null, 0)).hasSize(1);
        assertThat(store.regions().list(rows, 0L, table, 0)).isEmpty();
        assertThat(store.regions().list(rows, 1L, null, 0)).isEmpty();
    }
}
