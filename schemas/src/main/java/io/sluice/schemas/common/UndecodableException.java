package io.sluice.schemas.common;

/** Bytes that are not a record of the expected kind. The message says what was found and what was expected. */
public final class UndecodableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UndecodableException(String message) {
        super(message);
    }

    public UndecodableException(String message, Throwable cause) {
        super(message, cause);
    }
}
