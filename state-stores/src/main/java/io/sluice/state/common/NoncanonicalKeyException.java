package io.sluice.state.common;

/** A row key that no codec writes. The message names the key and what was expected. */
public final class NoncanonicalKeyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NoncanonicalKeyException(String message) {
        super(message);
    }
}
