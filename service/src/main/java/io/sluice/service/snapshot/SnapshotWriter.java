package io.sluice.service.snapshot;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.snapshot.SnapshotHeader.Place;
import io.sluice.service.snapshot.SnapshotTotals.RowsDigest;
import io.sluice.state.common.CursorRow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.Schema;

/**
 * Writes a snapshot, row by row: however many there are, a block of them is in memory.
 *
 * <p>Threading: one thread. Invariants: partitions come in the order of the header, and each of them once; the rows of a partition
 * come in key order, the cursor's not among them; a file without {@link #finish} is no snapshot to any reader.
 */
public final class SnapshotWriter implements AutoCloseable {
    private final BlockOutput blocks;
    private final Iterator<Place> places;
    private final ByteArrayOutputStream rows = new ByteArrayOutputStream(Blocks.ROWS_BYTES + Blocks.ROWS_BYTES / 4);
    private final SortedMap<FamilyPartition, RowsDigest> digests = new TreeMap<>();
    private FamilyPartition partition;
    private RowsDigester digester;
    private byte[] lastKey;
    private long largestRowBytes;

    /**
     * @param out stays the caller's to close
     * @param schemas all that readers of the rows need
     */
    public SnapshotWriter(OutputStream out, SnapshotHeader header, Collection<Schema> schemas) throws IOException {
        blocks = new BlockOutput(out);
        places = header.partitions().iterator();
        blocks.write(BlockType.HEADER, SnapshotJson.header(header));
        blocks.write(BlockType.SCHEMAS, SnapshotJson.schemas(schemas));
    }

    /** Goes on with the next partition. */
    public void begin(FamilyPartition next) throws IOException {
        endPartition();
        if (!places.hasNext() || !places.next().partition().equals(next)) {
            throw new IllegalArgumentException("it is not the turn of partition " + next);
        }
        partition = next;
        digester = new RowsDigester();
        blocks.write(BlockType.PARTITION, SnapshotJson.partition(next));
    }

    /** Adds the next row of the partition. */
    public void row(byte[] key, byte[] value) throws IOException {
        if (Arrays.equals(key, CursorRow.key()) || lastKey != null && Arrays.compareUnsigned(lastKey, key) >= 0) {
            throw new IllegalArgumentException("rows come in key order, without the cursor's");
        }
        append(key);
        append(value);
        digester.add(key, value);
        largestRowBytes = Math.max(largestRowBytes, (long) key.length + value.length);
        lastKey = key;
        if (rows.size() >= Blocks.ROWS_BYTES) {
            flush();
        }
    }

    private void append(byte[] bytes) throws IOException {
        rows.write(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        rows.write(bytes);
    }

    /** Writes what tells a whole snapshot from a part of one. */
    public SnapshotTotals finish() throws IOException {
        endPartition();
        if (places.hasNext()) {
            throw new IllegalStateException("partition " + places.next().partition() + " was left out");
        }
        SnapshotTotals totals = new SnapshotTotals(blocks.digest(), largestRowBytes, digests);
        blocks.write(BlockType.END, SnapshotJson.totals(totals));
        return totals;
    }

    private void endPartition() throws IOException {
        if (partition != null) {
            flush();
            digests.put(partition, digester.digest());
            partition = null;
            lastKey = null;
        }
    }

    private void flush() throws IOException {
        if (rows.size() > 0) {
            blocks.write(BlockType.ROWS, rows.toByteArray());
            rows.reset();
        }
    }

    @Override
    public void close() {
        blocks.close();
    }
}
