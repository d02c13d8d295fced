package io.sluice.service.writer;

import static io.sluice.service.writer.WriterRig.checkpoint;
import static io.sluice.service.writer.WriterRig.delta;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.region.ManifestReport;
import io.sluice.schemas.region.ManifestReport.ManifestWriteFailed;
import io.sluice.schemas.region.ManifestReport.ManifestWritten;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.RegionState;
import io.sluice.service.common.FolderLock;
import io.sluice.service.common.Folders;
import io.sluice.service.manifest.ManifestDirectory;
import io.sluice.service.writer.DecidedRegions.ReportFate;
import io.sluice.service.writer.WriteOutcome.NotDone;
import io.sluice.service.writer.WriteOutcome.Unknown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** From an order to its report, with regions that are really decided and a real directory. */
class RegionWritesTest {
    private static final long R = 8796093022211L;
    private static final long Q = 8796093022212L;
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    private Path folder;

    private WriterRig rig;
    private DecidedRegions regions;

    @BeforeEach
    void start() {
        use(10);
    }

    private void use(long checkpointDistance) {
        rig = new WriterRig(folder, checkpointDistance);
        regions = rig.regions();
    }

    // Orders.

    @Test
    void anOrderIsWrittenAndReported() throws IOException {
        String created = rig.create(R);
        String flushed = rig.flush(R);

        assertThat(regions.code(created)).isEqualTo(OutcomeCode.OK);
        assertThat(regions.outcome(flushed).revision()).isEqualTo(1);
        assertThat(rig.files(R)).containsExactly(delta(0), delta(1));
        rig.assertHoldsTheRegion(R);
        assertThat(regions.reports())
                .containsExactly(new ManifestWritten(R, created, 0), new ManifestWritten(R, flushed, 1));
    }

