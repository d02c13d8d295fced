package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.service.address.Addresses;
import io.sluice.service.cluster.Cluster;
import io.sluice.service.cluster.Retry;
import io.sluice.service.json.PeerJson;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.query.NotReadyException;
import io.sluice.service.runtime.SluiceService;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Lays the registered addresses of flownodes over the stored ones, in a whole answer that is about to leave the instance that was
 * asked. Never in what it answers to another instance: only the addresses of the one that a caller asked are those whose
 * registration it was told of.
 *
 * <p>Thread-safe; nothing blocks while it waits. Invariant: an answer that shows a flownode reflects the position that it names
 * of that flownode's partition, also where nothing is registered, which is a fact too.
 */
final class PeerOverlay {
    private final FamilyPartitions partitions;
    private final Addresses addresses;
    private final Cluster cluster;
    private final Executor workers;

    /** @param workers go on when addresses had to be waited for */
    PeerOverlay(SluiceService service, Executor workers) {
        this.partitions = service.queries().partitions();
        this.addresses = service.addresses();
        this.cluster = service.cluster();
        this.workers = workers;
    }

    /**
     * The answer with the addresses that are registered, or {@link io.sluice.service.query.NotReadyException} when those that the
     * read asks for are not known in time.
     */
    CompletableFuture<Reply> laidOver(Reply reply, Reading reading) {
        if (reply.status() != 200) {
            return CompletableFuture.completedFuture(reply);
        }
        JsonNode answer = reply.json();
        List<ObjectNode> peers = PeerJson.shownIn(answer);
        if (peers.isEmpty()) {
            return CompletableFuture.completedFuture(reply);
        }
        SortedSet<FamilyPartition> touched = new TreeSet<>();
        peers.forEach(peer -> touched.add(partitions.ofFlownode(PeerJson.id(peer))));
        return Retry.until(reading.deadlineNanos(), cluster.leaving(), workers, () -> reflecting(reading, touched))
                .thenApply(known -> {
                    // In place: the tree belongs to this one reply, and nobody has seen it yet.
                    peers.forEach(peer -> lay(known, peer));
                    return reply.withJson(answer).withPositions(positions(reply, known, touched));
                });
    }

    /** Addresses that show as much of the partitions as is asked for. */
    private CompletableFuture<Addresses.Snapshot> reflecting(Reading reading, Collection<FamilyPartition> touched) {
        List<CompletableFuture<Position>> awaited = new ArrayList<>();
        if (reading.atLeast().latest()) {
            // Any instance may write these: what follows the topic has not passed one before the decider has.
            touched.forEach(partition -> awaited.add(settled(partition, reading.deadlineNanos())));
        } else {
            requireRecent(reading);
            Addresses.Snapshot now = addresses.now();
            for (FamilyPartition partition : touched) {
                Position wanted = reading.atLeast().wanted().get(partition);
                if (wanted != null && now.position(partition.partition()).decision() < wanted.decision()) {
                    awaited.add(addresses.await(wanted, reading.deadlineNanos()));
                }
            }
            if (awaited.isEmpty()) {
                return CompletableFuture.completedFuture(now);
            }
        }
        return CompletableFuture.allOf(awaited.toArray(CompletableFuture<?>[]::new))
                // Away from the thread that follows the topic: it serves everybody.
                .thenApplyAsync(done -> addresses.now(), workers);
    }

    /**
     * An instance that was paused, or is cut off from the brokers, would show the addresses of that time for as long as it is:
     * better none, so that another one is asked.
     */
    private void requireRecent(Reading reading) {
        addresses.behind().filter(why -> !reading.stale()).ifPresent(why -> {
            throw new NotReadyException("the addresses of flownodes are not known here: " + why, null, null);
        });
    }

    private CompletableFuture<Position> settled(FamilyPartition partition, long deadlineNanos) {
        return cluster.barriers()
                .write(partition, deadlineNanos)
                .thenCompose(offset -> addresses.awaitSettled(partition.partition(), offset, deadlineNanos));
    }

    private static void lay(Addresses.Snapshot known, ObjectNode peer) {
        String registered = known.find(PeerJson.id(peer));
        if (registered != null) {
            PeerJson.lay(registered, peer);
        }
    }

    private static List<Position> positions(
            Reply reply, Addresses.Snapshot known, Collection<FamilyPartition> touched) {
        List<Position> positions = new ArrayList<>(reply.positions());
        touched.forEach(partition -> positions.add(known.position(partition.partition())));
        return positions;
    }
}
