package io.sluice.service.manifest;

import static io.sluice.service.manifest.TestManifests.MANIFEST;
import static io.sluice.service.manifest.TestManifests.NOW_MS;
import static io.sluice.service.manifest.TestManifests.REGION;
import static io.sluice.service.manifest.TestManifests.REGION_FOLDER;
import static io.sluice.service.manifest.TestManifests.checkpoint;
import static io.sluice.service.manifest.TestManifests.create;
import static io.sluice.service.manifest.TestManifests.delta;
import static io.sluice.service.manifest.TestManifests.deltas;
import static io.sluice.service.manifest.TestManifests.edit;
import static io.sluice.service.manifest.TestManifests.file;
import static io.sluice.service.manifest.TestManifests.flushed;
import static io.sluice.service.manifest.TestManifests.history;
import static io.sluice.service.manifest.TestManifests.open;
import static io.sluice.service.manifest.TestManifests.put;
import static io.sluice.service.manifest.TestManifests.putCheckpoint;
import static io.sluice.service.manifest.TestManifests.putPointer;
import static io.sluice.service.manifest.TestManifests.state;
import static io.sluice.service.manifest.TestManifests.stateAt;
import static io.sluice.service.manifest.TestManifests.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.region.ManifestAction.PartitionExprChange;
import io.sluice.schemas.region.ManifestAction.TruncateAll;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.service.common.Finding;
import io.sluice.service.common.Finding.Code;
import io.sluice.service.common.Finding.Level;
import io.sluice.service.manifest.ManifestOpening.NoRegion;
import io.sluice.service.manifest.ManifestOpening.Opened;
import io.sluice.service.manifest.ManifestOpening.Refused;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening a manifest directory (docs/behaviour.md, section 4.8, open 1 to 4). */
class ManifestReaderTest {
    private final MemoryDisk disk = new MemoryDisk();

    private static RegionManifest opened(ManifestOpening opening) {
        assertThat(opening).as("%s", opening).isInstanceOf(Opened.class);
        return ((Opened) opening).manifest();
    }

