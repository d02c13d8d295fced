package io.sluice.service.cli;

/**
 * Purpose: what the process says when it ends. Scripts depend on these numbers.
 *
 * <p>Threading: constants.
 */
final class ExitCodes {
    static final int DONE = 0;
    /** Refused, failed, or of unknown outcome. */
    static final int FAILED = 1;

    static final int USAGE = 2;
    /** The service or the broker is not there. */
    static final int UNREACHABLE = 3;

    private ExitCodes() {}
}