    @Test
    void commandsThatWaitAreWrittenOneAfterTheOther() throws IOException {
        rig.create(R);
        String alter = regions.alter(R, 1);
        List<String> waiting = List.of(regions.flush(R), regions.flush(R));
        assertThat(regions.region(R).state()).isEqualTo(RegionState.ALTERING);
        rig.settle();

        assertThat(regions.outcome(alter).revision()).isEqualTo(1);
        assertThat(waiting).extracting(id -> regions.outcome(id).revision()).containsExactly(2L, 3L);
        assertThat(regions.region(R).state()).isEqualTo(RegionState.WRITABLE);
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void anOrderThatTheStoreDoesNotShowYetIsWaitedFor() {
        rig.create(R);
        regions.storeLags(true);
        String flushed = rig.flush(R);
        rig.pass(SECOND);
        assertThat(rig.storage().written()).hasSize(1);

        regions.storeLags(false);
        rig.pass(Duration.ofMillis(50));
        assertThat(regions.code(flushed)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void anOrderThatTheStoreNeverShowsIsNotWaitedForForEver() {
        rig.create(R);
        regions.storeLags(true);
        String flushed = rig.flush(R);
        rig.pass(Duration.ofSeconds(6));
        int looks = regions.looks();
        rig.pass(Duration.ofMinutes(1));
        assertThat(regions.looks()).isEqualTo(looks);

        regions.storeLags(false);
        rig.sweep();
        assertThat(regions.code(flushed)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void anOrderThatWasDoneBeforeIsLeftAlone() {
        rig.create(R);
        ManifestWriteOrder created = regions.lastOrder();
        rig.flushes(R, 2);
        int reports = regions.reports().size();
        int looks = regions.looks();

        rig.writes().ordered(created);
        rig.pass(Duration.ofMinutes(1));
        assertThat(regions.looks() - looks).as("nothing is waited for").isEqualTo(1);
        rig.writes().ordered(regions.lastOrder());
        rig.pass(Duration.ofMinutes(1));
        assertThat(rig.storage().written()).hasSize(3);
        assertThat(regions.reports()).hasSize(reports);
    }

    @Test
    void anOrderThatIsSeenTwiceIsWrittenOnce() {
        regions.create(R);
        rig.writes().ordered(regions.lastOrder());
        rig.sweep();
        rig.pass(SECOND);
        assertThat(rig.storage().written()).hasSize(1);
    }

    @Test
    void anOrderThatNobodyFollowedIsFoundInTheStore() throws IOException {
        rig.create(R);
        regions.nobodyFollows();
        String flushed = rig.flush(R);
        assertThat(regions.code(flushed)).isNull();

        rig.sweep();
        assertThat(regions.code(flushed)).isEqualTo(OutcomeCode.OK);
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void aPartitionThatCannotBeReadIsAskedAgain() {
        regions.readable(regions.partitionOf(R), false);
        String created = rig.create(R);
        rig.pass(SECOND);
        assertThat(rig.storage().written()).isEmpty();

        regions.readable(regions.partitionOf(R), true);
        rig.pass(SECOND);
        assertThat(regions.code(created)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void regionsThatAreDecidedElsewhereAreLetGoOf() throws Exception {
        rig.create(R);
        regions.storeLags(true);
        rig.flush(R);
        rig.writes().retain(regionId -> false);
        regions.storeLags(false);
        rig.pass(Duration.ofMinutes(1));

        assertThat(rig.storage().written()).hasSize(1);
        assertLockFree(R);
    }

    // Reports.

    @Test
    void aReportThatWasLostIsSentAgainByASweep() {
        rig.create(R);
        regions.reportsAre(ReportFate.LOST);
        String altered = regions.alter(R, 1);
        rig.settle();
        regions.reportsAre(ReportFate.DECIDED);

        rig.pass(SECOND);
        rig.sweep();
        assertThat(regions.region(R).state()).as("it may still be on its way").isEqualTo(RegionState.ALTERING);
        rig.pass(Duration.ofSeconds(5));
        rig.sweep();
        assertThat(regions.code(altered)).isEqualTo(OutcomeCode.OK);
        assertThat(regions.region(R).manifestVersion()).isEqualTo(1);
    }

    @Test
    void aReportThatCouldNotBeSentIsSentAgainSoon() {
        regions.reportsAre(ReportFate.REFUSED);
        String created = rig.create(R);
        rig.pass(Duration.ofSeconds(3));
        assertThat(regions.code(created)).isNull();

        regions.reportsAre(ReportFate.DECIDED);
        rig.pass(SECOND);
        assertThat(regions.code(created)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void aDropWhoseReportWasLostIsReportedAgain() {
        rig.create(R);
        regions.reportsAre(ReportFate.LOST);
        String dropped = rig.drop(R);
        regions.reportsAre(ReportFate.DECIDED);
        rig.pass(Duration.ofSeconds(6));
        rig.sweep();

        assertThat(regions.code(dropped)).isEqualTo(OutcomeCode.OK);
        assertThat(rig.folder(R)).doesNotExist();
    }

    // Failures.

    @Test
    void aFailureThatPassesIsNotReported() throws IOException {
        rig.create(R);
        rig.storage().fail(3, new NotDone(false, "the disk is full"));
        String flushed = rig.flush(R);
        rig.pass(SECOND);

        assertThat(regions.code(flushed)).isEqualTo(OutcomeCode.OK);
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void aFailureThatStaysIsReportedAndUsesNoVersion() throws IOException {
        rig.create(R);
        rig.storage().fail(6, new NotDone(false, "the disk is full"));
        String altered = regions.alter(R, 1);
        rig.pass(Duration.ofSeconds(4));

        assertThat(regions.code(altered)).isEqualTo(OutcomeCode.MANIFEST_WRITE_FAILED);
        assertThat(regions.outcome(altered).message()).contains("the disk is full");
        assertThat(regions.region(R).state()).isEqualTo(RegionState.WRITABLE);
        assertThat(rig.storage().written()).hasSize(1 + 6);
        String flushed = rig.flush(R);
        assertThat(regions.outcome(flushed).revision()).isEqualTo(1);
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void eachOrderHasAttemptsOfItsOwn() {
        rig.create(R);
        rig.storage().failAlways(new NotDone(false, "the disk is full"));
        regions.flush(R);
        rig.pass(Duration.ofSeconds(2));
        assertThat(rig.storage().written()).hasSize(1 + 5);
        regions.failsElsewhere(regions.lastOrder());
        String second = regions.flush(R);
        rig.pass(Duration.ofSeconds(2));
        assertThat(regions.code(second)).isNull();
        rig.pass(Duration.ofSeconds(2));
        assertThat(regions.code(second)).isEqualTo(OutcomeCode.MANIFEST_WRITE_FAILED);
        assertThat(rig.storage().written()).hasSize(1 + 5 + 6);
    }

    @Test
    void aFailureThatTryingAgainDoesNotHelpIsReportedAtOnce() {
        rig.create(R);
        rig.storage().fail(1, new NotDone(true, "there is another file of that name"));
        String flushed = rig.flush(R);

        assertThat(regions.code(flushed)).isEqualTo(OutcomeCode.MANIFEST_WRITE_FAILED);
        assertThat(rig.storage().written()).hasSize(2);
    }

    @Test
    void nothingIsConcludedWhileNobodyKnows() {
        rig.create(R);
        rig.storage().failAlways(new Unknown("Input/output error"));
        String altered = regions.alter(R, 1);
        rig.pass(Duration.ofHours(1));
        assertThat(regions.code(altered)).isNull();
        assertThat(regions.reports()).hasSize(1);

        rig.storage().failAlways(null);
        rig.pass(Duration.ofSeconds(5));
        assertThat(regions.code(altered)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void theLoadSaysForHowLongAnOrderDoesNotSucceed() {
        rig.create(R);
        assertThat(rig.writes().load()).isEqualTo(new WriterLoad(0, 0, 0));
        rig.storage().failAlways(new Unknown("Input/output error"));
        regions.alter(R, 1);
        rig.pass(Duration.ofHours(1));

        assertThat(rig.writes().load().waiting()).isEqualTo(1);
        assertThat(Duration.ofNanos(rig.writes().load().oldestNanos()))
                .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(60));

        rig.storage().failAlways(null);
        rig.pass(Duration.ofSeconds(5));
        assertThat(rig.writes().load()).isEqualTo(new WriterLoad(0, 0, 0));
    }

    @Test
    void aSweepDoesNotHurryAnAttemptThatWaits() {
        rig.create(R);
        rig.storage().failAlways(new NotDone(false, "the disk is full"));
        regions.flush(R);
        rig.settle();
        for (int i = 0; i < 20; i++) {
            rig.sweep();
        }
        assertThat(rig.storage().written()).hasSize(2);
    }

    @Test
    void anAttemptThatDiesIsMadeAgain() {
        rig.create(R);
        rig.storage().die(new IllegalStateException("a bug"));
        String flushed = rig.flush(R);
        rig.pass(SECOND);
        assertThat(regions.code(flushed)).isNull();

        rig.sweep();
        assertThat(regions.code(flushed)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void aMissingDirectoryIsReportedAndSurvived() throws IOException {
        rig.create(Q);
        Folders.delete(folder);
        String created = rig.create(R);
        rig.pass(Duration.ofSeconds(4));
        assertThat(regions.code(created)).isEqualTo(OutcomeCode.MANIFEST_WRITE_FAILED);
        assertThat(regions.outcome(created).message()).contains("the directory is not there", "not mounted?");

        Files.createDirectories(folder);
        assertThat(regions.code(rig.create(R))).isEqualTo(OutcomeCode.OK);
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void aFolderThatWasDeletedIsMadeAnew() throws IOException {
        rig.create(R);
        rig.flushes(R, 3);
        Folders.delete(rig.folder(R));
        String flushed = rig.flush(R);
        rig.pass(SECOND);

        assertThat(regions.code(flushed)).isEqualTo(OutcomeCode.OK);
        assertThat(rig.files(R)).containsExactly(checkpoint(3), delta(4), "_last_checkpoint");
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void aFolderThatSomebodyElseWritesIsWaitedFor() throws Exception {
        ManifestDirectory other = openElsewhere(R);
        String created = rig.create(R);
        rig.pass(Duration.ofSeconds(9));
        assertThat(regions.code(created)).isNull();

        other.close();
        rig.pass(SECOND);
        assertThat(regions.code(created)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void aFolderThatSomebodyElseKeepsIsReported() throws Exception {
        try (ManifestDirectory other = openElsewhere(R)) {
            assertThat(other.lastVersion()).isNull();
            String created = rig.create(R);
            rig.pass(Duration.ofSeconds(11));
            assertThat(regions.reports())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            ManifestWriteFailed.class,
                            failed -> assertThat(failed.reason())
                                    .contains(rig.folder(R).toString(), "another instance in this process"));
            assertThat(regions.code(created)).isEqualTo(OutcomeCode.MANIFEST_WRITE_FAILED);
        }
    }

    @Test
    void whatAnEarlierAttemptWroteIsNoFailureThoughItCannotBeOpened() throws Exception {
        rig.create(R);
        regions.reportsAre(ReportFate.LOST);
        String flushed = rig.flush(R);
        regions.reportsAre(ReportFate.DECIDED);
        rig.writes().retain(regionId -> true);
        rig.storage().close();
        WriterRig next = rig.onAnotherDisk(folder, 10);
        try (ManifestDirectory other = openElsewhere(R)) {
            assertThat(other.lastVersion()).isEqualTo(1);
            next.sweep();
            next.pass(Duration.ofMinutes(1));
            assertThat(regions.code(flushed))
                    .as("held for longer than is waited otherwise")
                    .isNull();
        }
        next.pass(Duration.ofSeconds(5));
        assertThat(regions.code(flushed)).isEqualTo(OutcomeCode.OK);
    }

    // Directories that are not what they have to be.

    @Test
    void anotherDiskIsCaughtUp() throws IOException {
        rig.create(R);
        rig.flushes(R, 3);
        WriterRig other = rig.onAnotherDisk(Files.createDirectories(folder.resolve("b")), 10);
        other.flushes(R, 2);
        assertThat(other.files(R)).containsExactly(checkpoint(3), delta(4), delta(5), "_last_checkpoint");
        other.assertHoldsTheRegion(R);

        // Back again, where the folder is still open at version 3.
        rig.takeOver();
        rig.flush(R);
        assertThat(rig.files(R)).containsExactly(checkpoint(5), delta(6), "_last_checkpoint");
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void aVersionThatNeverBecameRealIsReplaced() throws IOException {
        rig.create(R);
        regions.reportsAre(ReportFate.LOST);
        rig.flush(R);
        assertThat(rig.files(R)).containsExactly(delta(0), delta(1));
        regions.failsElsewhere(regions.lastOrder());
        regions.reportsAre(ReportFate.DECIDED);

        String second = rig.flush(R);
        assertThat(regions.outcome(second).revision()).isEqualTo(1);
        assertThat(rig.files(R)).containsExactly(delta(0), delta(1));
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void aVersionThatAnotherDiskHasDifferentlyIsNotBuiltUpon() throws IOException {
        rig.create(R);
        regions.reportsAre(ReportFate.LOST);
        rig.flush(R);
        regions.failsElsewhere(regions.lastOrder());
        regions.reportsAre(ReportFate.DECIDED);
        WriterRig other = rig.onAnotherDisk(Files.createDirectories(folder.resolve("b")), 10);
        other.flush(R);

        // Here the folder is open and ends with a version 1 too, though not with the one that is real.
        rig.takeOver();
        rig.flush(R);
        assertThat(regions.region(R).manifestVersion()).isEqualTo(2);
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void aFolderIsCaughtUpOnceWhileItIsOpen() {
        rig.create(R);
        rig.flushes(R, 5);
        int looks = regions.looks();
        rig.flush(R);
        assertThat(regions.looks() - looks).as("without the manifest").isEqualTo(1);
    }

    // Checkpoints.

    static Stream<Arguments> filesAfterTenEdits() {
        return Stream.of(
                Arguments.of(
                        0,
                        Stream.iterate(0L, version -> version + 1)
                                .limit(11)
                                .map(WriterRig::delta)
                                .toList()),
                Arguments.of(1, List.of(checkpoint(9), checkpoint(10), delta(10), "_last_checkpoint")),
                Arguments.of(
                        3,
                        List.of(
                                checkpoint(6),
                                delta(7),
                                delta(8),
                                checkpoint(9),
                                delta(9),
                                delta(10),
                                "_last_checkpoint")),
                Arguments.of(10, List.of(checkpoint(10), delta(10), "_last_checkpoint")));
    }

    @ParameterizedTest
    @MethodSource("filesAfterTenEdits")
    void bM4_checkpointsComeAtTheirDistance(long distance, List<String> files) throws IOException {
        use(distance);
        rig.create(R);
        rig.flushes(R, 10);
        assertThat(rig.files(R)).containsExactlyInAnyOrderElementsOf(files);
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void bM4_restartsDoNotChangeTheDistance() throws IOException {
        use(3);
        rig.create(R);
        for (int i = 0; i < 10; i++) {
            rig.flush(R);
            rig.storage().close();
            rig = rig.onAnotherDisk(folder, 3);
        }
        assertThat(rig.files(R))
                .contains(checkpoint(6), checkpoint(9), delta(7), delta(10))
                .doesNotContain(delta(6), checkpoint(3), checkpoint(10));
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void aCheckpointWaitsForNoReportToBeDecided() throws IOException {
        use(1);
        rig.create(R);
        regions.reportsAre(ReportFate.HELD);
        String flushed = rig.flush(R);
        assertThat(regions.code(flushed)).isNull();
        assertThat(rig.files(R)).contains(checkpoint(1), "_last_checkpoint");

        regions.decideHeld();
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void bM5_4_noCheckpointIsBegunWhileDowngrading() throws IOException {
        use(1);
        rig.create(R);
        regions.role(R, RegionRole.DOWNGRADING);
        rig.flushes(R, 2);
        assertThat(rig.files(R)).containsExactly(delta(0), delta(1), delta(2));

        regions.role(R, RegionRole.LEADER);
        rig.flush(R);
        assertThat(rig.files(R)).containsExactly(checkpoint(3), delta(3), "_last_checkpoint");
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void aCheckpointThatFailsFailsNoCommandAndComesLater() throws IOException {
        use(2);
        rig.create(R);
        Path inTheWay = Files.createDirectories(rig.manifestFolder(R).resolve("_last_checkpoint/x"));
        rig.flushes(R, 2);
        assertThat(regions.region(R).manifestVersion()).isEqualTo(2);

        Folders.delete(inTheWay.getParent());
        rig.flush(R);
        assertThat(rig.files(R)).contains(checkpoint(3), "_last_checkpoint");
        rig.assertHoldsTheRegion(R);
    }

    // Drops.

    @Test
    void bM29_1_aDropRemovesTheFolder() throws Exception {
        rig.create(R);
        rig.flushes(R, 3);
        String dropped = rig.drop(R);

        assertThat(regions.code(dropped)).isEqualTo(OutcomeCode.OK);
        assertThat(regions.region(R)).isNull();
        assertThat(rig.folder(R)).doesNotExist();
        assertLockFree(R);
    }

    @Test
    void bM23_10_aDropThatFailsLeavesTheRegion() throws IOException {
        rig.create(R);
        rig.storage().fail(1, new NotDone(true, "no"));
        assertThat(regions.code(rig.drop(R))).isEqualTo(OutcomeCode.MANIFEST_WRITE_FAILED);
        assertThat(regions.region(R).state()).isEqualTo(RegionState.WRITABLE);

        rig.flush(R);
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void bM29_5_aRegionThatIsCreatedAgainHasNoPast() throws IOException {
        use(2);
        rig.create(R);
        rig.flushes(R, 5);
        rig.drop(R);
        rig.create(R);
        assertThat(rig.files(R)).containsExactly(delta(0));
        rig.flush(R);
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void aRegionThatWasDroppedElsewhereDoesNotGoOnHere() throws IOException {
        use(2);
        rig.create(R);
        rig.flushes(R, 5);
        WriterRig other = rig.onAnotherDisk(Files.createDirectories(folder.resolve("b")), 2);
        other.drop(R);

        // The folder of the old region is still here, and open.
        rig.takeOver();
        rig.create(R);
        assertThat(rig.files(R)).containsExactly(delta(0));
        rig.flush(R);
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void aRegionThatWasCreatedAgainElsewhereDoesNotGoOnHere() throws IOException {
        rig.create(R);
        rig.flush(R);
        WriterRig other = rig.onAnotherDisk(Files.createDirectories(folder.resolve("b")), 10);
        other.drop(R);
        other.create(R);
        other.flush(R);

        rig.takeOver();
        rig.flush(R);
        assertThat(rig.files(R)).containsExactly(checkpoint(1), delta(2), "_last_checkpoint");
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void whatIsWrittenAfterItHadFailedElsewhereIsTakenAway() throws IOException {
        rig.create(R);
        regions.reportsAre(ReportFate.HELD);
        String flushed = rig.flush(R);
        regions.failsElsewhere(regions.lastOrder());
        regions.decideHeld();
        assertThat(regions.code(flushed)).isEqualTo(OutcomeCode.MANIFEST_WRITE_FAILED);
        assertThat(rig.files(R)).containsExactly(delta(0), delta(1));

        rig.pass(Duration.ofSeconds(6));
        rig.writes().forgetReports();
        rig.settle();
        assertThat(rig.files(R)).containsExactly(delta(0));
        rig.assertHoldsTheRegion(R);

        regions.reportsAre(ReportFate.DECIDED);
        rig.flush(R);
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void aRegionWhoseCreationHadFailedElsewhereLeavesNothing() {
        regions.reportsAre(ReportFate.HELD);
        rig.create(R);
        regions.failsElsewhere(regions.lastOrder());
        regions.decideHeld();
        assertThat(rig.folder(R)).exists();

        rig.pass(Duration.ofSeconds(6));
        rig.writes().forgetReports();
        rig.settle();
        assertThat(rig.folder(R)).doesNotExist();
    }

    @Test
    void aRegionWhoseDropHadFailedElsewhereHasItsDirectoryAgain() throws IOException {
        rig.create(R);
        rig.flush(R);
        regions.reportsAre(ReportFate.HELD);
        rig.drop(R);
        regions.failsElsewhere(regions.lastOrder());
        regions.decideHeld();
        assertThat(rig.folder(R)).doesNotExist();

        rig.pass(Duration.ofSeconds(6));
        rig.writes().forgetReports();
        rig.settle();
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void whatBecameRealIsLookedAtOnceMoreAndStays() throws IOException {
        rig.create(R);
        rig.flush(R);
        rig.pass(Duration.ofSeconds(6));
        rig.writes().forgetReports();
        rig.settle();
        int looks = regions.looks();
        rig.assertHoldsTheRegion(R);

        rig.writes().forgetReports();
        rig.settle();
        assertThat(regions.looks()).as("only once").isEqualTo(looks);
    }

    @Test
    void bM29_2_leftoversOfAnUnknownRegionAreRemoved() throws IOException {
        Files.createDirectories(rig.manifestFolder(R));
        Files.writeString(rig.manifestFolder(R).resolve(delta(0)), "{}");
        String dropped = rig.drop(R);

        assertThat(regions.code(dropped)).isEqualTo(OutcomeCode.REGION_NOT_FOUND);
        assertThat(rig.folder(R)).doesNotExist();
        assertThat(regions.reports())
                .as("nobody waits for it, but it closes the order in the topic")
                .extracting(ManifestReport::commandId)
                .containsExactly(dropped);
    }

    @Test
    void withoutLeftoversNothingIsMade() {
        rig.drop(R);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void leftoversThatBelongToARegionByNowStay() throws IOException {
        regions.storeLags(true);
        regions.nobodyFollows();
        rig.drop(R);
        ManifestWriteOrder clear = regions.lastOrder();
        regions.storeLags(false);
        rig.takeOver();
        rig.create(R);
        rig.writes().ordered(clear);
        rig.pass(Duration.ofMinutes(1));
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void bM17_5_aRemovalThatWasNotFinishedIsFinished() throws IOException {
        Files.createDirectories(rig.manifestFolder(R));
        Files.createFile(rig.folder(R).resolve(".dropping"));
        Files.writeString(rig.manifestFolder(R).resolve(delta(0)), "{}");
        assertThat(rig.storage().unfinishedDrops()).containsExactly(R);

        rig.writes().foundUnfinishedDrop(R);
        rig.settle();
        assertThat(rig.folder(R)).doesNotExist();
        assertThat(rig.storage().unfinishedDrops()).isEmpty();
    }

    @Test
    void anUnfinishedRemovalTakesNothingFromARegionThatIsThere() throws IOException {
        rig.create(R);
        rig.writes().foundUnfinishedDrop(R);
        rig.pass(Duration.ofMinutes(1));
        rig.assertHoldsTheRegion(R);
    }

    @Test
    void whatADropLeavesIsRemovedAfterwards() {
        rig.create(R);
        rig.storage().fail(1, new WriteOutcome.Done("a file is in use"));
        String dropped = rig.drop(R);
        assertThat(regions.code(dropped)).isEqualTo(OutcomeCode.OK);
        rig.pass(SECOND);
        assertThat(rig.folder(R)).doesNotExist();
    }

    // Storages.

    @Test
    void withoutAStorageEverythingIsDoneAtOnce() {
        DecidedRegions decided = new DecidedRegions();
        ManualTimer timer = new ManualTimer();
        RegionWrites writes = new RegionWrites(decided, new NoStorage(), decided, timer);
        decided.followedBy(writes::ordered);
        decided.create(R);
        timer.run();
        String altered = decided.alter(R, 1);
        timer.run();
        String dropped = decided.drop(R);
        timer.run();

        assertThat(decided.outcome(altered).revision()).isEqualTo(1);
        assertThat(decided.code(dropped)).isEqualTo(OutcomeCode.OK);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void anAlterTakesItsTime() {
        useSlowAlters(Duration.ofMillis(200));
        rig.create(R);
        long begunNanos = System.nanoTime();
        regions.alter(R, 1);
        rig.settle();
        assertThat(System.nanoTime() - begunNanos)
                .isGreaterThanOrEqualTo(Duration.ofMillis(200).toNanos());
        assertThat(regions.region(R).manifestVersion()).isEqualTo(1);
    }

    @Test
    @Timeout(60)
    void nothingButAnAlterTakesItsTime() {
        useSlowAlters(Duration.ofHours(1));
        rig.create(R);
        rig.flushes(R, 3);
        assertThat(regions.code(rig.drop(R))).isEqualTo(OutcomeCode.OK);
    }

    private void useSlowAlters(Duration delay) {
        rig = new WriterRig(new DecidedRegions(), new ManualTimer(), folder, 10, 256, SlowAlters.by(delay));
        regions = rig.regions();
    }

    @Test
    void notMoreFoldersStayOpenThanThereMay() throws Exception {
        rig = new WriterRig(new DecidedRegions(), new ManualTimer(), folder, 10, 2, UnaryOperator.identity());
        rig.create(R);
        rig.create(Q);
        rig.flush(R);
        rig.create(Q + 1);

        // R was used after Q.
        assertLockFree(Q);
        assertLocked(R);
        assertLocked(Q + 1);
        rig.flush(Q);
        rig.assertHoldsTheRegion(Q);
        assertLockFree(R);
    }

    @Test
    void whatIsClosedIsLetGoOf() throws Exception {
        rig.create(R);
        rig.writes().close(SECOND);
        assertLockFree(R);
        rig.flush(R);
        rig.pass(SECOND);
        assertThat(rig.storage().written()).hasSize(1);
    }

    private ManifestDirectory openElsewhere(long regionId) throws IOException, FolderLock.HeldException {
        return ManifestDirectory.open(rig.folder(regionId), new ManifestDirectory.Settings(10, false));
    }

    private void assertLockFree(long regionId) throws IOException, FolderLock.HeldException {
        openElsewhere(regionId).close();
    }

    private void assertLocked(long regionId) {
        assertThat(catchThrowable(() -> openElsewhere(regionId))).isInstanceOf(FolderLock.HeldException.class);
    }
}
