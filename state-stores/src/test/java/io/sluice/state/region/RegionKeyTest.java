package io.sluice.state.region;

import static io.sluice.state.region.TestRegions.REGION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.state.common.Keys;
import io.sluice.state.common.NoncanonicalKeyException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of the region store's keys, which must never change. */
class RegionKeyTest {
    private static final String REGION_HEX = "0000080000000003";
    private static final UUID FILE = UUID.fromString("ffffffff-0000-4000-8000-00000000000a");
    private static final String FILE_HEX = "ffffffff00004000800000000000000a";

    @Test
    void region() {
        assertThat(Keys.hex(RegionIndex.key(REGION))).isEqualTo("01" + REGION_HEX);
        assertThat(RegionIndex.decodeKey(RegionIndex.key(-1))).isEqualTo(-1);
    }

    @Test
    void queue() {
        byte[] key = RegionQueueIndex.key(REGION, 258);
        assertThat(Keys.hex(key)).isEqualTo("02" + REGION_HEX + "0000000000000102");
        assertThat(RegionQueueIndex.decodeKey(key)).isEqualTo(new RegionQueueIndex.Key(REGION, 258));
    }

    @Test
    void waiting() {
        byte[] key = RegionQueueIndex.waitingKey(REGION, "c-1");
        assertThat(Keys.hex(key)).isEqualTo("0a" + REGION_HEX + "632d31");
        assertThat(RegionQueueIndex.decodeWaitingKey(key)).isEqualTo(new RegionQueueIndex.WaitingKey(REGION, "c-1"));
    }

    @Test
    void file() {
        byte[] key = RegionFileIndex.key(REGION, FILE);
        assertThat(Keys.hex(key)).isEqualTo("03" + REGION_HEX + FILE_HEX);
        assertThat(RegionFileIndex.decodeKey(key)).isEqualTo(new RegionFileIndex.Key(REGION, FILE));
    }

    @Test
    void removed() {
        String head = "04" + REGION_HEX + FILE_HEX;
        String tail = "0000000000000007" + "00000001";
        byte[] plain = RemovedFileIndex.key(REGION, new DataFile(FILE, null), 7, 1);
        byte[] indexed = RemovedFileIndex.key(REGION, new DataFile(FILE, 0L), 7, 1);
        byte[] index = RemovedFileIndex.key(REGION, new IndexFile(FILE, -1), 7, 1);
        assertThat(Keys.hex(plain)).isEqualTo(head + "00000000" + "0000000000000000" + tail);
        assertThat(Keys.hex(indexed)).isEqualTo(head + "00000001" + "0000000000000000" + tail);
        assertThat(Keys.hex(index)).isEqualTo(head + "00000002" + "ffffffffffffffff" + tail);
        assertThat(Stream.of(plain, indexed, index).map(RemovedFileIndex::decodeKey))
                .containsExactly(
                        new RemovedFileIndex.Key(REGION, new DataFile(FILE, null), 7, 1),
                        new RemovedFileIndex.Key(REGION, new DataFile(FILE, 0L), 7, 1),
                        new RemovedFileIndex.Key(REGION, new IndexFile(FILE, -1), 7, 1));
    }

    @Test
    void cleanup() {
        byte[] key = CleanupIndex.key(REGION, FILE);
        assertThat(Keys.hex(key)).isEqualTo("05" + REGION_HEX + FILE_HEX);
        assertThat(CleanupIndex.decodeKey(key)).isEqualTo(new CleanupIndex.Key(REGION, FILE));
    }

    @Test
    void write() {
        assertThat(Keys.hex(WriteOrderIndex.key(REGION))).isEqualTo("06" + REGION_HEX);
        assertThat(WriteOrderIndex.decodeKey(WriteOrderIndex.key(REGION))).isEqualTo(REGION);
    }

    @Test
    void delta() {
        assertThat(Keys.hex(ManifestDeltaIndex.key(REGION, 7))).isEqualTo("0b" + REGION_HEX + "0000000000000007");
        assertThat(ManifestDeltaIndex.decodeKey(ManifestDeltaIndex.key(REGION, -1)))
                .isEqualTo(new ManifestDeltaIndex.Key(REGION, -1));
    }

    @Test
    void tagsAreUnique() {
        assertThat(Arrays.stream(RegionKeyFamily.values()).map(RegionKeyFamily::tag))
                .doesNotHaveDuplicates()
                .containsExactlyElementsOf(List.of(
                        (byte) 1, (byte) 2, (byte) 3, (byte) 4, (byte) 5, (byte) 6, (byte) 7, (byte) 8, (byte) 9,
                        (byte) 10, (byte) 11));
    }

    @Test
    void regionsAreInUnsignedOrder() {
        assertThat(Arrays.compareUnsigned(RegionIndex.key(Long.MAX_VALUE), RegionIndex.key(Long.MIN_VALUE)))
                .isNegative();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "04",
                "04" + REGION_HEX + FILE_HEX + "00000003" + "0000000000000000" + "0000000000000007" + "00000001",
                "04" + REGION_HEX + FILE_HEX + "00000000" + "0000000000000001" + "0000000000000007" + "00000001",
                "04" + REGION_HEX + FILE_HEX + "00000001" + "0000000000000001" + "0000000000000007" + "0000000100"
            })
    void otherBytesAreRefused(String key) {
        assertThatThrownBy(() -> RemovedFileIndex.decodeKey(HexFormat.of().parseHex(key)))
                .isInstanceOf(NoncanonicalKeyException.class);
    }
}
