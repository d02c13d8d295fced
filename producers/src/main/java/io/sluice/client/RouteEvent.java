package io.sluice.client;

import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.FlownodeRouteKey;
import java.util.Objects;

/** What a flownode is told about the partitions of flows it has to run. Immutable. */
public sealed interface RouteEvent {
    /**
     * The flownode has to run this partition from now on.
     *
     * @param route with the registered address of the flownode, if it has one
     */
    record Assigned(FlownodeRouteKey key, FlownodeRoute route) implements RouteEvent {
        public Assigned {
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(route, "route");
        }
    }

    /**
     * The flownode runs this partition already, of another version of the flow.
     *
     * @param route with the registered address of the flownode, if it has one
     */
    record Updated(FlownodeRouteKey key, FlownodeRoute route) implements RouteEvent {
        public Updated {
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(route, "route");
        }
    }

    /**
     * The flownode must no longer run this partition.
     *
     * @param last the version it held
     */
    record Revoked(FlownodeRouteKey key, HeldRoute last) implements RouteEvent {
        public Revoked {
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(last, "last");
        }
    }

    /**
     * The flownode is registered under another address than before. Routes show the new one.
     *
     * @param addr host and port; null when it is registered no more, so that routes show the address stored with each
     */
    record AddressChanged(String addr) implements RouteEvent {}

    /**
     * A record that may be about this flownode cannot be read. What it holds stays as it is.
     *
     * @param key as text, shortened
     * @param reason for people
     */
    record Unreadable(String topic, int partition, long offset, String key, String reason) implements RouteEvent {
        public Unreadable {
            Objects.requireNonNull(topic, "topic");
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * Everything that was in the topic when reading it whole began has been told. Comes after the start, and again when the
     * follower had to read the topic whole once more.
     *
     * @param checkpoint from which to resume
     */
    record CaughtUp(RoutesCheckpoint checkpoint) implements RouteEvent {
        public CaughtUp {
            Objects.requireNonNull(checkpoint, "checkpoint");
        }
    }
}
