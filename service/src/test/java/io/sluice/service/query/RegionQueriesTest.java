package io.sluice.service.query;

import static io.sluice.service.query.TestRegions.REGION;
import static io.sluice.service.query.TestRegions.beingCreated;
import static io.sluice.service.query.TestRegions.created;
import static io.sluice.service.query.TestRegions.edit;
import static io.sluice.service.query.TestRegions.edited;
import static io.sluice.service.query.TestRegions.file;
import static io.sluice.service.query.TestRegions.id;
import static io.sluice.service.query.TestRegions.indexed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.service.query.FakeCopies.Held;
import io.sluice.service.query.FollowedManifest.Deltas;
import io.sluice.service.query.FollowedManifest.Snapshot;
import io.sluice.state.region.RegionFact.FilesGivenUp;
import io.sluice.state.region.RegionFact.RegionDropped;
import io.sluice.topology.region.FileDeletion.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RegionQueriesTest {
    private static final long INCARNATION = 5;

    private final FakeCopies copies = new FakeCopies(1);
    private final RegionQueries queries = copies.queries().regions();

    private FamilyPartition partitionOf(long regionId) {
        return copies.partitions().ofRegion(regionId);
    }

    /** Versions 0 to 3 with files A, B and C; kept are deltas from 2 on. */
    private void givenThreeEdits() {
        copies.happened(
                created(REGION, INCARNATION),
                edited(REGION, INCARNATION, 1, 0, edit(List.of(file('A')), List.of())),
                edited(REGION, INCARNATION, 2, 0, edit(List.of(file('B')), List.of())),
                edited(REGION, INCARNATION, 3, 2, edit(List.of(file('C')), List.of())));
    }

    private FollowedManifest manifest(long from, Long incarnation) {
        return queries.manifest(REGION, from, incarnation).value();
    }

    private List<Long> list(Long tableId, Long after, int limit) {
        List<Long> ids = new ArrayList<>();
        for (int partition = 0; partition < FakeCopies.REGION_PARTITIONS; partition++) {
            queries.list(partition, tableId, after, limit).value().forEach(region -> ids.add(region.regionId()));
        }
        ids.sort(Long::compareUnsigned);
        return ids;
    }

    // ---- one region

    @Test
    void aRegionIsFoundWithItsPosition() {
        copies.happened(created(REGION, INCARNATION));
        copies.decided(partitionOf(REGION), 7);

        Answer<RegionRecord> answer = queries.region(REGION);

        assertThat(answer.value().state()).isEqualTo(RegionState.WRITABLE);
        assertThat(answer.positions()).containsExactly(partitionOf(REGION).at(7));
    }

    @Test
    void aRegionThatIsOnlyBeingCreatedIsNone() {
        copies.happened(beingCreated(REGION));

        assertThat(queries.region(REGION).value()).isNull();
        assertThat(queries.files(REGION).value()).isNull();
        assertThat(queries.manifest(REGION).value()).isNull();
        assertThat(queries.manifest(REGION, 0, null).value()).isNull();
        assertThat(list(null, null, 0)).isEmpty();
    }

    @Test
    void filesAreInTheOrderOfTheirIds() {
        copies.happened(created(REGION, 1), edited(REGION, 1, 1, 0, edit(List.of(file('B'), file('A')), List.of())));

        assertThat(queries.files(REGION).value()).containsExactly(file('A'), file('B'));
        assertThat(queries.files(REGION + 1).value()).isNull();
    }

    // ---- lists

    @Test
    void regionsAreListedInUnsignedOrder() {
        copies.happened(created(-1, 1), created(1, 1), created(Long.MIN_VALUE, 1));

        assertThat(list(null, null, 0)).containsExactly(1L, Long.MIN_VALUE, -1L);
        assertThat(list(null, 1L, 0)).containsExactly(Long.MIN_VALUE, -1L);
        assertThat(list(null, -1L, 0)).isEmpty();
    }

    @Test
    void ofATableOnlyItsRegionsAreListed() {
        long table = 4294967295L << 32;
        copies.happened(created(table - 1, 1), created(table, 1), created(-1, 1), created(7, 1));

        assertThat(list(4294967295L, null, 0)).containsExactly(table, -1L);
        assertThat(list(4294967295L, table, 0)).containsExactly(-1L);
        assertThat(list(4294967295L, 7L, 0)).containsExactly(table, -1L);
        assertThat(list(0L, null, 0)).containsExactly(7L);
        assertThat(list(1L, null, 0)).isEmpty();
    }

    @Test
    void aPageIsFilledThoughRegionsThatAreBeingCreatedStandBetween() {
        List<Long> known = new ArrayList<>();
        for (long regionId = 1; regionId <= 60; regionId++) {
            if (regionId % 3 == 0) {
                copies.happened(created(regionId, 1));
                known.add(regionId);
            } else {
                copies.happened(beingCreated(regionId));
            }
        }

        for (int partition = 0; partition < FakeCopies.REGION_PARTITIONS; partition++) {
            int here = partition;
            List<Long> expected = known.stream()
                    .filter(regionId -> partitionOf(regionId).partition() == here)
                    .limit(4)
                    .toList();
            assertThat(queries.list(partition, null, null, 4).value())
                    .extracting(RegionRecord::regionId)
                    .isEqualTo(expected)
                    .hasSize(4);
        }
    }

    // ---- manifests

    @Test
    void theWholeManifestIsOneState() {
        givenThreeEdits();

        Snapshot snapshot = (Snapshot) queries.manifest(REGION).value();

        assertThat(snapshot.incarnation()).isEqualTo(INCARNATION);
        assertThat(snapshot.version()).isEqualTo(3);
        assertThat(snapshot.manifest().files()).containsOnlyKeys(id('A'), id('B'), id('C'));
    }

    @Test
    void aFollowerGetsTheDeltasAboveItsVersion() {
        givenThreeEdits();

        assertThat(manifest(1, null))
                .isEqualTo(new Deltas(
                        INCARNATION,
                        3,
                        List.of(
                                new ManifestDelta(2, List.of(edit(List.of(file('B')), List.of()))),
                                new ManifestDelta(3, List.of(edit(List.of(file('C')), List.of()))))));
        assertThat(manifest(1, INCARNATION)).isEqualTo(manifest(1, null));
    }

    @Test
    void aFollowerWhoseDeltasAreGoneGetsTheWholeManifest() {
        givenThreeEdits();

        assertThat(manifest(0, INCARNATION)).isEqualTo(queries.manifest(REGION).value());
    }

    @Test
    void aFollowerThatIsThereOrAheadIsNotLedBack() {
        givenThreeEdits();
        Deltas nothing = new Deltas(INCARNATION, 3, List.of());

        assertThat(manifest(3, INCARNATION)).isEqualTo(nothing);
        assertThat(manifest(4, null)).isEqualTo(nothing);
        assertThat(manifest(-1, null)).isEqualTo(nothing);
        // Ahead by a whole region: what is read here is old.
        assertThat(manifest(0, INCARNATION + 1)).isEqualTo(nothing);
    }

    @Test
    void aFollowerOfAnEarlierRegionWithTheSameIdGetsTheWholeManifest() {
        givenThreeEdits();
        copies.happened(new RegionDropped(REGION), created(REGION, INCARNATION + 1));

        FollowedManifest manifest = manifest(3, INCARNATION);

        assertThat(manifest)
                .isInstanceOf(Snapshot.class)
                .isEqualTo(queries.manifest(REGION).value());
        assertThat(manifest.version()).isZero();
        assertThat(manifest.incarnation()).isEqualTo(INCARNATION + 1);
    }

    // ---- files to be deleted

    @Test
    void removedFilesAndThoseThatWereGivenUpAreToBeDeleted() {
        RemovedFiles givenUp = new RemovedFiles(9, Set.of(new DataFile(id('X'), null)));
        copies.happened(
                created(REGION, 1),
                edited(REGION, 1, 1, 0, edit(List.of(file('A')), List.of())),
                edited(REGION, 1, 2, 0, edit(List.of(), List.of(file('A')))),
                new FilesGivenUp(REGION, givenUp));

        assertThat(queries.removed(REGION).value())
                .isEqualTo(new RegionQueries.Removed(
                        List.of(new RemovedFiles(TestRegions.AT_MS, Set.of(new DataFile(id('A'), null)))),
                        List.of(givenUp)));

        copies.happened(new RegionDropped(REGION));
        assertThat(queries.removed(REGION).value().givenUp()).containsExactly(givenUp);
    }

    @Test
    void whatNobodyRefersToMayBeDeleted() {
        copies.happened(
                created(REGION, 1),
                edited(REGION, 1, 1, 0, edit(List.of(file('A'), indexed('B', 7)), List.of())),
                edited(REGION, 1, 2, 0, edit(List.of(), List.of(file('A'), file('B')))));

        var all = queries.deletable(REGION, 2, Set.of()).value();
        assertThat(all.dataFiles()).containsExactlyInAnyOrder(id('A'), id('B'));
        assertThat(all.indexFiles()).containsExactly(new IndexFile(id('B'), 7));
        var some = queries.deletable(REGION, 2, Set.of(new Reference(id('A'), null)))
                .value();
        assertThat(some.dataFiles()).containsExactly(id('B'));
        assertThat(queries.deletable(REGION, 1, Set.of()).value().code()).isEqualTo(OutcomeCode.REVISION_MISMATCH);
        assertThat(queries.deletable(REGION, 2, null).value().code()).isEqualTo(OutcomeCode.INVALID_ARGUMENT);
    }

    // ---- outcomes and copies

    @Test
    void anOutcomeIsThatOfItsRegion() {
        Outcome outcome = Outcome.ofRegion(
                "c-1", OutcomeCode.OK, "", REGION, 3L, true, partitionOf(REGION).at(3), "kafka");
        copies.recorded(outcome);

        assertThat(queries.outcome(REGION, "c-1").value()).isEqualTo(outcome);
        assertThat(queries.outcome(REGION + 1, "c-1").value()).isNull();
        assertThat(queries.outcomes(partitionOf(REGION).partition(), "c-1").value())
                .containsExactly(outcome);
    }

    @Test
    void aStandbyIsReadOnlyByWhoWouldTakeIt() {
        copies.happened(created(REGION, 1));
        copies.hold(partitionOf(REGION), Held.STANDBY);

        assertThatThrownBy(() -> queries.region(REGION)).isInstanceOf(NotOwnerException.class);
        assertThat(queries.of(Copy.ANY).region(REGION).value()).isNotNull();
    }
}
