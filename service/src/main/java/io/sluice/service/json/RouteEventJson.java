package io.sluice.service.json;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.client.HeldRoute;
import io.sluice.client.RouteEvent;
import io.sluice.client.RouteEvent.Assigned;
import io.sluice.client.RouteEvent.Revoked;
import io.sluice.client.RouteEvent.Updated;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlownodeRouteKey;
import java.util.Optional;

/** What happens to a flownode's partitions, as {@code sluice flownode watch} shows it. Stateless. */
public final class RouteEventJson {
    private RouteEventJson() {}

    /** Empty if the event is not about a partition. */
    public static Optional<ObjectNode> write(RouteEvent event) {
        if (event instanceof Assigned assigned) {
            FlowRecord flow = assigned.route().flow();
            return Optional.of(json("assigned", assigned.key(), flow.flowName(), flow.revision()));
        }
        if (event instanceof Updated updated) {
            FlowRecord flow = updated.route().flow();
            return Optional.of(json("updated", updated.key(), flow.flowName(), flow.revision()));
        }
        if (event instanceof Revoked revoked) {
            HeldRoute last = revoked.last();
            return Optional.of(json("revoked", revoked.key(), last.flowName(), last.revision()));
        }
        return Optional.empty();
    }

    private static ObjectNode json(String event, FlownodeRouteKey key, String flowName, long revision) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("event", event);
        json.put("catalog", key.catalog());
        json.put("flow_id", key.flowId());
        json.put("flow_name", flowName);
        json.put("partition_id", key.partitionId());
        json.set("revision", JsonText.u64(revision));
        return json;
    }
}
