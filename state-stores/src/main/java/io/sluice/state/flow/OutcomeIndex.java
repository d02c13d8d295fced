package io.sluice.state.flow;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCodec;
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
 * Rows {@code outcome}: (catalog, command id) to the command's one outcome, which makes a retry return it; and rows
 * {@code outcome_age}: (decision time, catalog, command id), by which old ones are found. Thread-safe.
 *
 * <p>Ordinary rows rather than a windowed store: that would expire by the commands' time, so a command that waited longer
 * than the retention would get an outcome that is already gone.
 */
public final class OutcomeIndex {
    private static final String PARTS = "outcome: catalog, command id";
    private static final String AGE_PARTS = "outcome_age: decision time, catalog, command id";
    private static final byte[] PRESENT = new byte[0];

    private final OutcomeCodec codec;

    public OutcomeIndex(OutcomeCodec codec) {
        this.codec = codec;
    }

    /** The parts of an outcome row's key. */
    public record Key(String catalog, String commandId) {}

    /** The parts of an age row's key. */
    public record AgeKey(long decidedMs, String catalog, String commandId) {}

    public static byte[] key(String catalog, String commandId) {
        return new KeyWriter(FlowKeyFamily.OUTCOME.tag())
                .text(catalog)
                .tail(commandId)
                .bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static Key decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, FlowKeyFamily.OUTCOME.tag(), PARTS);
        return reader.end(new Key(reader.text(), reader.tail()));
    }

    public static byte[] ageKey(long decidedMs, String catalog, String commandId) {
        return new KeyWriter(FlowKeyFamily.OUTCOME_AGE.tag())
                .u64(decidedMs)
                .text(catalog)
                .tail(commandId)
                .bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static AgeKey decodeAgeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, FlowKeyFamily.OUTCOME_AGE.tag(), AGE_PARTS);
        return reader.end(new AgeKey(reader.u64(), reader.text(), reader.tail()));
    }

    /** The recorded outcome as it was written, maybe by a version with more codes than this one; or null. */
    public static byte[] findEncoded(RowReader rows, String catalog, String commandId) {
        return rows.get(key(catalog, commandId));
    }

    /** The recorded outcome, or null. */
    public Outcome find(RowReader rows, String catalog, String commandId) {
        byte[] value = rows.get(key(catalog, commandId));
        return value == null ? null : codec.decode(value);
    }

    /** The recorded outcomes of a command id in any catalog of these rows: ids are unique within their catalog only. */
    public List<Outcome> findInAnyCatalog(RowScanner rows, String commandId) {
        List<Outcome> found = new ArrayList<>();
        byte[] from = FlowKeyFamily.OUTCOME.prefix();
        byte[] end = Keys.afterPrefix(from);
        while (true) {
            // One step per catalog: the next row tells which catalog comes next, and the rest of it is skipped.
            String[] catalog = new String[1];
            rows.scan(from, end, (key, value) -> {
                catalog[0] = decodeKey(key).catalog();
                return false;
            });
            if (catalog[0] == null) {
                return found;
            }
            Outcome outcome = find(rows, catalog[0], commandId);
            if (outcome != null) {
                found.add(outcome);
            }
            from = Keys.afterPrefix(key(catalog[0], ""));
        }
    }

    /**
     * Records a command's outcome.
     *
     * @param decidedMs epoch milliseconds of the decision, from which its retention counts
     * @return the outcome as it was written
     */
    public static byte[] record(RowWriter out, String catalog, Outcome outcome, long decidedMs) {
        byte[] encoded = OutcomeCodec.encode(outcome);
        out.put(key(catalog, outcome.commandId()), encoded);
        out.put(ageKey(decidedMs, catalog, outcome.commandId()), PRESENT);
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
        byte[] from =
                new KeyWriter(FlowKeyFamily.OUTCOME_AGE.tag()).u64(notBeforeMs).bytes();
        rows.scan(from, Keys.afterPrefix(FlowKeyFamily.OUTCOME_AGE.prefix()), (key, value) -> {
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
                out.delete(key(age.catalog(), age.commandId()));
            }
            out.delete(ageKey);
        }
        return oldestLeftMs[0];
    }
}
