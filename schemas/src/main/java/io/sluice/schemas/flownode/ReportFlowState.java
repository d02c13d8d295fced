package io.sluice.schemas.flownode;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.U64;
import java.util.List;
import java.util.Objects;

/**
 * All that a flownode has to say about its flows: takes the place of what it reported before.
 *
 * @param envelope its partition key is the flownode's id
 * @param flownodeId the bits of a u64
 */
public record ReportFlowState(CommandEnvelope envelope, long flownodeId, List<FlowStateEntry> flows)
        implements FlownodeCommand {
    public ReportFlowState {
        Objects.requireNonNull(envelope, "envelope");
        flows = List.copyOf(flows);
    }

    public ReportFlowState(
            long flownodeId, String commandId, long issuedAtNanos, String who, List<FlowStateEntry> flows) {
        this(new CommandEnvelope(U64.text(flownodeId), commandId, issuedAtNanos, who), flownodeId, flows);
    }
}
