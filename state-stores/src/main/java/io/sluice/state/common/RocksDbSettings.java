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

    private static final long LEAST_BUFFER_BYTES = 1024 * 1024;
    private static final long MOST_BUFFER_BYTES = 16L * 1024 * 1024;
    private static final int BUFFERS_IN_BUDGET = 56;
    private static final int BLOOM_BITS_PER_KEY = 10;

    private static Cache cache;
    private static long cacheBytes;
    private static WriteBufferManager writeBuffers;
    private static long oneBufferBytes;

    private BloomFilter bloomFilter;

    /**
     * What all stores of the process keep in memory: blocks that were read, and rows that are not written out yet.
     *
     * @param pinnedBytes the part that cannot be given back now
     * @param limitBytes what blocks are thrown out for
     */
    public record Memory(long usedBytes, long pinnedBytes, long limitBytes) {}

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        synchronized (RocksDbSettings.class) {
            if (cache == null) {
                cacheBytes = bytes(configs, BLOCK_CACHE_BYTES, DEFAULT_BLOCK_CACHE_BYTES);
                cache = new LRUCache(cacheBytes);
                long budgetBytes = bytes(configs, WRITE_BUFFER_BYTES, DEFAULT_WRITE_BUFFER_BYTES);
                writeBuffers = new WriteBufferManager(budgetBytes, cache);
                oneBufferBytes = oneBufferBytes(budgetBytes);
            }
        }
        bloomFilter = new BloomFilter(BLOOM_BITS_PER_KEY);
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(cache);
        table.setCacheIndexAndFilterBlocks(true);
        table.setFilterPolicy(bloomFilter);
        options.setTableFormatConfig(table);
        options.setWriteBufferManager(writeBuffers);
        options.setWriteBufferSize(oneBufferBytes);
    }

    /**
     * How much one store keeps in memory before RocksDB writes it out, rows and changelog offset together. Kafka Streams never
     * asks for that and has the write-ahead log off: after a crash this much, 1.1 MiB or some 12,000 changelog records by
     * default, is restored per store, and nothing else. Small enough too that 48 stores, 16 of each family, stay under the seven
     * eighths of the budget from which on RocksDB writes a file for every commit.
     */
    static long oneBufferBytes(long budgetBytes) {
        return Math.max(LEAST_BUFFER_BYTES, Math.min(MOST_BUFFER_BYTES, budgetBytes / BUFFERS_IN_BUDGET));
    }

    /**
     * What is in use now. Asks the shared cache and no store: what a store says of itself must not be asked while it closes
     * (docs/kafka.md, K-42).
     */
    public static Memory memory() {
        synchronized (RocksDbSettings.class) {
            return cache == null
                    ? new Memory(0, 0, 0)
                    : new Memory(cache.getUsage(), cache.getPinnedUsage(), cacheBytes);
        }
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
