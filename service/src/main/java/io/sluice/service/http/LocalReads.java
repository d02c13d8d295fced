package io.sluice.service.http;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.service.cluster.Cluster;
import io.sluice.service.cluster.Headers;
import io.sluice.service.fault.FaultTable;
import io.sluice.service.query.Copy;
import io.sluice.service.query.NotReadyException;
import io.sluice.service.query.PositionWaiter;
import io.sluice.service.query.Queries;
import io.sluice.service.runtime.SluiceService;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * Answers reads from the copies that this instance holds, once they are at the position asked for.
 *
 * <p>Thread-safe; nothing blocks while it waits. Invariant: "not found" is said only by the active copy of a partition, which
 * has reached the position asked for.
 */
final class LocalReads {
    static final int NOT_FOUND = 404;

    private final Queries queries;
    private final PositionWaiter positions;
    private final Cluster cluster;
    private final Executor workers;

    /** @param workers run look-ups whose request had to wait */
    LocalReads(SluiceService service, Executor workers) {
        this.queries = service.queries();
        this.positions = service.positions();
        this.cluster = service.cluster();
        this.workers = workers;
    }

    /** From the copy that decides; it fails with {@link io.sluice.service.query.NotOwnerException} when that is not here. */
    CompletableFuture<Reply> fromActive(Reading reading, FamilyPartition partition) {
        return from(reading, partition, Copy.ACTIVE, reading.deadlineNanos());
    }

    /** From the active copy here or a standby here; what a standby does not find may be there all the same. */
    CompletableFuture<Reply> fromStandby(Reading reading, FamilyPartition partition, long untilNanos) {
        OptionalLong lag = cluster.lags().of(partition);
        if (lag.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new NotReadyException("the lag of partition " + partition + " is not known here", null, null));
        }
        return from(reading, partition, Copy.ANY, untilNanos).thenApply(reply -> {
            if (reply.status() == NOT_FOUND) {
                throw new NotReadyException("a standby of partition " + partition + " did not find it", null, null);
            }
            return reply.withHeader(Headers.LAG, Long.toString(lag.getAsLong()));
        });
    }

    private CompletableFuture<Reply> from(Reading reading, FamilyPartition partition, Copy copy, long untilNanos) {
        AtLeast atLeast = reading.atLeast();
        try {
            if (atLeast.latest()) {
                return latest(reading, partition, untilNanos);
            }
            Reply reply = looked(reading, partition, copy);
            if (atLeast.isReachedBy(reply, partition)) {
                return CompletableFuture.completedFuture(reply);
            }
            return after(positions.await(atLeast.wanted().get(partition), copy, untilNanos), reading, partition, copy);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Reply> latest(Reading reading, FamilyPartition partition, long untilNanos) {
        // A barrier is written by the owner only, and not for nothing.
        queries.position(partition);
        return after(
                cluster.barriers()
                        .write(partition, untilNanos)
                        .thenCompose(offset -> positions.awaitSettled(partition, offset, untilNanos)),
                reading,
                partition,
                Copy.ACTIVE);
    }

    private CompletableFuture<Reply> after(
            CompletableFuture<Position> reached, Reading reading, FamilyPartition partition, Copy copy) {
        // A failure goes on with a worker too: what comes after may be a look-up, and the waiter's thread serves
        // everybody.
        return reached.handleAsync(
                (position, failure) -> {
                    if (failure != null) {
                        throw new CompletionException(FaultTable.unwrapped(failure));
                    }
                    Reply reply = looked(reading, partition, copy);
                    if (!reading.atLeast().isReachedBy(reply, partition)) {
                        throw new NotReadyException(
                                "partition " + partition + " moved while it was being read", position, null);
                    }
                    return reply;
                },
                workers);
    }

    /** A look-up; a refusal that follows from what was seen is an answer like any other. */
    private Reply looked(Reading reading, FamilyPartition partition, Copy copy) {
        try {
            return reading.lookUp().answer(queries.of(copy), partition);
        } catch (RefusedRequestException e) {
            if (e.positions().isEmpty()) {
                throw e;
            }
            return Reply.refused(e);
        }
    }
}
