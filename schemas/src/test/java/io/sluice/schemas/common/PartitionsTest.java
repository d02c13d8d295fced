package io.sluice.schemas.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The partition function against its vectors, and both against a murmur2 of our own. */
class PartitionsTest {
    private static final String VECTORS = "/schemas/released/partition-vectors.csv";
    private static final String HEADING = "partition key,partitions,partition";

    /** A line of the vector file. */
    record Vector(String partitionKey, int partitions, int partition) {}

    static List<Vector> vectors() throws IOException {
        return lines().stream().skip(1).map(PartitionsTest::toVector).toList();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void everyVectorHolds(Vector vector) {
        assertThat(Partitions.of(vector.partitionKey(), vector.partitions())).isEqualTo(vector.partition());
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void everyVectorHoldsForAnIndependentMurmur2(Vector vector) {
        byte[] key = vector.partitionKey().getBytes(StandardCharsets.UTF_8);

        assertThat((murmur2(key) & 0x7fffffff) % vector.partitions()).isEqualTo(vector.partition());
    }

    @Test
    void theVectorsCoverSeveralCountsAndEveryLengthOfTheLastBlock() throws IOException {
        assertThat(lines().get(0)).isEqualTo(HEADING);
        assertThat(vectors()).hasSizeGreaterThanOrEqualTo(40).doesNotHaveDuplicates();
        assertThat(vectors().stream().map(Vector::partitions).distinct()).hasSizeGreaterThanOrEqualTo(5);
        assertThat(vectors().stream()
                        .map(v -> v.partitionKey().getBytes(StandardCharsets.UTF_8).length % 4)
                        .distinct())
                .containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void aCountBelowOneIsRefused(int partitionCount) {
        assertThatThrownBy(() -> Partitions.of("greptime", partitionCount))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(partitionCount));
    }

    private static Vector toVector(String line) {
        String[] columns = line.split(",", -1);
        assertThat(columns).as(line).hasSize(3);
        return new Vector(columns[0], Integer.parseInt(columns[1]), Integer.parseInt(columns[2]));
    }

    private static List<String> lines() throws IOException {
        try (InputStream in = PartitionsTest.class.getResourceAsStream(VECTORS)) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** Written from the published description: Austin Appleby's MurmurHash2, 32 bits, seed 0x9747b28c. */
    private static int murmur2(byte[] data) {
        final int m = 0x5bd1e995;
        int hash = 0x9747b28c ^ data.length;
        int at = 0;
        for (; data.length - at >= 4; at += 4) {
            int block = 0;
            for (int i = 3; i >= 0; i--) {
                block = block << 8 | data[at + i] & 0xff;
            }
            block *= m;
            block ^= block >>> 24;
            hash = hash * m ^ block * m;
        }
        if (at < data.length) {
            int tail = 0;
            for (int i = data.length - 1; i >= at; i--) {
                tail = tail << 8 | data[i] & 0xff;
            }
            hash = (hash ^ tail) * m;
        }
        hash = (hash ^ hash >>> 13) * m;
        return hash ^ hash >>> 15;
    }
}
