package io.sluice.service.manifest;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.service.common.Finding;
import io.sluice.service.common.Finding.Code;
import io.sluice.service.common.FolderLock;
import io.sluice.service.manifest.ManifestOpening.Opened;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The manifest directory of a region, for the one who writes it (docs/behaviour.md, section 4.8).
 *
 * <pre>
 * open -> catchUp -> ( write -> checkpoint when due )* -> drop or close
 * </pre>
 *
 * <p>Threading: one thread at a time, which no other process or thread of this one can be beside: the directory is locked, by a file
 * next to it, since it may be removed and a lock on a file that is removed protects nothing.
 *
 * <p>Invariants: a delta is never overwritten; no version is written above one that is missing; what a method says is written is on the
 * disk; the pointer never goes back, but in {@link #catchUp}; the newest checkpoint, the one before it and all deltas after that one
 * stay.
 */
public final class ManifestDirectory implements AutoCloseable {
    private final ManifestFiles files;
    private final Settings settings;
    private final FolderLock lock;

    /** The last version that is there, the bits of a u64; null when there is none. */
    private Long last;

    /** The last version that has a checkpoint which the pointer names; null when there is none. */
    private Long checkpointed;

    /**
     * How to write.
     *
     * @param checkpointDistance a checkpoint is due so many versions after the last one; 0 for never
     * @param compress deltas and checkpoints are compressed
     */
    public record Settings(long checkpointDistance, boolean compress) {
        public Settings {
            if (checkpointDistance < 0) {
                throw new IllegalArgumentException(
                        "a distance of " + checkpointDistance + " is negative: allowed are 0 (never) or more");
            }
        }
    }

    /** What came of a write. Immutable. */
    public sealed interface WriteResult {
        /** It is there, by this attempt or by an earlier one. */
        record Written() implements WriteResult {}

        /**
         * It certainly is not there, and used no version.
         *
         * @param forOperator trying again does not help: the directory is not what it has to be
         */
        record NotWritten(boolean forOperator, String reason) implements WriteResult {}
    }

    /** What came of a checkpoint. Immutable. */
    public sealed interface CheckpointResult {
        /**
         * It is there, and the pointer names it.
         *
         * @param cleanUpFailure why something that is no longer needed is still there; null when nothing is
         */
        record Done(Checkpoint checkpoint, String cleanUpFailure) implements CheckpointResult {}

        /** It must not be written; nothing was changed. */
        record Refused(Finding reason) implements CheckpointResult {}
    }

    /** What was done so that the directory holds what it has to hold. */
    public enum CatchUp {
        /** It did already. */
        UNCHANGED,
        /** Files of versions that never became real were taken away. */
        TRIMMED,
        /** It was behind, empty, damaged or of another history: now it is a checkpoint of the state. */
        REWRITTEN
    }

    /** What came of a drop. Immutable. */
    public sealed interface DropResult {
        /** @param leftover why the directory is not yet removed, which the next {@link #open} finishes; null when it is */
        record Dropped(String leftover) implements DropResult {}

        /** The region is what it was. */
        record NotDropped(String reason) implements DropResult {}
    }

    ManifestDirectory(ManifestFiles files, Settings settings, FolderLock lock) throws IOException {
        this.files = files;
        this.settings = settings;
        this.lock = lock;
        prepare();
        look();
    }

    /**
     * Opens a directory for writing; makes it if it is missing, and finishes its removal if it was being dropped.
     *
     * @param region the directory to have {@code manifest/} in it; its parent is there
     * @throws FolderLock.HeldException if somebody else writes to it
     */
    public static ManifestDirectory open(Path region, Settings settings) throws IOException, FolderLock.HeldException {
        Path parent = region.toAbsolutePath().getParent();
        FolderLock lock;
        Path real;
        try {
            real = parent.toRealPath().resolve(region.getFileName());
            lock = FolderLock.take(real.getParent(), real.getFileName() + ".lock");
        } catch (IOException e) {
            throw DirectoryFiles.explained("lock", region, e);
        }
        try {
            return new ManifestDirectory(new DirectoryFiles(real), settings, lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Whether a delta is in a directory. Needs no {@link #open}: it is asked when that failed, since an earlier attempt may have come
     * further.
     *
     * @throws ManifestWriteUnknownException if nobody knows
     */
    public static boolean isWritten(Path region, ManifestDelta delta) throws ManifestWriteUnknownException {
        return presence(new DirectoryFiles(region), delta, DeltaJson.write(delta), null) == Presence.SAME;
    }

    /** Whether a region is marked as being dropped, so that the next {@link #open} removes its directory. */
    public static boolean isDropping(Path region) throws IOException {
        return new DirectoryFiles(region).isDropping();
    }

    /**
     * Makes the directory hold the state that is real, and nothing above it but what is being written. To be called once before the
     * first write: the region may have been written elsewhere meanwhile, by a process with another disk.
     *
     * <p>The state is the truth: a version that it does not have never became real, so its files go. Acknowledged removed files may
     * still stand in the directory; that alone is no difference.
     *
     * @param state null when no version is real yet
     * @param inFlight the write that has no report yet, if any: the version after the state's
     * @throws IOException if it could not be done; to be called again
     */
    public CatchUp catchUp(RegionManifest state, ManifestDelta inFlight) throws IOException {
        Long real = state == null ? null : Long.valueOf(state.manifestVersion());
        if (inFlight != null && inFlight.version() != next(real)) {
            throw new IllegalArgumentException(
                    "version " + U64.text(inFlight.version()) + " is in flight: allowed is " + U64.text(next(real)));
        }
        prepare();
        CatchUp done;
        if (state == null ? isWithoutCheckpoint() : holds(state)) {
            done = removeUnreal(real, inFlight) ? CatchUp.TRIMMED : CatchUp.UNCHANGED;
        } else {
            rewrite(state);
            done = CatchUp.REWRITTEN;
        }
        look();
        return done;
    }

    /**
     * Writes a delta. If it is there already with the same content it had succeeded before.
     *
     * @throws ManifestWriteUnknownException if nobody knows whether it is there; to be called again
     */
    public WriteResult write(ManifestDelta delta) throws ManifestWriteUnknownException {
        byte[] content = DeltaJson.write(delta);
        IOException failure = null;
        Presence presence = presence(files, delta, content, null);
        if (presence == Presence.ABSENT) {
            if (delta.version() != next(last)) {
                return new WriteResult.NotWritten(
                        true,
                        "version " + U64.text(delta.version()) + " cannot be written to " + files.path()
                                + ": the next is " + U64.text(next(last)));
            }
            try {
                if (last == null) {
                    prepare();
                }
                ManifestFile file = ManifestFile.delta(delta.version(), settings.compress());
                files.create(file.name(), stored(content));
                last = delta.version();
                return new WriteResult.Written();
            } catch (IOException e) {
                failure = e;
            }
            // It may be there all the same.
            presence = presence(files, delta, content, failure);
        }
        return switch (presence) {
            case ABSENT -> new WriteResult.NotWritten(false, failure.getMessage());
            case OTHER ->
                new WriteResult.NotWritten(
                        true,
                        files.path(ManifestFile.delta(delta.version(), settings.compress())
                                        .name())
                                + " is there already, with other content: it is left as it is");
            case SAME -> {
                try {
                    files.sync();
                } catch (IOException e) {
                    throw unknown(files, delta, e);
                }
                if (last == null || Long.compareUnsigned(last, delta.version()) < 0) {
                    last = delta.version();
                }
                yield new WriteResult.Written();
            }
        };
    }

    /** The last version that is there, the bits of a u64; null when there is none. */
    public Long lastVersion() {
        return last;
    }

    /** Whether so many versions were written since the last checkpoint that another one is due. */
    public boolean isCheckpointDue() {
        return settings.checkpointDistance() > 0
                && last != null
                && Long.compareUnsigned(last - (checkpointed == null ? 0 : checkpointed), settings.checkpointDistance())
                        >= 0;
    }

    /**
     * Writes a checkpoint, then the pointer to it, then deletes what is no longer needed.
     *
     * @param state as of a version whose delta is there
     * @throws IOException if one of the first two steps failed; the pointer may be either
     */
    public CheckpointResult checkpoint(RegionManifest state) throws IOException {
        long version = state.manifestVersion();
        Pointer previous;
        try {
            // From the disk, never from memory: it decides which versions this checkpoint stands for.
            previous = ManifestSnapshot.pointer(files);
        } catch (ManifestRefusedException e) {
            return new CheckpointResult.Refused(e.finding());
        }
        Long before = previous == null ? null : Long.valueOf(previous.version());
        if (before != null && Long.compareUnsigned(before, version) > 0) {
            return refused("the pointer is at version " + U64.text(before) + " already: it never goes back");
        }
        Checkpoint checkpoint = new Checkpoint(version, before == null ? version + 1 : version - before, state);
        if (before == null || before != version) {
            ManifestListing listing = listing();
            List<VersionRange> gaps = listing.gaps(before, version);
            if (!gaps.isEmpty()) {
                return refused("versions that are missing: "
                        + String.join(
                                ", ", gaps.stream().map(VersionRange::toString).toList()));
            }
            byte[] content = CheckpointJson.write(checkpoint);
            writeCheckpoint(listing, version, content);
            writePointer(version, content);
        }
        checkpointed = version;
        return new CheckpointResult.Done(checkpoint, cleanUp(version));
    }

    /** The size of deltas and checkpoints on the disk. */
    public long sizeBytes() throws IOException {
        return listing().sizeBytes();
    }

    /**
     * Drops the region: marks it, then removes its directory.
     *
     * @throws ManifestWriteUnknownException if nobody knows whether it is marked; to be called again
     */
    public DropResult drop() throws ManifestWriteUnknownException {
        try {
            files.prepare();
            files.markDropping();
        } catch (IOException e) {
            try {
                if (files.isDropping()) {
                    files.unmarkDropping();
                }
            } catch (IOException again) {
                throw new ManifestWriteUnknownException(
                        files.path() + " may be marked as being dropped, or may not: " + again.getMessage(), again);
            }
            return new DropResult.NotDropped(e.getMessage());
        }
        last = null;
        checkpointed = null;
        try {
            files.removeRegion();
        } catch (IOException e) {
            return new DropResult.Dropped(e.getMessage());
        }
        return new DropResult.Dropped(null);
    }

    @Override
    public void close() {
        if (lock != null) {
            lock.close();
        }
    }

    /** A removal that was begun is finished first: what is written beside its mark would go with it. */
    private void prepare() throws IOException {
        if (files.isDropping()) {
            files.removeRegion();
        }
        files.prepare();
    }

    private enum Presence {
        ABSENT,
        SAME,
        OTHER
    }

    private static Presence presence(ManifestFiles files, ManifestDelta delta, byte[] content, IOException before)
            throws ManifestWriteUnknownException {
        Presence presence = Presence.ABSENT;
        for (boolean compressed : new boolean[] {false, true}) {
            ManifestFile file = ManifestFile.delta(delta.version(), compressed);
            try {
                byte[] bytes = files.read(file.name());
                if (!isSame(compressed ? Gzip.decompress(bytes, file.name()) : bytes, delta, content)) {
                    return Presence.OTHER;
                }
                presence = Presence.SAME;
            } catch (NoSuchFileException e) {
                // Not in this form.
            } catch (UndecodableException e) {
                return Presence.OTHER;
            } catch (IOException e) {
                if (before != null) {
                    e.addSuppressed(before);
                }
                throw unknown(files, delta, e);
            }
        }
        return presence;
    }

    /** The same bytes, or another writer's of the same actions. */
    private static boolean isSame(byte[] bytes, ManifestDelta delta, byte[] content) {
        return Arrays.equals(bytes, content)
                || Arrays.equals(DeltaJson.write(DeltaJson.read(bytes, delta.version(), "it")), content);
    }

    private static ManifestWriteUnknownException unknown(ManifestFiles files, ManifestDelta delta, IOException e) {
        return new ManifestWriteUnknownException(
                "version " + U64.text(delta.version()) + " may be in " + files.path() + ", or may not: "
                        + e.getMessage(),
                e);
    }

    private boolean isWithoutCheckpoint() throws IOException {
        ManifestListing listing = listing();
        return !listing.hasPointer() && listing.checkpoints().isEmpty();
    }

    /** Whether the directory, read up to the state's version, gives the state. */
    private boolean holds(RegionManifest state) throws IOException {
        ManifestReader reader = new ManifestReader(files, new ManifestReader.Options(settings.compress(), 0, null));
        return reader.open(state.manifestVersion()) instanceof Opened opened
                && opened.findings().stream().noneMatch(finding -> finding.code() == Code.CHECKPOINT_MISSING)
                && Arrays.equals(compared(opened.manifest()), compared(state));
    }

    /** Written, so that JSON which is kept as text may come with or without spaces. */
    private static byte[] compared(RegionManifest manifest) {
        return CheckpointJson.write(new Checkpoint(
                0,
                0,
                new RegionManifest(
                        manifest.metadata(),
                        manifest.files(),
                        List.of(),
                        manifest.flushedEntryId(),
                        manifest.flushedSequence(),
                        manifest.committedSequence(),
                        manifest.manifestVersion(),
                        manifest.truncatedEntryId(),
                        manifest.compactionTimeWindow(),
                        manifest.sstFormat(),
                        manifest.appendMode())));
    }

    /** Deletes what lies above a version, but for the write in flight if it is there as it should be. */
    private boolean removeUnreal(Long real, ManifestDelta inFlight) throws IOException {
        boolean keep = inFlight != null && presence(files, inFlight, DeltaJson.write(inFlight), null) == Presence.SAME;
        List<String> unreal = above(listing(), keep ? Long.valueOf(inFlight.version()) : real);
        for (String name : unreal) {
            files.delete(name);
        }
        return !unreal.isEmpty();
    }

    /**
     * Makes the directory a checkpoint of the state and nothing else. The pointer moves when the checkpoint is there and nothing above
     * it is: from then on it is read as the state, and before as what it was, or refused.
     */
    private void rewrite(RegionManifest state) throws IOException {
        ManifestListing listing = listing();
        if (state == null) {
            files.delete(ManifestFile.POINTER);
            for (String name : above(listing, null)) {
                files.delete(name);
            }
            return;
        }
        long version = state.manifestVersion();
        byte[] content = CheckpointJson.write(new Checkpoint(version, version + 1, state));
        writeCheckpoint(listing, version, content);
        for (String name : above(listing, version)) {
            files.delete(name);
        }
        writePointer(version, content);
        List<String> rest = new ArrayList<>();
        listing.checkpoints()
                .headMap(version, false)
                .forEach((at, forms) -> rest.addAll(ManifestListing.names(ManifestFile.checkpoint(at, false), forms)));
        listing.deltas()
                .headMap(version, true)
                .forEach((at, forms) -> rest.addAll(ManifestListing.names(ManifestFile.delta(at, false), forms)));
        // Below a checkpoint they do no harm.
        delete(rest);
    }

    /** Deltas and checkpoints above a version, all when that is null; the highest first, so that no gap comes to be. */
    private static List<String> above(ManifestListing listing, Long version) {
        List<String> names = new ArrayList<>();
        (version == null ? listing.checkpoints() : listing.checkpoints().tailMap(version, false))
                .descendingMap()
                .forEach((at, forms) -> names.addAll(ManifestListing.names(ManifestFile.checkpoint(at, false), forms)));
        listing.deltasAbove(version)
                .descendingMap()
                .forEach((at, forms) -> names.addAll(ManifestListing.names(ManifestFile.delta(at, false), forms)));
        return names;
    }

    private void writeCheckpoint(ManifestListing listing, long version, byte[] content) throws IOException {
        ManifestFile file = ManifestFile.checkpoint(version, settings.compress());
        byte[] stored = stored(content);
        try {
            files.create(file.name(), stored);
        } catch (FileAlreadyExistsException e) {
            // Of an attempt that did not come to its pointer.
            files.replace(file.name(), stored);
        }
        ManifestListing.Forms forms = listing.checkpoints().get(version);
        if (forms != null && (settings.compress() ? forms.plain() : forms.compressed())) {
            files.delete(file.otherForm().name());
        }
    }

    private void writePointer(long version, byte[] checkpoint) throws IOException {
        files.replace(ManifestFile.POINTER, PointerJson.write(Pointer.to(version, checkpoint)));
    }

    /** What a checkpoint makes superfluous. @return why some of it is left; or null */
    private String cleanUp(long version) {
        ManifestListing listing;
        try {
            listing = listing();
        } catch (IOException e) {
            return e.getMessage();
        }
        List<String> names = new ArrayList<>();
        Long older = listing.checkpoints().lowerKey(version);
        if (older != null) {
            listing.checkpoints()
                    .headMap(older, false)
                    .forEach((at, forms) ->
                            names.addAll(ManifestListing.names(ManifestFile.checkpoint(at, false), forms)));
        }
        (older == null
                        ? listing.deltas().headMap(version, false)
                        : listing.deltas().headMap(older, true))
                .forEach((at, forms) -> names.addAll(ManifestListing.names(ManifestFile.delta(at, false), forms)));
        return delete(names);
    }

    /** All in one go, else one by one up to the first failure. @return why some are left; or null */
    private String delete(List<String> names) {
        if (names.isEmpty()) {
            return null;
        }
        try {
            files.deleteAll(names);
            return null;
        } catch (IOException e) {
            // One by one.
        }
        for (String name : names) {
            try {
                files.delete(name);
            } catch (IOException e) {
                return e.getMessage();
            }
        }
        return null;
    }

    /** Learns what is there. A pointer that cannot be read counts as none: {@link #catchUp} mends it. */
    private void look() throws IOException {
        ManifestListing listing = listing();
        checkpointed = null;
        try {
            Pointer pointer = ManifestSnapshot.pointer(files);
            checkpointed = pointer == null ? null : Long.valueOf(pointer.version());
        } catch (ManifestRefusedException e) {
            // See above.
        }
        last = listing.deltas().isEmpty() ? null : listing.deltas().lastKey();
        if (last == null || checkpointed != null && Long.compareUnsigned(last, checkpointed) < 0) {
            last = checkpointed;
        }
    }

    private ManifestListing listing() throws IOException {
        return ManifestListing.of(files, files.list());
    }

    private byte[] stored(byte[] content) {
        return settings.compress() ? Gzip.compress(content) : content;
    }

    private CheckpointResult refused(String why) {
        return new CheckpointResult.Refused(Finding.error(Code.VERSION_GAP, files.path(), why));
    }

    private static long next(Long version) {
        return version == null ? 0 : version + 1;
    }
}
