package io.sluice.topology.region;

import static io.sluice.topology.region.RegionCommands.alter;
import static io.sluice.topology.region.RegionCommands.compact;
import static io.sluice.topology.region.RegionCommands.confirmDeleted;
import static io.sluice.topology.region.RegionCommands.create;
import static io.sluice.topology.region.RegionCommands.drop;
import static io.sluice.topology.region.RegionCommands.flush;
import static io.sluice.topology.region.RegionCommands.restore;
import static io.sluice.topology.region.RegionCommands.truncateAll;
import static io.sluice.topology.region.RegionCommands.truncateFiles;
import static io.sluice.topology.region.RegionSamples.REGION;
import static io.sluice.topology.region.RegionSamples.file;
import static io.sluice.topology.region.RegionSamples.id;
import static io.sluice.topology.region.RegionSamples.indexed;
import static io.sluice.topology.region.RegionSamples.metadata;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.region.FileIds;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.schemas.region.SstFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What operators do to regions: they say that files are deleted (docs/behaviour.md 4.9), and import regions (7.1). */
class RegionUpkeepTest {
    private static final RemovedFile A = new DataFile(id('A'), null);
    private static final RemovedFile C = new DataFile(id('C'), null);

    private final RegionScenario r = new RegionScenario();

    // Deletions.

    @Test
    void confirmedDeletionsVanishWithoutAVersionAndTwiceIsFine() {
        r.given(create(), flush("+A +B", 1L, 1L), truncateAll(5, 10)).expectRemoved("AB");
        r.when(confirmDeleted(A)).expect(OutcomeCode.OK, 2L).expectRemoved("B").expectVersion(2);
        assertThat(r.decision().outcomes().get(0).applied()).isTrue();
        r.when(confirmDeleted(A)).expectUnchanged(2);
    }

    @Test
    void onlyExactlyWhatIsToBeDeletedVanishes() {
        r.given(create(), flush("+A", 1L, 1L));
        r.when(confirmDeleted(A, C, new IndexFile(id('A'), 1)))
                .expectUnchanged(1)
                .expectFiles("A");
    }

    @Test
    void filesThatWereGivenUpVanishTooAlsoOfARegionThatIsGone() {
        r.given(create(), drop());
        r.when(compact("+C -A")).expect(OutcomeCode.REGION_NOT_FOUND, null).expectCleanup("C");
        r.when(confirmDeleted(C)).expect(OutcomeCode.OK, null).expectCleanup("");
    }

    @Test
    void aDeletionIsConfirmedAtOnceWhileAWriteIsInFlight() {
        r.given(create(), flush("+A", 1L, 1L), truncateAll(5, 10))
                .when(alter(metadata(1, "c")).as("a"));
        r.when(confirmDeleted(A)).expect(OutcomeCode.OK, 2L).expectRemoved("");
        r.ok().expect("a", OutcomeCode.OK, 3L);
    }

    // Imports.

    @Test
    void anImportKeepsVersionFilesAndMarks() {
        RegionManifest manifest = manifest(41, metadata(3), indexed('A', 2));
        r.when(restore(manifest, RegionRole.LEADER, false)).expect(OutcomeCode.OK, 41L);
        r.expectState(RegionState.WRITABLE).expectFiles("A").expectRemoved("B").expectFlushed(7, 8);
        assertThat(r.manifest()).isEqualTo(manifest);
        assertThat(r.region().fileCount()).isEqualTo(1);

        r.when(flush("+D", 9L, 9L)).ok().expect(OutcomeCode.OK, 42L).expectFiles("AD");
    }

    @Test
    void theSameImportAgainChangesNothingAndAnotherOneHasToBeAskedFor() {
        RegionManifest manifest = manifest(41, metadata(3));
        r.given(restore(manifest, RegionRole.FOLLOWER, false));
        r.when(restore(manifest, RegionRole.FOLLOWER, false)).expectUnchanged(41);
        RegionManifest other = manifest(12, metadata(1), indexed('A', 2));
        r.when(restore(other, RegionRole.FOLLOWER, false)).expect(OutcomeCode.REGION_ALREADY_EXISTS, 41L);
        long before = r.region().incarnation();
        r.when(restore(other, RegionRole.FOLLOWER, true))
                .expect(OutcomeCode.OK, 12L)
                .expectState(RegionState.READ_ONLY);
        assertThat(r.manifest()).isEqualTo(other);
        assertThat(r.region().incarnation()).as("another history").isGreaterThan(before);
    }

    @Test
    void anImportWithAnotherRoleIsNoRepetition() {
        RegionManifest manifest = manifest(41, metadata(3));
        r.given(restore(manifest, RegionRole.FOLLOWER, false));
        r.when(restore(manifest, RegionRole.LEADER, false)).expect(OutcomeCode.REGION_ALREADY_EXISTS, 41L);
        r.when(restore(manifest, RegionRole.LEADER, true))
                .expect(OutcomeCode.OK, 41L)
                .expectState(RegionState.WRITABLE);
    }

    @Test
    void filesThatAnImportTakesTheRegionFromAreToBeDeletedAndThoseItBringsAreNot() {
        r.given(create(), flush("+A +B +D", 5L, 5L), truncateFiles("D"));
        r.when(compact("+C -Z")).expectCleanup("C");
        r.when(restore(manifest(7, metadata(1), file('A'), file('C')), RegionRole.LEADER, true))
                .expect(OutcomeCode.OK, 7L)
                .expectFiles("AC")
                .expectRemoved("B")
                .expectCleanup("D");
    }

    @Test
    void anImportAfterWhichNothingCouldFollowIsRefused() {
        r.when(restore(manifest(-1, metadata(3)), RegionRole.LEADER, false)).expect(OutcomeCode.INVALID_ARGUMENT, null);
        assertThat(r.region()).isNull();
    }

    @Test
    void anImportWaitsForNoWrite() {
        r.given(create()).when(flush("+A", 1L, 1L).as("f"));
        r.when(restore(manifest(41, metadata(3)), RegionRole.LEADER, true)).expect(OutcomeCode.REGION_BUSY, 0L);
        r.ok().expect("f", OutcomeCode.OK, 1L);
    }

    @Test
    void anImportOfAnotherRegionOrWithAnotherRoleIsRefused() {
        r.when(restore(manifest(41, metadata(REGION + 1, 3)), RegionRole.LEADER, false))
                .expect(OutcomeCode.INVALID_ARGUMENT, null);
        r.when(restore(manifest(41, metadata(3)), RegionRole.DOWNGRADING, false))
                .expect(OutcomeCode.INVALID_ARGUMENT, null);
        assertThat(r.region()).isNull();
    }

    private static RegionManifest manifest(long version, RegionMetadata metadata, FileMeta... files) {
        SortedMap<UUID, FileMeta> byId = new TreeMap<>(FileIds.ORDER);
        for (FileMeta file : files) {
            byId.put(file.fileId(), file);
        }
        return new RegionManifest(
                metadata,
                byId,
                List.of(new RemovedFiles(5, Set.of(new DataFile(id('B'), null)))),
                7,
                8,
                9L,
                version,
                null,
                null,
                SstFormat.FLAT,
                true);
    }
}
