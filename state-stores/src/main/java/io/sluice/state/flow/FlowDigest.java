package io.sluice.state.flow;

import io.sluice.state.common.RowScanner;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * Digests of a flow store: one per key family, SHA-256 over the rows in key order, each as length and bytes of key and of
 * value. Equal digests mean equal rows. Outcomes and the cursor are no part of it: they are about commands. Stateless.
 */
public final class FlowDigest {
    private FlowDigest() {}

    /**
     * The digest of one key family.
     *
     * @param rows how many rows
     * @param sha256 in hexadecimal
     */
    public record FamilyDigest(long rows, String sha256) {}

    /** Digests the rows of one partition. */
    public static Map<FlowKeyFamily, FamilyDigest> of(RowScanner rows) {
        Map<FlowKeyFamily, FamilyDigest> digests = new EnumMap<>(FlowKeyFamily.class);
        for (FlowKeyFamily family : FlowKeyFamily.values()) {
            if (family.isState()) {
                digests.put(family, of(rows, family));
            }
        }
        return digests;
    }

    private static FamilyDigest of(RowScanner rows, FlowKeyFamily family) {
        MessageDigest sha256 = sha256();
        long[] count = {0};
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
        rows.scanPrefix(family.prefix(), (key, value) -> {
            add(sha256, length, key);
            add(sha256, length, value);
            count[0]++;
            return true;
        });
        return new FamilyDigest(count[0], HexFormat.of().formatHex(sha256.digest()));
    }

    /** One digest per family over the digests of all partitions, in partition order. */
    public static Map<FlowKeyFamily, FamilyDigest> combine(
            TreeMap<Integer, Map<FlowKeyFamily, FamilyDigest>> byPartition) {
        Map<FlowKeyFamily, FamilyDigest> combined = new EnumMap<>(FlowKeyFamily.class);
        for (FlowKeyFamily family : FlowKeyFamily.values()) {
            if (family.isState()) {
                MessageDigest sha256 = sha256();
                long rows = 0;
                for (Map<FlowKeyFamily, FamilyDigest> partition : byPartition.values()) {
                    FamilyDigest digest = partition.get(family);
                    sha256.update(HexFormat.of().parseHex(digest.sha256()));
                    rows += digest.rows();
                }
                combined.put(family, new FamilyDigest(rows, HexFormat.of().formatHex(sha256.digest())));
            }
        }
        return combined;
    }

    private static void add(MessageDigest digest, ByteBuffer length, byte[] bytes) {
        length.clear().putInt(bytes.length).flip();
        digest.update(length);
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
