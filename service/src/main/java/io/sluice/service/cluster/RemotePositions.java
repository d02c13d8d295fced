package io.sluice.service.cluster;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.service.fault.FaultTable;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.query.NotReadyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Waits until decisions can be read at another instance, with at most one request per partition on its way: under load
 * many wait for each answer, so the requests stay few.
 *
 * <p>Thread-safe; nothing blocks. What fails, fails for all who wait for more than was reached; they look for the owner anew.
 */
final class RemotePositions {
    private final PeerClient peers;
    private final PartitionMap partitions;
    private final Map<FamilyPartition, Waiters> byPartition = new ConcurrentHashMap<>();

    RemotePositions(PeerClient peers, PartitionMap partitions) {
        this.peers = peers;
        this.partitions = partitions;
    }

    private record Waiting(long decision, long deadlineNanos, CompletableFuture<Position> future) {}

    /** Ends with the position reached at the owner, or with {@link NotReadyException}. */
    CompletableFuture<Position> await(Position atLeast, long deadlineNanos) {
        CompletableFuture<Position> future = new CompletableFuture<>();
        byPartition
                .computeIfAbsent(FamilyPartitions.of(atLeast), Waiters::new)
                .add(new Waiting(atLeast.decision(), deadlineNanos, future));
        // A request on its way waits for whoever has most time; the others end by themselves.
        return future.orTimeout(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        failure instanceof TimeoutException ? late(atLeast, failure) : failure));
    }

    private static NotReadyException late(Position atLeast, Throwable failure) {
        return new NotReadyException(
                "partition " + FamilyPartitions.of(atLeast) + " did not reach decision " + atLeast.decision()
                        + " in time at the instance that decides it",
                null,
                failure);
    }

    private final class Waiters {
        private final FamilyPartition partition;
        // Guarded by this.
        private final List<Waiting> waiting = new ArrayList<>();
        private boolean asking;

        Waiters(FamilyPartition partition) {
            this.partition = partition;
        }

        void add(Waiting one) {
            synchronized (this) {
                waiting.add(one);
                if (asking) {
                    return;
                }
                asking = true;
            }
            ask();
        }

        private void ask() {
            Position wanted;
            long latestNanos;
            synchronized (this) {
                // Whose time is over needs no answer any more.
                waiting.removeIf(one -> one.future().isDone());
                if (waiting.isEmpty()) {
                    asking = false;
                    return;
                }
                long highest = 0;
                latestNanos = System.nanoTime();
                for (Waiting one : waiting) {
                    highest = Math.max(highest, one.decision());
                    latestNanos = Math.max(latestNanos, one.deadlineNanos());
                }
                wanted = partition.at(highest);
            }
            Duration waits = PeerClient.waitWithin(Duration.ofNanos(latestNanos - System.nanoTime()));
            reached(wanted, waits).whenComplete((position, failure) -> {
                if (failure == null) {
                    end(position);
                } else {
                    failed(FaultTable.unwrapped(failure));
                }
                ask();
            });
        }

        private CompletableFuture<Position> reached(Position wanted, Duration waits) {
            try {
                return asked(wanted, waits);
            } catch (RuntimeException e) {
                // Whatever it is: who waits must learn it, and the next one must be asked for.
                return CompletableFuture.failedFuture(e);
            }
        }

        private CompletableFuture<Position> asked(Position wanted, Duration waits) {
            HostInfo owner = partitions.owner(partition).orElse(null);
            if (owner == null || owner.equals(partitions.self())) {
                return CompletableFuture.failedFuture(new NotReadyException(
                        "partition " + partition + " cannot be read now: nobody is known to decide it", null, null));
            }
            return peers.get(
                            owner,
                            partition,
                            "/v1/positions?wait=" + waits.toMillis(),
                            Map.of(Headers.AT_LEAST, wanted.toString()),
                            waits)
                    .thenApply(reply -> reached(wanted, owner, reply));
        }

        private Position reached(Position wanted, HostInfo owner, PeerReply reply) {
            Position position = reply.positions().stream()
                    .filter(partition::has)
                    .findFirst()
                    .orElse(null);
            if (position == null || position.decision() < wanted.decision()) {
                throw new NotReadyException(
                        "asked " + PeerClient.address(owner) + " for " + wanted + ", and it answered with "
                                + (position == null ? "status " + reply.status() : position),
                        position,
                        null);
            }
            return position;
        }

        private void end(Position position) {
            List<Waiting> done = new ArrayList<>();
            synchronized (this) {
                for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
                    Waiting one = all.next();
                    if (position.decision() >= one.decision()) {
                        all.remove();
                        done.add(one);
                    }
                }
            }
            done.forEach(one -> one.future().complete(position));
        }

        private void failed(Throwable failure) {
            if (failure instanceof NotReadyException notReady && notReady.reached() != null) {
                // Not far enough for all, but perhaps for some.
                end(notReady.reached());
            }
            List<Waiting> done;
            synchronized (this) {
                done = List.copyOf(waiting);
                waiting.clear();
            }
            done.forEach(one -> one.future().completeExceptionally(failure));
        }
    }
}
