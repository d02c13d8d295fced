package io.sluice.state.flownode;

import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeRecordCodec;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.RowReader;
import io.sluice.state.common.RowWriter;

/** Rows {@code address}: flownode id to where it can be reached, and since which epoch. Thread-safe. */
public final class FlownodeAddressIndex {
    private static final String PARTS = "address: flownode_id";

    private final FlownodeRecordCodec codec;

    public FlownodeAddressIndex(FlownodeRecordCodec codec) {
        this.codec = codec;
    }

    public static byte[] key(long flownodeId) {
        return new KeyWriter(FlownodeKeyFamily.ADDRESS.tag()).u64(flownodeId).bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static long decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, FlownodeKeyFamily.ADDRESS.tag(), PARTS);
        return reader.end(reader.u64());
    }

    /** The registered address of a flownode, or null. */
    public FlownodeAddress find(RowReader rows, long flownodeId) {
        byte[] value = rows.get(key(flownodeId));
        return value == null ? null : codec.decodeAddress(value);
    }

    static void write(RowWriter out, FlownodeAddress address) {
        out.put(key(address.flownodeId()), FlownodeRecordCodec.encode(address));
    }
}
