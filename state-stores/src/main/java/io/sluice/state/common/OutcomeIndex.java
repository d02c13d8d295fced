package io.sluice.state.common;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCodec;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows {@code outcome}: (partition key, command id) to the command's one outcome, which makes a retry return it; and rows
 * {@code outcome_age}: (decision time, partition key, command id), by which old ones are found. Thread-safe.
 *
 * <p>In every store under the same keys; the partition key is a catalog, or a flownode id in decimal.
 *
 * <p>Ordinary rows rather than a windowed store: that would expire by the commands' time, so a command that waited longer
 * than the retention would get an outcome that is already gone.
 */
public final class OutcomeIndex {
    /** First byte of an outcome row's key. */
    public static final byte TAG = 7;

    /** First byte of an age row's key. */
    public static final byte AGE_TAG = 8;

    private static final String PARTS = "outcome: partition key, command id";
    private static final String AGE_PARTS = "outcome_age: decision time, partition key, command id";
    private static final byte[] PRESENT = new byte[0];

    private final OutcomeCodec codec;

    public OutcomeIndex(OutcomeCodec codec) {
        this.codec = codec;
    }

    /** The parts of an outcome row's key. */
    public record Key(String partitionKey, String commandId) {}

    /** The parts of an age row's key. */
    public record AgeKey(long decidedMs, String partitionKey, String commandId) {}

    public static byte[] key(String partitionKey, String commandId) {
        return new KeyWriter(TAG).text(partitionKey).tail(commandId).bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static Key decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, TAG, PARTS);
        return reader.end(new Key(reader.text(), reader.tail()));
    }

    public static byte[] ageKey(long decidedMs, String partitionKey, String commandId) {
        return new KeyWriter(AGE_TAG)
                .u64(decidedMs)
                .text(partitionKey)
                .tail(commandId)
                .bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static AgeKey decodeAgeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, AGE_TAG, AGE_PARTS);
        return reader.end(new AgeKey(reader.u64(), reader.text(), reader.tail()));
    }

    /** The recorded outcome as it was written, maybe by a version with more codes than this one; or null. */
    public static byte[] findEncoded(RowReader rows, String partitionKey, String commandId) {
        return rows.get(key(partitionKey, commandId));
    }

    /** The recorded outcome, or null. */
    public Outcome find(RowReader rows, String partitionKey, String commandId) {
        byte[] value = rows.get(key(partitionKey, commandId));
        return value == null ? null : codec.decode(value);
    }

    /** The recorded outcomes of a command id under any partition key of these rows: ids are unique within theirs only. */
    public List<Outcome> findAnywhere(RowScanner rows, String commandId) {
        List<Outcome> found = new ArrayList<>();
        byte[] from = new byte[] {TAG};
        byte[] end = Keys.afterPrefix(from);
        while (true) {
            // One step per partition key: the next row tells which one comes next, and the rest of it is skipped.
            String[] partitionKey = new String[1];
            rows.scan(from, end, (key, value) -> {
                partitionKey[0] = decodeKey(key).partitionKey();
                return false;
            });
            if (partitionKey[0] == null) {
                return found;
            }
            Outcome outcome = find(rows, partitionKey[0], commandId);
            if (outcome != null) {
                found.add(outcome);
            }
            from = Keys.afterPrefix(key(partitionKey[0], ""));
        }
    }

    /**
     * Records a command's outcome.
     *
     * @param decidedMs epoch milliseconds of the decision, from which its retention counts
     * @return the outcome as it was written
     */
    public static byte[] record(RowWriter out, String partitionKey, Outcome outcome, long decidedMs) {
        byte[] encoded = OutcomeCodec.encode(outcome);
        out.put(key(partitionKey, outcome.commandId()), encoded);
        out.put(ageKey(decidedMs, partitionKey, outcome.commandId()), PRESENT);
        return encoded;
    }

    /**
     * Deletes a few of the oldest outcomes.
     *
     * @param notBeforeMs none is older than this, epoch milliseconds: where to look first, past the remains of what was
     *     deleted before
     * @param decidedBeforeMs only what was decided before this time, epoch milliseconds
     * @param atMost bounds the work
     * @return no outcome that is left was decided before this time, epoch milliseconds; {@code Long.MAX_VALUE} if none is left
     */
    public static long expire(RowScanner rows, RowWriter out, long notBeforeMs, long decidedBeforeMs, int atMost) {
        List<byte[]> expired = new ArrayList<>();
        long[] oldestLeftMs = {Long.MAX_VALUE};
        byte[] from = new KeyWriter(AGE_TAG).u64(notBeforeMs).bytes();
        rows.scan(from, Keys.afterPrefix(new byte[] {AGE_TAG}), (key, value) -> {
            AgeKey age = Damage.readOrNull(() -> decodeAgeKey(key));
            // A key that cannot be read names no outcome: it goes too, or nothing behind it would ever expire.
            if (age != null && (age.decidedMs() >= decidedBeforeMs || expired.size() >= atMost)) {
                oldestLeftMs[0] = age.decidedMs();
                return false;
            }
            return expired.add(key);
        });
        for (byte[] ageKey : expired) {
            AgeKey age = Damage.readOrNull(() -> decodeAgeKey(ageKey));
            if (age != null) {
                out.delete(key(age.partitionKey(), age.commandId()));
            }
            out.delete(ageKey);
        }
        return oldestLeftMs[0];
    }
}
