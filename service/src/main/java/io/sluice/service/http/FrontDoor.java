package io.sluice.service.http;

import io.javalin.http.Context;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.service.fault.Fault;
import io.sluice.service.fault.FaultTable;
import io.sluice.service.metrics.HttpMetrics;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.query.NotReadyException;
import io.sluice.service.runtime.SluiceService;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes every request: finds its route, lets it wait for the positions it asks for, and turns whatever goes wrong into
 * a problem.
 *
 * <p>Thread-safe. Invariants: every request gets exactly one answer; nothing that waits holds the request's thread;
 * what is not in the error table is logged under the incident id that the caller gets.
 */
final class FrontDoor {
    private static final Logger LOG = LoggerFactory.getLogger(FrontDoor.class);

    /** A refusal does not wait long for what is only good to know. */
    private static final long POSITIONS_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RouteTable routes;
    private final SluiceService service;
    private final FamilyPartitions partitions;
    private final ReadRouter reads;
    private final Executor workers;
    private final int maxBodyBytes;
    private final HttpMetrics metrics;

    FrontDoor(RouteTable routes, SluiceService service, Executor workers, int maxBodyBytes) {
        this.routes = routes;
        this.service = service;
        this.partitions = service.queries().partitions();
        this.reads = new ReadRouter(service, workers);
        this.workers = workers;
        this.maxBodyBytes = maxBodyBytes;
        this.metrics = new HttpMetrics(service.meters());
    }

    void handle(Context ctx) {
        long sinceNanos = System.nanoTime();
        Request request = null;
        CompletableFuture<Reply> reply;
        try {
            // The path as it was sent: Jetty's decoded one cannot tell a slash in a name from one between names.
            RouteTable.Match match =
                    routes.match(ctx.req().getMethod(), ctx.req().getRequestURI());
            request = new Request(ctx.req(), match, maxBodyBytes);
            request.readQuery();
            reply = answer(request);
        } catch (RuntimeException e) {
            reply = CompletableFuture.failedFuture(e);
        }
        Route route = request == null ? null : request.route();
        CompletableFuture<Reply> answered = answered(ctx, request, reply);
        if (answered.isDone()) {
            write(ctx, route, answered.join(), sinceNanos);
        } else {
            ctx.future(() -> answered.thenAccept(value -> write(ctx, route, value, sinceNanos)));
        }
    }

    /** The reply, or what is said instead; does not fail. */
    private CompletableFuture<Reply> answered(Context ctx, Request request, CompletableFuture<Reply> reply) {
        BiFunction<Reply, Throwable, CompletableFuture<Reply>> answer = (value, failure) ->
                failure == null ? CompletableFuture.completedFuture(value) : failed(ctx, request, failure);
        return (reply.isDone()
                        ? reply.handle(answer)
                        // Away from the thread that ends the wait: it may serve everybody.
                        : reply.handleAsync(answer, workers))
                .thenCompose(Function.identity());
    }

    private CompletableFuture<Reply> answer(Request request) {
        Route.Handling handling = request.route().handling();
        if (handling instanceof Route.Service ofService) {
            return CompletableFuture.completedFuture(ofService.endpoint().apply(request));
        }
        if (handling instanceof Route.Command command) {
            // There is nothing to wait for: a command is decided after everything that was decided before.
            AtLeast.of(request, partitions);
            return command.endpoint().answer(request);
        }
        return reads.answer(request, (Route.Read) handling);
    }

    /** @param request null when there is no route for it */
    private CompletableFuture<Reply> failed(Context ctx, Request request, Throwable failure) {
        Throwable cause = FaultTable.unwrapped(failure);
        ErrorTable.Row row = ErrorTable.of(cause);
        if (row.fault() == Fault.OURS) {
            String incident = UUID.randomUUID().toString();
            LOG.error(
                    "incident {}: {} {}",
                    incident,
                    ctx.req().getMethod(),
                    ctx.req().getRequestURI(),
                    cause);
            return CompletableFuture.completedFuture(Reply.incident(row, incident));
        }
        if (cause instanceof MissingPartitionsException missing) {
            return CompletableFuture.completedFuture(Reply.missing(missing));
        }
        if (cause instanceof NotReadyException notReady) {
            Reply reply = Reply.problem(row, cause.getMessage());
            return CompletableFuture.completedFuture(
                    notReady.reached() == null ? reply : reply.withPositions(List.of(notReady.reached())));
        }
        Reply reply = cause instanceof RefusedRequestException refused
                ? Reply.refused(refused)
                : Reply.problem(row, cause.getMessage());
        return request == null || !reply.positions().isEmpty()
                ? CompletableFuture.completedFuture(reply)
                : current(request).thenApply(reply::withPositions);
    }

    /** Where the partitions stand that a refused request was about, as far as that can be known soon; does not fail. */
    private CompletableFuture<List<Position>> current(Request request) {
        List<FamilyPartition> scope;
        try {
            scope = request.route().handling().scope(request, partitions);
        } catch (RefusedRequestException e) {
            return CompletableFuture.completedFuture(List.of());
        }
        long deadlineNanos = System.nanoTime() + POSITIONS_WITHIN_NANOS;
        List<CompletableFuture<Position>> asked = scope.stream()
                .map(partition -> service.cluster().positions().await(partition.at(0), deadlineNanos))
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
                .handleAsync(
                        (done, failure) -> failure == null
                                ? asked.stream().map(CompletableFuture::join).toList()
                                : List.of(),
                        workers);
    }

    /** @param route null when there is none */
    private void write(Context ctx, Route route, Reply reply, long sinceNanos) {
        metrics.answered(
                route == null ? HttpMetrics.NO_ROUTE : route.method(),
                route == null ? HttpMetrics.NO_ROUTE : route.template(),
                reply.status(),
                System.nanoTime() - sinceNanos);
        ctx.status(reply.status());
        reply.writtenHeaders().forEach(ctx::header);
        ctx.contentType(reply.contentType());
        ctx.result(reply.body());
    }
}
