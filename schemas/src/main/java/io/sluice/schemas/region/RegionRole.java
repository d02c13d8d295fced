package io.sluice.schemas.region;

/** What a region is told to be. */
public enum RegionRole {
    LEADER,
    FOLLOWER,
    DOWNGRADING,
    /** Not offered by Sluice; known, so that it can be refused by name. */
    STAGING_LEADER
}
