package io.sluice.service.bench;

import java.util.Locale;

/**
 * How fast a benchmark sends. Immutable.
 *
 * @param inFlight how much may be in flight; more waits
 * @param ratePerSecond what is to be sent per second, whatever comes back (an open loop); 0 is as fast as the window allows (a
 *     closed loop)
 */
public record Pace(int inFlight, double ratePerSecond) {
    public Pace {
        if (inFlight < 1 || !(ratePerSecond >= 0) || Double.isInfinite(ratePerSecond)) {
            throw new IllegalArgumentException(
                    "at least one in flight, at a rate of 0 or more; given: " + inFlight + ", " + ratePerSecond);
        }
    }

    /** As fast as a window of this size allows. */
    public static Pace window(int inFlight) {
        return new Pace(inFlight, 0);
    }

    /** Whether what is sent next waits for its time, and not for what was sent before. */
    boolean isOpen() {
        return ratePerSecond > 0;
    }

    /** When something should be sent, after the start. */
    long dueNanos(long position) {
        return (long) (position * 1e9 / ratePerSecond);
    }

    /** The fields it adds to figures in JSON, each with a comma before it. */
    String json() {
        String window = String.format(Locale.ROOT, ",\"in_flight\":%d", inFlight);
        return isOpen() ? window + String.format(Locale.ROOT, ",\"wanted_rate_per_s\":%.1f", ratePerSecond) : window;
    }

    String text() {
        String window = "in_flight " + inFlight;
        return isOpen() ? window + String.format(Locale.ROOT, "   wanted_rate_per_s %.0f", ratePerSecond) : window;
    }
}