    private static void assertRefused(ManifestOpening opening, Code code, String part) {
        assertThat(opening).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.reason().code()).isEqualTo(code);
            assertThat(refused.reason().level()).isEqualTo(Level.ERROR);
            assertThat(refused.reason().message()).contains(part);
            assertThat(refused.reason().where()).startsWith(REGION_FOLDER.toString());
        });
    }

    private static void assertFound(ManifestOpening opening, Level level, Code... codes) {
        assertThat(opening.findings()).extracting(Finding::code).containsExactlyInAnyOrder(codes);
        assertThat(opening.findings())
                .allSatisfy(finding -> assertThat(finding.level()).isEqualTo(level));
    }

    /** After the next listing of the manifest, this happens once. */
    private void afterListing(Runnable then) {
        boolean[] done = new boolean[2];
        disk.faults((step, path) -> {
            if (done[0] && !done[1]) {
                done[1] = true;
                then.run();
            }
            done[0] = done[0] || step.equals("list") && path.equals(MANIFEST);
        });
    }

    // Open 1.

    @Test
    void aDirectoryThatIsMissingHoldsNoRegion() throws IOException {
        assertThat(open(disk)).isEqualTo(new NoRegion(false, List.of()));
    }

    @Test
    void aDirectoryWithoutAnythingOfAManifestHoldsNoRegion() throws IOException {
        disk.put(MANIFEST.resolve("0000000000000000000.json"), utf8("{}"));
        disk.put(MANIFEST.resolve("00000000000000000000.json.tmp"), utf8("{}"));
        assertThat(open(disk)).isInstanceOf(NoRegion.class);
        assertFound(open(disk), Level.WARNING, Code.UNKNOWN_FILE, Code.UNKNOWN_FILE);
    }

    @Test
    void aDropMarkHidesTheRegion() throws IOException {
        put(disk, history(3));
        disk.put(REGION_FOLDER.resolve(".dropping"), new byte[0]);
        assertThat(open(disk)).isEqualTo(new NoRegion(true, List.of()));
    }

    @Test
    void deltasWithoutMetadataAreRefused() throws IOException {
        put(disk, delta(0, new PartitionExprChange("x")));
        put(disk, delta(1, flushed(1, 1)));
        assertRefused(open(disk), Code.NO_METADATA, "metadata");
    }

    @Test
    void aCheckpointWithoutPointerAndDeltasIsNoRegion() throws IOException {
        putCheckpoint(disk, stateAt(history(10), 10), 11);
        assertRefused(open(disk), Code.NO_METADATA, "metadata");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000000000000000001.json",
                "000000000000000000001.json",
                "1.json",
                "+0000000000000000001.json",
                "00000000000000000001.JSON",
                "00000000000000000001.json.gz2",
                "x00000000000000000001.json",
                "00000000000000000001.checkpoint.tmp",
                "00000000000000000001.json\n",
                "_last_checkpoint.gz",
                "_last_checkpoint2",
                "٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠١.json"
            })
    void aNameThatIsNotCanonicalIsNoneOfOurs(String name) throws IOException {
        put(disk, create());
        disk.put(MANIFEST.resolve(name), utf8("{\"actions\":[]}"));
        assertThat(opened(open(disk)).manifestVersion()).isZero();
        assertFound(open(disk), Level.WARNING, Code.UNKNOWN_FILE);
    }

    @Test
    void aNumberAboveU64IsLeftOut() throws IOException {
        put(disk, create());
        disk.put(MANIFEST.resolve("18446744073709551616.json"), utf8("{\"actions\":[]}"));
        assertThat(opened(open(disk)).manifestVersion()).isZero();
        assertFound(open(disk), Level.ERROR, Code.NONCANONICAL_KEY);
    }

    @Test
    void versionsAreOrderedAsUnsignedNumbers() throws IOException {
        RegionManifest before = state(List.of(create(), delta(Long.MAX_VALUE, flushed(1, 1))));
        putPointer(disk, Long.MAX_VALUE, putCheckpoint(disk, before, 1));
        put(disk, delta(Long.MIN_VALUE, flushed(2, 2)));
        put(disk, delta(Long.MIN_VALUE + 1, flushed(3, 3)));
        RegionManifest manifest = opened(open(disk));
        assertThat(manifest.manifestVersion()).isEqualTo(Long.MIN_VALUE + 1);
        assertThat(manifest.flushedEntryId()).isEqualTo(3);
    }

    @Test
    void theVeryLastVersionIsRead() throws IOException {
        putPointer(disk, -2, putCheckpoint(disk, state(List.of(create(), delta(-2))), 1));
        put(disk, delta(-1, flushed(3, 3)));
        assertThat(opened(open(disk)).manifestVersion()).isEqualTo(-1);
    }

    // Open 2.

    @Test
    void withoutPointerItBeginsWithVersion0WhateverCheckpointsLieThere() throws IOException {
        List<ManifestDelta> history = history(12);
        put(disk, history);
        // Its content is wrong on purpose.
        putCheckpoint(disk, stateAt(history, 3), 4);
        disk.clearReads();
        assertThat(opened(open(disk))).isEqualTo(state(history));
        assertThat(disk.reads()).doesNotContain(checkpoint(3));
    }

    @Test
    void aChecksumThatDiffersIsRefusedAndNotFallenBackFrom() throws IOException {
        List<ManifestDelta> history = history(12);
        put(disk, history);
        putCheckpoint(disk, stateAt(history, 10), 11);
        putPointer(disk, 10, utf8("something else"));
        assertRefused(open(disk), Code.CHECKSUM_MISMATCH, "CRC-32");
    }

    @Test
    void aChecksumOfZeroIsOneLikeAnyOther() throws IOException {
        List<ManifestDelta> history = history(10);
        put(disk, history);
        putCheckpoint(disk, state(history), 11);
        disk.put(
                MANIFEST.resolve("_last_checkpoint"),
                utf8("{\"size\":1,\"version\":10,\"checksum\":0,\"extend_metadata\":{}}"));
        assertRefused(open(disk), Code.CHECKSUM_MISMATCH, "0");
    }

    @Test
    void withoutChecksumNothingIsVerified() throws IOException {
        putCheckpoint(disk, stateAt(history(10), 10), 11);
        disk.put(
                MANIFEST.resolve("_last_checkpoint"),
                utf8("{\"size\":1,\"version\":10,\"checksum\":null,\"extend_metadata\":{}}"));
        assertThat(opened(open(disk))).isEqualTo(stateAt(history(10), 10));
        assertFound(open(disk), Level.WARNING);
    }

    @Test
    void anOldChecksumThatIsNoNumberIsFound() throws IOException {
        putCheckpoint(disk, stateAt(history(10), 10), 11);
        disk.put(MANIFEST.resolve("_last_checkpoint"), utf8("{\"size\":1,\"version\":10,\"checksum\":\"abc\"}"));
        assertThat(opened(open(disk))).isEqualTo(stateAt(history(10), 10));
        assertFound(open(disk), Level.WARNING, Code.BAD_POINTER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"size\":1,\"version\":10", "{\"size\":1}", "null"})
    void aPointerThatIsNotCompleteIsNotTakenForNone(String pointer) throws IOException {
        put(disk, history(3));
        disk.put(MANIFEST.resolve("_last_checkpoint"), utf8(pointer));
        assertRefused(open(disk), Code.BAD_POINTER, "_last_checkpoint");
    }

    @Test
    void aMissingCheckpointIsReplacedByAnotherOneIfNothingIsMissing() throws IOException {
        List<ManifestDelta> history = history(22);
        putCheckpoint(disk, stateAt(history, 10), 11);
        put(disk, history.subList(11, 23));
        putPointer(disk, 20, utf8("gone"));
        assertThat(opened(open(disk))).isEqualTo(state(history));
        assertThat(((Opened) open(disk)).checkpointVersion()).isEqualTo(10);
        assertFound(open(disk), Level.WARNING, Code.CHECKPOINT_MISSING);
    }

    @Test
    void aMissingCheckpointIsReplacedByVersion0IfNothingIsMissing() throws IOException {
        List<ManifestDelta> history = history(20);
        put(disk, history);
        putPointer(disk, 20, utf8("gone"));
        assertThat(opened(open(disk))).isEqualTo(state(history));
        assertFound(open(disk), Level.WARNING, Code.CHECKPOINT_MISSING);
    }

    @ParameterizedTest
    @ValueSource(ints = {15, 20})
    void aMissingCheckpointIsRefusedIfItsVersionIsNotReached(int missing) throws IOException {
        List<ManifestDelta> history = history(20);
        putCheckpoint(disk, stateAt(history, 10), 11);
        put(disk, history.subList(11, 21));
        disk.remove(MANIFEST.resolve(ManifestFile.delta(missing, false).name()));
        putPointer(disk, 20, utf8("gone"));
        assertRefused(open(disk), Code.CHECKPOINT_MISSING, "checkpoint 20");
    }

    @Test
    void aCheckpointThatSaysAnotherVersionIsRefused() throws IOException {
        byte[] content = CheckpointJson.write(new Checkpoint(11, 12, stateAt(history(10), 10)));
        disk.put(MANIFEST.resolve(checkpoint(10)), content);
        putPointer(disk, 10, content);
        assertRefused(open(disk), Code.UNDECODABLE_ROW, "last_version is 11");
    }

    @Test
    void aCheckpointWithoutStateTakesItsMetadataFromADelta() throws IOException {
        byte[] content = CheckpointJson.write(new Checkpoint(4, 5, null));
        disk.put(MANIFEST.resolve(checkpoint(4)), content);
        putPointer(disk, 4, content);
        assertRefused(open(disk), Code.NO_METADATA, "metadata");
        put(disk, delta(5, create().actions().get(0)));
        assertThat(opened(open(disk)).manifestVersion()).isEqualTo(5);
    }

    // Open 3.

    @Test
    void aBrokenDeltaIsRefusedByFileAndField() throws IOException {
        put(disk, create());
        disk.put(MANIFEST.resolve(deltas(1, 1).get(0)), utf8("{\"actions\":[{\"Remove\":{}}]}"));
        assertRefused(
                open(disk), Code.UNDECODABLE_ROW, "00000000000000000001.json: actions[0].Remove.region_id is missing");
    }

    @Test
    void whatLiesAtOrBelowTheCheckpointIsNotOpened() throws IOException {
        List<ManifestDelta> history = history(12);
        putPointer(disk, 10, putCheckpoint(disk, stateAt(history, 10), 11));
        put(disk, history.subList(11, 13));
        disk.put(MANIFEST.resolve(deltas(10, 10).get(0)), utf8("broken"));
        disk.put(MANIFEST.resolve(deltas(9, 9).get(0) + ".gz"), utf8("broken"));
        assertThat(opened(open(disk))).isEqualTo(state(history));
    }

    @Test
    void aVersionInBothFormsIsUsedOnceIfTheySayTheSame() throws IOException {
        List<ManifestDelta> history = history(4);
        put(disk, history);
        String name = deltas(3, 3).get(0);
        disk.put(MANIFEST.resolve(name + ".gz"), Gzip.compress(disk.get(MANIFEST.resolve(name))));
        assertThat(opened(open(disk))).isEqualTo(state(history));
        assertFound(open(disk), Level.WARNING, Code.DUPLICATE_VERSION);
    }

    @Test
    void aVersionInBothFormsIsRefusedIfTheyDiffer() throws IOException {
        put(disk, history(4));
        disk.put(MANIFEST.resolve(deltas(3, 3).get(0) + ".gz"), Gzip.compress(utf8("{\"actions\":[]}")));
        assertRefused(open(disk), Code.DUPLICATE_VERSION, "version 3");
    }

    @Test
    void aCheckpointInBothFormsIsRefusedIfTheyDiffer() throws IOException {
        List<ManifestDelta> history = history(10);
        byte[] content = putCheckpoint(disk, state(history), 11);
        putPointer(disk, 10, content);
        disk.put(MANIFEST.resolve(checkpoint(10) + ".gz"), Gzip.compress(content));
        assertThat(opened(open(disk))).isEqualTo(state(history));
        assertFound(open(disk), Level.WARNING, Code.DUPLICATE_VERSION);
        disk.put(MANIFEST.resolve(checkpoint(10) + ".gz"), Gzip.compress(utf8("{}")));
        assertRefused(open(disk), Code.DUPLICATE_VERSION, "version 10");
    }

    @Test
    void aGzipFileThatIsCutOffIsRefused() throws IOException {
        put(disk, create());
        byte[] whole = Gzip.compress(DeltaJson.write(delta(1, flushed(1, 1))));
        disk.put(MANIFEST.resolve("00000000000000000001.json.gz"), java.util.Arrays.copyOf(whole, whole.length - 9));
        assertRefused(open(disk), Code.UNDECODABLE_ROW, "gzip");
    }

    @Test
    void old17_PlainHistoryFollowedByCompressedAndTheReverse() throws IOException {
        List<ManifestDelta> history = history(14);
        byte[] content = CheckpointJson.write(new Checkpoint(10, 11, stateAt(history, 10)));
        disk.put(MANIFEST.resolve(checkpoint(10) + ".gz"), Gzip.compress(content));
        putPointer(disk, 10, content);
        put(disk, history.get(11));
        for (int version : new int[] {12, 13}) {
            disk.put(
                    MANIFEST.resolve(ManifestFile.delta(version, true).name()),
                    Gzip.compress(DeltaJson.write(history.get(version))));
        }
        put(disk, history.get(14));
        assertThat(opened(open(disk))).isEqualTo(state(history));
        assertFound(open(disk), Level.WARNING);
    }

    @Test
    void whatWasRemovedWithoutATimeWasRemovedAtTheImport() throws IOException {
        put(disk, create());
        put(disk, delta(1, edit(List.of(file(1)), List.of())));
        put(disk, delta(2, new TruncateAll(REGION, 1, 1, null)));
        assertThat(opened(open(disk)).removedFiles())
                .containsExactly(
                        new RemovedFiles(TestManifests.UNDATED_MS, Set.of(new DataFile(file(1).fileId(), null))));
    }

    // Cases.

    @Test
    void bM1_2_opensExactlyWhatItNeeds() throws IOException {
        List<ManifestDelta> history = history(35);
        put(disk, history);
        putCheckpoint(disk, stateAt(history, 10), 11);
        putCheckpoint(disk, stateAt(history, 20), 10);
        putPointer(disk, 30, putCheckpoint(disk, stateAt(history, 30), 10));
        disk.clearReads();
        assertThat(opened(open(disk))).isEqualTo(state(history));
        assertThat(disk.reads())
                .containsExactlyElementsOf(Stream.of(List.of("_last_checkpoint", checkpoint(30)), deltas(31, 35))
                        .flatMap(List::stream)
                        .toList());
    }

    @Test
    void bM2_1_aStalePointerBringsNothingBack() throws IOException {
        RegionManifest old = state(List.of(create(), delta(210, edit(List.of(file(1), file(2)), List.of()))));
        putPointer(disk, 210, putCheckpoint(disk, old, 211));
        put(disk, delta(254, flushed(9, 9)));
        assertRefused(open(disk), Code.VERSION_GAP, "211..253");
    }

    @Test
    void bM5_1_aReaderThatHasListedOutlivesACleanUp() throws IOException {
        List<ManifestDelta> history = history(10);
        put(disk, history);
        afterListing(() -> {
            putPointer(disk, 10, putCheckpoint(disk, state(history), 11));
            deltas(0, 9).forEach(name -> disk.remove(MANIFEST.resolve(name)));
        });
        assertThat(opened(open(disk))).isEqualTo(state(history));
    }

    @Test
    void bM5_1_aReaderThatHasSeenNoPointerOutlivesACleanUpBeforeItsListing() throws IOException {
        List<ManifestDelta> history = history(11);
        put(disk, history);
        boolean[] done = new boolean[1];
        disk.faults((step, path) -> {
            if (step.equals("list") && !done[0]) {
                done[0] = true;
                putPointer(disk, 10, putCheckpoint(disk, stateAt(history, 10), 11));
                deltas(0, 9).forEach(name -> disk.remove(MANIFEST.resolve(name)));
            }
        });
        assertThat(opened(open(disk))).isEqualTo(state(history));
        assertFound(open(disk), Level.WARNING);
    }

    @Test
    void bM5_1_aReaderIsOvertakenByTwoCheckpoints() throws IOException {
        List<ManifestDelta> history = history(31);
        putPointer(disk, 10, putCheckpoint(disk, stateAt(history, 10), 11));
        put(disk, history.subList(11, 32));
        boolean[] done = new boolean[1];
        disk.faults((step, path) -> {
            if (step.equals("list") && !done[0]) {
                done[0] = true;
                putCheckpoint(disk, stateAt(history, 20), 10);
                putPointer(disk, 30, putCheckpoint(disk, stateAt(history, 30), 10));
                disk.remove(MANIFEST.resolve(checkpoint(10)));
                deltas(11, 20).forEach(name -> disk.remove(MANIFEST.resolve(name)));
            }
        });
        assertThat(opened(open(disk))).isEqualTo(state(history));
        assertFound(open(disk), Level.WARNING);
    }

    @Test
    void bM5_2_aDeltaThatIsGoneForGoodIsAGap() throws IOException {
        put(disk, history(10));
        afterListing(() -> disk.remove(MANIFEST.resolve(deltas(4, 4).get(0))));
        assertRefused(open(disk), Code.VERSION_GAP, "missing: 4");
        assertThat(disk.reads()).filteredOn(deltas(0, 0).get(0)::equals).hasSize(1);
    }

    @Test
    void bM5_2_filesThatKeepVanishingAreAnErrorAfterThreeRestarts() {
        put(disk, history(10));
        int[] listings = new int[1];
        disk.faults((step, path) -> {
            if (step.equals("list")) {
                listings[0]++;
                put(disk, history(10).get(4));
            } else if (step.equals("read") && path.endsWith(deltas(4, 4).get(0))) {
                disk.remove(path);
            }
        });
        assertThatThrownBy(() -> open(disk))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("keeps changing")
                .hasMessageContaining(deltas(4, 4).get(0));
        assertThat(listings[0]).isEqualTo(4);
    }

    @Test
    void aListingThatWasNoSnapshotIsNotTakenForAGap() throws IOException {
        List<ManifestDelta> history = history(12);
        put(disk, history.subList(0, 11));
        put(disk, history.get(12));
        // The listing has seen 12 and not 11, since both came while it went on.
        afterListing(() -> put(disk, history.get(11)));
        assertThat(opened(open(disk))).isEqualTo(state(history));
    }

    @Test
    void bM5_3_anythingElseIsAnErrorAtOnce() {
        put(disk, history(10));
        int[] attempts = new int[1];
        disk.faults((step, path) -> {
            if (step.equals("read") && path.endsWith(deltas(4, 4).get(0))) {
                attempts[0]++;
                throw new AccessDeniedException(path.toString());
            }
        });
        assertThatThrownBy(() -> open(disk))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(deltas(4, 4).get(0))
                .hasMessageContaining("permission denied");
        assertThat(attempts[0]).isEqualTo(1);
    }

    @Test
    void bM6_1_opensOnlyWhatIsAboveTheCheckpoint() throws IOException {
        List<ManifestDelta> history = history(9);
        put(disk, history);
        putPointer(disk, 5, putCheckpoint(disk, stateAt(history, 5), 6));
        ManifestListing listing = ManifestListing.of(
                TestManifests.files(disk), TestManifests.files(disk).list());
        assertThat(listing.deltas().subMap(3L, 10L).keySet()).containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 9L);
        disk.clearReads();
        assertThat(opened(open(disk))).isEqualTo(state(history));
        assertThat(disk.reads()).filteredOn(name -> name.endsWith(".json")).isEqualTo(deltas(6, 9));
    }

    @Test
    void bM6_2_fiftyThousandOldDeltasCostNothing() throws IOException {
        RegionManifest at = state(List.of(create(), delta(50_000)));
        for (long version = 0; version < 50_000; version++) {
            disk.put(MANIFEST.resolve(ManifestFile.delta(version, false).name()), new byte[] {'x'});
        }
        putPointer(disk, 50_000, putCheckpoint(disk, at, 50_001));
        for (long version = 50_001; version <= 50_003; version++) {
            put(disk, delta(version, flushed(version, version)));
        }
        disk.clearReads();
        assertThat(opened(open(disk)).flushedEntryId()).isEqualTo(50_003);
        assertThat(disk.reads()).hasSize(5);
    }

    @Test
    void bM6_3_whatIsNestedBelowIsNotSeen() throws IOException {
        put(disk, history(3));
        for (String nested : List.of("8796093022212", "00000000000000000009.json")) {
            for (ManifestDelta delta : history(5)) {
                disk.put(
                        MANIFEST.resolve(nested)
                                .resolve("manifest")
                                .resolve(ManifestFile.delta(delta.version(), false)
                                        .name()),
                        DeltaJson.write(delta));
            }
        }
        assertThat(opened(open(disk))).isEqualTo(state(history(3)));
        assertFound(open(disk), Level.WARNING, Code.UNKNOWN_FILE, Code.UNKNOWN_FILE);
    }

    @Test
    void bM10_2_aWholeTruncateIsReadBack() throws IOException {
        put(disk, create());
        put(disk, delta(1, edit(List.of(file(1)), List.of()), flushed(3, 1)));
        put(disk, delta(2, new TruncateAll(REGION, 5, 2, NOW_MS)));
        RegionManifest manifest = opened(open(disk));
        assertThat(manifest.files()).isEmpty();
        assertThat(manifest.flushedEntryId()).isEqualTo(5);
        assertThat(manifest.truncatedEntryId()).isEqualTo(5);
    }

    @Test
    void bM27_3_foreignHistoryMayTakeTheFlushedSequenceBack() throws IOException {
        put(disk, create());
        put(disk, delta(1, flushed(3, 7)));
        put(disk, delta(2, new TruncateAll(REGION, 3, 5, NOW_MS)));
        RegionManifest manifest = opened(open(disk));
        assertThat(manifest.flushedEntryId()).isEqualTo(3);
        assertThat(manifest.flushedSequence()).isEqualTo(5);
        assertThat(manifest.truncatedEntryId()).isEqualTo(3);
    }

    @Test
    void bM29_6_oneEmptyAndOneBrokenDirectoryLeaveTheOthersAlone() throws IOException {
        int open = 0;
        List<String> findings = new ArrayList<>();
        for (int region = 0; region < 100; region++) {
            var folder = MemoryDisk.ROOT.resolve(Integer.toString(region));
            var manifest = folder.resolve("manifest");
            if (region == 7) {
                disk.put(manifest.resolve("x"), new byte[0]);
                disk.remove(manifest.resolve("x"));
            } else {
                disk.put(
                        manifest.resolve(deltas(0, 0).get(0)),
                        region == 9 ? utf8("{\"actions\":[") : DeltaJson.write(create()));
            }
            ManifestOpening opening = new ManifestReader(
                            new DirectoryFiles(folder, disk), new ManifestReader.Options(false, 0, null))
                    .open();
            if (opening instanceof Opened) {
                open++;
            } else {
                findings.add(
                        opening instanceof Refused refused
                                ? refused.reason().code().name()
                                : "REGION_NOT_FOUND");
            }
        }
        assertThat(open).isEqualTo(98);
        assertThat(findings).containsExactly("REGION_NOT_FOUND", "UNDECODABLE_ROW");
    }

    @Test
    void bM33_2_stagedChangesAreLeftOut() throws IOException {
        put(disk, history(3));
        disk.put(
                REGION_FOLDER
                        .resolve("staging")
                        .resolve("manifest")
                        .resolve(deltas(4, 4).get(0)),
                utf8("broken"));
        assertThat(opened(open(disk))).isEqualTo(state(history(3)));
        assertFound(open(disk), Level.WARNING, Code.STAGING_PRESENT);
    }

    @Test
    void bM33_3_aGapIsAcceptedOnlyIfItIsNamedExactly() throws IOException {
        put(disk, create());
        put(disk, delta(16, flushed(1, 1)));
        assertRefused(open(disk), Code.VERSION_GAP, "1..15");
        assertRefused(open(disk, new VersionRange(1, 14)), Code.VERSION_GAP, "1..15");
        assertRefused(open(disk, new VersionRange(0, 15)), Code.VERSION_GAP, "1..15");
        ManifestOpening accepted = open(disk, new VersionRange(1, 15));
        assertThat(opened(accepted).manifestVersion()).isEqualTo(16);
        assertFound(accepted, Level.WARNING, Code.VERSION_GAP);
        assertThat(accepted.findings().get(0).message()).contains("1..15");
        put(disk, delta(18, flushed(2, 2)));
        assertRefused(open(disk, new VersionRange(1, 15)), Code.VERSION_GAP, "17");
    }

    @Test
    void bM33_4_aMergedHistoryWithItsCheckpointIsFine() throws IOException {
        put(disk, create());
        put(disk, delta(16, flushed(1, 1)));
        putPointer(disk, 16, putCheckpoint(disk, state(List.of(create(), delta(16, flushed(1, 1)))), 17));
        assertThat(opened(open(disk)).manifestVersion()).isEqualTo(16);
        assertFound(open(disk), Level.WARNING);
    }

    @Test
    void bH6_2_aHoleIsRefused() throws IOException {
        List<ManifestDelta> history = history(6);
        put(disk, history.subList(0, 5));
        put(disk, history.get(6));
        assertRefused(open(disk), Code.VERSION_GAP, "missing: 5");
    }

    @Test
    void bH6_3_aHistoryWithoutItsBeginningIsRefused() throws IOException {
        put(disk, history(4).subList(1, 5));
        assertRefused(open(disk), Code.VERSION_GAP, "missing: 0");
    }
}
