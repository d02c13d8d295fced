package io.sluice.topology.flow;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.schemas.flow.FlowNames;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.state.common.RowStore;
import io.sluice.state.flow.FlowCursor;
import io.sluice.state.flow.FlowState;
import io.sluice.state.flow.FlowView;
import io.sluice.state.flow.OutcomeIndex;
import io.sluice.topology.common.CommandRecord;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.flow.FlowCommandReader.Decidable;
import io.sluice.topology.flow.FlowCommandReader.Refused;
import java.util.List;

/**
 * Settles one command record: reads it, decides it or finds its recorded outcome, writes the rows, and says what else must be
 * written in the same transaction. Knows nothing of Kafka Streams.
 *
 * <p>Threading: one instance per task, used by its stream thread only. Invariants: a command id is decided once, every record
 * with a readable id is answered, and the cursor row is the last row a decision writes. A record that decides nothing (a
 * retry, or one that cannot be the id's outcome) writes no row at all.
 */
public final class FlowCommandHandler {
    /** Family in positions. */
    public static final String FAMILY = "flow";

    private static final int EXPIRED_PER_COMMAND = 8;

    private final FlowCommandReader reader;
    private final FlowDecider decider = new FlowDecider();
    private final FlowState state;
    private final OutcomeCodec outcomeCodec;
    private final DecisionLimits limits;
    private final int partition;

    // No recorded outcome is older than this, epoch milliseconds: saves a scan per command.
    private long oldestOutcomeMs = Long.MIN_VALUE;

    // The cursor row as last read or written; null before the first. A task that starts again makes a new handler.
    private Cursor lastCursor;

