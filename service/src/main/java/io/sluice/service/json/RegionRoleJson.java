package io.sluice.service.json;

import io.sluice.schemas.region.RegionRole;
import java.util.List;
import java.util.Locale;

/** Roles of regions as requests and answers say them. Stateless. */
final class RegionRoleJson {
    private static final List<RegionRole> OFFERED =
            List.of(RegionRole.LEADER, RegionRole.FOLLOWER, RegionRole.DOWNGRADING);

    private RegionRoleJson() {}

    /** Staging, by whatever name, is one role: what it is not offered for is the decider's to say. */
    static RegionRole read(JsonValue json) {
        return json.isText() && json.asText().startsWith("staging")
                ? RegionRole.STAGING_LEADER
                : json.asOneOf(OFFERED.toArray(RegionRole[]::new), RegionRoleJson::label);
    }

    static String label(RegionRole role) {
        return role.name().toLowerCase(Locale.ROOT);
    }
}
