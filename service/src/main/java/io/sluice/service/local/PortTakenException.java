package io.sluice.service.local;

/**
 * Purpose: the HTTP port cannot be listened on. The message is for the operator.
 *
 * <p>Threading: immutable.
 */
public final class PortTakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PortTakenException(String message) {
        super(message);
    }
}
