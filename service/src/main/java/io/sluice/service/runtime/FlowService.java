package io.sluice.service.runtime;

import io.sluice.client.SluiceClient;
import io.sluice.client.Submission;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.service.query.FlowQueries;
import io.sluice.service.query.PositionWaiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * What a Sluice instance does for its callers: settle flow commands and look flows up. Thread-safe.
 *
 * <p>A command's answer waits until its decision can be read here, so whoever got it sees what it did; only if that takes too
 * long, say while a partition moves, is the certain outcome given without.
 */
public final class FlowService {
    private final SluiceClient client;
    private final FlowQueries queries;
    private final PositionWaiter positions;

    FlowService(SluiceClient client, FlowQueries queries, PositionWaiter positions) {
        this.client = client;
        this.queries = queries;
        this.positions = positions;
    }

    /**
     * Sends a command and waits for its outcome.
     *
     * <p>The future ends with the outcome, refusals included; with {@link io.sluice.client.OutcomeUnknownException} when none
     * came in time; or with {@link io.sluice.client.CommandNotSentException}.
     *
     * @param readableWithin how long the decision may take to become readable here once its outcome is known
     */
    public CompletableFuture<Outcome> settle(FlowCommand command, Duration readableWithin) {
        return submit(command, readableWithin).outcome();
    }

    /** As {@link #settle}, for callers that also want to know when the command is durable. */
    public Submission submit(FlowCommand command, Duration readableWithin) {
        Submission sent = client.submit(command);
        CompletableFuture<Outcome> readable = sent.outcome()
                .thenCompose(outcome -> positions
                        .await(outcome.position(), System.nanoTime() + readableWithin.toNanos())
                        .handle((reached, failure) -> outcome));
        return new Submission(sent.appended(), readable);
    }

    public FlowQueries queries() {
        return queries;
    }

    public PositionWaiter positions() {
        return positions;
    }
}
