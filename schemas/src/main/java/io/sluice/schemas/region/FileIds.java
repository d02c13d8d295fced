package io.sluice.schemas.region;

import java.util.Comparator;
import java.util.UUID;

/** File ids: UUIDs, in the order of their hyphenated lower-case text, which is that of their bits. Stateless. */
public final class FileIds {
    /** Not {@link UUID#compareTo}, which compares signed halves. */
    public static final Comparator<UUID> ORDER = (a, b) -> {
        int byHigh = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return byHigh != 0 ? byHigh : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    };

    private FileIds() {}
}
