package io.sluice.service.runtime;

import io.sluice.client.SluiceClient;
import io.sluice.client.Submission;
import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.flownode.RegisterFlownode;
import io.sluice.service.address.Addresses;
import io.sluice.service.cluster.Cluster;
import io.sluice.service.metrics.Meters;
import io.sluice.service.query.PositionWaiter;
import io.sluice.service.query.Queries;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * What a Sluice instance does for its callers: settle commands and look things up. Thread-safe.
 *
 * <p>A command's answer waits until its decision can be read at whoever decides its partition, and that of a registration also
 * until the addresses known here reflect it. So whoever got it sees what it did; only if that takes too long, say while a
 * partition moves, is the certain outcome given without.
 */
public final class SluiceService {
    private final String bootstrapServers;
    private final SluiceClient client;
    private final Queries queries;
    private final PositionWaiter positions;
    private final Cluster cluster;
    private final Addresses addresses;
    private final Meters meters;

    SluiceService(
            String bootstrapServers,
            SluiceClient client,
            Queries queries,
            PositionWaiter positions,
            Cluster cluster,
            Addresses addresses,
            Meters meters) {
        this.bootstrapServers = bootstrapServers;
        this.client = client;
        this.queries = queries;
        this.positions = positions;
        this.cluster = cluster;
        this.addresses = addresses;
        this.meters = meters;
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
    public CompletableFuture<Outcome> settle(Command command, Duration readableWithin) {
        return submit(command, readableWithin).outcome();
    }

    /** As {@link #settle}, for callers that also want to know when the command is durable. */
    public Submission submit(Command command, Duration readableWithin) {
        long readableByNanos = System.nanoTime() + readableWithin.toNanos();
        Submission sent = client.submit(command);
        CompletableFuture<Outcome> readable = sent.outcome()
                .thenCompose(outcome ->
                        visible(command, outcome.position(), readableByNanos).handle((reached, failure) -> outcome));
        return new Submission(sent.appended(), readable);
    }

    private CompletableFuture<?> visible(Command command, Position decided, long deadlineNanos) {
        CompletableFuture<Position> readable = cluster.positions().await(decided, deadlineNanos);
        return command instanceof RegisterFlownode
                ? CompletableFuture.allOf(readable, addresses.await(decided, deadlineNanos))
                : readable;
    }

    /** The brokers of the installation, as this instance reaches them. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Look-ups on the active copies that this instance holds. */
    public Queries queries() {
        return queries;
    }

    /** Positions of the copies that this instance holds. */
    public PositionWaiter positions() {
        return positions;
    }

    /** The registered addresses of flownodes, as this instance knows them. */
    public Addresses addresses() {
        return addresses;
    }

    /** The other instances. */
    public Cluster cluster() {
        return cluster;
    }

    /** What is measured in this instance. */
    public Meters meters() {
        return meters;
    }
}
