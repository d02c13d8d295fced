package io.sluice.state.region;

import io.sluice.schemas.common.U32;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.state.common.Damage;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.Keys;
import io.sluice.state.common.RowReader;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows {@code region}: region id to the record of truth. Thread-safe. */
public final class RegionIndex {
    private static final String PARTS = "region: region_id";

    private final RegionRecordCodec codec;

    public RegionIndex(RegionRecordCodec codec) {
        this.codec = codec;
    }

    public static byte[] key(long regionId) {
        return new KeyWriter(RegionKeyFamily.REGION.tag()).u64(regionId).bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static long decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, RegionKeyFamily.REGION.tag(), PARTS);
        return reader.end(reader.u64());
    }

    /** The record, or null; also of a region that is only being created. */
    public RegionRecord find(RowReader rows, long regionId) {
        byte[] value = rows.get(key(regionId));
        return value == null ? null : codec.decodeRecord(value);
    }

    /**
     * Records in unsigned order of their ids, also of regions that are only being created; one that cannot be read is left out.
     *
     * @param tableId u32, the upper half of the ids; null for the regions of all tables
     * @param after the page starts strictly after this region; null for the first page
     * @param limit at most this many; 0 for no limit
     */
    public List<RegionRecord> list(RowScanner rows, Long tableId, Long after, int limit) {
        long first = tableId == null ? 0 : tableId << 32;
        long last = tableId == null ? -1 : first | U32.MAX;
        if (after != null && Long.compareUnsigned(after, last) >= 0) {
            return List.of();
        }
        long from = after == null || Long.compareUnsigned(after, first) < 0 ? first : after + 1;
        List<RegionRecord> found = new ArrayList<>();
        rows.scan(key(from), Keys.after(key(last)), (key, value) -> {
            RegionRecord region = Damage.readOrNull(() -> codec.decodeRecord(value));
            if (region != null) {
                found.add(region);
            }
            return limit == 0 || found.size() < limit;
        });
        return found;
    }

    public RegionRecord decodeValue(byte[] value) {
        return codec.decodeRecord(value);
    }

    static void write(RowWriter out, RegionRecord region) {
        out.put(key(region.regionId()), RegionRecordCodec.encode(region));
    }
}
