package io.sluice.service.manifest;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.service.common.Finding;
import io.sluice.service.common.Finding.Code;
import io.sluice.service.manifest.ManifestListing.Forms;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One look at a manifest directory, while somebody else may be writing to it and cleaning up: first its pointer, then what is
 * listed, then files of that list.
 *
 * <p>A writer puts its checkpoint, then the pointer, then cleans up, and leaves the checkpoint before it. So whoever saw a pointer
 * finds its checkpoint, unless two more were written since; then, and when a listed file is gone, it is {@link #attempt looked at
 * anew}. What a refusal rests on is looked at twice: a listing is no snapshot, and may show a version without the one before it.
 *
 * <p>Threading: one thread.
 */
final class ManifestSnapshot {
    /** How often to start again. */
    private static final int RESTARTS = 3;

    private final ManifestFiles files;
    private final boolean preferCompressed;
    private final byte[] pointerBytes;
    private final Set<ManifestFiles.Listed> listed;
    private final ManifestListing listing;
    private final List<Finding> findings = new ArrayList<>();

    private ManifestSnapshot(ManifestFiles files, boolean preferCompressed) throws IOException {
        this.files = files;
        this.preferCompressed = preferCompressed;
        this.pointerBytes = readPointer(files);
        List<ManifestFiles.Listed> all = files.list();
        this.listed = new HashSet<>(all);
        this.listing = ManifestListing.of(files, all);
        findings.addAll(listing.findings());
    }

    /** What is done with a snapshot. */
    @FunctionalInterface
    interface Work<T> {
        T on(ManifestSnapshot snapshot) throws IOException, ManifestRefusedException, ChangedException;
    }

    /** The directory has changed since it was looked at. */
    static final class ChangedException extends Exception {
        private static final long serialVersionUID = 1L;

        ChangedException(String message) {
            super(message);
        }
    }

    /**
     * Works on a snapshot, and again on another one when the directory has changed meanwhile.
     *
     * @throws ManifestRefusedException as the work does
     * @throws IOException if something cannot be read, or the directory keeps changing
     */
    static <T> T attempt(ManifestFiles files, boolean preferCompressed, Work<T> work)
            throws IOException, ManifestRefusedException {
        for (int restarts = 0; ; restarts++) {
            ManifestSnapshot snapshot = new ManifestSnapshot(files, preferCompressed);
            try {
                return work.on(snapshot);
            } catch (ChangedException e) {
                if (restarts == RESTARTS) {
                    throw new IOException(
                            files.path() + " keeps changing while it is read: " + e.getMessage() + ", " + (RESTARTS + 1)
                                    + " times in a row",
                            e);
                }
            } catch (ManifestRefusedException e) {
                if (restarts == RESTARTS || !snapshot.hasChanged()) {
                    throw e;
                }
            }
        }
    }

    /** The pointer as it is on the disk now, or null. */
    static Pointer pointer(ManifestFiles files) throws IOException, ManifestRefusedException {
        byte[] bytes = readPointer(files);
        return bytes == null ? null : decode(files, bytes);
    }

    /** The pointer, or null when there is none. */
    Pointer pointer() throws ManifestRefusedException {
        if (pointerBytes == null) {
            return null;
        }
        Pointer pointer = decode(files, pointerBytes);
        if (pointer.oddChecksum() != null) {
            findings.add(Finding.warning(
                    Code.BAD_POINTER,
                    files.path(ManifestFile.POINTER),
                    "its checksum is \"" + pointer.oddChecksum() + "\": the checkpoint cannot be verified"));
        }
        return pointer;
    }

    ManifestListing listing() {
        return listing;
    }

    /** What was found so far that is no refusal. */
    List<Finding> findings() {
        return findings;
    }

    /** A listed delta. */
    ManifestDelta delta(long version) throws IOException, ManifestRefusedException, ChangedException {
        ManifestFile file = ManifestFile.delta(version, false);
        byte[] content = content(file, listing.deltas().get(version));
        try {
            return DeltaJson.read(content, version, file.name());
        } catch (UndecodableException e) {
            throw undecodable(file, e);
        }
    }

