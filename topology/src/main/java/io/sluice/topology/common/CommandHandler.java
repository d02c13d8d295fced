package io.sluice.topology.common;

import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.state.common.OutcomeIndex;
import io.sluice.state.common.RowStore;
import io.sluice.topology.common.CommandReader.Decidable;
import io.sluice.topology.common.CommandReader.Refused;
import java.util.ArrayList;
import java.util.List;

/**
 * Settles one command record: reads it, decides it or finds its recorded outcome, writes the rows, and says what else must be
 * written in the same transaction. Knows nothing of Kafka Streams, and of its family only the {@link CommandRules}.
 *
 * <p>Threading: one instance per task, used by its stream thread only. Invariants: a command id is decided once, every record
 * with a readable id is answered, and the cursor row is the last row a decision writes. A record that decides nothing (a
 * retry, or one that cannot be the id's outcome) writes no row at all.
 */
public final class CommandHandler<C extends Command> {
    private static final int EXPIRED_PER_COMMAND = 8;

    private final CommandRules<C> rules;
    private final CommandReader<C> reader;
    private final OutcomeCodec outcomeCodec;
    private final CursorRow cursorRow;
    private final DecisionLimits limits;
    private final FamilyPartition partition;

    // No recorded outcome is older than this, epoch milliseconds: saves a scan per command.
    private long oldestOutcomeMs = Long.MIN_VALUE;

    // The cursor row as last read or written; null before the first. A task that starts again makes a new handler.
    private Cursor lastCursor;

    public CommandHandler(
            CommandRules<C> rules,
            SingleObject singleObject,
            DecisionLimits limits,
            int partition,
            int partitionCount) {
        this.rules = rules;
        this.reader = new CommandReader<>(rules, limits.commandMaxBytes(), partitionCount);
        this.outcomeCodec = new OutcomeCodec(singleObject);
        this.cursorRow = new CursorRow(singleObject);
        this.limits = limits;
        this.partition = new FamilyPartition(rules.family(), partition);
    }

    /**
     * An answer to whoever sent a record.
     *
     * @param encoded as it is written to the topic; a recorded one exactly as it was written first
     * @param outcome what it says; null when a version that knows more codes than this one recorded it
     */
    public record Answer(String commandId, byte[] encoded, Outcome outcome) {}

    /**
     * What must be written besides the rows.
     *
     * @param answer null when nobody can be answered
     * @param records for other topics, in order
     * @param deadLetter why the record goes to the dead letters; null when it does not
     */
    public record Settled(Answer answer, List<TopicRecord> records, DeadLetter deadLetter) {
        /** What the answer says; null when there is none, or none that this version understands. */
        public Outcome outcome() {
            return answer == null ? null : answer.outcome();
        }
    }

    /** Why a record is kept in the dead letters. */
    public record DeadLetter(OutcomeCode code, String reason) {}

    /**
     * Passes a barrier: everything before it is settled, which the cursor now says. It is no decision, so the number of the last
     * one stays.
     *
     * @return what must be written besides the row
     */
    public List<TopicRecord> pass(RowStore rows, long barrierOffset) {
        Cursor passed = new Cursor(cursor(rows).decision(), barrierOffset);
        move(rows, passed);
        return rules.progress(passed);
    }

    /**
     * Settles a record against the rows of its partition.
     *
     * @param nowMs epoch milliseconds; only the retention of outcomes counts from it
     */
    public Settled settle(CommandRecord record, RowStore rows, long nowMs) {
        CommandReader.Read<C> read = reader.read(record);
        return read instanceof Decidable<C> decidable
                ? settle(decidable.command(), record, rows, nowMs)
                : settle((Refused<C>) read, record, rows, nowMs);
    }

