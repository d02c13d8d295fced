package io.sluice.topology.flow;

/**
 * A field of a command that is not acceptable; the message names field, value and what is allowed. Immutable; never
 * leaves the decider.
 */
final class InvalidFieldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidFieldException(String message) {
        // An answer, not a fault: nobody looks at the stack.
        super(message, null, false, false);
    }
}
