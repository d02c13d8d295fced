package io.sluice.service.query;

import io.sluice.schemas.common.Cursor;

/** How far a partition must have come for somebody who waits. The text says it for people. Immutable. */
public sealed interface CursorGoal {
    boolean isReachedBy(Cursor cursor);

    /** @param number of a decision, u64 */
    record Decision(long number) implements CursorGoal {
        @Override
        public boolean isReachedBy(Cursor cursor) {
            return Long.compareUnsigned(cursor.decision(), number) >= 0;
        }

        @Override
        public String toString() {
            return "decision " + Long.toUnsignedString(number);
        }
    }

    /** @param commandOffset of a command or barrier in the commands topic: it and all before it are settled */
    record Settled(long commandOffset) implements CursorGoal {
        @Override
        public boolean isReachedBy(Cursor cursor) {
            return cursor.commandOffset() >= commandOffset;
        }

        @Override
        public String toString() {
            return "every command before offset " + commandOffset;
        }
    }
}
