package io.sluice.state.region;

import io.sluice.schemas.region.ManifestCodec;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.state.common.Damage;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.RowReader;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows {@code write}: region id to what the writer of its manifest was told to write and did not report on yet. Thread-safe. */
public final class WriteOrderIndex {
    private static final String PARTS = "write: region_id";

    private final ManifestCodec codec;

    public WriteOrderIndex(ManifestCodec codec) {
        this.codec = codec;
    }

    public static byte[] key(long regionId) {
        return new KeyWriter(RegionKeyFamily.WRITE.tag()).u64(regionId).bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static long decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, RegionKeyFamily.WRITE.tag(), PARTS);
        return reader.end(reader.u64());
    }

    /** The open order of a region, or null. */
    public ManifestWriteOrder find(RowReader rows, long regionId) {
        byte[] value = rows.get(key(regionId));
        return value == null ? null : codec.decodeOrder(value);
    }

    /** All open orders: what a writer has to do when it starts. One that cannot be read is left out. */
    public List<ManifestWriteOrder> all(RowScanner rows) {
        List<ManifestWriteOrder> found = new ArrayList<>();
        rows.scanPrefix(RegionKeyFamily.WRITE.prefix(), (key, value) -> {
            ManifestWriteOrder order = Damage.readOrNull(() -> codec.decodeOrder(value));
            if (order != null) {
                found.add(order);
            }
            return true;
        });
        return found;
    }

    static void write(RowWriter out, ManifestWriteOrder order) {
        out.put(key(order.regionId()), ManifestCodec.encode(order));
    }

    static void delete(RowWriter out, long regionId) {
        out.delete(key(regionId));
    }
}
