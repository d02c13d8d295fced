package io.sluice.state.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.RangeQuery;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store stays open while it is read, and as it is while a look-up reads it (docs/kafka.md, K-42). */
@Timeout(60)
class GuardedStoreTest {
    private static final QueryConfig COMMITTED = new QueryConfig(false, IsolationLevel.READ_COMMITTED);

    private final Inner inner = new Inner();
    private final KeyValueStore<Bytes, byte[]> store = new GuardedStore(inner.store());

    @Test
    void aCommitWaitsForTheLookUpThatIsRunning() throws Exception {
        CountDownLatch committing = new CountDownLatch(1);
        Thread streamThread = new Thread(() -> {
            committing.countDown();
            store.commit(Map.of());
        });

        query(new StoreLookUp<>(rows -> {
            streamThread.start();
            awaitQueued(committing, streamThread);
            assertThat(inner.calls).doesNotContain("commit");
            return "read";
        }));
        streamThread.join();

        assertThat(inner.calls).contains("commit");
    }

    @Test
    void aCloseWaitsForTheLookUpThatIsRunning() throws Exception {
        CountDownLatch closing = new CountDownLatch(1);
        Thread streamThread = new Thread(() -> {
            closing.countDown();
            store.close();
        });

        query(new StoreLookUp<>(rows -> {
            streamThread.start();
            awaitQueued(closing, streamThread);
            assertThat(inner.open).isTrue();
            return "read";
        }));
        streamThread.join();

        assertThat(inner.open).isFalse();
    }

    @Test
    void aLookUpReadsAtTheIsolationLevelOfItsQuery() {
        QueryResult<byte[]> result = query(new StoreLookUp<>(rows -> rows.get(new byte[] {1})));

        assertThat(result.getResult()).containsExactly(42);
        assertThat(inner.readAt).containsExactly(IsolationLevel.READ_COMMITTED);
    }

    @Test
    void aLookUpThatFailsLeavesTheStoreUsable() {
        assertThatThrownBy(() -> query(new StoreLookUp<>(rows -> {
                    throw new IllegalArgumentException("bad look-up");
                })))
                .hasMessage("bad look-up");

        store.commit(Map.of());
        assertThat(inner.calls).contains("commit");
    }

    @Test
    void aScanClosesItsIteratorAlsoWhenTheLookUpStopsOrFails() {
        query(new StoreLookUp<>(rows -> {
            rows.scan(new byte[] {0}, new byte[] {9}, (key, value) -> false);
            return "stopped";
        }));
        assertThat(inner.calls).containsOnlyOnce("range", "iterator.close");

        assertThatThrownBy(() -> query(new StoreLookUp<>(rows -> {
                    rows.scan(new byte[] {0}, new byte[] {9}, (key, value) -> {
                        throw new IllegalArgumentException("bad row");
                    });
                    return "never";
                })))
                .hasMessage("bad row");
        assertThat(inner.calls).filteredOn("range"::equals).hasSize(2);
        assertThat(inner.calls).filteredOn("iterator.close"::equals).hasSize(2);
    }

    @Test
    void aClosedStoreIsNotRead() {
        store.close();

        assertThatThrownBy(() -> query(new StoreLookUp<>(rows -> "read")))
                .isInstanceOf(InvalidStateStoreException.class);
    }

    @Test
    void anIteratorThatIsLeftOpenDoesNotHoldUpTheCloseAndIsNotReadAfterIt() {
        KeyValueIterator<Bytes, byte[]> rows =
                query(RangeQuery.<Bytes, byte[]>withNoBounds()).getResult();
        assertThat(rows.hasNext()).isTrue();

        store.close();

        assertThatThrownBy(rows::next).isInstanceOf(InvalidStateStoreException.class);
        rows.close();
        assertThat(inner.calls).as("freed handles are not touched").doesNotContain("iterator.close", "iterator.next");
    }

    @Test
    void anIteratorFromBeforeARevivalIsNotReadAfterIt() {
        KeyValueIterator<Bytes, byte[]> rows =
                query(RangeQuery.<Bytes, byte[]>withNoBounds()).getResult();
        store.close();
        inner.open = true;

        assertThatThrownBy(rows::hasNext).isInstanceOf(InvalidStateStoreException.class);
    }

    private <R> QueryResult<R> query(Query<R> query) {
        return store.query(query, PositionBound.unbounded(), COMMITTED);
    }

    /** Waits until the other thread is about to take, or waits for, the lock. */
    private static void awaitQueued(CountDownLatch started, Thread other) {
        try {
            assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
            while (other.getState() != Thread.State.WAITING && other.isAlive()) {
                Thread.onSpinWait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A store that notes what is asked of it. */
    private static final class Inner {
        private final Queue<String> calls = new ConcurrentLinkedQueue<>();
        private final Queue<IsolationLevel> readAt = new ConcurrentLinkedQueue<>();
        private volatile boolean open = true;

        @SuppressWarnings("unchecked") // the proxy answers for these types
        KeyValueStore<Bytes, byte[]> store() {
            return (KeyValueStore<Bytes, byte[]>) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {KeyValueStore.class}, this::called);
        }

        private Object called(Object proxy, Method method, Object[] arguments)
                throws IllegalAccessException, InvocationTargetException {
            calls.add(method.getName());
            return switch (method.getName()) {
                case "isOpen" -> open;
                case "name" -> "flow";
                case "close" -> {
                    open = false;
                    yield null;
                }
                case "commit" -> null;
                case "get" -> new byte[] {42};
                case "readOnly" -> {
                    readAt.add((IsolationLevel) arguments[0]);
                    yield proxy;
                }
                case "range" -> new Rows();
                case "query" -> QueryResult.forResult(new Rows());
                default -> throw new UnsupportedOperationException(method.getName());
            };
        }

        private final class Rows implements KeyValueIterator<Bytes, byte[]> {
            private final List<KeyValue<Bytes, byte[]>> rows =
                    List.of(KeyValue.pair(Bytes.wrap(new byte[] {1}), new byte[] {42}));

            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public KeyValue<Bytes, byte[]> next() {
                calls.add("iterator.next");
                return rows.get(0);
            }

            @Override
            public Bytes peekNextKey() {
                return rows.get(0).key;
            }

            @Override
            public void close() {
                calls.add("iterator.close");
            }
        }
    }
}
