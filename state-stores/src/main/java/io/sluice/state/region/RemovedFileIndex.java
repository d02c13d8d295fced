package io.sluice.state.region;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.state.common.Damage;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.Keys;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Rows {@code removed}: what a region's manifest no longer lists and nobody said yet that it is deleted, one row for each file and
 * index. By file id first, since a removed data file must be found by it. Thread-safe.
 *
 * <p>Version and action tell what one action removed from what another did, and which came first.
 */
public final class RemovedFileIndex {
    private static final String PARTS = "removed: region_id, file_id, kind, index version, manifest version, action";
    private static final int DATA_WITHOUT_INDEX = 0;
    private static final int DATA_WITH_INDEX = 1;
    private static final int INDEX_ALONE = 2;

    private final RegionRecordCodec codec;

    public RemovedFileIndex(RegionRecordCodec codec) {
        this.codec = codec;
    }

    /**
     * The parts of a row's key.
     *
     * @param version of the manifest, as of which it is removed
     * @param action which removed it, by its place in the delta
     */
    public record Key(long regionId, RemovedFile file, long version, long action) {}

    public static byte[] key(long regionId, RemovedFile file, long version, long action) {
        return of(regionId, file).u64(version).u32(action).bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static Key decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, RegionKeyFamily.REMOVED.tag(), PARTS);
        long regionId = reader.u64();
        UUID fileId = new UUID(reader.u64(), reader.u64());
        long kind = reader.u32();
        long indexVersion = reader.u64();
        if (kind > INDEX_ALONE || (kind == DATA_WITHOUT_INDEX && indexVersion != 0)) {
            throw new NoncanonicalKeyException("row key " + Keys.hex(key) + ": kind " + kind + " with index version "
                    + U64.text(indexVersion) + "; expected " + PARTS);
        }
        RemovedFile file = kind == INDEX_ALONE
                ? new IndexFile(fileId, indexVersion)
                : new DataFile(fileId, kind == DATA_WITH_INDEX ? indexVersion : null);
        return reader.end(new Key(regionId, file, reader.u64(), reader.u32()));
    }

    /** Begins the rows of one removed file or index, whichever action removed it. */
    private static KeyWriter of(long regionId, RemovedFile file) {
        KeyWriter key = of(regionId, file.fileId());
        if (file instanceof IndexFile index) {
            return key.u32(INDEX_ALONE).u64(index.version());
        }
        Long indexVersion = ((DataFile) file).indexVersion();
        return indexVersion == null
                ? key.u32(DATA_WITHOUT_INDEX).u64(0)
                : key.u32(DATA_WITH_INDEX).u64(indexVersion);
    }

    private static KeyWriter of(long regionId, UUID fileId) {
        return new KeyWriter(RegionKeyFamily.REMOVED.tag())
                .u64(regionId)
                .u64(fileId.getMostSignificantBits())
                .u64(fileId.getLeastSignificantBits());
    }

    /** Whether a data file with this id was removed, and is not known to be deleted. */
    public boolean isRemoved(RowScanner rows, long regionId, UUID fileId) {
        boolean[] found = new boolean[1];
        rows.scanPrefix(of(regionId, fileId).bytes(), (key, value) -> {
            Key removed = Damage.readOrNull(() -> decodeKey(key));
            found[0] = removed != null && removed.file() instanceof DataFile;
            return !found[0];
        });
        return found[0];
    }

    /** Whether exactly this was removed, by whichever action, and is not known to be deleted. */
    public boolean contains(RowScanner rows, long regionId, RemovedFile file) {
        boolean[] found = new boolean[1];
        rows.scanPrefix(of(regionId, file).bytes(), (key, value) -> {
            found[0] = true;
            return false;
        });
        return found[0];
    }

    /** What was removed from a region's manifest, oldest first; what cannot be read is left out. */
    public List<RemovedFiles> removedOf(RowScanner rows, long regionId) {
        record Action(long version, long action) implements Comparable<Action> {
            @Override
            public int compareTo(Action other) {
                int byVersion = Long.compareUnsigned(version, other.version);
                return byVersion != 0 ? byVersion : Long.compare(action, other.action);
            }
        }
        record At(long removedAtMs, Set<RemovedFile> files) {}
        SortedMap<Action, At> byAction = new TreeMap<>();
        rows.scanPrefix(prefix(regionId), (key, value) -> {
            Key removed = Damage.readOrNull(() -> decodeKey(key));
            RemovedFiles row = Damage.readOrNull(() -> codec.decodeRemoved(value));
            if (removed != null && row != null) {
                byAction.computeIfAbsent(
                                new Action(removed.version(), removed.action()),
                                action -> new At(row.removedAtMs(), new LinkedHashSet<>()))
                        .files()
                        .add(removed.file());
            }
            return true;
        });
        return byAction.values().stream()
                .map(at -> new RemovedFiles(at.removedAtMs(), at.files()))
                .toList();
    }

    static byte[] prefix(long regionId) {
        return new KeyWriter(RegionKeyFamily.REMOVED.tag()).u64(regionId).bytes();
    }

    static void write(RowWriter out, long regionId, long version, int action, RemovedFiles removed) {
        // In the order of their keys: a set has none, and the same fact must make the same writes.
        SortedMap<byte[], RemovedFile> byKey = new TreeMap<>(Arrays::compareUnsigned);
        removed.files().forEach(file -> byKey.put(key(regionId, file, version, action), file));
        byKey.forEach((key, file) ->
                out.put(key, RegionRecordCodec.encode(new RemovedFiles(removed.removedAtMs(), Set.of(file)))));
    }

    /** Deletes the rows of one removed file or index, whichever action removed it. */
    static <R extends RowScanner & RowWriter> void delete(R rows, long regionId, RemovedFile file) {
        deletePrefix(rows, of(regionId, file).bytes());
    }

    static <R extends RowScanner & RowWriter> void deletePrefix(R rows, byte[] prefix) {
        List<byte[]> keys = new ArrayList<>();
        rows.scanPrefix(prefix, (key, value) -> keys.add(key));
        keys.forEach(rows::delete);
    }
}
