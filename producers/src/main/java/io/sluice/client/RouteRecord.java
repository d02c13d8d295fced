package io.sluice.client;

import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.FlownodeRouteKey;

/** What a record of the routes topic says about one flownode. Immutable. */
sealed interface RouteRecord {
    long offset();

    /** This is what the partition of the flow is now. */
    record Current(long offset, FlownodeRouteKey key, FlownodeRoute route) implements RouteRecord {}

    /** The partition of the flow is no longer the flownode's. */
    record Gone(long offset, FlownodeRouteKey key) implements RouteRecord {}

    /**
     * It cannot be read.
     *
     * @param key null if that is what cannot be read
     */
    record Broken(long offset, FlownodeRouteKey key, RouteEvent.Unreadable report) implements RouteRecord {}
}
