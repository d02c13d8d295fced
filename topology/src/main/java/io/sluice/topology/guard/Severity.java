package io.sluice.topology.guard;

/**
 * Purpose: what a difference between a topic and the table means for running on it.
 *
 * <p>Threading: immutable.
 */
public enum Severity {
    /** Records could be lost, or could not be written: nothing is started, and readiness goes off. */
    LOSS("loss"),
    /** Nothing is lost by it; it is said and no more. */
    WARNING("warning");

    private final String label;

    Severity(String label) {
        this.label = label;
    }

    /** Name for people, JSON and metrics. */
    public String label() {
        return label;
    }
}
