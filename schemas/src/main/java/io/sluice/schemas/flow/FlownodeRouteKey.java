package io.sluice.schemas.flow;

import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The key of a record in the routes topic: {@code <flownode id>/<catalog>/<flow id>/<partition id>}, numbers in decimal without
 * leading zeros. Immutable.
 *
 * @param flownodeId the bits of a u64
 * @param flowId u32
 * @param partitionId u32
 */
public record FlownodeRouteKey(long flownodeId, String catalog, long flowId, long partitionId) {
    private static final String FORM = "<flownode id>/<catalog>/<flow id>/<partition id>";

    public FlownodeRouteKey {
        Objects.requireNonNull(catalog, "catalog");
    }

    /** What the partition of the routes topic is computed from. */
    public String partitionKey() {
        return U64.text(flownodeId);
    }

    public byte[] encode() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    /** @throws UndecodableException naming the key and the form that is expected */
    public static FlownodeRouteKey decode(byte[] key) {
        String text = new String(key, StandardCharsets.UTF_8);
        String[] parts = text.split("/", -1);
        try {
            if (parts.length == 4) {
                FlownodeRouteKey decoded = new FlownodeRouteKey(
                        Long.parseUnsignedLong(parts[0]), parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]));
                // Only the one canonical form: another text for the same key would be another record to compaction.
                if (decoded.toString().equals(text) && U32.fits(decoded.flowId) && U32.fits(decoded.partitionId)) {
                    return decoded;
                }
            }
        } catch (NumberFormatException e) {
            throw new UndecodableException("route key \"" + Texts.shortened(text) + "\": expected " + FORM, e);
        }
        throw new UndecodableException("route key \"" + Texts.shortened(text) + "\": expected " + FORM);
    }

    @Override
    public String toString() {
        return U64.text(flownodeId) + "/" + catalog + "/" + flowId + "/" + partitionId;
    }
}
