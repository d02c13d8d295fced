package io.sluice.service.manifest;

import static io.sluice.service.manifest.TestManifests.MANIFEST;
import static io.sluice.service.manifest.TestManifests.REGION_FOLDER;
import static io.sluice.service.manifest.TestManifests.checkpoint;
import static io.sluice.service.manifest.TestManifests.create;
import static io.sluice.service.manifest.TestManifests.delta;
import static io.sluice.service.manifest.TestManifests.deltas;
import static io.sluice.service.manifest.TestManifests.directory;
import static io.sluice.service.manifest.TestManifests.edit;
import static io.sluice.service.manifest.TestManifests.file;
import static io.sluice.service.manifest.TestManifests.flushed;
import static io.sluice.service.manifest.TestManifests.history;
import static io.sluice.service.manifest.TestManifests.names;
import static io.sluice.service.manifest.TestManifests.open;
import static io.sluice.service.manifest.TestManifests.put;
import static io.sluice.service.manifest.TestManifests.putCheckpoint;
import static io.sluice.service.manifest.TestManifests.putPointer;
import static io.sluice.service.manifest.TestManifests.state;
import static io.sluice.service.manifest.TestManifests.stateAt;
import static io.sluice.service.manifest.TestManifests.utf8;
import static io.sluice.service.manifest.TestManifests.writeAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.service.common.Finding.Code;
import io.sluice.service.common.FolderLock;
import io.sluice.service.manifest.ManifestDirectory.CatchUp;
import io.sluice.service.manifest.ManifestDirectory.CheckpointResult;
import io.sluice.service.manifest.ManifestDirectory.DropResult;
import io.sluice.service.manifest.ManifestDirectory.Settings;
import io.sluice.service.manifest.ManifestDirectory.WriteResult;
import io.sluice.service.manifest.ManifestOpening.NoRegion;
import io.sluice.service.manifest.ManifestOpening.Opened;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writing a manifest directory (docs/behaviour.md, section 4.8). */
class ManifestDirectoryTest {
    private final MemoryDisk disk = new MemoryDisk();

    private static List<String> all(Object... parts) {
        List<String> names = new ArrayList<>();
        for (Object part : parts) {
            if (part instanceof List<?> many) {
                many.forEach(name -> names.add((String) name));
            } else {
                names.add((String) part);
            }
        }
        return names;
    }

    private static Checkpoint done(CheckpointResult result) {
        assertThat(result).isInstanceOf(CheckpointResult.Done.class);
        return ((CheckpointResult.Done) result).checkpoint();
    }

    private void assertOpens(RegionManifest state) throws IOException {
        assertThat(open(disk)).isInstanceOfSatisfying(Opened.class, opened -> {
            assertThat(opened.manifest()).isEqualTo(state);
            assertThat(opened.findings()).isEmpty();
        });
    }

    private void assertFiles(Object... parts) {
        assertThat(names(disk)).containsExactlyInAnyOrderElementsOf(all(parts));
    }

    /** Deletions fail from the n-th on, 0 being the first; each of them alone. */
    private void failDeletes(int from) {
        int[] seen = new int[1];
        disk.faults((step, path) -> {
            if (step.equals("delete") && !path.toString().endsWith(".tmp") && seen[0]++ >= from) {
                throw new IOException("cannot be deleted");
            }
        });
    }

    // Write.

    @Test
    void aVersionThatIsThereAlreadyHadSucceeded() throws IOException {
        ManifestDirectory directory = directory(disk, 10);
        writeAll(directory, history(3), 0, 3);
        for (ManifestDelta delta : history(3)) {
            assertThat(directory.write(delta)).isEqualTo(new WriteResult.Written());
        }
        assertFiles(deltas(0, 3));
        assertThat(directory(disk, 10).write(history(3).get(3))).isEqualTo(new WriteResult.Written());
    }

