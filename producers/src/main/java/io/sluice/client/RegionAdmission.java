package io.sluice.client;

import io.sluice.schemas.region.Admission;
import io.sluice.schemas.region.RegionStateRecord;
import java.util.Objects;

/**
 * Whether a region takes writes, and what is known of it. Immutable.
 *
 * @param state name of the region's state, for people; {@code UNKNOWN} if there is none. A later version of Sluice may have more of
 *     them: go by the admission
 * @param why for people: why it stalls although the region itself may not; null when the answer is the region's own
 * @param epoch number of the decision that made it so, signed; 0 if the region is not known. It only grows: a writer that passes it on
 *     lets whoever stores the rows refuse those of an older one
 * @param manifestVersion the bits of a u64; 0 if the region is not known
 * @param schemaVersion the bits of a u64; 0 if the region is not known
 */
public record RegionAdmission(
        Admission admission, String state, String why, long epoch, long manifestVersion, long schemaVersion) {
    /** Of a region that does not exist. */
    static final RegionAdmission UNKNOWN = new RegionAdmission(Admission.REJECT, "UNKNOWN", null, 0, 0, 0);

    public RegionAdmission {
        Objects.requireNonNull(admission, "admission");
        Objects.requireNonNull(state, "state");
    }

    static RegionAdmission of(RegionStateRecord record) {
        return new RegionAdmission(
                record.admission(),
                record.state(),
                null,
                record.epoch(),
                record.manifestVersion(),
                record.schemaVersion());
    }

    /** The same region, of which nobody can say now whether it takes writes. */
    RegionAdmission stalled(String because) {
        return new RegionAdmission(Admission.STALL, state, because, epoch, manifestVersion, schemaVersion);
    }
}
