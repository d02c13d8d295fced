package io.sluice.schemas.flownode;

import java.util.List;
import java.util.Objects;

/**
 * The last report of a flownode: row {@code report}, and the value in the states topic. Immutable.
 *
 * @param flownodeId the bits of a u64
 * @param flows as reported
 * @param commandId the command that reported it
 */
public record FlownodeReport(long flownodeId, List<FlowStateEntry> flows, String commandId) {
    public FlownodeReport {
        flows = List.copyOf(flows);
        Objects.requireNonNull(commandId, "commandId");
    }
}
