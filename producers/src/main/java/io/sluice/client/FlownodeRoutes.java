package io.sluice.client;

import static io.sluice.client.TryAgainException.orTryAgain;

import io.sluice.client.RouteEvent.Assigned;
import io.sluice.client.RouteEvent.CaughtUp;
import io.sluice.client.RouteEvent.Updated;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.FlownodeRouteKey;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a flownode follows to run exactly the partitions of flows that are its own. It reads one partition of the routes topic, and
 * the same of the addresses topic, and tells what is {@code assigned}, {@code updated} and {@code revoked}, in order.
 *
 * <p>At the start, and whenever it cannot be sure to have seen every delete, it reads the topic whole and tells what differs from
 * what the flownode is known to run: nothing before anything was told, or what a {@link RoutesCheckpoint} says. So a new one tells
 * one {@code assigned} for each partition held now, and nothing of what came and went. Then it tells {@code caught up}, and from
 * there on every change as it happens. Records that cannot be read are told too; they stop nothing and revoke nothing.
 *
 * <p>Threading: the listener is called on a thread of the follower's own, one event after the other; it should not wait long, and
 * what it throws ends the follower. All methods may be called by any thread; closing waits for the call of the listener that is
 * going on. Invariants: {@link #checkpoint} is what was told so far, neither more nor less; nothing is revoked because a topic
 * was replaced or lost records: the follower then ends with a {@link CheckpointRefusedException}.
 *
 * <pre>{@code
 * try (FlownodeRoutes routes = FlownodeRoutes.open(RouteSettings.of(7, "localhost:19092"), event -> {
 *     if (event instanceof RouteEvent.Assigned assigned) {
 *         run(assigned.key(), assigned.route());
 *     } ...
 * })) {
 *     routes.awaitCaughtUp(Duration.ofSeconds(30));
 *     ...
 * }
 * }</pre>
 */
public final class FlownodeRoutes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FlownodeRoutes.class);
    private static final Duration ASK_WITHIN = Duration.ofSeconds(5);

    private final RoutesPlace place;
    private final FlownodeRecords records;
    private final RouteListener listener;
    private final Supplier<String> topicId;
    private final AutoCloseable schemas;
    private final CompactedFollower follower;
    private final CompletableFuture<RoutesCheckpoint> caughtUp = new CompletableFuture<>();

    // What was told; written by the follower's thread, guarded by this.
    private final HeldRoutes held;
    private final HeldAddress address = new HeldAddress();
    private long offset;

    // The follower's thread only.
    private boolean sweeping;
    private boolean begunBefore;

    /** @param schemas closed with this; null if there is nothing to close */
    FlownodeRoutes(
            RoutesPlace place,
            RoutesCheckpoint checkpoint,
            Consumer<byte[], byte[]> consumer,
            SingleObject singleObject,
            AutoCloseable schemas,
            Supplier<String> topicId,
            LongSupplier clockMs,
            RouteListener listener) {
        this.place = place;
        this.records = new FlownodeRecords(place.flownodeId(), singleObject);
        this.listener = listener;
        this.topicId = topicId;
        this.schemas = schemas;
        this.held = new HeldRoutes(checkpoint == null ? Map.of() : checkpoint.held());
        this.offset = checkpoint == null ? 0 : checkpoint.offset();
        this.follower = new CompactedFollower(
                "sluice-routes-" + U64.text(place.flownodeId()),
                consumer,
                new CompactedFollower.Source(
                        place.partitions(), Map.of(place.routes(), offset), place::deleteRetention),
                clockMs,
                new Told());
        follower.ended()
                .whenComplete((done, failure) -> caughtUp.completeExceptionally(
                        failure == null ? new IllegalStateException("it was closed before it caught up") : failure));
    }

    /**
     * Connects and begins to follow.
     *
     * @throws IllegalStateException if the routes topic does not exist
     * @throws CheckpointRefusedException if the checkpoint is not one of this flownode and topic
     * @throws org.apache.kafka.common.KafkaException if the brokers cannot be reached within 30 s, or do not let us in
     */
    public static FlownodeRoutes open(RouteSettings settings, RouteListener listener) {
        SchemaTopic schemas = new SchemaTopic(settings.kafka());
        Consumer<byte[], byte[]> consumer = null;
        try {
            consumer = CompactedFollower.newConsumer(settings.kafka());
            FlownodeRoutes routes = new FlownodeRoutes(
                    RoutesPlace.find(settings, consumer),
                    settings.checkpoint(),
                    consumer,
                    new SingleObject(new KnownSchemas(schemas)),
                    schemas,
                    () -> TopicFacts.topicId(settings.kafka(), TopicNames.FLOWNODE_ROUTES, ASK_WITHIN),
                    System::currentTimeMillis,
                    listener);
            routes.start();
            return routes;
        } catch (RuntimeException e) {
            if (consumer != null) {
                consumer.close();
            }
            schemas.close();
            throw e;
        }
    }

    void start() {
        follower.start();
    }

    /**
     * What the flownode holds, as far as was told, with its registered address laid over the stored one. Immutable, in the order
     * of catalog, flow and partition. Until it has caught up once, it lacks what only the checkpoint tells of; later, of that,
     * what cannot be read.
     */
    public Map<FlownodeRouteKey, FlownodeRoute> routes() {
        NavigableMap<FlownodeRouteKey, FlownodeRoute> routes;
        String addr;
        synchronized (this) {
            routes = held.routes();
            addr = address.addr();
        }
        routes.replaceAll((key, route) -> LiveAddress.over(route, addr));
        return Collections.unmodifiableMap(routes);
    }

    /** The registered address of the flownode, as far as was told. */
    public synchronized Optional<String> address() {
        return Optional.ofNullable(address.addr());
    }

    /** What was told so far. Save it after what it tells of was done, and resume from it. */
    public synchronized RoutesCheckpoint checkpoint() {
        return new RoutesCheckpoint(
                place.flownodeId(),
                place.topicId(),
                place.routes().partition(),
                place.partitionCount(),
                offset,
                held.versions());
    }

    /** Empty when everything in the topics was told a moment ago; else, for people, why not. */
    public Optional<String> behind() {
        return follower.behind();
    }

    /** Ends when it has caught up for the first time; with a failure if it ends before. */
    public CompletableFuture<RoutesCheckpoint> caughtUp() {
        return caughtUp.copy();
    }

    /**
     * Waits until it has caught up for the first time.
     *
     * @throws TimeoutException saying what it is at, if it has not in time
     * @throws IllegalStateException if it ended before, with the cause
     */
    public RoutesCheckpoint awaitCaughtUp(Duration within) {
        try {
            return caughtUp.get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("flownode " + U64.text(place.flownodeId()) + " has not caught up within "
                    + within.toMillis() + " ms: " + behind().orElse("it did just now"));
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "the follower of flownode " + U64.text(place.flownodeId()) + " ended before it caught up: "
                            + e.getCause().getMessage(),
                    e.getCause());
        }
    }

    /** Ends when it follows no more: normally when it is closed, else with what ended it, such as what the listener threw. */
    public CompletableFuture<Void> ended() {
        return follower.ended();
    }

    /** The listener is not called any more when this returns, unless it is the listener that closes, or it hangs. */
    @Override
    public void close() {
        follower.close();
        if (schemas != null) {
            try {
                schemas.close();
            } catch (Exception e) {
                LOG.warn("reader of {} did not close", TopicNames.SCHEMAS, e);
            }
        }
    }

    // ---- the follower's thread

    /** Turns what is read into what is told. */
    private final class Told implements CompactedListener {
        @Override
        public void sweepBegins() {
            if (begunBefore) {
                // Long away, and the topic may have been made anew meanwhile: then everything would be missing in it.
                String found = orTryAgain(topicId);
                if (!found.equals(place.topicId())) {
                    throw RoutesCheckpoint.otherTopic(place.topicId(), found);
                }
            }
            begunBefore = true;
            sweeping = true;
            synchronized (FlownodeRoutes.this) {
                held.sweepBegins();
                address.sweepBegins();
            }
        }

        @Override
        public void record(ConsumerRecord<byte[], byte[]> record) {
            if (record.topic().equals(place.routes().topic())) {
                orTryAgain(() -> records.route(record)).ifPresent(ours -> tell(readRoute(ours)));
                // After the last event of the record: what was not delivered counts as not read.
                if (!sweeping) {
                    moveTo(record.offset() + 1);
                }
            } else {
                orTryAgain(() -> records.address(record)).ifPresent(ours -> tell(readAddress(ours)));
            }
        }

        @Override
        public void sweepCompleted(Map<TopicPartition, Long> positions) {
            List<RouteEvent> ofAddress;
            List<RouteEvent> ofRoutes;
            synchronized (FlownodeRoutes.this) {
                ofAddress = address.sweepCompleted();
                ofRoutes = held.sweepCompleted();
            }
            sweeping = false;
            tell(ofAddress);
            tell(ofRoutes);
            moveTo(positions.get(place.routes()));
            RoutesCheckpoint now = checkpoint();
            listener.onEvent(new CaughtUp(now));
            caughtUp.complete(now);
        }

        @Override
        public void reached(Map<TopicPartition, Long> positions) {
            moveTo(positions.get(place.routes()));
        }

        @Override
        public void recordsLost(TopicPartition partition, long position, String found) {
            if (partition.equals(place.routes())) {
                throw RoutesCheckpoint.lostRecords(partition.partition(), position, found);
            }
            LOG.warn(
                    "{} was read up to offset {}, but {}: the address stays until another is read",
                    partition,
                    position,
                    found);
            synchronized (FlownodeRoutes.this) {
                address.recordsLost();
            }
        }
    }

    private synchronized List<RouteEvent> readRoute(RouteRecord record) {
        return held.read(record);
    }

    private synchronized List<RouteEvent> readAddress(AddressRecord record) {
        return address.read(record);
    }

    /** Never goes back: while a topic is read whole, what was told is as of before. */
    private synchronized void moveTo(long next) {
        offset = Math.max(offset, next);
    }

    private void tell(List<RouteEvent> events) {
        for (RouteEvent event : events) {
            // Not under the lock: what is called may wait for a thread that asks for the checkpoint.
            listener.onEvent(withLiveAddress(event));
            synchronized (this) {
                held.delivered(event);
                address.delivered(event);
            }
        }
    }

    private RouteEvent withLiveAddress(RouteEvent event) {
        String addr = address.addr();
        if (event instanceof Assigned assigned) {
            return new Assigned(assigned.key(), LiveAddress.over(assigned.route(), addr));
        }
        if (event instanceof Updated updated) {
            return new Updated(updated.key(), LiveAddress.over(updated.route(), addr));
        }
        return event;
    }
}
