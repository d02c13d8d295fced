package io.sluice.service.cluster;

import io.sluice.schemas.common.Position;
import io.sluice.service.fault.FaultTable;
import io.sluice.service.query.Copy;
import io.sluice.service.query.NotOwnerException;
import io.sluice.service.query.PositionWaiter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * Waits until a decision can be read at whoever decides its partition, here or elsewhere, across changes of the owner.
 *
 * <p>Thread-safe; nothing blocks.
 */
public final class ClusterPositions {
    private final PositionWaiter local;
    private final RemotePositions remote;
    private final BooleanSupplier leaving;
    private final Executor workers;

    /** @param leaving whether this instance is about to stop: it learns nothing more about the others then */
    public ClusterPositions(
            PositionWaiter local,
            PeerClient peers,
            PartitionMap partitions,
            BooleanSupplier leaving,
            Executor workers) {
        this.local = local;
        this.leaving = leaving;
        this.remote = new RemotePositions(peers, partitions);
        this.workers = workers;
    }

    /**
     * Ends with the position reached, or with {@link io.sluice.service.query.NotReadyException} when the deadline passes first.
     *
     * @param deadlineNanos as {@link System#nanoTime()}
     */
    public CompletableFuture<Position> await(Position atLeast, long deadlineNanos) {
        return Retry.until(
                deadlineNanos,
                leaving,
                workers,
                () -> local.await(atLeast, Copy.ACTIVE, deadlineNanos)
                        .exceptionallyCompose(failure -> FaultTable.unwrapped(failure) instanceof NotOwnerException
                                ? remote.await(atLeast, deadlineNanos)
                                : CompletableFuture.failedFuture(failure)));
    }
}
