package io.sluice.service.bench;

import java.util.Optional;

/**
 * How much is measured. Immutable.
 *
 * @param count what is measured
 * @param inFlight how much of it is kept in flight
 * @param warmup what is sent before, so that the compiler is warm; 0 measures the cold start
 */
record Load(long count, int inFlight, long warmup) {
    /** Why this cannot be measured; empty when it can. */
    Optional<String> wrong(int maxInFlight) {
        return count < 1 || inFlight < 1 || inFlight > maxInFlight || warmup < 0
                ? Optional.of("--count must be at least 1, --in-flight 1 to " + maxInFlight
                        + ", --warmup at least 0; given: --count " + count + " --in-flight " + inFlight + " --warmup "
                        + warmup)
                : Optional.empty();
    }

    /** What the warm-up keeps in flight: many warm more code in less time than one would. */
    int warmupInFlight(int atLeast) {
        return Math.max(inFlight, atLeast);
    }
}
