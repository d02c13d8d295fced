package io.sluice.client;

import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.FlownodeRouteKey;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.TableName;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Routes of one flownode, for tests. Stateless. */
final class TestRoutes {
    static final long FLOWNODE = 7;

    private TestRoutes() {}

    static FlownodeRouteKey key(String catalog, long flowId, long partitionId) {
        return new FlownodeRouteKey(FLOWNODE, catalog, flowId, partitionId);
    }

    static FlownodeRoute route(FlownodeRouteKey key, long revision, String commandId) {
        return route(key, revision, commandId, "stored:1");
    }

    /** The flow is called {@code f} and its id. */
    static FlownodeRoute route(FlownodeRouteKey key, long revision, String commandId, String addr) {
        Peer peer = new Peer(key.flownodeId(), addr);
        SortedMap<Long, Peer> onlyThis = new TreeMap<>();
        onlyThis.put(key.partitionId(), peer);
        return new FlownodeRoute(
                key.partitionId(),
                peer,
                new FlowRecord(
                        key.catalog(),
                        key.flowId(),
                        "f" + key.flowId(),
                        revision,
                        commandId,
                        List.of(1024L),
                        List.of(new TableName("plant", "public", "req")),
                        List.of(),
                        new TableName("plant", "public", "out"),
                        onlyThis,
                        null,
                        "SELECT 1",
                        null,
                        null,
                        "",
                        new TreeMap<>(),
                        FlowStatus.ACTIVE,
                        1,
                        2,
                        null));
    }

    /** @param key null if that is what cannot be read */
    static RouteRecord.Broken broken(long offset, FlownodeRouteKey key) {
        return new RouteRecord.Broken(
                offset,
                key,
                new RouteEvent.Unreadable(
                        TopicNames.FLOWNODE_ROUTES, 0, offset, key == null ? "?" : key.toString(), "random bytes"));
    }
}
