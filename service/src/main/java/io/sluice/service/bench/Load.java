package io.sluice.service.bench;

import java.util.Optional;

/**
 * How much is measured. Immutable.
 *
 * @param count what is measured
 * @param inFlight how much of it is kept in flight
 * @param warmup what is sent before, so that the compiler is warm; 0 measures the cold start
 * @param ratePerSecond how much of it is sent per second; 0 is as fast as the window allows
 */
record Load(long count, int inFlight, long warmup, double ratePerSecond) {
    /** Why this cannot be measured; empty when it can. */
    Optional<String> wrong(int maxInFlight) {
        return count < 1 || inFlight < 1 || inFlight > maxInFlight || warmup < 0
                ? Optional.of("--count must be at least 1, --in-flight 1 to " + maxInFlight
                        + ", --warmup at least 0; given: --count " + count + " --in-flight " + inFlight + " --warmup "
                        + warmup)
                : Optional.empty();
    }

    Pace pace() {
        return new Pace(inFlight, ratePerSecond);
    }

    /** As fast as possible: many in flight warm more code in less time than one would. */
    Pace warmupPace(int atLeast) {
        return Pace.window(ratePerSecond > 0 ? atLeast : Math.max(inFlight, atLeast));
    }
}
