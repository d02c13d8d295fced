package io.sluice.service.runtime;

import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.service.query.FlowQueries;
import io.sluice.service.query.PositionWaiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * What a Sluice instance does for its callers: settle flow commands and look flows up. Thread-safe.
 *
 * <p>Invariant: a command's answer is given only when its decision can be read here, so whoever got it sees what it did.
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
        return client.send(command)
                .thenCompose(outcome -> positions
                        .await(outcome.position(), System.nanoTime() + readableWithin.toNanos())
                        // The outcome is certain even if this instance cannot show its effect yet.
                        .handle((reached, failure) -> outcome));
    }

    public FlowQueries queries() {
        return queries;
    }

    public PositionWaiter positions() {
        return positions;
    }
}
