package io.sluice.client;

import io.sluice.schemas.common.CommandKey;

/** A command certainly did not reach the topic: it was not accepted for sending. It has no outcome and may be sent again. */
public final class CommandNotSentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandNotSentException(CommandKey key, String why, Throwable cause) {
        super("command \"" + key.commandId() + "\" of \"" + key.partitionKey() + "\" was not sent: " + why, cause);
    }
}
