package io.sluice.service.query;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.StoreLookUp;
import java.util.ConcurrentModificationException;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsStoppedException;
import org.apache.kafka.streams.query.FailureReason;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.StateQueryRequest;

/**
 * Reads the stores that this instance holds, through interactive queries.
 *
 * <p>Thread-safe. Every query asks for READ_COMMITTED, so a row whose transaction is still open is never seen. An active copy
 * counts as such only if it surely still was when it was read.
 */
final class InteractiveReads implements CommittedReads {
    private final KafkaStreams streams;
    private final BooleanSupplier surelyDecides;

    /** @param surelyDecides whether this instance can be sure that it still decides what it was given */
    InteractiveReads(KafkaStreams streams, BooleanSupplier surelyDecides) {
        this.streams = streams;
        this.surelyDecides = surelyDecides;
    }

    @Override
    public <T> T read(FamilyPartition partition, Copy copy, Function<RowScanner, T> lookUp) {
        Found<T> found = query(partition, copy, rows -> Found.by(lookUp, rows));
        // Afterwards: what was read before was then read while it did.
        if (copy == Copy.ACTIVE && !surelyDecides.getAsBoolean()) {
            throw new NotOwnerException(
                    "this instance has heard nothing from its group for so long that another one may decide"
                            + " partition " + partition + " by now");
        }
        if (found.failure() != null) {
            throw found.failure();
        }
        return found.value();
    }

    /**
     * What a look-up found: in a holder, since a query's result must not be null, and "not found" is an answer. A look-up that
     * fails by itself is carried out of the query, where its failure could be taken for one of Kafka Streams.
     */
    private record Found<T>(T value, RuntimeException failure) {
        static <T> Found<T> by(Function<RowScanner, T> lookUp, RowScanner rows) {
            try {
                return new Found<>(lookUp.apply(rows), null);
            } catch (InvalidStateStoreException e) {
                throw e;
            } catch (RuntimeException e) {
                return new Found<>(null, e);
            }
        }
    }

    private <R> R query(FamilyPartition partition, Copy copy, Function<RowScanner, R> lookUp) {
        StateQueryRequest<R> request = StateQueryRequest.inStore(
                        partition.family().store())
                .withQuery(new StoreLookUp<>(lookUp))
                .withPartitions(Set.of(partition.partition()))
                .withIsolationLevel(IsolationLevel.READ_COMMITTED);
        if (copy == Copy.ACTIVE) {
            request = request.requireActive();
        }
        QueryResult<R> result;
        try {
            result = streams.query(request).getPartitionResults().get(partition.partition());
        } catch (StreamsStoppedException e) {
            // Whoever waits here would wait for nothing: another instance takes the partition over.
            throw new NotOwnerException("this instance is stopping, it does not decide partition " + partition);
        } catch (InvalidStateStoreException e) {
            throw unavailable(partition, e.getMessage(), e);
        } catch (ConcurrentModificationException | NullPointerException e) {
            // Kafka Streams walks its linked list of threads without a lock while one comes or goes; both were seen.
            throw unavailable(partition, "stream threads are changing", e);
        }
        if (result == null || isFailure(result, FailureReason.NOT_PRESENT)) {
            throw new NotOwnerException("this instance does not hold partition " + partition);
        }
        if (isFailure(result, FailureReason.NOT_ACTIVE)) {
            throw new NotOwnerException("this instance does not decide partition " + partition + " now");
        }
        if (result.isFailure()) {
            throw unavailable(partition, result.getFailureReason() + ": " + result.getFailureMessage(), null);
        }
        return result.getResult();
    }

    private static boolean isFailure(QueryResult<?> result, FailureReason reason) {
        return result.isFailure() && result.getFailureReason() == reason;
    }

    private static NotReadyException unavailable(FamilyPartition partition, String why, Exception cause) {
        return new NotReadyException("partition " + partition + " cannot be read now: " + why, null, cause);
    }
}