    @Test
    void aVersionThatIsThereWithOtherContentIsLeftAsItIs() throws IOException {
        ManifestDirectory directory = directory(disk, 10);
        writeAll(directory, history(3), 0, 3);
        byte[] before = disk.get(MANIFEST.resolve(deltas(3, 3).get(0)));
        assertThat(directory.write(delta(3, flushed(99, 99))))
                .isInstanceOfSatisfying(WriteResult.NotWritten.class, refused -> {
                    assertThat(refused.forOperator()).isTrue();
                    assertThat(refused.reason()).contains(deltas(3, 3).get(0), "other content");
                });
        assertThat(disk.get(MANIFEST.resolve(deltas(3, 3).get(0)))).isSameAs(before);
    }

    @Test
    void aVersionIsComparedDecompressedAndByItsActions() throws IOException {
        writeAll(directory(disk, 10), history(3), 0, 2);
        Path plain = MANIFEST.resolve(deltas(3, 3).get(0));
        disk.put(
                plain.resolveSibling(plain.getFileName() + ".gz"),
                Gzip.compress(DeltaJson.write(history(3).get(3))));
        assertThat(directory(disk, 10).write(history(3).get(3))).isEqualTo(new WriteResult.Written());
        assertThat(names(disk)).doesNotContain(deltas(3, 3).get(0));

        disk.put(MANIFEST.resolve(deltas(4, 4).get(0)), utf8("{ \"zz\":1, \"actions\":[] }"));
        assertThat(directory(disk, 10).write(delta(4))).isEqualTo(new WriteResult.Written());
        disk.put(MANIFEST.resolve(deltas(5, 5).get(0)), utf8("{"));
        assertThat(directory(disk, 10).write(delta(5))).isInstanceOf(WriteResult.NotWritten.class);
    }

    @Test
    void noVersionIsWrittenAboveOneThatIsMissing() throws IOException {
        ManifestDirectory directory = directory(disk, 10);
        assertThat(directory.write(delta(1)))
                .isInstanceOfSatisfying(
                        WriteResult.NotWritten.class,
                        refused -> assertThat(refused.reason()).contains("the next is 0"));
        writeAll(directory, history(3), 0, 3);
        assertThat(directory.write(delta(5))).isInstanceOf(WriteResult.NotWritten.class);
        assertFiles(deltas(0, 3));
    }

    @Test
    void aWriteThatWasDoneThoughItFailedIsFoundOut() throws IOException {
        ManifestDirectory directory = directory(disk, 10);
        writeAll(directory, history(3), 0, 2);
        boolean[] failed = new boolean[1];
        disk.faults((step, path) -> {
            if (step.equals("sync") && !failed[0]) {
                failed[0] = true;
                throw new IOException("interrupted");
            }
        });
        assertThat(directory.write(history(3).get(3))).isEqualTo(new WriteResult.Written());
        assertThat(failed[0]).isTrue();
        disk.faults((step, path) -> {});
        assertOpens(state(history(3)));
    }

    @Test
    void aWriteOfWhichNobodyKnowsIsNoFailure() throws IOException {
        ManifestDirectory directory = directory(disk, 10);
        writeAll(directory, history(3), 0, 2);
        disk.faults((step, path) -> {
            if (step.equals("sync")) {
                throw new IOException("Input/output error");
            }
        });
        assertThatThrownBy(() -> directory.write(history(3).get(3)))
                .isInstanceOf(ManifestWriteUnknownException.class)
                .hasMessageContaining("Input/output error");
        disk.faults((step, path) -> {
            if (step.equals("read")) {
                throw new IOException("Input/output error");
            }
        });
        assertThatThrownBy(() -> directory.write(history(3).get(3))).isInstanceOf(ManifestWriteUnknownException.class);
        disk.faults((step, path) -> {});
        assertThat(directory.write(history(3).get(3))).isEqualTo(new WriteResult.Written());
    }

    // Checkpoint.

