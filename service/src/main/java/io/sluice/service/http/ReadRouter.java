package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.Position;
import io.sluice.service.cluster.Cluster;
import io.sluice.service.cluster.Headers;
import io.sluice.service.cluster.PartitionMap;
import io.sluice.service.cluster.PeerClient;
import io.sluice.service.cluster.Retry;
import io.sluice.service.fault.FaultTable;
import io.sluice.service.json.JsonText;
import io.sluice.service.query.Answer;
import io.sluice.service.query.Copy;
import io.sluice.service.query.FlowQueries;
import io.sluice.service.query.NotOwnerException;
import io.sluice.service.query.NotReadyException;
import io.sluice.service.runtime.FlowService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Has every read answered by an instance that holds the partition it is about, at the position it asks for.
 *
 * <pre>
 *  read ─► here, if this instance decides the partition
 *       └► else forwarded to the one that does; with "Prefer: stale" a standby will do, here or elsewhere
 *       └► else, while there is time: look again who decides it
 * </pre>
 *
 * <p>Thread-safe; nothing blocks while it waits. Invariants: "not found" is said only by the active copy of a partition,
 * which has reached the position asked for; a request that came from another instance is answered here or not at all; an
 * answer over all partitions is whole, or says which of them are missing.
 */
final class ReadRouter {
    private static final int DEFAULT_WAIT_MS = 5_000;
    private static final int NOT_FOUND = 404;

    private final FlowService flows;
    private final Executor workers;

    /** @param workers run look-ups whose request had to wait */
    ReadRouter(FlowService flows, Executor workers) {
        this.flows = flows;
        this.workers = workers;
    }

