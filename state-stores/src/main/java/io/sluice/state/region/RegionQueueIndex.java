package io.sluice.state.region;

import io.sluice.schemas.region.QueuedCommand;
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

/**
 * Rows {@code queue}: (region id, arrival) to a command that waits; and rows {@code waiting}: (region id, command id), by which a
 * retry of one is told without reading them all. Thread-safe.
 */
public final class RegionQueueIndex {
    private static final String PARTS = "queue: region_id, arrival";
    private static final String WAITING_PARTS = "waiting: region_id, command id";
    private static final byte[] PRESENT = new byte[0];

    private final RegionRecordCodec codec;

    public RegionQueueIndex(RegionRecordCodec codec) {
        this.codec = codec;
    }

    /** The parts of a queue row's key. */
    public record Key(long regionId, long arrival) {}

    /** The parts of a waiting row's key. */
    public record WaitingKey(long regionId, String commandId) {}

    /** A command and its place in the queue. */
    public record Entry(long arrival, QueuedCommand queued) {}

    public static byte[] key(long regionId, long arrival) {
        return new KeyWriter(RegionKeyFamily.QUEUE.tag())
                .u64(regionId)
                .u64(arrival)
                .bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static Key decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, RegionKeyFamily.QUEUE.tag(), PARTS);
        return reader.end(new Key(reader.u64(), reader.u64()));
    }

    public static byte[] waitingKey(long regionId, String commandId) {
        return new KeyWriter(RegionKeyFamily.WAITING.tag())
                .u64(regionId)
                .tail(commandId)
                .bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static WaitingKey decodeWaitingKey(byte[] key) {
        KeyReader reader = new KeyReader(key, RegionKeyFamily.WAITING.tag(), WAITING_PARTS);
        return reader.end(new WaitingKey(reader.u64(), reader.tail()));
    }

    /** Whether a command waits in the queue of its region. */
    public boolean isWaiting(RowReader rows, long regionId, String commandId) {
        return rows.get(waitingKey(regionId, commandId)) != null;
    }

    /** The command that arrived next, at this number or later; null if there is none. One that cannot be read is passed over. */
    public Entry next(RowScanner rows, long regionId, long fromArrival) {
        List<Entry> found = new ArrayList<>(1);
        rows.scan(key(regionId, fromArrival), Keys.afterPrefix(prefix(regionId)), (key, value) -> {
            Entry entry = Damage.readOrNull(() -> new Entry(decodeKey(key).arrival(), codec.decodeQueued(value)));
            if (entry != null) {
                found.add(entry);
            }
            return entry == null;
        });
        return found.isEmpty() ? null : found.get(0);
    }

    private static byte[] prefix(long regionId) {
        return new KeyWriter(RegionKeyFamily.QUEUE.tag()).u64(regionId).bytes();
    }

    static void write(RowWriter out, long regionId, Entry entry) {
        out.put(key(regionId, entry.arrival()), RegionRecordCodec.encode(entry.queued()));
        deriveWaiting(out, regionId, entry.queued().command().envelope().commandId());
    }

    /** The waiting row that follows from a queue row. */
    static void deriveWaiting(RowWriter out, long regionId, String commandId) {
        out.put(waitingKey(regionId, commandId), PRESENT);
    }

    static void delete(RowWriter out, long regionId, long arrival, String commandId) {
        out.delete(key(regionId, arrival));
        out.delete(waitingKey(regionId, commandId));
    }
}
