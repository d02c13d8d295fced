package io.sluice.service.http;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.cluster.Cluster;
import io.sluice.service.cluster.PartitionMap;
import io.sluice.service.cluster.Retry;
import io.sluice.service.fault.FaultTable;
import io.sluice.service.query.NotOwnerException;
import io.sluice.service.query.NotReadyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Has a partition's answer given by an instance that holds it.
 *
 * <pre>
 *  read ─► here, if this instance decides the partition
 *       └► else forwarded to the one that does; with "Prefer: stale" a standby will do, here or elsewhere
 *       └► else, while there is time: look again who decides it
 * </pre>
 *
 * <p>Thread-safe; nothing blocks while it waits.
 */
final class PartitionReads {
    private final LocalReads local;
    private final Cluster cluster;
    private final Executor workers;

    /** @param workers look again who decides a partition */
    PartitionReads(LocalReads local, Cluster cluster, Executor workers) {
        this.local = local;
        this.cluster = cluster;
        this.workers = workers;
    }

    /** The answer of a partition, whoever holds it. */
    CompletableFuture<Reply> wherever(Reading reading, FamilyPartition partition) {
        return Retry.until(reading.deadlineNanos(), cluster.leaving(), workers, () -> once(reading, partition))
                .exceptionallyCompose(failure -> {
                    Throwable cause = FaultTable.unwrapped(failure);
                    // Whoever asked from outside is not concerned with who decides what.
                    return CompletableFuture.failedFuture(
                            cause instanceof NotOwnerException notOwner
                                    ? new NotReadyException(notOwner.getMessage(), notOwner.reached(), notOwner)
                                    : cause);
                });
    }

    /** The answer of a copy that this instance holds; else it is not the one to ask. */
    CompletableFuture<Reply> held(Reading reading, FamilyPartition partition) {
        return local.fromActive(reading, partition)
                .exceptionallyCompose(
                        failure -> reading.stale() && FaultTable.unwrapped(failure) instanceof NotOwnerException
                                ? local.fromStandby(reading, partition, reading.deadlineNanos())
                                : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<Reply> once(Reading reading, FamilyPartition partition) {
        return local.fromActive(reading, partition).exceptionallyCompose(failure -> {
            if (!(FaultTable.unwrapped(failure) instanceof NotOwnerException notOwner)) {
                return CompletableFuture.failedFuture(failure);
            }
            String why = notOwner.getMessage();
            // A standby here is asked without waiting: the owner may have what it has not got yet.
            return reading.stale()
                    ? local.fromStandby(reading, partition, System.nanoTime())
                            .exceptionallyCompose(
                                    notHere -> forwarded(reading, partition, others(reading, partition), why))
                    : forwarded(reading, partition, others(reading, partition), why);
        });
    }

    private List<HostInfo> others(Reading reading, FamilyPartition partition) {
        PartitionMap partitions = cluster.partitions();
        List<HostInfo> others = new ArrayList<>();
        partitions.owner(partition).ifPresent(others::add);
        if (reading.stale()) {
            others.addAll(partitions.standbys(partition));
        }
        others.remove(partitions.self());
        return others;
    }

    /** @param why it is not answered here */
    private CompletableFuture<Reply> forwarded(
            Reading reading, FamilyPartition partition, List<HostInfo> instances, String why) {
        if (instances.isEmpty()) {
            return CompletableFuture.failedFuture(new NotReadyException(
                    "partition " + partition + " cannot be read now: " + why + ", and no other one is known to",
                    null,
                    null));
        }
        CompletableFuture<Reply> first = forwarded(reading, partition, instances.get(0));
        return instances.size() == 1
                ? first
                : first.exceptionallyCompose(
                        failure -> forwarded(reading, partition, instances.subList(1, instances.size()), why));
    }

    private CompletableFuture<Reply> forwarded(Reading reading, FamilyPartition partition, HostInfo instance) {
        Duration waits = reading.waits();
        return cluster.peers()
                .ask(
                        instance,
                        partition,
                        reading.request().pathAndQuery(waits.toMillis()),
                        reading.request().question(),
                        reading.forwardedHeaders(),
                        waits)
                .thenApply(Reply::of);
    }
}
