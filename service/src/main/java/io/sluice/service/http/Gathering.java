package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.service.cluster.Headers;
import io.sluice.service.fault.FaultTable;
import io.sluice.service.query.NotReadyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Asks every partition that a read is about, all at the same time, and makes one answer of theirs.
 *
 * <p>Thread-safe; nothing blocks while it waits. Invariant: an answer is whole, or says which partitions are missing.
 */
final class Gathering {
    private final PartitionReads reads;
    private final Executor workers;

    /** @param workers put answers together */
    Gathering(PartitionReads reads, Executor workers) {
        this.reads = reads;
        this.workers = workers;
    }

    /** The answer of all partitions, whoever holds them. */
    CompletableFuture<Reply> everywhere(Reading reading, Gather gather, List<FamilyPartition> partitions) {
        SortedMap<FamilyPartition, CompletableFuture<Reply>> asked = new TreeMap<>();
        partitions.forEach(partition -> asked.put(partition, reads.wherever(reading, partition)));
        return CompletableFuture.allOf(asked.values().toArray(CompletableFuture<?>[]::new))
                .handleAsync((done, failure) -> whole(reading.request(), gather, asked), workers)
                // What a standby has not got may be there all the same.
                .thenCompose(reply -> reply.status() == LocalReads.NOT_FOUND && reading.stale()
                        ? everywhere(reading.ofOwners(), gather, partitions)
                        : CompletableFuture.completedFuture(reply));
    }

    private static Reply whole(
            Request request, Gather gather, SortedMap<FamilyPartition, CompletableFuture<Reply>> asked) {
        SortedMap<FamilyPartition, String> missing = new TreeMap<>();
        SortedMap<FamilyPartition, JsonNode> parts = new TreeMap<>();
        List<Position> positions = new ArrayList<>();
        long lag = -1;
        for (Map.Entry<FamilyPartition, CompletableFuture<Reply>> one : asked.entrySet()) {
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
            parts.put(one.getKey(), part.json());
            positions.addAll(part.positions());
            String partLag = part.headers().get(Headers.LAG);
            if (partLag != null) {
                lag = Math.max(lag, 0) + Long.parseLong(partLag);
            }
        }
        if (!missing.isEmpty()) {
            throw new MissingPartitionsException(missing, asked.size());
        }
        Reply whole = made(request, gather, parts).withPositions(positions);
        return lag < 0 ? whole : whole.withHeader(Headers.LAG, Long.toString(lag));
    }

    /** A refusal that follows from what was seen is an answer like any other. */
    private static Reply made(Request request, Gather gather, SortedMap<FamilyPartition, JsonNode> parts) {
        try {
            return gather.whole(request, parts);
        } catch (RefusedRequestException e) {
            return Reply.refused(e);
        }
    }

    private static String why(FamilyPartition partition, Reply failed) {
        return "partition " + partition + " cannot be read now: the instance that decides it answered "
                + failed.status() + ", " + failed.json().path("detail").asText();
    }
}
