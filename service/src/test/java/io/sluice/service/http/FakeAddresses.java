package io.sluice.service.http;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.service.address.Addresses;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.query.NotReadyException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The addresses that a test registers; a barrier counts as passed when the test says so. Thread-safe. */
final class FakeAddresses implements Addresses {
    private final FamilyPartitions partitions;
    // All guarded by this.
    private final Map<Long, String> registered = new HashMap<>();
    private final Map<Integer, Long> decisions = new HashMap<>();
    private final Map<Integer, Long> settled = new HashMap<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private boolean behind;
    private boolean old;
    private int asked;

    private record Waiting(int partition, Long decision, Long offset, CompletableFuture<Position> future) {}

    FakeAddresses(FamilyPartitions partitions) {
        this.partitions = partitions;
    }

    /** Makes this the next decision of the flownode's partition. */
    synchronized Position register(long flownodeId, String addr) {
        registered.put(flownodeId, addr);
        int partition = partitions.ofFlownode(flownodeId).partition();
        decisions.merge(partition, 1L, Long::sum);
        look();
        return at(partition);
    }

    /** Makes the barrier at this offset and all before it settled, and this decision the last of a partition. */
    synchronized void passed(FamilyPartition partition, long offset, long decision) {
        settled.put(partition.partition(), offset);
        decisions.put(partition.partition(), decision);
        look();
    }

    synchronized void behind(boolean now) {
        behind = now;
    }

    /** What is known is not as of now. */
    synchronized void old() {
        old = true;
    }

    /** How many snapshots were asked for. */
    synchronized int asked() {
        return asked;
    }

    private Position at(int partition) {
        return new FamilyPartition(CommandFamily.FLOWNODE, partition).at(decisions.getOrDefault(partition, 0L));
    }

    private void look() {
        waiting.removeIf(one -> {
            boolean reached = one.decision() != null
                    ? decisions.getOrDefault(one.partition(), 0L) >= one.decision()
                    : settled.getOrDefault(one.partition(), -1L) >= one.offset();
            return reached && one.future().complete(at(one.partition()));
        });
    }

    @Override
    public synchronized Snapshot now() {
        asked++;
        if (behind) {
            throw new NotReadyException("the addresses are still being read", null, null);
        }
        Map<Long, String> known = Map.copyOf(registered);
        Map<Integer, Long> reached = Map.copyOf(decisions);
        return new Snapshot() {
            @Override
            public String find(long flownodeId) {
                return known.get(flownodeId);
            }

            @Override
            public Position position(int partition) {
                return new FamilyPartition(CommandFamily.FLOWNODE, partition).at(reached.getOrDefault(partition, 0L));
            }

            @Override
            public int partitionOf(long flownodeId) {
                return partitions.ofFlownode(flownodeId).partition();
            }
        };
    }

    @Override
    public CompletableFuture<Position> await(Position atLeast, long deadlineNanos) {
        return await(atLeast.partition(), atLeast.decision(), null, deadlineNanos);
    }

    @Override
    public CompletableFuture<Position> awaitSettled(int partition, long commandOffset, long deadlineNanos) {
        return await(partition, null, commandOffset, deadlineNanos);
    }

    private synchronized CompletableFuture<Position> await(
            int partition, Long decision, Long offset, long deadlineNanos) {
        CompletableFuture<Position> future = new CompletableFuture<>();
        waiting.add(new Waiting(partition, decision, offset, future));
        look();
        return future.orTimeout(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        failure instanceof TimeoutException ? late(partition, failure) : failure));
    }

    private synchronized NotReadyException late(int partition, Throwable failure) {
        return new NotReadyException("the addresses are at " + at(partition), at(partition), failure);
    }

    @Override
    public synchronized Optional<String> behind() {
        if (old) {
            return Optional.of("no answer from the brokers for 12 s");
        }
        return behind ? Optional.of("still being read") : Optional.empty();
    }
}
