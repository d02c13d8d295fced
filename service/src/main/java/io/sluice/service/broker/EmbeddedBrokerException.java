package io.sluice.service.broker;

import java.io.Serial;

/**
 * Purpose: the embedded broker could not start. The message is for the operator: what, which value, what to do.
 *
 * <p>Threading: immutable.
 */
public final class EmbeddedBrokerException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    EmbeddedBrokerException(String message) {
        super(message);
    }

    EmbeddedBrokerException(String message, Throwable cause) {
        super(message, cause);
    }
}
