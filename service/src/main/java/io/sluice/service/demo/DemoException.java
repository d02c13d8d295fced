package io.sluice.service.demo;

/**
 * Purpose: the demo cannot go on. The message says why.
 *
 * <p>Threading: immutable.
 */
public final class DemoException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DemoException(String message) {
        super(message);
    }

    DemoException(String message, Throwable cause) {
        super(message, cause);
    }
}
