package io.sluice.schemas.region;

import java.util.List;
import java.util.Objects;

/**
 * What the writer of a region's manifest is to write: row {@code write} of the region store, and the value in the writes topic.
 * One per region at a time; the same as the region's write in flight, with its content. Immutable.
 *
 * @param regionId the bits of a u64
 * @param incarnation number of the decision that created the region
 * @param commandId under which the writer reports
 * @param version to be written, the bits of a u64; of a drop, which writes none, the one that the region has
 * @param actions in the order in which they are applied; none for a drop
 */
public record ManifestWriteOrder(
        long regionId,
        long incarnation,
        String commandId,
        long version,
        ManifestWriteKind kind,
        List<ManifestAction> actions) {
    public ManifestWriteOrder {
        Objects.requireNonNull(commandId, "commandId");
        Objects.requireNonNull(kind, "kind");
        actions = List.copyOf(actions);
        if (actions.isEmpty() != (kind == ManifestWriteKind.DROP)) {
            throw new IllegalArgumentException("an order of kind " + kind + " has " + actions.size() + " actions");
        }
    }
}
