package io.sluice.service.address;

import io.sluice.schemas.common.Position;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The registered addresses of flownodes, as this instance knows them from their compacted topic. They are laid over the stored
 * ones in every answer that shows a peer.
 *
 * <p>Thread-safe. Futures may complete on the thread that follows the topic: what is chained to them must not block, and hands
 * over to another thread whatever does.
 */
public interface Addresses {
    /** Addresses, and the decisions they reflect, of one moment. Immutable. */
    interface Snapshot {
        /** The registered address of a flownode; null when it has none. */
        String find(long flownodeId);

        /** How far the decisions of a partition of flownodes are in this. */
        Position position(int partition);

        /** The partition that decides about a flownode. */
        int partitionOf(long flownodeId);
    }

    /**
     * @throws io.sluice.service.query.NotReadyException until the topic was read up to its end once, and when it is followed no
     *     more
     */
    Snapshot now();

    /**
     * Ends with the position reached when {@link #now} reflects the decision, or with
     * {@link io.sluice.service.query.NotReadyException} when the deadline passes first or the topic is followed no more.
     *
     * @param atLeast of the flownode family
     * @param deadlineNanos as {@link System#nanoTime()}
     * @throws IllegalArgumentException if there is no such partition of flownodes
     */
    CompletableFuture<Position> await(Position atLeast, long deadlineNanos);

    /** As {@link #await}, until the command or barrier at this offset of the partition, and all before it, are settled. */
    CompletableFuture<Position> awaitSettled(int partition, long commandOffset, long deadlineNanos);

    /** What there is to say about it: empty when it has caught up, else why not. */
    Optional<String> behind();
}
