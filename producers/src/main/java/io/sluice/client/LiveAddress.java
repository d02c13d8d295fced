package io.sluice.client;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.Peer;
import java.util.SortedMap;
import java.util.TreeMap;

/** Lays the registered address of a flownode over the one that is stored with a route. Stateless. */
final class LiveAddress {
    private LiveAddress() {}

    /** The route with that address; the route as it is if that is null. */
    static FlownodeRoute over(FlownodeRoute route, String addr) {
        if (addr == null || addr.equals(route.peer().addr())) {
            return route;
        }
        Peer live = new Peer(route.peer().id(), addr);
        FlowRecord f = route.flow();
        SortedMap<Long, Peer> onlyThis = new TreeMap<>();
        onlyThis.put(route.partitionId(), live);
        return new FlownodeRoute(
                route.partitionId(),
                live,
                new FlowRecord(
                        f.catalog(),
                        f.flowId(),
                        f.flowName(),
                        f.revision(),
                        f.commandId(),
                        f.sourceTableIds(),
                        f.allSourceTableNames(),
                        f.unresolvedSourceTableNames(),
                        f.sinkTableName(),
                        onlyThis,
                        f.queryContext(),
                        f.rawSql(),
                        f.expireAfterSecs(),
                        f.evalIntervalSecs(),
                        f.comment(),
                        f.options(),
                        f.status(),
                        f.createdTimeNanos(),
                        f.updatedTimeNanos(),
                        f.evalSchedule()));
    }
}
