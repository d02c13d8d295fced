package io.sluice.state.common;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * RocksDB options of all stores: one block cache and one write-buffer budget for the process, whatever the number of
 * stores and partitions (docs/kafka.md, K-28). Kafka Streams makes one instance per store.
 *
 * <p>Threading: the shared cache and budget are made once, by the first store that opens, and live as long as the process.
 */
public final class RocksDbSettings implements RocksDBConfigSetter {
    /** Setting: bytes of the shared block cache. */
    public static final String BLOCK_CACHE_BYTES = "sluice.rocksdb.block.cache.bytes";

    /** Setting: bytes that all write buffers together may use. */
    public static final String WRITE_BUFFER_BYTES = "sluice.rocksdb.write.buffer.bytes";

    public static final long DEFAULT_BLOCK_CACHE_BYTES = 128L * 1024 * 1024;
    public static final long DEFAULT_WRITE_BUFFER_BYTES = 64L * 1024 * 1024;

    private static final long ONE_BUFFER_BYTES = 16L * 1024 * 1024;
    private static final int BLOOM_BITS_PER_KEY = 10;

    private static Cache cache;
    private static WriteBufferManager writeBuffers;

    private BloomFilter bloomFilter;

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        synchronized (RocksDbSettings.class) {
            if (cache == null) {
                cache = new LRUCache(bytes(configs, BLOCK_CACHE_BYTES, DEFAULT_BLOCK_CACHE_BYTES));
                writeBuffers =
                        new WriteBufferManager(bytes(configs, WRITE_BUFFER_BYTES, DEFAULT_WRITE_BUFFER_BYTES), cache);
            }
        }
        bloomFilter = new BloomFilter(BLOOM_BITS_PER_KEY);
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(cache);
        table.setCacheIndexAndFilterBlocks(true);
        table.setFilterPolicy(bloomFilter);
        options.setTableFormatConfig(table);
        options.setWriteBufferManager(writeBuffers);
        options.setWriteBufferSize(ONE_BUFFER_BYTES);
    }

    @Override
    public void close(String storeName, Options options) {
        // The shared cache outlives the store; only what was made for it goes.
        bloomFilter.close();
    }

    private static long bytes(Map<String, Object> configs, String name, long defaultBytes) {
        Object value = configs.get(name);
        return value == null ? defaultBytes : Long.parseLong(value.toString());
    }
}
