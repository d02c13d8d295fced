package io.sluice.benchmarks.rival;

import io.sluice.benchmarks.process.Usage;
import java.util.Map;

/**
 * What it took to get everything back from what was kept elsewhere. Immutable.
 *
 * @param flows how many there were
 * @param records rows, keys or records that came back
 * @param restoreSeconds until the first look-up was answered
 * @param verifySeconds until it was shown that all is there and agrees; negative when there is no such thing
 * @param how what was done, in words
 * @param processes what each process used, from its start on, before it was verified
 */
public record Restored(
        long flows,
        long records,
        double restoreSeconds,
        double verifySeconds,
        String how,
        Map<String, Usage> processes) {
    public Restored {
        processes = Map.copyOf(processes);
    }
}
