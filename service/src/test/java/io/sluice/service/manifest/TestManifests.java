package io.sluice.service.manifest;

import io.sluice.schemas.region.ColumnMetadata;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.IndexKind;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.ManifestAction.TruncateAll;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.PrimaryKeyEncoding;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.SemanticType;
import io.sluice.schemas.region.SstFormat;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.Timestamp;
import io.sluice.schemas.region.TimestampUnit;
import io.sluice.service.manifest.ManifestDirectory.Settings;
import io.sluice.state.region.ManifestBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Manifests of the region that the cases are about, and directories of them. Stateless. */
public final class TestManifests {
    /** Table 2048, number 3. */
    public static final long REGION = 8796093022211L;

    static final Path REGION_FOLDER = MemoryDisk.ROOT.resolve("8796093022211");
    static final Path MANIFEST = REGION_FOLDER.resolve("manifest");
    static final long NOW_MS = 1_790_000_000_000L;
    static final long UNDATED_MS = 42;

    private TestManifests() {}

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    static byte[] vector(String name) {
        try (var in = TestManifests.class.getResourceAsStream("/manifest/vectors/" + name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static RegionMetadata metadata(long schemaVersion) {
        return new RegionMetadata(
                List.of(
                        new ColumnMetadata(
                                "site",
                                "{\"String\":{\"size_type\":\"Utf8\"}}",
                                true,
                                false,
                                null,
                                "{}",
                                SemanticType.TAG,
                                0),
                        new ColumnMetadata(
                                "at",
                                "{\"Timestamp\":{\"Millisecond\":null}}",
                                false,
                                true,
                                null,
                                "{}",
                                SemanticType.TIMESTAMP,
                                1)),
                List.of(0L),
                REGION,
                schemaVersion,
                PrimaryKeyEncoding.DENSE,
                null);
    }

    static FileMeta file(UUID id) {
        return new FileMeta(
                REGION,
                id,
                new TimeRange(
                        new Timestamp(0, TimestampUnit.MILLISECOND), new Timestamp(999, TimestampUnit.MILLISECOND)),
                0,
                4_096,
                0,
                List.of(),
                List.of(),
                0,
                0,
                10,
                1,
                null,
                null,
                0,
                null,
                null);
    }

    /** The file whose id ends in this number. */
    public static FileMeta file(int number) {
        return file(new UUID(0xa000_0000_0000_4000L, 0x8000_0000_0000_0000L | number));
    }

    static FileMeta indexed(FileMeta file, long indexVersion) {
        return file.withIndexes(List.of(IndexKind.INVERTED), List.of(), 1, indexVersion);
    }

    static Edit edit(List<FileMeta> added, List<FileMeta> removed) {
        return new Edit(added, removed, NOW_MS, null, null, null, null);
    }

    static Edit flushed(long entryId, long sequence) {
        return new Edit(List.of(), List.of(), NOW_MS, null, entryId, sequence, null);
    }

    static ManifestDelta create() {
        return delta(0, new Change(metadata(0), SstFormat.PRIMARY_KEY, false));
    }

    static ManifestDelta delta(long version, ManifestAction... actions) {
        return new ManifestDelta(version, List.of(actions));
    }

    /** Versions 0 to last: the create, then edits; every third replaces the file before, the seventh truncates. */
    static List<ManifestDelta> history(int last) {
        List<ManifestDelta> deltas = new ArrayList<>();
        deltas.add(create());
        for (int version = 1; version <= last; version++) {
            if (version % 7 == 0) {
                deltas.add(delta(version, new TruncateAll(REGION, version, version, NOW_MS + version)));
            } else {
                List<FileMeta> removed = version % 3 == 0 ? List.of(file(version - 1)) : List.of();
                deltas.add(delta(
                        version,
                        new Edit(
                                List.of(file(version)),
                                removed,
                                NOW_MS + version,
                                null,
                                (long) version,
                                (long) version,
                                (long) version)));
            }
        }
        return deltas;
    }

    /** The state after all these deltas. */
    static RegionManifest state(List<ManifestDelta> deltas) {
        ManifestBuilder builder = new ManifestBuilder();
        deltas.forEach(delta -> builder.apply(delta, UNDATED_MS));
        return builder.build();
    }

    /** The state of a history at a version. */
    static RegionManifest stateAt(List<ManifestDelta> history, int version) {
        return state(history.subList(0, version + 1));
    }

    static ManifestFiles files(MemoryDisk disk) {
        return new DirectoryFiles(REGION_FOLDER, disk);
    }

    static ManifestDirectory directory(MemoryDisk disk, long distance) throws IOException {
        return new ManifestDirectory(files(disk), new Settings(distance, false), null);
    }

    static ManifestOpening open(MemoryDisk disk) throws IOException {
        return open(disk, null);
    }

    static ManifestOpening open(MemoryDisk disk, VersionRange acceptedGap) throws IOException {
        return new ManifestReader(files(disk), new ManifestReader.Options(false, UNDATED_MS, acceptedGap)).open();
    }

    /** Puts deltas into a directory, without a word. */
    static void put(MemoryDisk disk, List<ManifestDelta> deltas) {
        deltas.forEach(delta -> put(disk, delta));
    }

    static void put(MemoryDisk disk, ManifestDelta delta) {
        disk.put(MANIFEST.resolve(ManifestFile.delta(delta.version(), false).name()), DeltaJson.write(delta));
    }

    /** Puts a checkpoint without its pointer. */
    static byte[] putCheckpoint(MemoryDisk disk, RegionManifest state, long compactedActions) {
        byte[] content = CheckpointJson.write(new Checkpoint(state.manifestVersion(), compactedActions, state));
        disk.put(
                MANIFEST.resolve(
                        ManifestFile.checkpoint(state.manifestVersion(), false).name()),
                content);
        return content;
    }

    static void putPointer(MemoryDisk disk, long version, byte[] checkpoint) {
        disk.put(MANIFEST.resolve(ManifestFile.POINTER), PointerJson.write(Pointer.to(version, checkpoint)));
    }

    static List<String> names(MemoryDisk disk) {
        return disk.names(MANIFEST);
    }

    /** {@code deltas(1, 3)}: the names of deltas 1 to 3. */
    static List<String> deltas(int first, int last) {
        List<String> names = new ArrayList<>();
        for (int version = first; version <= last; version++) {
            names.add(ManifestFile.delta(version, false).name());
        }
        return names;
    }

    static String checkpoint(long version) {
        return ManifestFile.checkpoint(version, false).name();
    }

    /** Writes and checkpoints versions of a history as the service does: a checkpoint when due. */
    static void writeAll(ManifestDirectory directory, List<ManifestDelta> history, int first, int last)
            throws IOException {
        for (int version = first; version <= last; version++) {
            if (!(directory.write(history.get(version)) instanceof ManifestDirectory.WriteResult.Written)) {
                throw new AssertionError("version " + version + " was not written");
            }
            if (directory.isCheckpointDue()) {
                directory.checkpoint(stateAt(history, version));
            }
        }
    }
}
