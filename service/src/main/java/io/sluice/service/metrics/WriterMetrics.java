package io.sluice.service.metrics;

import io.micrometer.core.instrument.Counter;
import io.sluice.schemas.region.ManifestWriteKind;
import io.sluice.service.writer.WriteListener;
import io.sluice.service.writer.WriteOutcome;
import io.sluice.service.writer.WriteOutcome.Done;
import io.sluice.service.writer.WriteOutcome.HeldElsewhere;
import io.sluice.service.writer.WriteOutcome.NotDone;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Counts the attempts of the manifest writer, with their time. Thread-safe. */
public final class WriterMetrics implements WriteListener {
    private final Meters meters;
    private final Counter failed;

    public WriterMetrics(Meters meters) {
        this.meters = meters;
        this.failed = meters.counter(MetricsTable.MANIFEST_FAILURES);
    }

    @Override
    public void attempted(ManifestWriteKind kind, WriteOutcome outcome, long tookNanos) {
        meters.timer(MetricsTable.MANIFEST_WRITES, kind.name().toLowerCase(Locale.ROOT), label(outcome))
                .record(tookNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void reportedFailed() {
        failed.increment();
    }

    private static String label(WriteOutcome outcome) {
        if (outcome instanceof Done) {
            return "done";
        }
        if (outcome instanceof NotDone) {
            return "failed";
        }
        return outcome instanceof HeldElsewhere ? "held" : "unknown";
    }
}
