package io.sluice.service.manifest;

import io.sluice.schemas.common.U64;

/** Versions from one to another, both included; the bits of u64s. Immutable. */
public record VersionRange(long first, long last) {
    public VersionRange {
        if (Long.compareUnsigned(first, last) > 0) {
            throw new IllegalArgumentException(U64.text(first) + ".." + U64.text(last) + " holds no version");
        }
    }

    /** {@code 5}, or {@code 211..253}. */
    @Override
    public String toString() {
        return first == last ? U64.text(first) : U64.text(first) + ".." + U64.text(last);
    }
}
