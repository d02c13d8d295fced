package io.sluice.schemas.region;

import java.util.List;
import java.util.Objects;

/**
 * A version of a region's manifest, or a part of it: value in the manifests topic. A version is complete when every chunk from 0 to
 * the last one is there, all of one incarnation and command. Immutable.
 *
 * @param regionId the bits of a u64
 * @param incarnation number of the decision that created the region
 * @param version the bits of a u64
 * @param commandId the command that made this version; of merged ones the first
 * @param chunk from 0
 * @param last whether no more chunks of this version follow
 * @param continues whether the first action is the rest of the last action of the chunk before, whose lists it prolongs
 * @param actions in the order in which they are applied
 */
public record ManifestChunk(
        long regionId,
        long incarnation,
        long version,
        String commandId,
        int chunk,
        boolean last,
        boolean continues,
        List<ManifestAction> actions) {
    public ManifestChunk {
        Objects.requireNonNull(commandId, "commandId");
        actions = List.copyOf(actions);
        if (chunk < 0) {
            throw new IllegalArgumentException("chunk is " + chunk + ": chunks count from 0");
        }
        if (continues && (chunk == 0 || actions.isEmpty())) {
            throw new IllegalArgumentException("chunk " + chunk + " with " + actions.size()
                    + " actions continues the chunk before: only a later chunk with an action can");
        }
    }
}
