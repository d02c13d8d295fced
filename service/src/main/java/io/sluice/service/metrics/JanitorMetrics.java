package io.sluice.service.metrics;

import io.micrometer.core.instrument.Counter;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.topology.common.JanitorListener;

/** Counts what the janitor of a family does. Thread-safe. */
public final class JanitorMetrics implements JanitorListener {
    private final Counter tombstones;
    private final Counter failures;

    public JanitorMetrics(Meters meters, CommandFamily family) {
        this.tombstones = meters.counter(MetricsTable.JANITOR_TOMBSTONES, family.label());
        this.failures = meters.counter(MetricsTable.JANITOR_FAILURES, family.label());
    }

    @Override
    public void buried(int settled) {
        tombstones.increment(settled);
    }

    @Override
    public void failed() {
        failures.increment();
    }
}
