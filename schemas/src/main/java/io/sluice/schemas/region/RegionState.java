package io.sluice.schemas.region;

/** What a region is doing (docs/behaviour.md, section 4.1). Names are those that callers see. */
public enum RegionState {
    /** A follower. */
    READ_ONLY(RegionRole.FOLLOWER, Admission.REJECT, false),
    /** A leader. */
    WRITABLE(RegionRole.LEADER, Admission.ADMIT, false),
    ALTERING(RegionRole.LEADER, Admission.STALL, true),
    TRUNCATING(RegionRole.LEADER, Admission.STALL, true),
    EDITING(RegionRole.LEADER, Admission.STALL, true),
    /** Its end is being written. */
    DROPPING(RegionRole.LEADER, Admission.REJECT, true),
    /** A leader on its way out: no new changes, finished work may still land. */
    DOWNGRADING(RegionRole.DOWNGRADING, Admission.REJECT, false);

    private final RegionRole role;
    private final Admission admission;
    private final boolean isTransient;

    RegionState(RegionRole role, Admission admission, boolean isTransient) {
        this.role = role;
        this.admission = admission;
        this.isTransient = isTransient;
    }

    /** The one role that a region in this state has. */
    public RegionRole role() {
        return role;
    }

    public Admission admission() {
        return admission;
    }

    /** Whether it lasts only while the write of the command that set it is in flight. */
    public boolean isTransient() {
        return isTransient;
    }
}
