package io.sluice.service.cut;

import io.sluice.service.cut.CutException.Reason;
import io.sluice.state.common.Keys;
import io.sluice.state.common.RowStore;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.rocksdb.CompressionType;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Rows on disk for as long as somebody computes with them: a RocksDB without a log in front of it and without compaction, since
 * it is written once and read a few times. Its rows fall into spaces, told apart by a prefix.
 *
 * <p>Threading: spaces are independent of each other, each is used by one thread at a time; one that nobody writes to any more may
 * be read by several. Invariant: closed when nobody reads any more, and not before.
 */
public final class TemporaryRows implements AutoCloseable {
    private static final long WRITE_BUFFER_BYTES = 64L * 1024 * 1024;
    private static final int WRITE_BUFFERS = 3;
    private static final long READ_AHEAD_BYTES = 2L * 1024 * 1024;
    private static final int NEVER = 1 << 30;

    static {
        RocksDB.loadLibrary();
    }

    // Native memory of its own each; closed last opened first.
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final RocksDB db;
    private final WriteOptions writeOptions;

    private TemporaryRows(Path folder) throws RocksDBException {
        Options options = keep(new Options())
                .setCreateIfMissing(true)
                .setWriteBufferSize(WRITE_BUFFER_BYTES)
                .setMaxWriteBufferNumber(WRITE_BUFFERS)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setDisableAutoCompactions(true)
                .setLevel0FileNumCompactionTrigger(NEVER)
                .setLevel0SlowdownWritesTrigger(NEVER)
                .setLevel0StopWritesTrigger(NEVER);
        writeOptions = keep(new WriteOptions()).setDisableWAL(true);
        db = keep(RocksDB.open(options, folder.toString()));
    }

    /**
     * @param parent a folder is made in it
     * @throws CutException if it cannot be used
     */
    public static TemporaryRows create(Path parent) {
        TemporaryFolder folder = TemporaryFolder.create(parent);
        try {
            TemporaryRows rows = new TemporaryRows(folder.path().resolve("rows"));
            rows.open.addLast(folder);
            return rows;
        } catch (RocksDBException e) {
            folder.close();
            throw noRoom(e);
        }
    }

    /** Synchronized, since spaces are made by several threads. */
    private synchronized <T extends AutoCloseable> T keep(T part) {
        open.push(part);
        return part;
    }

    /** The rows under a prefix; no prefix of another space begins with it. */
    public Space space(byte... prefix) {
        return keep(new Space(prefix));
    }

    @Override
    public synchronized void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException("parts of a temporary store never refuse to close", e);
            }
        }
    }

    private static CutException noRoom(RocksDBException e) {
        return new CutException(
                Reason.NO_ROOM,
                "what was read cannot be kept in the folder for temporary files: " + e.getMessage()
                        + ". Check its free space, or name another one with the JVM's option -Djava.io.tmpdir.",
                e);
    }

    /** Rows under one prefix. Writes are gathered; reads of the same space see them, those of others after {@link #seal}. */
    public final class Space implements RowStore, AutoCloseable {
        private static final long BATCH_BYTES = 512 * 1024;

        private final byte[] prefix;
        // Null while nothing waits to be written.
        private WriteBatch batch;

        private Space(byte[] prefix) {
            this.prefix = prefix.clone();
        }

        @Override
        public void put(byte[] key, byte[] value) {
            set(key, value);
        }

        @Override
        public void delete(byte[] key) {
            remove(key);
        }

        /** As {@link #put}, for rows that were read: no row is decided here. */
        public void set(byte[] key, byte[] value) {
            try {
                batch().put(prefixed(key), value);
                flushIfLarge();
            } catch (RocksDBException e) {
                throw noRoom(e);
            }
        }

        /** As {@link #delete}, for rows that were read. */
        void remove(byte[] key) {
            try {
                batch().delete(prefixed(key));
                flushIfLarge();
            } catch (RocksDBException e) {
                throw noRoom(e);
            }
        }

        private WriteBatch batch() {
            if (batch == null) {
                batch = new WriteBatch();
            }
            return batch;
        }

        private void flushIfLarge() throws RocksDBException {
            if (batch.getDataSize() > BATCH_BYTES) {
                flush();
            }
        }

        private void flush() throws RocksDBException {
            if (batch != null && batch.count() > 0) {
                db.write(writeOptions, batch);
                batch.clear();
            }
        }

        /** Writes what was gathered: from now on the space may be read by several threads, until somebody writes again. */
        void seal() {
            try {
                flush();
            } catch (RocksDBException e) {
                throw noRoom(e);
            } finally {
                close();
            }
        }

        /** Forgets what was gathered and not written. */
        @Override
        public void close() {
            if (batch != null) {
                batch.close();
                batch = null;
            }
        }

        @Override
        public byte[] get(byte[] key) {
            try {
                flush();
                return db.get(prefixed(key));
            } catch (RocksDBException e) {
                throw noRoom(e);
            }
        }

        @Override
        public void scan(byte[] from, byte[] toExclusive, RowVisitor visitor) {
            scanWhole(prefixed(from), prefixed(toExclusive), visitor);
        }

        /** Visits all rows, whatever their keys, in order. */
        public void scanAll(RowVisitor visitor) {
            scanWhole(prefix, Keys.afterPrefix(prefix), visitor);
        }

        private void scanWhole(byte[] from, byte[] toExclusive, RowVisitor visitor) {
            try (Slice end = new Slice(toExclusive);
                    ReadOptions options = new ReadOptions()
                            .setIterateUpperBound(end)
                            .setReadaheadSize(READ_AHEAD_BYTES)
                            .setFillCache(false)) {
                flush();
                try (RocksIterator rows = db.newIterator(options)) {
                    rows.seek(from);
                    while (rows.isValid()) {
                        byte[] key = rows.key();
                        if (!visitor.visit(Arrays.copyOfRange(key, prefix.length, key.length), rows.value())) {
                            return;
                        }
                        rows.next();
                    }
                    rows.status();
                }
            } catch (RocksDBException e) {
                throw noRoom(e);
            }
        }

        private byte[] prefixed(byte[] key) {
            byte[] whole = Arrays.copyOf(prefix, prefix.length + key.length);
            System.arraycopy(key, 0, whole, prefix.length, key.length);
            return whole;
        }
    }
}