    CompletableFuture<Reply> answer(Request request, Route.Read route) {
        long waitMs = request.waitMs(0, DEFAULT_WAIT_MS);
        int count = flows.queries().partitionCount();
        AtLeast atLeast = AtLeast.of(request, count);
        String catalog = request.scope();
        Integer forwardedTo = request.forwardedPartition(count);
        Asking asking = new Asking(
                request,
                catalog == null ? null : route.ofCatalog(),
                route.ofAll(),
                atLeast,
                request.prefersStale() && !atLeast.latest(),
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs));
        if (forwardedTo != null) {
            requireHolds(forwardedTo, catalog);
            return asking.held(forwardedTo);
        }
        return catalog == null
                ? asking.everywhere(count)
                : asking.wherever(flows.queries().partitionOf(catalog));
    }

    private void requireHolds(int partition, String catalog) {
        if (catalog != null && flows.queries().partitionOf(catalog) != partition) {
            throw RefusedRequestException.invalid("header " + Headers.PARTITION + " is " + partition + ", catalog "
                    + catalog + " is in partition " + flows.queries().partitionOf(catalog));
        }
    }

    /** One request on its way. Immutable. */
    private final class Asking {
        private final Request request;
        private final Route.LookUp ofCatalog;
        private final Gather ofAll;
        private final AtLeast atLeast;
        private final boolean stale;
        private final long deadlineNanos;
        private final Cluster cluster = flows.cluster();

        /** @param ofCatalog null when the request names no catalog */
        Asking(
                Request request,
                Route.LookUp ofCatalog,
                Gather ofAll,
                AtLeast atLeast,
                boolean stale,
                long deadlineNanos) {
            this.request = request;
            this.ofCatalog = ofCatalog;
            this.ofAll = ofAll;
            this.atLeast = atLeast;
            this.stale = stale;
            this.deadlineNanos = deadlineNanos;
        }

        /** The answer of all partitions. */
        CompletableFuture<Reply> everywhere(int partitionCount) {
            Map<Integer, CompletableFuture<Reply>> asked = new TreeMap<>();
            for (int partition = 0; partition < partitionCount; partition++) {
                asked.put(partition, wherever(partition));
            }
            return CompletableFuture.allOf(asked.values().toArray(CompletableFuture<?>[]::new))
                    .handleAsync((done, failure) -> whole(asked), workers)
                    .thenCompose(reply -> reply.status() == NOT_FOUND && stale
                            ? ofOwners().everywhere(partitionCount)
                            : CompletableFuture.completedFuture(reply));
        }

        /** The same, but of those that decide: what a standby has not got may be there all the same. */
        private Asking ofOwners() {
            return new Asking(request, ofCatalog, ofAll, atLeast, false, deadlineNanos);
        }

        /** The answer of a partition, whoever holds it. */
        CompletableFuture<Reply> wherever(int partition) {
            return Retry.until(deadlineNanos, cluster.leaving(), workers, () -> once(partition))
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
        CompletableFuture<Reply> held(int partition) {
            return from(partition, Copy.ACTIVE, deadlineNanos)
                    .exceptionallyCompose(failure -> stale && FaultTable.unwrapped(failure) instanceof NotOwnerException
                            ? fromStandby(partition, deadlineNanos)
                            : CompletableFuture.failedFuture(failure));
        }

        private CompletableFuture<Reply> once(int partition) {
            return from(partition, Copy.ACTIVE, deadlineNanos).exceptionallyCompose(failure -> {
                if (!(FaultTable.unwrapped(failure) instanceof NotOwnerException notOwner)) {
                    return CompletableFuture.failedFuture(failure);
                }
                String why = notOwner.getMessage();
                // A standby here is asked without waiting: the owner may have what it has not got yet.
                return stale
                        ? fromStandby(partition, System.nanoTime())
                                .exceptionallyCompose(notHere -> forwarded(partition, others(partition), why))
                        : forwarded(partition, others(partition), why);
            });
        }

        private List<HostInfo> others(int partition) {
            PartitionMap partitions = cluster.partitions();
            List<HostInfo> others = new ArrayList<>();
            partitions.owner(partition).ifPresent(others::add);
            if (stale) {
                others.addAll(partitions.standbys(partition));
            }
            others.remove(partitions.self());
            return others;
        }

        /** @param why it is not answered here */
        private CompletableFuture<Reply> forwarded(int partition, List<HostInfo> instances, String why) {
            if (instances.isEmpty()) {
                return CompletableFuture.failedFuture(new NotReadyException(
                        "partition " + partition + " cannot be read now: " + why + ", and no other one is known to",
                        null,
                        null));
            }
            CompletableFuture<Reply> first = forwarded(partition, instances.get(0));
            return instances.size() == 1
                    ? first
                    : first.exceptionallyCompose(
                            failure -> forwarded(partition, instances.subList(1, instances.size()), why));
        }

        private CompletableFuture<Reply> forwarded(int partition, HostInfo instance) {
            Map<String, String> headers = new LinkedHashMap<>();
            String wanted = request.header(Headers.AT_LEAST);
            if (wanted != null) {
                headers.put(Headers.AT_LEAST, wanted);
            }
            if (stale) {
                headers.put(Request.PREFER, Request.STALE);
            }
            Duration waits = PeerClient.waitWithin(Duration.ofNanos(deadlineNanos - System.nanoTime()));
            return cluster.peers()
                    .get(instance, partition, request.pathAndQuery(waits.toMillis()), headers, waits)
                    .thenApply(Reply::of);
        }

        /** From the active copy here or a standby here; what a standby does not find may be there all the same. */
        private CompletableFuture<Reply> fromStandby(int partition, long untilNanos) {
            OptionalLong lag = cluster.lags().of(partition);
            if (lag.isEmpty()) {
                return CompletableFuture.failedFuture(
                        new NotReadyException("the lag of partition " + partition + " is not known here", null, null));
            }
            return from(partition, Copy.ANY, untilNanos).thenApply(reply -> {
                if (reply.status() == NOT_FOUND) {
                    throw new NotReadyException("a standby of partition " + partition + " did not find it", null, null);
                }
                return reply.withHeader(Headers.LAG, Long.toString(lag.getAsLong()));
            });
        }

        private CompletableFuture<Reply> from(int partition, Copy copy, long untilNanos) {
            try {
                if (atLeast.latest()) {
                    return latest(partition, untilNanos);
                }
                Reply reply = looked(partition, copy);
                if (atLeast.isReachedBy(reply, partition)) {
                    return CompletableFuture.completedFuture(reply);
                }
                return after(flows.positions().await(atLeast.flow().get(partition), copy, untilNanos), partition, copy);
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private CompletableFuture<Reply> latest(int partition, long untilNanos) {
            // A barrier is written by the owner only, and not for nothing.
            flows.queries().position(partition);
            return after(
                    written(partition, untilNanos)
                            .thenCompose(offset -> flows.positions().awaitSettled(partition, offset, untilNanos)),
                    partition,
                    Copy.ACTIVE);
        }

        /** A barrier, in time: brokers that do not answer would keep it longer than the caller waits. */
        private CompletableFuture<Long> written(int partition, long untilNanos) {
            return cluster.barriers()
                    .write(partition)
                    .orTimeout(Math.max(1, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS)
                    .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                            failure instanceof TimeoutException
                                    ? new NotReadyException(
                                            "no barrier could be written to partition " + partition + " in time",
                                            null,
                                            failure)
                                    : failure));
        }

        private CompletableFuture<Reply> after(CompletableFuture<Position> reached, int partition, Copy copy) {
            // A failure goes on with a worker too: what comes after may be a look-up, and the waiter's thread serves
            // everybody.
            return reached.handleAsync(
                    (position, failure) -> {
                        if (failure != null) {
                            throw new CompletionException(FaultTable.unwrapped(failure));
                        }
                        Reply reply = looked(partition, copy);
                        if (!atLeast.isReachedBy(reply, partition)) {
                            throw new NotReadyException(
                                    "partition " + partition + " moved while it was being read", position, null);
                        }
                        return reply;
                    },
                    workers);
        }

        /** A look-up; a refusal that follows from what was seen is an answer like any other. */
        private Reply looked(int partition, Copy copy) {
            FlowQueries queries = flows.queries().of(copy);
            try {
                if (ofCatalog != null) {
                    return ofCatalog.answer(request, queries);
                }
                Answer<ObjectNode> part = ofAll.part(request, queries, partition);
                return Reply.json(200, part.value()).withPositions(part.positions());
            } catch (RefusedRequestException e) {
                if (e.positions().isEmpty()) {
                    throw e;
                }
                return Reply.refused(e);
            }
        }

        private static String why(int partition, Reply failed) {
            return "partition " + partition + " cannot be read now: the instance that decides it answered "
                    + failed.status() + ", "
                    + JsonText.tree(failed.body()).path("detail").asText();
        }

        private Reply whole(Map<Integer, CompletableFuture<Reply>> asked) {
            Map<Integer, String> missing = new TreeMap<>();
            List<JsonNode> parts = new ArrayList<>();
            List<Position> positions = new ArrayList<>();
            long lag = -1;
            for (Map.Entry<Integer, CompletableFuture<Reply>> one : asked.entrySet()) {
                Reply part;
                try {
                    part = one.getValue().join();
                } catch (RuntimeException e) {
                    Throwable cause = FaultTable.unwrapped(e);
                    if (!(cause instanceof NotReadyException)) {
                        throw e;
                    }
                    missing.put(one.getKey(), cause.getMessage());
                    continue;
                }
                if (part.status() >= 500) {
                    missing.put(one.getKey(), why(one.getKey(), part));
                    continue;
                }
                if (part.status() != 200) {
                    return part;
                }
                parts.add(JsonText.tree(part.body()));
                positions.addAll(part.positions());
                String partLag = part.headers().get(Headers.LAG);
                if (partLag != null) {
                    lag = Math.max(lag, 0) + Long.parseLong(partLag);
                }
            }
            if (!missing.isEmpty()) {
                throw new MissingPartitionsException(missing, asked.size());
            }
            Reply whole;
            try {
                whole = ofAll.whole(request, parts);
            } catch (RefusedRequestException e) {
                whole = Reply.refused(e);
            }
            whole = whole.withPositions(positions);
            return lag < 0 ? whole : whole.withHeader(Headers.LAG, Long.toString(lag));
        }
    }
}
