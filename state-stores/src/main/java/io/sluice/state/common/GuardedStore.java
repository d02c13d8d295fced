package io.sluice.state.common;

import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Keeps a RocksDB store open, and still, while it is read.
 *
 * <p>Open: Kafka Streams checks that a store is open and then reads it, while a rebalance may close it in between: RocksDB is
 * then called on freed handles and the whole JVM dies (docs/kafka.md, K-42). Still: a {@link StoreLookUp} makes several reads
 * of one committed state, so no commit may fall between them.
 *
 * <p>Threading: queries, and every step of an iterator that a query returned, hold the read lock; {@link #close} and {@link
 * #commit} hold the write lock. A commit therefore waits for the look-ups that are running, which comes after the transaction
 * was committed on the brokers and keeps nothing open there. A step after the close throws {@link InvalidStateStoreException};
 * an iterator that is left open never blocks a close. Everything else is the stream thread's and is passed on untouched.
 */
final class GuardedStore implements KeyValueStore<Bytes, byte[]> {
    private final KeyValueStore<Bytes, byte[]> inner;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    // How often the store was closed; guarded by the lock. A task that is revived opens the same store again, and an
    // iterator from before must not take that for its own.
    private long closes;

    GuardedStore(KeyValueStore<Bytes, byte[]> inner) {
        this.inner = inner;
    }

    @Override
    public <R> QueryResult<R> query(Query<R> query, PositionBound bound, QueryConfig config) {
        Lock read = lock.readLock();
        read.lock();
        try {
            requireOpen();
            if (query instanceof StoreLookUp<R> lookUp) {
                return QueryResult.forResult(lookUp.reads().apply(committedRows(config)));
            }
            QueryResult<R> result = inner.query(query, bound, config);
            return result.isSuccess() && result.getResult() instanceof KeyValueIterator<?, ?> iterator
                    ? guarded(result, iterator)
                    : result;
        } finally {
            read.unlock();
        }
    }

    private RowScanner committedRows(QueryConfig config) {
        ReadOnlyKeyValueStore<Bytes, byte[]> rows = inner.readOnly(config.getIsolationLevel());
        return new RowScanner() {
            @Override
            public byte[] get(byte[] key) {
                return rows.get(Bytes.wrap(key));
            }

            @Override
            public void scan(byte[] from, byte[] toExclusive, RowVisitor visitor) {
                try (KeyValueIterator<Bytes, byte[]> range = rows.range(Bytes.wrap(from), Bytes.wrap(toExclusive))) {
                    KeyValueStoreRows.visit(range, toExclusive, visitor);
                }
            }
        };
    }

    @SuppressWarnings("unchecked") // R is a KeyValueIterator of these types: the result was one
    private <R, K, V> QueryResult<R> guarded(QueryResult<R> result, KeyValueIterator<K, V> iterator) {
        QueryResult<R> guarded = QueryResult.forResult((R) new GuardedIterator<>(iterator));
        guarded.setPosition(result.getPosition());
        result.getExecutionInfo().forEach(guarded::addExecutionInfo);
        return guarded;
    }

    @Override
    public void close() {
        Lock write = lock.writeLock();
        write.lock();
        try {
            closes++;
            inner.close();
        } finally {
            write.unlock();
        }
    }

    private void requireOpen() {
        if (!inner.isOpen()) {
            throw closed();
        }
    }

    private InvalidStateStoreException closed() {
        return new InvalidStateStoreException("store " + inner.name() + " was closed while it was being read");
    }

    private final class GuardedIterator<K, V> implements KeyValueIterator<K, V> {
        private final KeyValueIterator<K, V> rows;
        private final long closesBefore = closes;

        /** To be made under the read lock. */
        GuardedIterator(KeyValueIterator<K, V> rows) {
            this.rows = rows;
        }

        private void requireSameOpening() {
            if (closes != closesBefore) {
                throw closed();
            }
            requireOpen();
        }

        @Override
        public boolean hasNext() {
            Lock read = lock.readLock();
            read.lock();
            try {
                requireSameOpening();
                return rows.hasNext();
            } finally {
                read.unlock();
            }
        }

        @Override
        public KeyValue<K, V> next() {
            Lock read = lock.readLock();
            read.lock();
            try {
                requireSameOpening();
                return rows.next();
            } finally {
                read.unlock();
            }
        }

        @Override
        public K peekNextKey() {
            Lock read = lock.readLock();
            read.lock();
            try {
                requireSameOpening();
                return rows.peekNextKey();
            } finally {
                read.unlock();
            }
        }

        @Override
        public void close() {
            Lock read = lock.readLock();
            read.lock();
            try {
                // A closed store has closed its iterators already; closing one again would touch freed memory.
                if (closes == closesBefore && inner.isOpen()) {
                    rows.close();
                }
            } finally {
                read.unlock();
            }
        }
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        inner.init(context, root);
    }

    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        Lock write = lock.writeLock();
        write.lock();
        try {
            inner.commit(changelogOffsets);
        } finally {
            write.unlock();
        }
    }

    @Override
    public Long committedOffset(TopicPartition partition) {
        return inner.committedOffset(partition);
    }

    @Override
    @SuppressWarnings("deprecation") // still asked for by the runtime
    public boolean managesOffsets() {
        return inner.managesOffsets();
    }

    @Override
    public boolean persistent() {
        return inner.persistent();
    }

    @Override
    public boolean isOpen() {
        return inner.isOpen();
    }

    @Override
    public long approximateNumUncommittedBytes() {
        return inner.approximateNumUncommittedBytes();
    }

    /**
     * None: Sluice's positions are cursor rows. The store's own would be copied for every row that is written, a fifth of a
     * stream thread's time under load, and nobody reads it.
     */
    @Override
    public Position getPosition() {
        return Position.emptyPosition();
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> readOnly(IsolationLevel isolationLevel) {
        return inner.readOnly(isolationLevel);
    }

    @Override
    public void put(Bytes key, byte[] value) {
        inner.put(key, value);
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        return inner.putIfAbsent(key, value);
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
        inner.putAll(entries);
    }

    @Override
    public byte[] delete(Bytes key) {
        return inner.delete(key);
    }

    @Override
    public byte[] get(Bytes key) {
        return inner.get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        return inner.range(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
        return inner.reverseRange(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return inner.all();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseAll() {
        return inner.reverseAll();
    }

    @Override
    public <PS extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P prefix, PS serializer) {
        return inner.prefixScan(prefix, serializer);
    }

    @Override
    public long approximateNumEntries() {
        return inner.approximateNumEntries();
    }
}
