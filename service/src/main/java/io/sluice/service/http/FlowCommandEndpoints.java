package io.sluice.service.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.client.Submission;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.service.fault.FaultTable;
import io.sluice.service.json.FlowCommandJson;
import io.sluice.service.json.OutcomeJson;
import io.sluice.service.query.Answer;
import io.sluice.service.query.NotReadyException;
import io.sluice.service.runtime.FlowService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The requests that change flows.
 *
 * <p>Thread-safe. A command is handed to Kafka on a thread of its own kind, since that may wait for the brokers, and
 * its answer is made on a worker: neither holds a request's thread. Invariant: when the outcome is not known in time
 * the answer says so (202), and never that the command failed.
 */
final class FlowCommandEndpoints {
    /** On whose behalf commands are sent as long as the door asks nobody who they are. */
    static final String ANONYMOUS = "anonymous";

    private static final int DEFAULT_WAIT_MS = 10_000;
    private static final int MAX_LOCATION_CHARS = 8 * 1024;

    private final FlowService flows;
    private final FlowCommandJson json;
    private final Executor senders;
    private final Executor workers;

    /**
     * @param senders may be kept waiting by the brokers
     * @param workers answer
     */
    FlowCommandEndpoints(FlowService flows, FlowCommandJson json, Executor senders, Executor workers) {
        this.flows = flows;
        this.json = json;
        this.senders = senders;
        this.workers = workers;
    }

    CompletableFuture<Reply> create(Request request) {
        request.refuseExpectedRevision();
        return settle(request, json.createFlow(request.body(), request.catalog(), ANONYMOUS));
    }

    CompletableFuture<Reply> replace(Request request) {
        return settle(
                request,
                json.replaceFlow(
                        request.body(),
                        request.catalog(),
                        request.path("name"),
                        request.expectedRevision(),
                        ANONYMOUS));
    }

    CompletableFuture<Reply> comment(Request request) {
        request.refuseExpectedRevision();
        return settle(request, json.commentFlow(request.body(), request.catalog(), request.path("name"), ANONYMOUS));
    }

    CompletableFuture<Reply> drop(Request request) {
        return settle(
                request,
                json.dropFlow(
                        request.body(),
                        request.catalog(),
                        request.path("name"),
                        request.expectedRevision(),
                        request.queryFlag("if_exists"),
                        ANONYMOUS));
    }

    private CompletableFuture<Reply> settle(Request request, FlowCommand command) {
        long waitMs = request.waitMs(1, DEFAULT_WAIT_MS);
        CompletableFuture<Void> appended = new CompletableFuture<>();
        CompletableFuture<Outcome> settled = new CompletableFuture<>();
        senders.execute(() -> send(command, waitMs, appended, settled));
        return settled.orTimeout(waitMs, TimeUnit.MILLISECONDS)
                // "Not known yet" is said only of a command that is in the topic for good.
                .exceptionallyCompose(failure -> FaultTable.unwrapped(failure) instanceof TimeoutException timeout
                        ? appended.thenCompose(done -> CompletableFuture.failedFuture(timeout))
                        : CompletableFuture.failedFuture(failure))
                .handleAsync(
                        (outcome, failure) -> failure == null
                                ? reply(command, outcome, List.of(outcome.position()))
                                : replyWithout(command, FaultTable.unwrapped(failure)),
                        workers);
    }

    private void send(
            FlowCommand command, long waitMs, CompletableFuture<Void> appended, CompletableFuture<Outcome> settled) {
        try {
            // A little less than the caller waits: an outcome that is known is worth more than one that can be read.
            Submission sent = flows.submit(command, Duration.ofMillis(waitMs * 9 / 10));
            follow(sent.appended(), appended);
            follow(sent.outcome(), settled);
        } catch (RuntimeException e) {
            appended.completeExceptionally(e);
            settled.completeExceptionally(e);
        }
    }

    private static <T> void follow(CompletableFuture<T> from, CompletableFuture<T> to) {
        from.whenComplete((value, failure) -> {
            if (failure == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }

    private static Reply reply(FlowCommand command, Outcome outcome, List<Position> positions) {
        if (!outcome.isOk()) {
            return Reply.refusal(outcome).withPositions(positions);
        }
        boolean created = command instanceof CreateFlow
                && outcome.applied()
                && Long.valueOf(1).equals(outcome.revision());
        Reply reply =
                Reply.json(created ? 201 : 200, OutcomeJson.write(outcome)).withPositions(positions);
        return created ? withLocation(reply, outcome) : reply;
    }

    private static Reply withLocation(Reply reply, Outcome outcome) {
        String path = "/v1/catalogs/" + UriText.encodeSegment(outcome.catalog()) + "/flows/"
                + UriText.encodeSegment(outcome.flowName());
        // Names have no length limit, paths and headers do.
        return path.length() <= MAX_LOCATION_CHARS ? reply.withHeader("Location", path) : reply;
    }

    private Reply replyWithout(FlowCommand command, Throwable failure) {
        if (!(failure instanceof TimeoutException)) {
            throw new CompletionException(failure);
        }
        String commandId = command.envelope().commandId();
        List<Position> positions = List.of();
        try {
            // It may have been decided all the same, by this request or by an earlier one with this id.
            Answer<Outcome> recorded = flows.queries().outcome(command.catalog(), commandId);
            if (recorded.value() != null) {
                return reply(command, recorded.value(), recorded.positions());
            }
            positions = recorded.positions();
        } catch (NotReadyException e) {
            // Then nothing can be said about it, which is what the answer says.
            positions = e.reached() == null ? List.of() : List.of(e.reached());
        }
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("command_id", commandId);
        body.put("catalog", command.catalog());
        body.put("flow_name", command.flowName());
        body.put(
                "message",
                "the outcome is not known yet: ask for it at the Location, or send the command again with its"
                        + " command_id");
        return Reply.json(202, body)
                .withPositions(positions)
                .withHeader(
                        "Location",
                        "/v1/outcomes/" + UriText.encodeSegment(commandId) + "?catalog="
                                + UriText.encodeSegment(command.catalog()));
    }
}
