package io.sluice.schemas.flownode;

import java.util.Objects;

/**
 * What a flownode says about one flow that it runs. Immutable.
 *
 * @param flowId u32
 * @param stateSizeBytes the bits of a u64
 * @param lastExecTimeMs epoch milliseconds of the flownode's clock
 * @param startTimeMs epoch milliseconds of the flownode's clock; null when it did not say
 */
public record FlowStateEntry(String catalog, long flowId, long stateSizeBytes, long lastExecTimeMs, Long startTimeMs) {
    public FlowStateEntry {
        Objects.requireNonNull(catalog, "catalog");
    }
}
