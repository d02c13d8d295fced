package io.sluice.service.writer;

import java.util.Objects;

/** What came of doing what an order says. Immutable. */
public sealed interface WriteOutcome {
    /**
     * It is done, by this attempt or by an earlier one.
     *
     * @param leftover why something that is of no use any more is still there; null when nothing is
     */
    record Done(String leftover) implements WriteOutcome {
        public static final Done ENTIRELY = new Done(null);
    }

    /**
     * It certainly is not done.
     *
     * @param lasting trying again does not help
     */
    record NotDone(boolean lasting, String reason) implements WriteOutcome {
        public NotDone {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** Somebody else writes there: nothing was done by this attempt. */
    record HeldElsewhere(String reason) implements WriteOutcome {
        public HeldElsewhere {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** Nobody knows whether it is done: it must be tried again, and nothing may be concluded before. */
    record Unknown(String reason) implements WriteOutcome {
        public Unknown {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
