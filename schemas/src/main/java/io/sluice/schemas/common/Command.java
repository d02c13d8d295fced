package io.sluice.schemas.common;

/** A request to change something. Commands are requests, not history: they are never replayed to rebuild state. Immutable. */
public interface Command {
    CommandEnvelope envelope();

    /** Which family decides it. */
    CommandFamily family();

    /** Under which it is sent, and answered. */
    default CommandKey key() {
        return new CommandKey(envelope().partitionKey(), envelope().commandId());
    }
}
