package io.sluice.topology.flownode;

import static io.sluice.schemas.common.Texts.shortened;

import io.sluice.schemas.common.Names;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flownode.FlowStateEntry;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeCommand;
import io.sluice.schemas.flownode.FlownodeReport;
import io.sluice.schemas.flownode.RegisterFlownode;
import io.sluice.schemas.flownode.ReportFlowState;
import io.sluice.state.flownode.FlownodeFact.AddressRegistered;
import io.sluice.state.flownode.FlownodeFact.StateReported;
import io.sluice.state.flownode.FlownodeView;
import java.nio.charset.StandardCharsets;

/**
 * Decides flownode commands (docs/behaviour.md, section 2.5). Pure: no clock, no randomness, no I/O; the same view and command
 * always give the same decision. Thread-safe.
 */
final class FlownodeDecider {
    /** Bytes of the longest address: far more than a host name and a port have, far less than a record may. */
    static final int ADDR_MAX_BYTES = 1024;

    FlownodeDecision decide(FlownodeView view, FlownodeCommand command) {
        return command instanceof RegisterFlownode register
                ? register(view.address(register.flownodeId()), register)
                : report((ReportFlowState) command);
    }

    private static FlownodeDecision register(FlownodeAddress current, RegisterFlownode command) {
        Long epoch = current == null ? null : current.epoch();
        int addrBytes = command.addr().getBytes(StandardCharsets.UTF_8).length;
        if (addrBytes == 0 || addrBytes > ADDR_MAX_BYTES) {
            return FlownodeDecision.refused(
                    OutcomeCode.INVALID_ARGUMENT,
                    "addr has " + addrBytes + " bytes: allowed are 1 to " + ADDR_MAX_BYTES
                            + ", host and port under which the flownode can be reached",
                    epoch);
        }
        if (current == null || Long.compareUnsigned(command.epoch(), current.epoch()) > 0) {
            return FlownodeDecision.applied(
                    new AddressRegistered(new FlownodeAddress(
                            command.flownodeId(),
                            command.addr(),
                            command.epoch(),
                            command.envelope().commandId())),
                    command.epoch());
        }
        if (command.epoch() == current.epoch() && command.addr().equals(current.addr())) {
            return FlownodeDecision.unchanged(epoch);
        }
        return FlownodeDecision.refused(
                OutcomeCode.REVISION_MISMATCH,
                "flownode " + U64.text(command.flownodeId()) + " is registered at \"" + shortened(current.addr())
                        + "\" since epoch " + U64.text(current.epoch()) + ", epoch is " + U64.text(command.epoch())
                        + ": only a larger one changes the address",
                epoch);
    }

    private static FlownodeDecision report(ReportFlowState command) {
        for (FlowStateEntry flow : command.flows()) {
            if (!Names.isName(flow.catalog())) {
                return FlownodeDecision.refused(
                        OutcomeCode.INVALID_ARGUMENT,
                        "catalog is \"" + shortened(flow.catalog()) + "\": allowed is a name that matches "
                                + Names.PATTERN,
                        null);
            }
            if (!U32.fits(flow.flowId())) {
                return FlownodeDecision.refused(
                        OutcomeCode.INVALID_ARGUMENT,
                        "flow_id is " + flow.flowId() + ": allowed are 0 to " + U32.MAX,
                        null);
            }
        }
        return FlownodeDecision.applied(
                new StateReported(new FlownodeReport(
                        command.flownodeId(),
                        command.flows(),
                        command.envelope().commandId())),
                null);
    }
}
