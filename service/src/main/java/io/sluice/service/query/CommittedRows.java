package io.sluice.service.query;

import io.sluice.schemas.common.TopicNames;
import io.sluice.state.common.KeyValueStoreRows;
import io.sluice.state.common.RowScanner;
import java.util.ConcurrentModificationException;
import java.util.Set;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.query.KeyQuery;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.RangeQuery;
import org.apache.kafka.streams.query.StateQueryRequest;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * The committed rows of one partition of the flow store, read through interactive queries.
 *
 * <p>Thread-safe. Every query asks for READ_COMMITTED and for the active task, so a row whose transaction is still open is
 * never seen. Two reads may see two states: {@link StoreReader} makes several of them one.
 */
final class CommittedRows implements RowScanner {
    private final KafkaStreams streams;
    private final int partition;

    CommittedRows(KafkaStreams streams, int partition) {
        this.streams = streams;
        this.partition = partition;
    }

    @Override
    public byte[] get(byte[] key) {
        return query(KeyQuery.<Bytes, byte[]>withKey(Bytes.wrap(key)));
    }

    @Override
    public void scan(byte[] from, byte[] toExclusive, RowVisitor visitor) {
        RangeQuery<Bytes, byte[]> range = RangeQuery.<Bytes, byte[]>withRange(Bytes.wrap(from), Bytes.wrap(toExclusive))
                .withAscendingKeys();
        try (KeyValueIterator<Bytes, byte[]> rows = query(range)) {
            KeyValueStoreRows.visit(rows, toExclusive, visitor);
        } catch (InvalidStateStoreException e) {
            throw unavailable("its store was closed meanwhile", e);
        }
    }

    private <R> R query(Query<R> query) {
        StateQueryRequest<R> request = StateQueryRequest.inStore(TopicNames.FLOW_STORE)
                .withQuery(query)
                .withPartitions(Set.of(partition))
                .requireActive()
                .withIsolationLevel(IsolationLevel.READ_COMMITTED);
        QueryResult<R> result;
        try {
            result = streams.query(request).getPartitionResults().get(partition);
        } catch (InvalidStateStoreException e) {
            throw unavailable(e.getMessage(), e);
        } catch (ConcurrentModificationException | NullPointerException e) {
            // Kafka Streams walks its linked list of threads without a lock while one comes or goes; both were seen.
            throw unavailable("stream threads are changing", e);
        }
        if (result == null) {
            throw unavailable("this instance does not hold it", null);
        }
        if (result.isFailure()) {
            throw unavailable(result.getFailureReason() + ": " + result.getFailureMessage(), null);
        }
        return result.getResult();
    }

    private NotReadyException unavailable(String why, Exception cause) {
        return new NotReadyException("partition " + partition + " cannot be read now: " + why, null, cause);
    }
}
