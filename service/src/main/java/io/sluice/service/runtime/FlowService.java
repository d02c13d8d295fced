package io.sluice.service.runtime;

import io.sluice.client.SluiceClient;
import io.sluice.client.Submission;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.service.cluster.Cluster;
import io.sluice.service.query.FlowQueries;
import io.sluice.service.query.PositionWaiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * What a Sluice instance does for its callers: settle flow commands and look flows up. Thread-safe.
 *
 * <p>A command's answer waits until its decision can be read at whoever decides its partition, so whoever got it sees what it
 * did; only if that takes too long, say while a partition moves, is the certain outcome given without.
 */
public final class FlowService {
    private final SluiceClient client;
    private final FlowQueries queries;
    private final PositionWaiter positions;
    private final Cluster cluster;

    FlowService(SluiceClient client, FlowQueries queries, PositionWaiter positions, Cluster cluster) {
        this.client = client;
        this.queries = queries;
        this.positions = positions;
        this.cluster = cluster;
    }

    /**
     * Sends a command and waits for its outcome.
     *
     * <p>The future ends with the outcome, refusals included; with {@link io.sluice.client.OutcomeUnknownException} when none
     * came in time; or with {@link io.sluice.client.CommandNotSentException}.
     *
     * @param readableWithin how long it may take from now until the decision can be read; an outcome that is known by then
     *     is given without
     */
    public CompletableFuture<Outcome> settle(FlowCommand command, Duration readableWithin) {
        return submit(command, readableWithin).outcome();
    }

    /** As {@link #settle}, for callers that also want to know when the command is durable. */
    public Submission submit(FlowCommand command, Duration readableWithin) {
        long readableByNanos = System.nanoTime() + readableWithin.toNanos();
        Submission sent = client.submit(command);
        CompletableFuture<Outcome> readable = sent.outcome()
                .thenCompose(outcome -> cluster.positions()
                        .await(outcome.position(), readableByNanos)
                        .handle((reached, failure) -> outcome));
        return new Submission(sent.appended(), readable);
    }

    /** Look-ups on the active copies that this instance holds. */
    public FlowQueries queries() {
        return queries;
    }

    /** Positions of the copies that this instance holds. */
    public PositionWaiter positions() {
        return positions;
    }

    /** The other instances. */
    public Cluster cluster() {
        return cluster;
    }
}