    @Test
    void anUnfinishedCheckpointIsFinishedByTheNext() throws IOException {
        List<ManifestDelta> history = history(12);
        ManifestDirectory directory = directory(disk, 10);
        disk.faults((step, path) -> {
            if (step.equals("rename")) {
                throw new IOException("No space left on device");
            }
        });
        writeAll(directory, history, 0, 9);
        directory.write(history.get(10));
        assertThatThrownBy(() -> directory.checkpoint(stateAt(history, 10)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("_last_checkpoint")
                .hasMessageContaining("disk is full");
        assertFiles(deltas(0, 10), checkpoint(10));
        assertOpens(stateAt(history, 10));
        assertThat(directory.isCheckpointDue()).isTrue();

        disk.faults((step, path) -> {});
        // Meanwhile a removed file was acknowledged, so the state is another one.
        RegionManifest state = stateAt(history, 10);
        done(directory.checkpoint(withoutRemoved(state)));
        assertFiles(deltas(10, 10), checkpoint(10), "_last_checkpoint");
        assertOpens(withoutRemoved(state));
    }

    private static RegionManifest withoutRemoved(RegionManifest state) {
        return new RegionManifest(
                state.metadata(),
                state.files(),
                List.of(),
                state.flushedEntryId(),
                state.flushedSequence(),
                state.committedSequence(),
                state.manifestVersion(),
                state.truncatedEntryId(),
                state.compactionTimeWindow(),
                state.sstFormat(),
                state.appendMode());
    }

    @Test
    void thePointerNeverGoesBack() throws IOException {
        ManifestDirectory directory = directory(disk, 10);
        writeAll(directory, history(12), 0, 12);
        assertThat(directory.checkpoint(stateAt(history(12), 9))).isInstanceOf(CheckpointResult.Refused.class);
        assertOpens(state(history(12)));
    }

    @Test
    void aBadPointerIsNotWrittenOver() throws IOException {
        ManifestDirectory directory = directory(disk, 10);
        writeAll(directory, history(9), 0, 9);
        disk.put(MANIFEST.resolve("_last_checkpoint"), utf8("{"));
        assertThat(directory.checkpoint(state(history(9))))
                .isInstanceOfSatisfying(
                        CheckpointResult.Refused.class,
                        refused -> assertThat(refused.reason().code()).isEqualTo(Code.BAD_POINTER));
    }

    // Cases.

    @Test
    void bM1_1_failedDeletesDoNotFreezeTheCheckpoint() throws IOException {
        List<ManifestDelta> history = history(35);
        failDeletes(0);
        ManifestDirectory directory = directory(disk, 10);
        writeAll(directory, history, 0, 35);
        assertFiles(deltas(0, 35), checkpoint(10), checkpoint(20), checkpoint(30), "_last_checkpoint");
        assertThat(PointerJson.read(disk.get(MANIFEST.resolve("_last_checkpoint")), "p")
                        .version())
                .isEqualTo(30);
    }

    @Test
    void bM1_2_whatFailedDeletesLeftIsOpened() throws IOException {
        bM1_1_failedDeletesDoNotFreezeTheCheckpoint();
        disk.faults((step, path) -> {});
        disk.clearReads();
        assertOpens(state(history(35)));
        assertThat(disk.reads()).isEqualTo(all("_last_checkpoint", checkpoint(30), deltas(31, 35)));
    }

    @Test
    void bM1_3_leftoversGoWithALaterCleanUp() throws IOException {
        bM1_1_failedDeletesDoNotFreezeTheCheckpoint();
        disk.faults((step, path) -> {});
        writeAll(directory(disk, 10), history(40), 36, 40);
        assertFiles(checkpoint(30), deltas(31, 40), checkpoint(40), "_last_checkpoint");
        assertOpens(state(history(40)));
    }

    @Test
    void bM1_4_withoutBatchesTheyAreDeletedOneByOne() throws IOException {
        List<ManifestDelta> history = history(35);
        ManifestDirectory directory = new ManifestDirectory(
                new ForwardingFiles(TestManifests.files(disk)) {
                    @Override
                    public void deleteAll(List<String> names) throws IOException {
                        throw new IOException("no batches here");
                    }
                },
                new Settings(10, false),
                null);
        writeAll(directory, history, 0, 35);
        assertFiles(checkpoint(20), deltas(21, 35), checkpoint(30), "_last_checkpoint");
    }

    @Test
    void bM1_5_deletingOneByOneStopsAtTheFirstFailure() throws IOException {
        List<ManifestDelta> history = history(20);
        int[] singles = new int[1];
        boolean[] failing = {true};
        ManifestDirectory directory = new ManifestDirectory(
                new ForwardingFiles(TestManifests.files(disk)) {
                    @Override
                    public void deleteAll(List<String> names) throws IOException {
                        throw new IOException("no batches here");
                    }

                    @Override
                    public void delete(String name) throws IOException {
                        if (failing[0] && ++singles[0] >= 4) {
                            throw new IOException("cannot delete " + name);
                        }
                        super.delete(name);
                    }
                },
                new Settings(10, false),
                null);
        writeAll(directory, history, 0, 9);
        directory.write(history.get(10));
        assertThat(directory.checkpoint(stateAt(history, 10)))
                .isInstanceOfSatisfying(
                        CheckpointResult.Done.class,
                        done -> assertThat(done.cleanUpFailure())
                                .contains("cannot delete " + deltas(3, 3).get(0)));
        assertThat(singles[0]).isEqualTo(4);
        assertFiles(deltas(3, 10), checkpoint(10), "_last_checkpoint");
        assertThat(directory.isCheckpointDue()).isFalse();
        failing[0] = false;
        writeAll(directory, history, 11, 20);
        assertFiles(checkpoint(10), deltas(11, 20), checkpoint(20), "_last_checkpoint");
    }

    @Test
    void bM2_1_noCheckpointIsBuiltOverAHole() throws IOException {
        RegionManifest old = state(List.of(create(), delta(210, edit(List.of(file(1), file(2)), List.of()))));
        putPointer(disk, 210, putCheckpoint(disk, old, 211));
        put(disk, delta(254, flushed(9, 9)));
        byte[] pointer = disk.get(MANIFEST.resolve("_last_checkpoint"));
        ManifestDirectory directory = directory(disk, 10);
        assertThat(directory.checkpoint(state(List.of(create(), delta(254, flushed(9, 9))))))
                .isInstanceOfSatisfying(CheckpointResult.Refused.class, refused -> {
                    assertThat(refused.reason().code()).isEqualTo(Code.VERSION_GAP);
                    assertThat(refused.reason().message()).contains("211..253");
                });
        assertThat(disk.get(MANIFEST.resolve("_last_checkpoint"))).isSameAs(pointer);
        assertFiles(checkpoint(210), deltas(254, 254), "_last_checkpoint");
    }

    @Test
    void bM2_2_thePreviousCheckpointIsTheOneOnTheDiskNow() throws IOException {
        List<ManifestDelta> history = history(254);
        putPointer(disk, 210, putCheckpoint(disk, stateAt(history, 210), 211));
        put(disk, history.subList(211, 255));
        ManifestDirectory directory = directory(disk, 10);
        putPointer(disk, 253, putCheckpoint(disk, stateAt(history, 253), 43));
        assertThat(done(directory.checkpoint(state(history))).compactedActions())
                .isEqualTo(1);
        Checkpoint written = CheckpointJson.read(disk.get(MANIFEST.resolve(checkpoint(254))), "c");
        assertThat(written).isEqualTo(new Checkpoint(254, 1, state(history)));
    }

    @Test
    void bM2_3_compactedActionsCountFromThePreviousCheckpoint() throws IOException {
        List<ManifestDelta> history = history(253);
        putPointer(disk, 210, putCheckpoint(disk, stateAt(history, 210), 211));
        put(disk, history.subList(211, 254));
        assertThat(done(directory(disk, 10).checkpoint(state(history))).compactedActions())
                .isEqualTo(43);
    }

    @Test
    void bM2_4_theFirstCheckpointCountsFromVersion0() throws IOException {
        writeAll(directory(disk, 10), history(10), 0, 10);
        assertThat(CheckpointJson.read(disk.get(MANIFEST.resolve(checkpoint(10))), "c")
                        .compactedActions())
                .isEqualTo(11);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "3", "10"})
    void bM4_1to5_cleanUpLeavesThePreviousCheckpointAndAllAfterIt(long distance) throws IOException {
        List<ManifestDelta> history = history(10);
        ManifestDirectory directory = directory(disk, distance);
        writeAll(directory, history, 0, 10);
        List<String> expected = distance == 0
                ? deltas(0, 10)
                : distance == 1
                        ? all(checkpoint(9), checkpoint(10), deltas(10, 10), "_last_checkpoint")
                        : distance == 3
                                ? all(checkpoint(6), deltas(7, 10), checkpoint(9), "_last_checkpoint")
                                : all(checkpoint(10), deltas(10, 10), "_last_checkpoint");
        assertFiles(expected);
        if (distance > 0) {
            // B-M4.5: once more with the same version.
            done(directory.checkpoint(stateAt(history, distance == 3 ? 9 : 10)));
            assertFiles(expected);
        }
        assertOpens(state(history));
    }

    @Test
    void bM4_6_theSizeIsThatOfDeltasAndCheckpoints() throws IOException {
        deltas(0, 4).forEach(name -> disk.put(MANIFEST.resolve(name), new byte[8]));
        disk.put(MANIFEST.resolve(checkpoint(4)), new byte[23]);
        disk.put(MANIFEST.resolve("_last_checkpoint"), new byte[100]);
        disk.put(MANIFEST.resolve("other"), new byte[100]);
        assertThat(directory(disk, 10).sizeBytes()).isEqualTo(63);
    }

    @Test
    void bM17_5_aRemovalThatWasBegunIsFinished() throws IOException {
        put(disk, history(3));
        disk.put(REGION_FOLDER.resolve(".dropping"), new byte[0]);
        disk.put(REGION_FOLDER.resolve("index").resolve("x.puffin"), new byte[1]);
        assertThat(open(disk)).isEqualTo(new NoRegion(true, List.of()));
        directory(disk, 10);
        assertThat(disk.names(REGION_FOLDER)).containsExactly("manifest");
        assertFiles();
        assertThat(open(disk)).isEqualTo(new NoRegion(false, List.of()));
    }

    @Test
    void bM29_1_aDroppedRegionLeavesNothing() throws IOException {
        ManifestDirectory directory = directory(disk, 3);
        writeAll(directory, history(10), 0, 10);
        assertThat(directory.drop()).isEqualTo(new DropResult.Dropped(null));
        assertThat(disk.names(MemoryDisk.ROOT)).isEmpty();
        assertThat(open(disk)).isEqualTo(new NoRegion(false, List.of()));
    }

    @Test
    void bM29_2_leftoversOfAnUnknownRegionAreCleaned() throws IOException {
        disk.put(MANIFEST.resolve("x"), new byte[0]);
        assertThat(directory(disk, 3).drop()).isEqualTo(new DropResult.Dropped(null));
        assertThat(disk.names(MemoryDisk.ROOT)).isEmpty();
    }

    @Test
    void bM29_4_aDropThatStopsBeforeTheRemovalIsFinishedOnce() throws IOException {
        ManifestDirectory directory = directory(disk, 3);
        writeAll(directory, history(10), 0, 10);
        disk.faults((step, path) -> {
            if (step.equals("delete") && path.startsWith(MANIFEST)) {
                throw new IOException("busy");
            }
        });
        assertThat(directory.drop())
                .isInstanceOfSatisfying(
                        DropResult.Dropped.class,
                        dropped -> assertThat(dropped.leftover()).contains("busy"));
        assertThat(open(disk)).isEqualTo(new NoRegion(true, List.of()));
        disk.faults((step, path) -> {});
        assertThat(directory(disk, 3).drop()).isEqualTo(new DropResult.Dropped(null));
        assertThat(disk.names(MemoryDisk.ROOT)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bM29_5_aRegionOfTheSameIdBeginsAnew(boolean removed) throws IOException {
        ManifestDirectory directory = directory(disk, 3);
        writeAll(directory, history(10), 0, 10);
        if (!removed) {
            disk.faults((step, path) -> {
                if (step.equals("delete")) {
                    throw new IOException("busy");
                }
            });
        }
        directory.drop();
        disk.faults((step, path) -> {});
        assertThat(directory.write(create())).isEqualTo(new WriteResult.Written());
        assertFiles(deltas(0, 0));
        assertOpens(state(List.of(create())));
    }

    @Test
    void bM23_10_aMarkThatFailsLeavesTheRegionAsItWas() throws IOException {
        ManifestDirectory directory = directory(disk, 3);
        writeAll(directory, history(10), 0, 10);
        for (String failing : List.of("write", "sync")) {
            boolean[] done = new boolean[1];
            disk.faults((step, path) -> {
                if (step.equals(failing) && !done[0]) {
                    done[0] = true;
                    throw new IOException("No space left on device");
                }
            });
            assertThat(directory.drop())
                    .isInstanceOfSatisfying(
                            DropResult.NotDropped.class,
                            kept -> assertThat(kept.reason()).contains("disk is full"));
            assertOpens(state(history(10)));
        }
        assertThat(directory.drop()).isEqualTo(new DropResult.Dropped(null));
    }

    @Test
    void bH6_1_aFailedWriteUsesNoVersion() throws IOException {
        List<ManifestDelta> history = history(6);
        ManifestDirectory directory = directory(disk, 10);
        writeAll(directory, history, 0, 5);
        for (String failing : List.of("write", "link")) {
            disk.faults((step, path) -> {
                if (step.equals(failing)) {
                    throw new IOException("No space left on device");
                }
            });
            assertThat(directory.write(delta(6, flushed(77, 77))))
                    .isInstanceOfSatisfying(WriteResult.NotWritten.class, failed -> {
                        assertThat(failed.forOperator()).isFalse();
                        assertThat(failed.reason()).contains(deltas(6, 6).get(0), "the disk is full");
                    });
            assertFiles(deltas(0, 5));
        }
        disk.faults((step, path) -> {});
        assertThat(directory.write(history.get(6))).isEqualTo(new WriteResult.Written());
        assertFiles(deltas(0, 6));
        assertOpens(state(history));
    }

    @Test
    void bH9_1_compressedContentIsTheSameEveryTime() throws IOException {
        List<ManifestDelta> history = history(12);
        ManifestDirectory directory = new ManifestDirectory(TestManifests.files(disk), new Settings(10, true), null);
        writeAll(directory, history, 0, 12);
        assertThat(names(disk)).allMatch(name -> name.endsWith(".gz") || name.equals("_last_checkpoint"));
        for (int i = 0; i < 3; i++) {
            assertOpens(state(history));
        }
        byte[] content = Gzip.decompress(disk.get(MANIFEST.resolve(checkpoint(10) + ".gz")), "c");
        Pointer pointer = PointerJson.read(disk.get(MANIFEST.resolve("_last_checkpoint")), "p");
        assertThat(pointer).isEqualTo(Pointer.to(10, content));
    }

    @Test
    void old17_compressionMayBeSwitchedInMidHistory() throws IOException {
        List<ManifestDelta> history = history(30);
        for (int version = 0; version <= 30; version++) {
            writeAll(
                    new ManifestDirectory(TestManifests.files(disk), new Settings(4, version % 3 == 0), null),
                    history,
                    version,
                    version);
            assertOpens(stateAt(history, version));
        }
    }

    // Catch-up.

    @Test
    void aDirectoryThatIsUpToDateStaysAsItIs() throws IOException {
        List<ManifestDelta> history = history(12);
        writeAll(directory(disk, 10), history, 0, 12);
        List<String> before = names(disk);
        assertThat(directory(disk, 10).catchUp(state(history), null)).isEqualTo(CatchUp.UNCHANGED);
        assertThat(directory(disk, 10).catchUp(withoutRemoved(state(history)), null))
                .isEqualTo(CatchUp.UNCHANGED);
        assertThat(names(disk)).isEqualTo(before);
    }

    @Test
    void theWriteInFlightStaysIfItIsThere() throws IOException {
        List<ManifestDelta> history = history(12);
        writeAll(directory(disk, 10), history, 0, 12);
        ManifestDirectory directory = directory(disk, 10);
        assertThat(directory.catchUp(stateAt(history, 11), history.get(12))).isEqualTo(CatchUp.UNCHANGED);
        assertThat(directory.write(history.get(12))).isEqualTo(new WriteResult.Written());
        assertOpens(state(history));
    }

    @Test
    void versionsThatNeverBecameRealGo() throws IOException {
        List<ManifestDelta> history = history(12);
        writeAll(directory(disk, 10), history, 0, 12);
        ManifestDirectory directory = directory(disk, 10);
        assertThat(directory.catchUp(stateAt(history, 11), delta(12, flushed(50, 50))))
                .isEqualTo(CatchUp.TRIMMED);
        assertThat(directory.write(delta(12, flushed(50, 50)))).isEqualTo(new WriteResult.Written());
        assertThat(directory(disk, 10).catchUp(stateAt(history, 11), null)).isEqualTo(CatchUp.TRIMMED);
        assertOpens(stateAt(history, 11));
    }

    @Test
    void aDirectoryThatIsMissingBecomesACheckpoint() throws IOException {
        List<ManifestDelta> history = history(12);
        ManifestDirectory directory = directory(disk, 10);
        assertThat(directory.catchUp(stateAt(history, 11), history.get(12))).isEqualTo(CatchUp.REWRITTEN);
        assertFiles(checkpoint(11), "_last_checkpoint");
        assertOpens(stateAt(history, 11));
        assertThat(directory.isCheckpointDue()).isFalse();
        assertThat(directory.write(history.get(12))).isEqualTo(new WriteResult.Written());
        assertOpens(state(history));
    }

    @Test
    void aDirectoryThatIsBehindBecomesACheckpointAndKeepsNothingOld() throws IOException {
        List<ManifestDelta> history = history(40);
        writeAll(directory(disk, 10), history, 0, 25);
        assertThat(directory(disk, 10).catchUp(state(history), null)).isEqualTo(CatchUp.REWRITTEN);
        assertFiles(checkpoint(40), "_last_checkpoint");
        assertOpens(state(history));
    }

    @Test
    void aDirectoryOfAnotherHistoryThatIsAheadBecomesACheckpoint() throws IOException {
        writeAll(directory(disk, 10), history(25), 0, 25);
        List<ManifestDelta> other = List.of(create(), delta(1, flushed(5, 5)), delta(2, flushed(6, 6)));
        ManifestDirectory directory = directory(disk, 10);
        assertThat(directory.catchUp(stateAt(other, 1), other.get(2))).isEqualTo(CatchUp.REWRITTEN);
        assertFiles(checkpoint(1), "_last_checkpoint");
        assertThat(directory.write(other.get(2))).isEqualTo(new WriteResult.Written());
        assertOpens(state(other));
    }

    @Test
    void aDirectoryOfAnotherHistoryAtTheSameVersionBecomesACheckpoint() throws IOException {
        List<ManifestDelta> history = history(20);
        writeAll(directory(disk, 10), history, 0, 20);
        List<ManifestDelta> other = new ArrayList<>(history.subList(0, 20));
        other.add(delta(20, flushed(500, 500)));
        assertThat(directory(disk, 10).catchUp(state(other), null)).isEqualTo(CatchUp.REWRITTEN);
        assertOpens(state(other));
        assertFiles(checkpoint(20), "_last_checkpoint");
    }

    @ParameterizedTest
    @ValueSource(strings = {"_last_checkpoint", "00000000000000000011.json", "00000000000000000010.checkpoint"})
    void aDamagedDirectoryBecomesACheckpoint(String damaged) throws IOException {
        List<ManifestDelta> history = history(12);
        writeAll(directory(disk, 10), history, 0, 12);
        disk.put(MANIFEST.resolve(damaged), utf8("{"));
        assertThat(directory(disk, 10).catchUp(state(history), null)).isEqualTo(CatchUp.REWRITTEN);
        assertOpens(state(history));
    }

    @Test
    void aRegionThatHasNoVersionYetHasNoFiles() throws IOException {
        ManifestDirectory directory = directory(disk, 10);
        assertThat(directory.catchUp(null, create())).isEqualTo(CatchUp.UNCHANGED);
        directory.write(create());
        assertThat(directory(disk, 10).catchUp(null, create())).isEqualTo(CatchUp.UNCHANGED);
        assertFiles(deltas(0, 0));
        assertThat(directory(disk, 10).catchUp(null, delta(0, flushed(1, 1)))).isEqualTo(CatchUp.TRIMMED);
        assertFiles();
        writeAll(directory(disk, 10), history(12), 0, 12);
        assertThat(directory(disk, 10).catchUp(null, null)).isEqualTo(CatchUp.REWRITTEN);
        assertFiles();
    }

    @Test
    void theWriteInFlightIsTheOneAfterTheState() throws IOException {
        ManifestDirectory directory = directory(disk, 10);
        assertThatThrownBy(() -> directory.catchUp(state(history(3)), delta(3)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // The real thing.

    @Test
    void onARealDiskOneWriterAtATime(@TempDir Path temporary) throws Exception {
        Path region = temporary.resolve("8796093022211");
        List<ManifestDelta> history = history(25);
        try (ManifestDirectory directory = ManifestDirectory.open(region, new Settings(10, false))) {
            assertThatThrownBy(() -> ManifestDirectory.open(region, new Settings(10, false)))
                    .isInstanceOfSatisfying(
                            FolderLock.HeldException.class,
                            held -> assertThat(held.isHere()).isTrue());
            writeAll(directory, history, 0, 25);
            assertThat(directory.write(history.get(25))).isEqualTo(new WriteResult.Written());
        }
        assertThat(new ManifestReader(region, new ManifestReader.Options(false, 0, null)).open())
                .isEqualTo(new Opened(state(history), 20L, List.of()));
        try (var names = Files.list(region.resolve("manifest"))) {
            assertThat(names.map(path -> path.getFileName().toString()).toList())
                    .containsExactlyInAnyOrderElementsOf(
                            all(checkpoint(10), deltas(11, 25), checkpoint(20), "_last_checkpoint"));
        }
        try (ManifestDirectory directory = ManifestDirectory.open(region, new Settings(10, false))) {
            assertThat(directory.lastVersion()).isEqualTo(25);
            assertThat(directory.drop()).isEqualTo(new DropResult.Dropped(null));
        }
        assertThat(region).doesNotExist();
    }

    @Test
    void aDirectoryWhoseParentIsMissingIsRefusedWithItsPath(@TempDir Path temporary) {
        Path region = temporary.resolve("not-mounted").resolve("1");
        assertThatThrownBy(() -> ManifestDirectory.open(region, new Settings(10, false)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(region.toString())
                .hasMessageContaining("not mounted");
    }
}
