package io.sluice.schemas.flownode;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.U64;
import java.util.Objects;

/**
 * Says under which address a flownode can be reached from now on.
 *
 * @param envelope its partition key is the flownode's id
 * @param flownodeId the bits of a u64
 * @param addr host and port
 * @param epoch the bits of a u64; only a larger one than before changes the address
 */
public record RegisterFlownode(CommandEnvelope envelope, long flownodeId, String addr, long epoch)
        implements FlownodeCommand {
    public RegisterFlownode {
        Objects.requireNonNull(envelope, "envelope");
        Objects.requireNonNull(addr, "addr");
    }

    public RegisterFlownode(
            long flownodeId, String commandId, long issuedAtNanos, String who, String addr, long epoch) {
        this(new CommandEnvelope(U64.text(flownodeId), commandId, issuedAtNanos, who), flownodeId, addr, epoch);
    }
}
