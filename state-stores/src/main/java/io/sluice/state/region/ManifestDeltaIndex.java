package io.sluice.state.region;

import io.sluice.schemas.region.ManifestChunk;
import io.sluice.schemas.region.ManifestCodec;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.state.common.Damage;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.Keys;
import io.sluice.state.common.RowReader;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows {@code delta}: (region id, version) to what the version changed, for the latest versions of a region's manifest. The manifests
 * topic is these rows, with the same values. Thread-safe.
 */
public final class ManifestDeltaIndex {
    private static final String PARTS = "delta: region_id, version";

    private final ManifestCodec codec;

    public ManifestDeltaIndex(ManifestCodec codec) {
        this.codec = codec;
    }

    /** The parts of a row's key; both are the bits of a u64. */
    public record Key(long regionId, long version) {}

    public static byte[] key(long regionId, long version) {
        return new KeyWriter(RegionKeyFamily.DELTA.tag())
                .u64(regionId)
                .u64(version)
                .bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static Key decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, RegionKeyFamily.DELTA.tag(), PARTS);
        return reader.end(new Key(reader.u64(), reader.u64()));
    }

    /**
     * The deltas of a region above a version, in order.
     *
     * @return null when one of them is not there any more, or cannot be read
     */
    public List<ManifestDelta> above(RowScanner rows, long regionId, long version, long last) {
        List<ManifestDelta> found = new ArrayList<>();
        if (Long.compareUnsigned(version, last) >= 0) {
            return found;
        }
        long[] next = {version + 1};
        rows.scan(key(regionId, version + 1), Keys.afterPrefix(prefix(regionId)), (key, value) -> {
            ManifestChunk chunk = Damage.readOrNull(() -> codec.decodeChunk(value));
            if (chunk == null || chunk.version() != next[0]) {
                return false;
            }
            found.add(new ManifestDelta(chunk.version(), chunk.actions()));
            next[0]++;
            return chunk.version() != last;
        });
        return next[0] == last + 1 ? found : null;
    }

    /** The command that made a version; null when its delta is not there, or cannot be read. */
    public String commandOf(RowReader rows, long regionId, long version) {
        byte[] value = rows.get(key(regionId, version));
        return value == null
                ? null
                : Damage.readOrNull(() -> codec.decodeChunk(value).commandId());
    }

    static byte[] prefix(long regionId) {
        return new KeyWriter(RegionKeyFamily.DELTA.tag()).u64(regionId).bytes();
    }

    static void write(RowWriter out, ManifestChunk chunk) {
        out.put(key(chunk.regionId(), chunk.version()), ManifestCodec.encode(chunk));
    }

    /** Deletes those below a version. */
    static <R extends RowScanner & RowWriter> void deleteBelow(R rows, long regionId, long version) {
        List<byte[]> keys = new ArrayList<>();
        rows.scan(prefix(regionId), key(regionId, version), (key, value) -> keys.add(key));
        keys.forEach(rows::delete);
    }
}
