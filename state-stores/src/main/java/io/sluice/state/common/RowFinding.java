package io.sluice.state.common;

import java.util.Objects;

/**
 * What is wrong with a row, or with the lack of one, in one of Sluice's own stores (docs/behaviour.md, section 7.2); and what would
 * make it right. Immutable.
 *
 * @param key of the row
 * @param where the key as text
 * @param message for people: what is there, and what there should be
 */
public record RowFinding(Code code, byte[] key, String where, String message, Mend mend) {
    public RowFinding {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(where, "where");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(mend, "mend");
    }

    /** How bad it is. */
    public enum Level {
        /** Something is answered wrongly, or cannot be answered. */
        ERROR,
        /** Nothing depends on it. */
        WARNING
    }

    /** What it is. */
    public enum Code {
        /** A value that cannot be read, or contradicts its key. */
        UNDECODABLE_ROW(Level.ERROR),
        /** A key that no row of its family can have. */
        NONCANONICAL_KEY(Level.ERROR),
        /** A key of no family that this version knows. */
        UNKNOWN_KEY(Level.WARNING),
        /** A name that belongs to another flow than its row says, or to two of them. */
        NAME_CONFLICT(Level.ERROR),
        NAME_WITHOUT_RECORD(Level.ERROR),
        RECORD_WITHOUT_NAME(Level.ERROR),
        /** A row that says that a partition runs somewhere else than its flow's record does. */
        ROUTE_MISMATCH(Level.ERROR),
        /** A row that follows from others is not there. */
        MISSING_ROW(Level.ERROR),
        /** A row without the one that it belongs to, or in a partition where nobody looks for it. */
        ORPHAN_ROW(Level.ERROR),
        /** A number that contradicts other rows. */
        OUT_OF_RANGE(Level.ERROR),
        /** A version of a manifest between others is not there. */
        VERSION_GAP(Level.ERROR);

        private final Level level;

        Code(Level level) {
            this.level = level;
        }

        public Level level() {
            return level;
        }
    }

    /** What makes the row right. */
    public sealed interface Mend {
        Mend DELETE = new Delete();
        Mend NONE = new None();

        static Mend put(byte[] value) {
            return new Put(value);
        }
    }

    /** The row gets this value. */
    public record Put(byte[] value) implements Mend {
        public Put {
            Objects.requireNonNull(value, "value");
        }
    }

    /** The row goes. */
    public record Delete() implements Mend {}

    /** Nothing that follows from other rows: what it held is in no other row. */
    public record None() implements Mend {}

    public boolean isError() {
        return code.level() == Level.ERROR;
    }

    public boolean isMendable() {
        return !(mend instanceof None);
    }

    /** For people, on one line. */
    @Override
    public String toString() {
        return code + " " + where + ": " + message;
    }
}
