package io.sluice.service.broker;

/** Purpose: what happens when the broker cannot go on. Called by the broker's threads, so it must not wait for them. */
@FunctionalInterface
public interface FatalFault {
    /**
     * Takes note of a fault.
     *
     * @param status exit code that the broker wanted the process to end with
     * @param message what the broker said, may be empty
     */
    void onFatalFault(int status, String message);
}
