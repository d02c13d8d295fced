package io.sluice.service.http;

import io.sluice.client.Submission;
import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Position;
import io.sluice.service.fault.FaultTable;
import io.sluice.service.json.AcceptedJson;
import io.sluice.service.json.OutcomeJson;
import io.sluice.service.query.Answer;
import io.sluice.service.query.NotReadyException;
import io.sluice.service.runtime.SluiceService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Sends the command of a request, and answers with its outcome.
 *
 * <p>Thread-safe. A command is handed to Kafka on a thread of its own kind, since that may wait for the brokers, and
 * its answer is made on a worker: neither holds a request's thread. Invariant: when the outcome is not known in time
 * the answer says so (202), and never that the command failed.
 */
final class CommandSettler {
    /** On whose behalf commands are sent as long as the door asks nobody who they are. */
    static final String ANONYMOUS = "anonymous";

    private static final int DEFAULT_WAIT_MS = 10_000;

    private final SluiceService service;
    private final Executor senders;
    private final Executor workers;

    /**
     * @param senders may be kept waiting by the brokers
     * @param workers answer
     */
    CommandSettler(SluiceService service, Executor senders, Executor workers) {
        this.service = service;
        this.senders = senders;
        this.workers = workers;
    }

    CompletableFuture<Reply> settle(Request request, Command command) {
        return settle(request, command, CommandSettler::done);
    }

    /** @param done the answer to an outcome that is OK */
    CompletableFuture<Reply> settle(Request request, Command command, Function<Outcome, Reply> done) {
        long waitMs = request.waitMs(1, DEFAULT_WAIT_MS);
        CompletableFuture<Void> appended = new CompletableFuture<>();
        CompletableFuture<Outcome> settled = new CompletableFuture<>();
        senders.execute(() -> send(command, waitMs, appended, settled));
        return settled.orTimeout(waitMs, TimeUnit.MILLISECONDS)
                // "Not known yet" is said only of a command that is in the topic for good.
                .exceptionallyCompose(failure -> FaultTable.unwrapped(failure) instanceof TimeoutException timeout
                        ? appended.thenCompose(ignored -> CompletableFuture.failedFuture(timeout))
                        : CompletableFuture.failedFuture(failure))
                .handleAsync(
                        (outcome, failure) -> failure == null
                                ? reply(outcome, List.of(outcome.position()), done)
                                : replyWithout(command, FaultTable.unwrapped(failure), done),
                        workers);
    }

    /** The plain answer to an outcome that is OK. */
    static Reply done(Outcome outcome) {
        return Reply.json(200, OutcomeJson.write(outcome));
    }

    private void send(
            Command command, long waitMs, CompletableFuture<Void> appended, CompletableFuture<Outcome> settled) {
        try {
            // A little less than the caller waits: an outcome that is known is worth more than one that can be read.
            Submission sent = service.submit(command, Duration.ofMillis(waitMs * 9 / 10));
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

    private static Reply reply(Outcome outcome, List<Position> positions, Function<Outcome, Reply> done) {
        return (outcome.isOk() ? done.apply(outcome) : Reply.refusal(outcome)).withPositions(positions);
    }

    private Reply replyWithout(Command command, Throwable failure, Function<Outcome, Reply> done) {
        if (!(failure instanceof TimeoutException)) {
            throw new CompletionException(failure);
        }
        List<Position> positions;
        try {
            // It may have been decided all the same, by this request or by an earlier one with this id.
            Answer<Outcome> recorded = service.queries().outcome(command.family(), command.key());
            if (recorded.value() != null) {
                return reply(recorded.value(), recorded.positions(), done);
            }
            positions = recorded.positions();
        } catch (NotReadyException e) {
            // Then nothing can be said about it, which is what the answer says.
            positions = e.reached() == null ? List.of() : List.of(e.reached());
        }
        return Reply.json(
                        202,
                        AcceptedJson.write(
                                command,
                                "the outcome is not known yet: ask for it at the Location, or send the command again"
                                        + " with its command_id"))
                .withPositions(positions)
                .withHeader("Location", whereOutcome(command));
    }

    private static String whereOutcome(Command command) {
        return "/v1/outcomes/" + UriText.encodeSegment(command.envelope().commandId()) + "?"
                + scopeName(command.family()) + "="
                + UriText.encodeSegment(command.envelope().partitionKey());
    }

    private static String scopeName(CommandFamily family) {
        return switch (family) {
            case FLOW -> Request.CATALOG;
            case FLOWNODE -> Request.FLOWNODE;
            case REGION -> Request.REGION;
        };
    }
}
