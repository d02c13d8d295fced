package io.sluice.state.flow;

import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.Keys;
import io.sluice.state.common.RowReader;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Rows {@code allocator}: catalog to its next flow id. Moves forward only. Thread-safe. */
public final class FlowIdAllocator {
    private static final String PARTS = "allocator: catalog";

    private final FlowRecordCodec codec;

    public FlowIdAllocator(FlowRecordCodec codec) {
        this.codec = codec;
    }

    public static byte[] key(String catalog) {
        return new KeyWriter(FlowKeyFamily.ALLOCATOR.tag()).tail(catalog).bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static String decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, FlowKeyFamily.ALLOCATOR.tag(), PARTS);
        return reader.end(reader.tail());
    }

    /** The next id to give out. */
    public long next(RowReader rows, String catalog) {
        byte[] value = rows.get(key(catalog));
        return value == null ? FlowView.FIRST_FLOW_ID : codec.decodeNextFlowId(value);
    }

    /**
     * Catalogs that have flows, or had one whose id was allocated, in byte order. A catalog with nothing but ids that
     * callers chose below the first one to allocate has no allocator row, so its flows count as well.
     */
    public List<String> catalogs(RowScanner rows) {
        SortedSet<String> found = new TreeSet<>((a, b) -> Arrays.compareUnsigned(key(a), key(b)));
        rows.scanPrefix(FlowKeyFamily.ALLOCATOR.prefix(), (key, value) -> {
            found.add(decodeKey(key));
            return true;
        });
        byte[] end = Keys.afterPrefix(FlowKeyFamily.INFO.prefix());
        // One row of each catalog, then on to the next catalog.
        byte[] from = FlowKeyFamily.INFO.prefix();
        while (from != null) {
            byte[][] next = {null};
            rows.scan(from, end, (key, value) -> {
                String catalog = FlowInfoIndex.decodeKey(key).catalog();
                found.add(catalog);
                next[0] = Keys.afterPrefix(FlowInfoIndex.prefix(catalog));
                return false;
            });
            from = next[0];
        }
        return List.copyOf(found);
    }

    /** Moves the allocator forward; an older value changes nothing. */
    void moveTo(RowReader before, RowWriter out, String catalog, long nextFlowId) {
        if (nextFlowId > next(before, catalog)) {
            out.put(key(catalog), FlowRecordCodec.encodeNextFlowId(nextFlowId));
        }
    }
}
