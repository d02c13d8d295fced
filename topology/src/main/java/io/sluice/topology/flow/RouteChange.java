package io.sluice.topology.flow;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.FlownodeRouteKey;
import java.util.stream.Stream;

/**
 * One record for the routes topic: a flownode gets, keeps with a new revision, or loses a partition of a flow. Immutable.
 *
 * @param value an encoded {@link FlownodeRoute}; null when the partition is no longer the flownode's
 */
public record RouteChange(FlownodeRouteKey key, byte[] value) {
    /**
     * What flownodes must be told, made one by one as it is read. A key that exists before and after is never deleted in between.
     *
     * @param before null when the flow is new
     * @param after null when the flow is gone
     */
    static Stream<RouteChange> between(FlowRecord before, FlowRecord after) {
        Stream<RouteChange> revoked = before == null
                ? Stream.empty()
                : before.routes().entrySet().stream()
                        .filter(route -> after == null
                                || !after.routes().containsKey(route.getKey())
                                || after.routes().get(route.getKey()).id()
                                        != route.getValue().id())
                        .map(route -> new RouteChange(
                                key(before, route.getKey(), route.getValue().id()), null));
        Stream<RouteChange> held = after == null
                ? Stream.empty()
                : after.routes().entrySet().stream()
                        .map(route -> new RouteChange(
                                key(after, route.getKey(), route.getValue().id()),
                                FlowRecordCodec.encode(new FlownodeRoute(route.getKey(), route.getValue(), after))));
        return Stream.concat(revoked, held);
    }

    /** Bytes of key and value. */
    long sizeBytes() {
        return key.encode().length + (value == null ? 0 : value.length);
    }

    private static FlownodeRouteKey key(FlowRecord flow, long partitionId, long flownodeId) {
        return new FlownodeRouteKey(flownodeId, flow.catalog(), flow.flowId(), partitionId);
    }
}
