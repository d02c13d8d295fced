package io.sluice.topology.common;

import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.state.common.RowBuffer;
import io.sluice.state.common.RowStore;
import java.util.List;

/**
 * What is particular to the commands of one family: how they are read, decided, and answered. Everything around it is {@link
 * CommandHandler}'s.
 *
 * <p>One instance per task, used by its stream thread only.
 */
public interface CommandRules<C extends Command> {
    CommandFamily family();

    /** @throws io.sluice.schemas.common.UndecodableException if the value is no command of this family */
    C decode(byte[] value);

    /**
     * Decides a command, and works out everything it leads to. Writes nothing.
     *
     * @param position of the decision
     * @param commandOffset of the command's record
     * @throws DecisionTooLargeException if one transaction should not carry it
     * @throws io.sluice.schemas.common.UndecodableException if a row that is needed cannot be read
     */
    Effects decide(C command, RowStore rows, Position position, long commandOffset) throws DecisionTooLargeException;

    /** Whether a command with this key waits for something, so that its outcome is still to come. */
    default boolean isPending(CommandKey key, RowStore rows) {
        return false;
    }

    /** The outcome of a command that {@link #decide} found too large. */
    Outcome tooLarge(C command, String why, RowStore rows, Position position);

    /** The outcome of a command that needs a row which cannot be read. */
    Outcome damaged(C command, String why, Position position);

    /**
     * The answer to a record that could not be decided.
     *
     * @param partitionKey null when it is not known
     */
    Outcome undecided(CommandReader.Refused<C> refused, String partitionKey, Position position);

    /** Records that say how far this partition is settled; none unless somebody follows that. */
    default List<TopicRecord> progress(Cursor cursor) {
        return List.of();
    }

    /**
     * Works out what follows from a report on something that an earlier decision set off. Writes nothing.
     *
     * @param position of the decision that it leads to, if it leads to one
     * @throws io.sluice.schemas.common.UndecodableException if it is no report that this family gets, or a row that is needed cannot
     *     be read
     */
    default Reported report(byte[] value, RowStore rows, Position position) {
        throw new UndecodableException("nobody reports to family " + family().label());
    }

    /** A command that is settled: what it asked for, and what became of it. */
    record Settlement(CommandKind kind, Outcome outcome) {
        public static Settlement of(Command command, Outcome outcome) {
            return new Settlement(CommandKind.of(command), outcome);
        }
    }

    /**
     * What a decision leads to.
     *
     * @param settled the commands that it settles, all of one partition key; a command may wait, a report may settle many
     * @param rows held back
     * @param records for other topics, in order
     */
    record Effects(List<Settlement> settled, RowBuffer rows, List<TopicRecord> records) {
        public Effects {
            settled = List.copyOf(settled);
            records = List.copyOf(records);
        }

        /** Of a command that is settled at once. */
        public Effects(Settlement settlement, RowBuffer rows, List<TopicRecord> records) {
            this(List.of(settlement), rows, records);
        }
    }

    /** What came of a report. */
    sealed interface Reported {
        /** @param partitionKey of the commands that it settles */
        record Decided(String partitionKey, Effects effects) implements Reported {}

        /**
         * It is late, or repeated, and decides nothing.
         *
         * @param why for people
         * @param records for other topics all the same
         */
        record Ignored(String why, List<TopicRecord> records) implements Reported {
            public Ignored {
                records = List.copyOf(records);
            }
        }
    }
}
