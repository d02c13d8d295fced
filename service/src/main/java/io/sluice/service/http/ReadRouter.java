package io.sluice.service.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.cluster.Headers;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.runtime.SluiceService;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Has every read answered by the instances that hold the partitions it is about, at the positions it asks for.
 *
 * <pre>
 *  read ─► PartitionReads: one partition, here or at another instance ─► LocalReads: the copies here
 *      └─► Gathering: several of them
 *                 └─► PeerOverlay: the registered addresses, if the answer shows flownodes
 * </pre>
 *
 * <p>Thread-safe; nothing blocks while it waits. Invariant: a request that came from another instance is answered here or not
 * at all.
 */
final class ReadRouter {
    private static final int DEFAULT_WAIT_MS = 5_000;

    private final FamilyPartitions partitions;
    private final PartitionReads reads;
    private final Gathering gathering;
    private final PeerOverlay overlay;

    /** @param workers go on with reads that had to wait */
    ReadRouter(SluiceService service, Executor workers) {
        this.partitions = service.queries().partitions();
        this.reads = new PartitionReads(new LocalReads(service, workers), service.cluster(), workers);
        this.gathering = new Gathering(reads, workers);
        this.overlay = new PeerOverlay(service, workers);
    }

    CompletableFuture<Reply> answer(Request request, Route.Read route) {
        long waitMs = request.waitMs(0, DEFAULT_WAIT_MS);
        AtLeast atLeast = AtLeast.of(request, partitions);
        request.readQuestion();
        FamilyPartition one = route.one().of(request, partitions);
        List<FamilyPartition> scope = route.scope(request, partitions);
        FamilyPartition forwardedFor = request.forwardedFor(partitions);
        Reading reading = new Reading(
                request,
                one == null ? part(request, route.ofSeveral()) : whole(request, route.ofOne()),
                atLeast,
                // What is asked with a body is about to be acted on: only whoever decides can say it.
                request.prefersStale()
                        && !atLeast.latest()
                        && request.route().method().equals("GET"),
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs));
        if (forwardedFor != null) {
            requireIn(scope, forwardedFor);
            return reads.held(reading, forwardedFor);
        }
        CompletableFuture<Reply> whole =
                one == null ? gathering.everywhere(reading, route.ofSeveral(), scope) : reads.wherever(reading, one);
        return route.showsPeers() ? whole.thenCompose(reply -> overlay.laidOver(reply, reading)) : whole;
    }

    private static Reading.LookUp whole(Request request, Route.LookUp lookUp) {
        return (queries, partition) -> lookUp.answer(request, queries);
    }

    private static Reading.LookUp part(Request request, Gather gather) {
        return (queries, partition) -> {
            Answer<ObjectNode> part = gather.part(request, queries, partition);
            return Reply.json(200, part.value()).withPositions(part.positions());
        };
    }

    private static void requireIn(List<FamilyPartition> scope, FamilyPartition partition) {
        if (!scope.contains(partition)) {
            throw RefusedRequestException.invalid("header " + Headers.PARTITION + " is " + partition
                    + ", the request is about partition "
                    + scope.stream().map(FamilyPartition::toString).collect(Collectors.joining(", ")));
        }
    }
}
