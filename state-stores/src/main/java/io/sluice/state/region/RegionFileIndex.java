package io.sluice.state.region;

import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.state.common.Damage;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.RowReader;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Rows {@code file}: (region id, file id) to a file of the region's manifest, one row each. Thread-safe. */
public final class RegionFileIndex {
    private static final String PARTS = "file: region_id, file_id";

    private final RegionRecordCodec codec;

    public RegionFileIndex(RegionRecordCodec codec) {
        this.codec = codec;
    }

    /** The parts of a row's key. */
    public record Key(long regionId, UUID fileId) {}

    public static byte[] key(long regionId, UUID fileId) {
        return new KeyWriter(RegionKeyFamily.FILE.tag())
                .u64(regionId)
                .u64(fileId.getMostSignificantBits())
                .u64(fileId.getLeastSignificantBits())
                .bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static Key decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, RegionKeyFamily.FILE.tag(), PARTS);
        return reader.end(new Key(reader.u64(), new UUID(reader.u64(), reader.u64())));
    }

    /** The file, or null; one that cannot be read counts as gone. */
    public FileMeta find(RowReader rows, long regionId, UUID fileId) {
        byte[] value = rows.get(key(regionId, fileId));
        return value == null ? null : Damage.readOrNull(() -> codec.decodeFile(value));
    }

    /** The files of a region in the order of their ids; one that cannot be read is left out. */
    public List<FileMeta> filesOf(RowScanner rows, long regionId) {
        List<FileMeta> found = new ArrayList<>();
        rows.scanPrefix(prefix(regionId), (key, value) -> {
            FileMeta file = Damage.readOrNull(() -> codec.decodeFile(value));
            if (file != null) {
                found.add(file);
            }
            return true;
        });
        return found;
    }

    static byte[] prefix(long regionId) {
        return new KeyWriter(RegionKeyFamily.FILE.tag()).u64(regionId).bytes();
    }

    /** Deletes the files of a region, in one scan, and returns them; one that cannot be read goes without a trace. */
    List<FileMeta> deleteAll(RowScanner rows, RowWriter out, long regionId) {
        List<FileMeta> found = new ArrayList<>();
        List<byte[]> keys = new ArrayList<>();
        rows.scanPrefix(prefix(regionId), (key, value) -> {
            keys.add(key);
            FileMeta file = Damage.readOrNull(() -> codec.decodeFile(value));
            if (file != null) {
                found.add(file);
            }
            return true;
        });
        keys.forEach(out::delete);
        return found;
    }

    static void write(RowWriter out, long regionId, FileMeta file) {
        out.put(key(regionId, file.fileId()), RegionRecordCodec.encode(file));
    }
}