    private Settled settle(C command, CommandRecord record, RowStore rows, long nowMs) {
        CommandKey key = command.key();
        Answer recorded = recorded(rows, key);
        if (recorded != null) {
            return new Settled(recorded, List.of(), null);
        }
        Cursor next = next(rows, record);
        Position position = partition.at(next.decision());
        try {
            CommandRules.Effects effects = rules.decide(command, rows, position);
            effects.rows().flushTo(rows);
            return concluded(rows, key, effects.outcome(), effects.records(), null, next, nowMs);
        } catch (DecisionTooLargeException e) {
            Outcome outcome = rules.tooLarge(command, e.getMessage(), rows, position);
            return concluded(rows, key, outcome, List.of(), deadLetter(outcome), next, nowMs);
        } catch (UndecodableException | NoncanonicalKeyException e) {
            // Nothing was written yet. Without an answer this one row would stop everybody else of the partition.
            Outcome outcome = rules.damaged(
                    command,
                    "a row that this command needs cannot be read, the store is damaged: " + e.getMessage(),
                    position);
            return concluded(rows, key, outcome, List.of(), deadLetter(outcome), next, nowMs);
        }
    }

    private Settled settle(Refused<C> refused, CommandRecord record, RowStore rows, long nowMs) {
        DeadLetter deadLetter = new DeadLetter(refused.code(), refused.reason());
        CommandKey key = refused.recordUnder();
        if (key == null) {
            if (refused.commandId() == null) {
                return new Settled(null, List.of(), deadLetter);
            }
            Outcome outcome =
                    rules.undecided(refused, null, partition.at(cursor(rows).decision()));
            Answer answer = new Answer(refused.commandId(), OutcomeCodec.encode(outcome), outcome);
            return new Settled(answer, List.of(), deadLetter);
        }
        Answer recorded = recorded(rows, key);
        if (recorded != null) {
            return new Settled(recorded, List.of(), deadLetter);
        }
        Cursor next = next(rows, record);
        Outcome outcome = rules.undecided(refused, key.partitionKey(), partition.at(next.decision()));
        return concluded(rows, key, outcome, List.of(), deadLetter, next, nowMs);
    }

    private static DeadLetter deadLetter(Outcome outcome) {
        return new DeadLetter(outcome.code(), outcome.message());
    }

    private Answer recorded(RowStore rows, CommandKey key) {
        byte[] encoded = OutcomeIndex.findEncoded(rows, key.partitionKey(), key.commandId());
        if (encoded == null) {
            return null;
        }
        try {
            return new Answer(key.commandId(), encoded, outcomeCodec.decode(encoded));
        } catch (UndecodableException e) {
            // The answer is the sender's to understand; here it only matters that there is one.
            return new Answer(key.commandId(), encoded, null);
        }
    }

    private Cursor next(RowStore rows, CommandRecord record) {
        return new Cursor(cursor(rows).decision() + 1, record.offset());
    }

    private Cursor cursor(RowStore rows) {
        if (lastCursor == null) {
            lastCursor = cursorRow.read(rows);
        }
        return lastCursor;
    }

    private void move(RowStore rows, Cursor cursor) {
        CursorRow.write(rows, cursor);
        lastCursor = cursor;
    }

    /** Records the outcome and moves the cursor: the last rows of every decision. */
    private Settled concluded(
            RowStore rows,
            CommandKey key,
            Outcome outcome,
            List<TopicRecord> records,
            DeadLetter deadLetter,
            Cursor cursor,
            long nowMs) {
        long expiredBeforeMs = nowMs - limits.outcomeRetentionMs();
        if (oldestOutcomeMs < expiredBeforeMs) {
            oldestOutcomeMs =
                    OutcomeIndex.expire(rows, rows, Math.max(0, oldestOutcomeMs), expiredBeforeMs, EXPIRED_PER_COMMAND);
        }
        oldestOutcomeMs = Math.min(oldestOutcomeMs, nowMs);
        byte[] encoded = OutcomeIndex.record(rows, key.partitionKey(), outcome, nowMs);
        move(rows, cursor);
        List<TopicRecord> progress = rules.progress(cursor);
        return new Settled(new Answer(outcome.commandId(), encoded, outcome), joined(records, progress), deadLetter);
    }

    private static List<TopicRecord> joined(List<TopicRecord> first, List<TopicRecord> then) {
        if (then.isEmpty()) {
            return first;
        }
        List<TopicRecord> all = new ArrayList<>(first);
        all.addAll(then);
        return all;
    }
}
