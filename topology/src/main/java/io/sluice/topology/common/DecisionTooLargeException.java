package io.sluice.topology.common;

/** A decision that one transaction should not carry. The message is for the caller of the command. */
public final class DecisionTooLargeException extends Exception {
    private static final long serialVersionUID = 1L;

    public DecisionTooLargeException(String message) {
        super(message);
    }
}
