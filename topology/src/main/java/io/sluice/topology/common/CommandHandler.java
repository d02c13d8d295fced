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
import io.sluice.state.common.RowBuffer;
import io.sluice.state.common.RowStore;
import io.sluice.topology.common.CommandReader.Decidable;
import io.sluice.topology.common.CommandReader.Refused;
import io.sluice.topology.common.CommandRules.Effects;
import io.sluice.topology.common.CommandRules.Reported;
import io.sluice.topology.common.CommandRules.Reported.Decided;
import io.sluice.topology.common.CommandRules.Reported.Ignored;
import io.sluice.topology.common.CommandRules.Settlement;
import java.util.ArrayList;
import java.util.List;

/**
 * Settles one command record: reads it, decides it or finds its recorded outcome, writes the rows, and says what else must be
 * written in the same transaction. Knows nothing of Kafka Streams, and of its family only the {@link CommandRules}.
 *
 * <p>Threading: one instance per task, used by its stream thread only. Invariants: a command id is decided once; every record
 * with a readable id is answered, at once or by the decision that its command waits for; and the cursor row is the last row a
 * decision writes. A record that decides nothing (a retry, or one that cannot be the id's outcome) writes no row at all.
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
     * @param key under which it is answered: the record's own, whatever it is, so that the janitor finds the record again
     * @param encoded as it is written to the topic; a recorded one exactly as it was written first
     * @param outcome what it says; null when a version that knows more codes than this one recorded it
     * @param settles what the command asked for that it settles; null when it repeats a recorded outcome
     */
    public record Answer(byte[] key, String commandId, byte[] encoded, Outcome outcome, CommandKind settles) {}

    /**
     * What must be written besides the rows.
     *
     * @param answers none when nobody can be answered, or not yet
     * @param records for other topics, in order
     * @param deadLetter why the record goes to the dead letters; null when it does not
     * @param ignored why a report decides nothing, for people; null when it is none, or does
     */
    public record Settled(List<Answer> answers, List<TopicRecord> records, DeadLetter deadLetter, String ignored) {
        public Settled {
            answers = List.copyOf(answers);
        }

        Settled(List<Answer> answers, List<TopicRecord> records, DeadLetter deadLetter) {
            this(answers, records, deadLetter, null);
        }

        /** The first answer; null when there is none. */
        public Answer answer() {
            return answers.isEmpty() ? null : answers.get(0);
        }

        /** What it says; null when there is none, or none that this version understands. */
        public Outcome outcome() {
            return answers.isEmpty() ? null : answers.get(0).outcome();
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
            return new Settled(List.of(recorded), List.of(), null);
        }
        Cursor next = next(rows, record.offset());
        Position position = partition.at(next.decision());
        try {
            Effects effects = rules.decide(command, rows, position, record.offset());
            return effects.rows().isEmpty() && effects.settled().isEmpty()
                    ? new Settled(List.of(), effects.records(), null)
                    : concluded(rows, key.partitionKey(), effects, null, next, nowMs);
        } catch (DecisionTooLargeException e) {
            Outcome outcome = rules.tooLarge(command, e.getMessage(), rows, position);
            return refused(rows, key, Settlement.of(command, outcome), deadLetter(outcome), next, nowMs);
        } catch (UndecodableException | NoncanonicalKeyException e) {
            // Nothing was written yet. Without an answer this one row would stop everybody else of the partition.
            Outcome outcome = rules.damaged(
                    command,
                    "a row that this command needs cannot be read, the store is damaged: " + e.getMessage(),
                    position);
            return refused(rows, key, Settlement.of(command, outcome), deadLetter(outcome), next, nowMs);
        }
    }

    /**
     * Settles what a report of somebody who works for this family completes.
     *
     * @param nowMs as for commands
     */
    public Settled report(byte[] value, RowStore rows, long nowMs) {
        // It is not in the commands topic: how far that is settled stays.
        Cursor next = next(rows, cursor(rows).commandOffset());
        try {
            Reported reported = rules.report(value, rows, partition.at(next.decision()));
            if (reported instanceof Ignored ignored) {
                return new Settled(List.of(), ignored.records(), null, ignored.why());
            }
            Decided decided = (Decided) reported;
            return concluded(rows, decided.partitionKey(), decided.effects(), null, next, nowMs);
        } catch (UndecodableException | NoncanonicalKeyException e) {
            return new Settled(List.of(), List.of(), new DeadLetter(OutcomeCode.MALFORMED, e.getMessage()));
        }
    }

    private Settled settle(Refused<C> refused, CommandRecord record, RowStore rows, long nowMs) {
        DeadLetter deadLetter = new DeadLetter(refused.code(), refused.reason());
        CommandKey key = refused.recordUnder();
        if (key == null) {
            if (refused.commandId() == null) {
                return new Settled(List.of(), List.of(), deadLetter);
            }
            Outcome outcome =
                    rules.undecided(refused, null, partition.at(cursor(rows).decision()));
            Answer answer = new Answer(
                    record.key(), refused.commandId(), OutcomeCodec.encode(outcome), outcome, CommandKind.NONE);
            return new Settled(List.of(answer), List.of(), deadLetter);
        }
        Answer recorded = recorded(rows, key);
        if (recorded != null) {
            return new Settled(List.of(recorded), List.of(), deadLetter);
        }
        if (rules.isPending(key, rows)) {
            // A command with this id was taken already. Its one outcome answers this record too; now nobody can.
            return new Settled(List.of(), List.of(), deadLetter);
        }
        Cursor next = next(rows, record.offset());
        Outcome outcome = rules.undecided(refused, key.partitionKey(), partition.at(next.decision()));
        return refused(rows, key, new Settlement(CommandKind.NONE, outcome), deadLetter, next, nowMs);
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
            return new Answer(key.encode(), key.commandId(), encoded, outcomeCodec.decode(encoded), null);
        } catch (UndecodableException e) {
            // The answer is the sender's to understand; here it only matters that there is one.
            return new Answer(key.encode(), key.commandId(), encoded, null, null);
        }
    }

    private Cursor next(RowStore rows, long commandOffset) {
        return new Cursor(cursor(rows).decision() + 1, commandOffset);
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

    private Settled refused(
            RowStore rows, CommandKey key, Settlement settlement, DeadLetter deadLetter, Cursor cursor, long nowMs) {
        Effects effects = new Effects(settlement, new RowBuffer(rows), List.of());
        return concluded(rows, key.partitionKey(), effects, deadLetter, cursor, nowMs);
    }

    /** Writes the rows, records the outcomes and moves the cursor: the last row of every decision. */
    private Settled concluded(
            RowStore rows, String partitionKey, Effects effects, DeadLetter deadLetter, Cursor cursor, long nowMs) {
        effects.rows().flushTo(rows);
        long expiredBeforeMs = nowMs - limits.outcomeRetentionMs();
        if (oldestOutcomeMs < expiredBeforeMs) {
            oldestOutcomeMs =
                    OutcomeIndex.expire(rows, rows, Math.max(0, oldestOutcomeMs), expiredBeforeMs, EXPIRED_PER_COMMAND);
        }
        List<Answer> answers = new ArrayList<>(effects.settled().size());
        for (Settlement settlement : effects.settled()) {
            Outcome outcome = settlement.outcome();
            oldestOutcomeMs = Math.min(oldestOutcomeMs, nowMs);
            CommandKey key = new CommandKey(partitionKey, outcome.commandId());
            byte[] encoded = OutcomeIndex.record(rows, partitionKey, outcome, nowMs);
            answers.add(new Answer(key.encode(), outcome.commandId(), encoded, outcome, settlement.kind()));
        }
        move(rows, cursor);
        return new Settled(answers, joined(effects.records(), rules.progress(cursor)), deadLetter);
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
