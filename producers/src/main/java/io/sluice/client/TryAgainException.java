package io.sluice.client;

import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Nothing is wrong with a record, but it cannot be understood now: the follower hands it over again after a pause. */
public final class TryAgainException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TryAgainException(KafkaException cause) {
        super(cause.toString(), cause);
    }

    /**
     * Runs what asks Kafka, for a {@link CompactedListener}: that a schema cannot be looked up now is no property of the record.
     *
     * @throws TryAgainException when Kafka could not be asked
     */
    public static <T> T orTryAgain(Supplier<T> question) {
        try {
            return question.get();
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            throw new TryAgainException(e);
        }
    }
}
