package io.sluice.service.client;

/**
 * Purpose: no answer came from the service. The message says what happened, where, and what to do.
 *
 * <p>Threading: immutable.
 */
public final class ServiceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean certainlyNotSent;

    ServiceException(String message, boolean certainlyNotSent, Throwable cause) {
        super(message, cause);
        this.certainlyNotSent = certainlyNotSent;
    }

    /** Whether the request cannot have had an effect: nobody received it. */
    public boolean isCertainlyNotSent() {
        return certainlyNotSent;
    }
}
