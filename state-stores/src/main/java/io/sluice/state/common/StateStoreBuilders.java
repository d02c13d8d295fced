package io.sluice.state.common;

import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** How Sluice's stores are made: RocksDB behind the close guard, bytes in and out, no cache, a changelog of their own. Stateless. */
public final class StateStoreBuilders {
    private StateStoreBuilders() {}

    /** A store whose changelog topic is {@code <application id>-<name>-changelog}. */
    public static StoreBuilder<KeyValueStore<Bytes, byte[]>> persistent(String name) {
        KeyValueBytesStoreSupplier rocksDb = Stores.persistentKeyValueStore(name);
        KeyValueBytesStoreSupplier guarded = new KeyValueBytesStoreSupplier() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public KeyValueStore<Bytes, byte[]> get() {
                return new GuardedStore(rocksDb.get());
            }

            @Override
            public String metricsScope() {
                return rocksDb.metricsScope();
            }
        };
        // A cached write has no changelog record and cannot be read until it is flushed.
        return Stores.keyValueStoreBuilder(guarded, Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingEnabled(Map.of())
                .withCachingDisabled();
    }
}