    /**
     * A listed checkpoint.
     *
     * @param checksum to verify, or null
     */
    Checkpoint checkpoint(long version, Long checksum) throws IOException, ManifestRefusedException, ChangedException {
        ManifestFile file = ManifestFile.checkpoint(version, false);
        byte[] content = content(file, listing.checkpoints().get(version));
        if (checksum != null && Pointer.crc32(content) != checksum) {
            throw refused(
                    Code.CHECKSUM_MISMATCH,
                    file.name(),
                    "its CRC-32 is " + Pointer.crc32(content) + ", but " + ManifestFile.POINTER + " says " + checksum);
        }
        try {
            Checkpoint checkpoint = CheckpointJson.read(content, file.name());
            if (checkpoint.lastVersion() != version) {
                throw new UndecodableException(file.name() + ": last_version is " + U64.text(checkpoint.lastVersion())
                        + ": allowed is the version in the file's name");
            }
            return checkpoint;
        } catch (UndecodableException e) {
            throw undecodable(file, e);
        }
    }

    /** Makes sure that the pointer is still the same, before its checkpoint is taken for lost. */
    void requireSamePointer() throws IOException, ChangedException {
        if (!Arrays.equals(pointerBytes, readPointer(files))) {
            throw new ChangedException("a checkpoint was written");
        }
    }

    ManifestRefusedException refused(Code code, String name, String message) {
        return new ManifestRefusedException(Finding.error(code, files.path(name), message));
    }

    ManifestRefusedException refused(Code code, String message) {
        return new ManifestRefusedException(Finding.error(code, files.path(), message));
    }

    private boolean hasChanged() throws IOException {
        return !Arrays.equals(pointerBytes, readPointer(files)) || !listed.equals(new HashSet<>(files.list()));
    }

    /** Of a version that is there in one form, or in two that must say the same. */
    private byte[] content(ManifestFile plain, Forms forms)
            throws IOException, ManifestRefusedException, ChangedException {
        ManifestFile wanted = preferCompressed ? plain.otherForm() : plain;
        ManifestFile first = forms.both() ? wanted : forms.compressed() ? plain.otherForm() : plain;
        byte[] content = read(first);
        if (forms.both()) {
            if (!Arrays.equals(content, read(first.otherForm()))) {
                throw refused(
                        Code.DUPLICATE_VERSION,
                        first.name(),
                        "version " + U64.text(first.version())
                                + " is there plain and compressed, with different content");
            }
            findings.add(Finding.warning(
                    Code.DUPLICATE_VERSION,
                    files.path(first.name()),
                    "version " + U64.text(first.version()) + " is there plain and compressed, with the same content"));
        }
        return content;
    }

    private byte[] read(ManifestFile file) throws IOException, ManifestRefusedException, ChangedException {
        byte[] bytes;
        try {
            bytes = files.read(file.name());
        } catch (NoSuchFileException e) {
            throw new ChangedException(file.name() + " was listed and is gone");
        }
        try {
            return file.compressed() ? Gzip.decompress(bytes, file.name()) : bytes;
        } catch (UndecodableException e) {
            throw undecodable(file, e);
        }
    }

    private ManifestRefusedException undecodable(ManifestFile file, UndecodableException e) {
        return refused(Code.UNDECODABLE_ROW, file.name(), e.getMessage());
    }

    private static byte[] readPointer(ManifestFiles files) throws IOException {
        try {
            return files.read(ManifestFile.POINTER);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static Pointer decode(ManifestFiles files, byte[] bytes) throws ManifestRefusedException {
        try {
            return PointerJson.read(bytes, ManifestFile.POINTER);
        } catch (UndecodableException e) {
            throw new ManifestRefusedException(
                    Finding.error(Code.BAD_POINTER, files.path(ManifestFile.POINTER), e.getMessage()));
        }
    }
}
