package io.sluice.state.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** What a crash leaves to be restored is bounded, whatever a store holds (docs/kafka.md, K-27). */
class RocksDbSettingsTest {
    private static final long MIB = 1024 * 1024;

    static {
        RocksDB.loadLibrary();
    }

    @Test
    void aStoreKeepsLittleThatIsNotOnDisk() {
        RocksDbSettings settings = new RocksDbSettings();
        try (Options options = new Options().setTableFormatConfig(new BlockBasedTableConfig())) {
            settings.setConfig("flow", options, Map.of());

            assertThat(options.writeBufferSize()).isBetween(MIB, 2 * MIB);
            settings.close("flow", options);
        }
    }

    @Test
    void sixteenFullStoresOfEachFamilyLeaveTheBudgetUnspent() {
        long budget = RocksDbSettings.DEFAULT_WRITE_BUFFER_BYTES;

        assertThat(32 * RocksDbSettings.oneBufferBytes(budget)).isLessThan(budget / 8 * 7);
    }

    @Test
    void aBufferIsNeitherTinyNorAsLargeAsALongRestore() {
        assertThat(RocksDbSettings.oneBufferBytes(1)).isEqualTo(MIB);
        assertThat(RocksDbSettings.oneBufferBytes(1024 * MIB)).isEqualTo(16 * MIB);
    }
}
