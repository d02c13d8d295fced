package io.sluice.schemas.region;

/** Whether a region takes writes of rows now (docs/behaviour.md, section 4.2). */
public enum Admission {
    /** Write. */
    ADMIT,
    /** Not now: ask again after a while. */
    STALL,
    /** No: this is not the place to write to. */
    REJECT
}
