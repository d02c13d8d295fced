package io.sluice.topology.flow;

/** A decision that one transaction should not carry. The message is for the caller of the command. */
final class DecisionTooLargeException extends Exception {
    private static final long serialVersionUID = 1L;

    DecisionTooLargeException(String message) {
        super(message);
    }
}
