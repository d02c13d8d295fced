package io.sluice.tests.harness;

import io.sluice.client.FlownodeRoutes;
import io.sluice.client.HeldRoute;
import io.sluice.client.RouteEvent;
import io.sluice.client.RouteEvent.Assigned;
import io.sluice.client.RouteEvent.Revoked;
import io.sluice.client.RouteEvent.Unreadable;
import io.sluice.client.RouteEvent.Updated;
import io.sluice.client.RouteSettings;
import io.sluice.client.RoutesCheckpoint;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.FlownodeRouteKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A flownode that runs what it is told, and objects to what cannot be right: to get what it has, or to lose or change what it has
 * not. It can be stopped and started again from its saved checkpoint.
 *
 * <p>Threading: used by one thread; events come on the follower's. Guarded by this.
 */
public final class FollowingFlownode implements AutoCloseable {
    private final long flownodeId;
    private final Map<String, String> runs = new TreeMap<>();
    private final List<String> events = new ArrayList<>();
    private final List<String> objections = new ArrayList<>();
    private RoutesCheckpoint saved;
    private FlownodeRoutes routes;

    public FollowingFlownode(long flownodeId) {
        this.flownodeId = flownodeId;
    }

    public long flownodeId() {
        return flownodeId;
    }

    /** Starts, from where it stopped if it did before, and returns when it has caught up. */
    public FollowingFlownode start(String bootstrapServers) {
        RouteSettings settings = RouteSettings.of(flownodeId, bootstrapServers);
        routes = FlownodeRoutes.open(saved == null ? settings : settings.withCheckpoint(saved), this::on);
        routes.awaitCaughtUp(LocalSluice.WITHIN);
        return this;
    }

    /** Stops, and saves where it was as text, as a process would. */
    public void stop() {
        if (routes != null) {
            routes.close();
            saved = RoutesCheckpoint.decode(routes.checkpoint().encode());
            routes = null;
        }
    }

    /** What it runs, by {@code catalog/flow id/partition}: revision and command. */
    public synchronized Map<String, String> runs() {
        return new TreeMap<>(runs);
    }

    /** As {@link #runs}, as the follower itself says. */
    public Map<String, String> held() {
        Map<String, String> held = new TreeMap<>();
        routes.routes().forEach((key, route) -> held.put(name(key), version(route)));
        return held;
    }

    public FlownodeRoutes routes() {
        return routes;
    }

    /** What it was told since the last call: {@code assigned catalog/flow id/partition revision}, in order. */
    public synchronized List<String> takeEvents() {
        List<String> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    /** What cannot have been right. */
    public synchronized List<String> objections() {
        return List.copyOf(objections);
    }

    @Override
    public void close() {
        stop();
    }

    private synchronized void on(RouteEvent event) {
        if (event instanceof Assigned assigned) {
            told("assigned", assigned.key(), assigned.route().flow().revision());
            object(runs.put(name(assigned.key()), version(assigned.route())) != null, "has already: " + assigned);
        } else if (event instanceof Updated updated) {
            told("updated", updated.key(), updated.route().flow().revision());
            object(runs.put(name(updated.key()), version(updated.route())) == null, "has not: " + updated);
        } else if (event instanceof Revoked revoked) {
            HeldRoute last = revoked.last();
            told("revoked", revoked.key(), last.revision());
            object(runs.remove(name(revoked.key())) == null, "has not: " + revoked);
        } else if (event instanceof Unreadable broken) {
            events.add("unreadable " + broken.key());
        }
    }

    private void told(String what, FlownodeRouteKey key, long revision) {
        events.add(what + " " + name(key) + " " + revision);
        object(key.flownodeId() != flownodeId, "is not its own: " + what + " " + key);
    }

    private void object(boolean wrong, String why) {
        if (wrong) {
            objections.add("flownode " + flownodeId + " " + why);
        }
    }

    private static String name(FlownodeRouteKey key) {
        return key.catalog() + "/" + key.flowId() + "/" + key.partitionId();
    }

    private static String version(FlownodeRoute route) {
        return route.flow().revision() + " " + route.flow().commandId();
    }
}
