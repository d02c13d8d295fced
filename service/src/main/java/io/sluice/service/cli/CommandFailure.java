package io.sluice.service.cli;

import io.sluice.service.client.Reply;

/**
 * Purpose: ends a command. The message goes to standard error as it is: what happened, with which value, what to do.
 *
 * <p>Threading: immutable.
 */
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    CommandFailure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    CommandFailure(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The service answered, and its answer is no. */
    static CommandFailure refused(Reply reply) {
        return new CommandFailure(ExitCodes.FAILED, codeAndMessage(reply));
    }

    static String codeAndMessage(Reply reply) {
        String code = reply.code().isEmpty() ? "HTTP " + reply.status() : reply.code();
        return reply.message().isEmpty() ? code : code + ": " + reply.message();
    }

    int exitCode() {
        return exitCode;
    }
}
