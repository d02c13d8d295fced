package io.sluice.schemas.flownode;

import java.util.Objects;

/**
 * Where a flownode can be reached: row {@code address}, and the value in the addresses topic. Immutable.
 *
 * @param flownodeId the bits of a u64
 * @param addr host and port
 * @param epoch the bits of a u64
 * @param commandId the command that registered it
 */
public record FlownodeAddress(long flownodeId, String addr, long epoch, String commandId) {
    public FlownodeAddress {
        Objects.requireNonNull(addr, "addr");
        Objects.requireNonNull(commandId, "commandId");
    }
}
