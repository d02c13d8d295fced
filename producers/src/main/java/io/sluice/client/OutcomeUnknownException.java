package io.sluice.client;

import io.sluice.schemas.common.CommandKey;

/**
 * A command was sent, or may have been, and its outcome is not known. Nothing may be concluded from that: it may still be
 * decided. Ask again by its id, or send it again with the same id: it is decided once, and the first outcome is returned.
 */
public final class OutcomeUnknownException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient CommandKey key;

    OutcomeUnknownException(CommandKey key, String why, Throwable cause) {
        super(
                "the outcome of command \"" + key.commandId() + "\" of \"" + key.partitionKey() + "\" is unknown: "
                        + why
                        + ". It may still be decided: send it again with the same command id, or ask for its outcome",
                cause);
        this.key = key;
    }

    /** Under which to ask again. */
    public CommandKey key() {
        return key;
    }
}
