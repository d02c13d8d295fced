package io.sluice.client;

import io.sluice.client.RouteEvent.Assigned;
import io.sluice.client.RouteEvent.Revoked;
import io.sluice.client.RouteEvent.Updated;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.FlownodeRouteKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one flownode holds, and what is told about it: turns records into events. Knows no Kafka.
 *
 * <p>Not thread-safe. Invariants: what is held changes by {@link #delivered} only, so it is always what was told; in a sweep
 * nothing is told before its end, and then what came and went in it leaves no trace; a record that cannot be read counts as met,
 * so it never revokes, and what the records before it said stays.
 */
final class HeldRoutes {
    /** By flownode, catalog, flow, partition; numbers by their value. */
    static final Comparator<FlownodeRouteKey> KEY_ORDER = Comparator.comparing(
                    FlownodeRouteKey::flownodeId, Long::compareUnsigned)
            .thenComparing(FlownodeRouteKey::catalog)
            .thenComparingLong(FlownodeRouteKey::flowId)
            .thenComparingLong(FlownodeRouteKey::partitionId);

    private final NavigableMap<FlownodeRouteKey, Held> held = new TreeMap<>(KEY_ORDER);
    private Sweep sweep;

    /** @param route null as long as only a checkpoint told of it */
    private record Held(HeldRoute version, FlownodeRoute route) {}

    /** @param route null if the last readable record is a tombstone, or there is none: then what is held stays */
    private record Met(long offset, FlownodeRoute route, boolean gone) {}

    private record Told(long offset, RouteEvent event) {}

    /** The last word on each key so far. */
    private static final class Sweep {
        private final Map<FlownodeRouteKey, Met> met = new HashMap<>();
        /** By key, or by offset where it is the key that cannot be read. */
        private final Map<Object, Told> unreadable = new HashMap<>();
    }

    /** @param known what the flownode ran before this follower */
    HeldRoutes(Map<FlownodeRouteKey, HeldRoute> known) {
        known.forEach((key, version) -> held.put(key, new Held(version, null)));
    }

    /** What was read of a sweep before is forgotten. */
    void sweepBegins() {
        sweep = new Sweep();
    }

    /** What is to be told of a record, in order; nothing in a sweep. */
    List<RouteEvent> read(RouteRecord record) {
        if (sweep != null) {
            fold(record);
            return List.of();
        }
        if (record instanceof RouteRecord.Current current) {
            return change(current.key(), current.route()).map(List::of).orElse(List.of());
        }
        if (record instanceof RouteRecord.Gone gone) {
            Held was = held.get(gone.key());
            return was == null ? List.of() : List.of(new Revoked(gone.key(), was.version()));
        }
        return List.of(((RouteRecord.Broken) record).report());
    }

    /** Ends a sweep. What is to be told: first what is gone, in the order of keys, then the rest in the order of its records. */
    List<RouteEvent> sweepCompleted() {
        Sweep done = sweep;
        sweep = null;
        List<RouteEvent> events = new ArrayList<>();
        held.forEach((key, was) -> {
            Met met = done.met.get(key);
            if (met == null || met.gone()) {
                events.add(new Revoked(key, was.version()));
            }
        });
        List<Told> others = new ArrayList<>(done.unreadable.values());
        done.met.forEach((key, met) -> {
            if (met.route() != null) {
                change(key, met.route()).ifPresent(event -> others.add(new Told(met.offset(), event)));
            }
        });
        others.sort(Comparator.comparingLong(Told::offset));
        others.forEach(told -> events.add(told.event()));
        return events;
    }

    /** An event was told, and nobody threw. */
    void delivered(RouteEvent event) {
        if (event instanceof Assigned assigned) {
            hold(assigned.key(), assigned.route());
        } else if (event instanceof Updated updated) {
            hold(updated.key(), updated.route());
        } else if (event instanceof Revoked revoked) {
            held.remove(revoked.key());
        }
    }

    /** The version of each partition held. */
    Map<FlownodeRouteKey, HeldRoute> versions() {
        Map<FlownodeRouteKey, HeldRoute> versions = new HashMap<>();
        held.forEach((key, one) -> versions.put(key, one.version()));
        return versions;
    }

    /** What is held, as it is stored, in the order of keys; without that of which only the version is known. */
    NavigableMap<FlownodeRouteKey, FlownodeRoute> routes() {
        NavigableMap<FlownodeRouteKey, FlownodeRoute> routes = new TreeMap<>(KEY_ORDER);
        held.forEach((key, one) -> {
            if (one.route() != null) {
                routes.put(key, one.route());
            }
        });
        return routes;
    }

    private void fold(RouteRecord record) {
        if (record instanceof RouteRecord.Current current) {
            sweep.met.put(current.key(), new Met(current.offset(), current.route(), false));
            sweep.unreadable.remove(current.key());
        } else if (record instanceof RouteRecord.Gone gone) {
            sweep.met.put(gone.key(), new Met(gone.offset(), null, true));
            sweep.unreadable.remove(gone.key());
        } else if (record instanceof RouteRecord.Broken broken) {
            Object key = broken.key() == null ? (Object) broken.offset() : broken.key();
            sweep.unreadable.put(key, new Told(broken.offset(), broken.report()));
            if (broken.key() != null) {
                sweep.met.putIfAbsent(broken.key(), new Met(broken.offset(), null, false));
            }
        }
    }

    private Optional<RouteEvent> change(FlownodeRouteKey key, FlownodeRoute route) {
        Held was = held.get(key);
        if (was == null) {
            return Optional.of(new Assigned(key, route));
        }
        if (!was.version().isSameVersion(HeldRoute.of(route))) {
            return Optional.of(new Updated(key, route));
        }
        // Known from a checkpoint until now, or written again: nothing to tell.
        hold(key, route);
        return Optional.empty();
    }

    private void hold(FlownodeRouteKey key, FlownodeRoute route) {
        held.put(key, new Held(HeldRoute.of(route), route));
    }
}
