package io.sluice.topology.common;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.OutcomeCode;

/**
 * Is told what the stream threads decide, so that it can be counted.
 *
 * <p>Threading: called by all stream threads at once, for every record: must neither block nor throw. What it is told is not
 * committed yet; when the transaction is aborted, it is decided and told again.
 */
public interface DecisionListener {
    /** Nobody listens. */
    DecisionListener NONE = new DecisionListener() {
        @Override
        public void taken(CommandFamily family, long waitedMs) {}

        @Override
        public void settled(CommandFamily family, CommandKind kind, OutcomeCode code) {}

        @Override
        public void repeated(CommandFamily family) {}

        @Override
        public void deadLettered(CommandFamily family, OutcomeCode reason) {}
    };

    /**
     * A command's record was read, and decided or put in the queue of its region.
     *
     * @param waitedMs since it was appended to its topic, by the clock of the broker; 0 or more
     */
    void taken(CommandFamily family, long waitedMs);

    /** A command got its outcome. */
    void settled(CommandFamily family, CommandKind kind, OutcomeCode code);

    /** A command that was sent again was answered with the outcome that it has already. */
    void repeated(CommandFamily family);

    /** A record goes to the dead letters. */
    void deadLettered(CommandFamily family, OutcomeCode reason);
}