    public FlowCommandHandler(SingleObject singleObject, DecisionLimits limits, int partition, int partitionCount) {
        this.reader =
                new FlowCommandReader(new FlowCommandCodec(singleObject), limits.commandMaxBytes(), partitionCount);
        this.state = new FlowState(singleObject);
        this.outcomeCodec = new OutcomeCodec(singleObject);
        this.limits = limits;
        this.partition = partition;
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
     * @param routes for the routes topic
     * @param deadLetter why the record goes to the dead letters; null when it does not
     */
    public record Settled(Answer answer, List<RouteChange> routes, DeadLetter deadLetter) {
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
     */
    public void pass(RowStore rows, long barrierOffset) {
        Cursor passed = new Cursor(cursor(rows).decision(), barrierOffset);
        FlowCursor.write(rows, passed);
        lastCursor = passed;
    }

    /**
     * Settles a record against the rows of its partition.
     *
     * @param nowMs epoch milliseconds; only the retention of outcomes counts from it
     */
    public Settled settle(CommandRecord record, RowStore rows, long nowMs) {
        FlowCommandReader.Read read = reader.read(record);
        return read instanceof Decidable decidable
                ? settle(decidable.command(), record, rows, nowMs)
                : settle((Refused) read, record, rows, nowMs);
    }

    private Settled settle(FlowCommand command, CommandRecord record, RowStore rows, long nowMs) {
        Answer recorded = recorded(rows, command.catalog(), command.envelope().commandId());
        if (recorded != null) {
            return new Settled(recorded, List.of(), null);
        }
        FlowView view = state.view(rows);
        Cursor next = next(rows, record);
        try {
            Decision decision = decider.decide(view, command);
            DecisionEffects effects = DecisionEffects.of(decision.facts(), state, view, rows, limits);
            Outcome outcome = decision.toOutcome(command, nameIn(command, view), position(next));
            effects.rows().flushTo(rows);
            return new Settled(conclude(rows, outcome, next, nowMs), effects.routes(), null);
        } catch (DecisionTooLargeException e) {
            Outcome outcome = FlowTarget.find(view, command.catalog(), command.flowName())
                    .refused(OutcomeCode.TOO_LARGE, e.getMessage())
                    .toOutcome(command, nameIn(command, view), position(next));
            return new Settled(
                    conclude(rows, outcome, next, nowMs), List.of(), new DeadLetter(outcome.code(), outcome.message()));
        } catch (UndecodableException | NoncanonicalKeyException e) {
            // Nothing was written yet. Without an answer this one row would stop every catalog of the partition.
            Decision damaged = Decision.refused(
                    OutcomeCode.UNSUPPORTED,
                    "a row that this command needs cannot be read, the store is damaged: " + e.getMessage(),
                    null,
                    null);
            Outcome outcome = damaged.toOutcome(command, command.flowName(), position(next));
            return new Settled(
                    conclude(rows, outcome, next, nowMs), List.of(), new DeadLetter(outcome.code(), outcome.message()));
        }
    }

    /** What the name stands for: only one in quotes can stand for another. */
    private static String nameIn(FlowCommand command, FlowView view) {
        String given = command.flowName();
        return FlowNames.unquoted(given).equals(given)
                ? given
                : FlowTarget.find(view, command.catalog(), given).flowName();
    }

    private Settled settle(Refused refused, CommandRecord record, RowStore rows, long nowMs) {
        DeadLetter deadLetter = new DeadLetter(refused.code(), refused.reason());
        if (refused.recordUnder() == null) {
            if (refused.commandId() == null) {
                return new Settled(null, List.of(), deadLetter);
            }
            Outcome outcome = outcome(refused, null, position(cursor(rows)));
            Answer answer = new Answer(refused.commandId(), OutcomeCodec.encode(outcome), outcome);
            return new Settled(answer, List.of(), deadLetter);
        }
        String catalog = refused.recordUnder().partitionKey();
        Answer recorded = recorded(rows, catalog, refused.commandId());
        if (recorded != null) {
            return new Settled(recorded, List.of(), deadLetter);
        }
        Cursor next = next(rows, record);
        Outcome outcome = outcome(refused, catalog, position(next));
        return new Settled(conclude(rows, outcome, next, nowMs), List.of(), deadLetter);
    }

    private Answer recorded(RowStore rows, String catalog, String commandId) {
        byte[] encoded = OutcomeIndex.findEncoded(rows, catalog, commandId);
        if (encoded == null) {
            return null;
        }
        try {
            return new Answer(commandId, encoded, outcomeCodec.decode(encoded));
        } catch (UndecodableException e) {
            // The answer is the sender's to understand; here it only matters that there is one.
            return new Answer(commandId, encoded, null);
        }
    }

    private static Outcome outcome(Refused refused, String catalog, Position position) {
        return new Outcome(
                refused.commandId(),
                refused.code(),
                refused.reason(),
                catalog,
                null,
                null,
                null,
                false,
                position,
                CommandEnvelope.KAFKA);
    }

    private Cursor next(RowStore rows, CommandRecord record) {
        return new Cursor(cursor(rows).decision() + 1, record.offset());
    }

    private Cursor cursor(RowStore rows) {
        if (lastCursor == null) {
            lastCursor = state.cursor().read(rows);
        }
        return lastCursor;
    }

    private Position position(Cursor cursor) {
        return new Position(FAMILY, partition, cursor.decision());
    }

    /** Records the outcome and moves the cursor: the last rows of every decision. */
    private Answer conclude(RowStore rows, Outcome outcome, Cursor cursor, long nowMs) {
        long expiredBeforeMs = nowMs - limits.outcomeRetentionMs();
        if (oldestOutcomeMs < expiredBeforeMs) {
            oldestOutcomeMs =
                    OutcomeIndex.expire(rows, rows, Math.max(0, oldestOutcomeMs), expiredBeforeMs, EXPIRED_PER_COMMAND);
        }
        oldestOutcomeMs = Math.min(oldestOutcomeMs, nowMs);
        byte[] encoded = OutcomeIndex.record(rows, outcome.catalog(), outcome, nowMs);
        FlowCursor.write(rows, cursor);
        lastCursor = cursor;
        return new Answer(outcome.commandId(), encoded, outcome);
    }
}
