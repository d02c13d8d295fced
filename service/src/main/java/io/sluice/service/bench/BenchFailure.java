package io.sluice.service.bench;

/** Ends a benchmark that could not be carried out. The message says what happened and what to do. Immutable. */
final class BenchFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int FAILED = 1;
    private static final int UNREACHABLE = 3;

    private final int exitCode;

    private BenchFailure(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    static BenchFailure failed(String message, Throwable cause) {
        return new BenchFailure(FAILED, message, cause);
    }

    /** The service or the broker is not there. */
    static BenchFailure unreachable(String bootstrapServers, RuntimeException cause) {
        return new BenchFailure(
                UNREACHABLE,
                "cannot reach Sluice's topics at " + bootstrapServers + ": " + cause.getMessage()
                        + ". Is it running, and is the address right?",
                cause);
    }

    int exitCode() {
        return exitCode;
    }
}
