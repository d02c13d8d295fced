package io.sluice.benchmarks.compare;

import io.sluice.benchmarks.rival.Restored;
import java.util.List;
import java.util.Map;

/**
 * Everything that a run measured. Immutable.
 *
 * @param machine what it ran on, in words
 * @param size label of how much was done
 * @param measured in the order in which it was measured
 * @param restored by setting
 * @param missing why settings were left out, by label
 * @param failures what could not be measured, and why
 */
public record Results(
        String machine,
        String size,
        List<Measured> measured,
        Map<String, Restored> restored,
        Map<String, String> missing,
        List<String> failures) {
    public Results {
        measured = List.copyOf(measured);
        restored = Map.copyOf(restored);
        missing = Map.copyOf(missing);
        failures = List.copyOf(failures);
    }
}
