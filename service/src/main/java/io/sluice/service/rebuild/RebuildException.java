package io.sluice.service.rebuild;

/** A rebuild was refused, or could not go on. The message is for the operator: what happened, and what to do. Immutable. */
public final class RebuildException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RebuildException(String message) {
        super(message);
    }

    RebuildException(String message, Throwable cause) {
        super(message, cause);
    }
}
