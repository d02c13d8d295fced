package io.sluice.service.writer;

import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestWriteKind;
import io.sluice.schemas.region.ManifestWriteOrder;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * A storage on which altering a region takes its time, so that the state in which it is altered can be seen: for tests,
 * demonstrations and benchmarks. As thread-safe as what it is put around; a write that waits keeps its thread.
 */
public final class SlowAlters extends ForwardingStorage {
    private final Duration delay;

    private SlowAlters(ManifestStorage to, Duration delay) {
        super(to);
        this.delay = delay;
    }

    /** To be put around a storage: see {@link ManifestSettings#withAround}. */
    public static UnaryOperator<ManifestStorage> by(Duration delay) {
        return storage -> new SlowAlters(storage, delay);
    }

    @Override
    public WriteOutcome write(OpenOrder open) {
        if (isAlter(open.order())) {
            try {
                Thread.sleep(delay.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return super.write(open);
    }

    /** Only an alter and the creation change the metadata. */
    private static boolean isAlter(ManifestWriteOrder order) {
        return order.kind() == ManifestWriteKind.DELTA
                && order.actions().stream().anyMatch(Change.class::isInstance);
    }
}
