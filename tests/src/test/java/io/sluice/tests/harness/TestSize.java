package io.sluice.tests.harness;

/** Sizes of tests that have two: small, and full with {@code -Dsluice.test.size=full}. Stateless. */
public final class TestSize {
    private TestSize() {}

    public static boolean isFull() {
        return "full".equals(System.getProperty("sluice.test.size"));
    }

    public static int of(int small, int full) {
        return isFull() ? full : small;
    }
}
