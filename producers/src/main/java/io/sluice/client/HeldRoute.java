package io.sluice.client;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlownodeRoute;
import java.util.Objects;

/**
 * Which version of a flow a flownode holds a partition of. Immutable.
 *
 * <p>Two versions are the same if revision and command are: a flow that was created again starts at revision 1, so the revision
 * alone tells nothing, and versions are never put in order by it.
 *
 * @param revision the bits of a u64
 * @param commandId the command that made the version
 */
public record HeldRoute(String flowName, long revision, String commandId) {
    public HeldRoute {
        Objects.requireNonNull(flowName, "flowName");
        Objects.requireNonNull(commandId, "commandId");
    }

    static HeldRoute of(FlownodeRoute route) {
        FlowRecord flow = route.flow();
        return new HeldRoute(flow.flowName(), flow.revision(), flow.commandId());
    }

    boolean isSameVersion(HeldRoute other) {
        return revision == other.revision && commandId.equals(other.commandId);
    }
}
