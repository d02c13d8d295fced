package io.sluice.state.region;

import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.state.common.Damage;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.RowReader;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Rows {@code cleanup}: (region id, file id) of files that were written for a region and will never be in its manifest, until
 * somebody says that they are deleted; when, and with which index. Also of regions that are gone. Thread-safe.
 */
public final class CleanupIndex {
    private static final String PARTS = "cleanup: region_id, file_id";

    private final RegionRecordCodec codec;

    public CleanupIndex(RegionRecordCodec codec) {
        this.codec = codec;
    }

    /** The parts of a row's key. */
    public record Key(long regionId, UUID fileId) {}

    public static byte[] key(long regionId, UUID fileId) {
        return new KeyWriter(RegionKeyFamily.CLEANUP.tag())
                .u64(regionId)
                .u64(fileId.getMostSignificantBits())
                .u64(fileId.getLeastSignificantBits())
                .bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static Key decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, RegionKeyFamily.CLEANUP.tag(), PARTS);
        return reader.end(new Key(reader.u64(), new UUID(reader.u64(), reader.u64())));
    }

    public boolean contains(RowReader rows, long regionId, UUID fileId) {
        return rows.get(key(regionId, fileId)) != null;
    }

    /** File by file in the order of their ids; one that cannot be read is left out. */
    public List<RemovedFiles> filesOf(RowScanner rows, long regionId) {
        List<RemovedFiles> found = new ArrayList<>();
        rows.scanPrefix(prefix(regionId), (key, value) -> {
            RemovedFiles entry = Damage.readOrNull(() -> codec.decodeRemoved(value));
            if (entry != null) {
                found.add(entry);
            }
            return true;
        });
        return found;
    }

    static byte[] prefix(long regionId) {
        return new KeyWriter(RegionKeyFamily.CLEANUP.tag()).u64(regionId).bytes();
    }

    /** A file that is there already stays as it is. */
    static <R extends RowReader & RowWriter> void write(R rows, long regionId, long givenUpMs, RemovedFile file) {
        byte[] key = key(regionId, file.fileId());
        if (rows.get(key) == null) {
            rows.put(key, RegionRecordCodec.encode(new RemovedFiles(givenUpMs, Set.of(file))));
        }
    }

    static <R extends RowReader & RowWriter> void delete(R rows, long regionId, UUID fileId) {
        byte[] key = key(regionId, fileId);
        if (rows.get(key) != null) {
            rows.delete(key);
        }
    }
}
