package io.sluice.client;

import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends commands and awaits their outcomes. The command id is the caller's: sending a command again with the same id is safe,
 * it is decided once.
 *
 * <p>Thread-safe; make one per process and close it. Futures complete on the client's own threads: do not block in what you
 * chain to them.
 *
 * <pre>{@code
 * try (SluiceClient client = SluiceClient.connect(ClientSettings.of("localhost:19092"))) {
 *     Outcome outcome = client.send(new DropFlow(
 *                     new CommandEnvelope("plant", CommandIds.random(), nowNanos), "hourly", null, null, true))
 *             .join();
 * }
 * }</pre>
 */
public final class SluiceClient implements AutoCloseable {
    private static final Duration CONNECT_DEADLINE = Duration.ofSeconds(30);

    private final ClientSettings settings;
    private final Producer<byte[], byte[]> producer;
    private final OutcomeReader outcomes;
    private final int partitionCount;

    private SluiceClient(
            ClientSettings settings, Producer<byte[], byte[]> producer, OutcomeReader outcomes, int partitionCount) {
        this.settings = settings;
        this.producer = producer;
        this.outcomes = outcomes;
        this.partitionCount = partitionCount;
    }

    /**
     * Connects, and publishes the schemas this client writes with.
     *
     * @throws org.apache.kafka.common.KafkaException if the brokers or Sluice's topics cannot be reached in time
     */
    public static SluiceClient connect(ClientSettings settings) {
        try (SchemaTopic schemas = new SchemaTopic(settings.kafka())) {
            schemas.publish(KnownSchemas.CURRENT);
        }
        Producer<byte[], byte[]> producer = newProducer(settings);
        try {
            int partitionCount =
                    producer.partitionsFor(TopicNames.FLOW_COMMANDS).size();
            OutcomeReader outcomes = new OutcomeReader(
                    settings.kafka(),
                    TopicNames.FLOW_OUTCOMES,
                    new SingleObject(KnownSchemas.shipped()),
                    CONNECT_DEADLINE);
            return new SluiceClient(settings, producer, outcomes, partitionCount);
        } catch (RuntimeException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    /**
     * Sends a command. The future ends with its outcome, refusals included; or with {@link OutcomeUnknownException} when none
     * came in time; or with {@link CommandNotSentException} when the command certainly was not sent.
     */
    public CompletableFuture<Outcome> send(FlowCommand command) {
        CommandKey key = new CommandKey(command.catalog(), command.envelope().commandId());
        byte[] value = FlowCommandCodec.encode(command);
        if (outcomes.waiting() >= settings.maxInFlight()) {
            return CompletableFuture.failedFuture(new CommandNotSentException(
                    key,
                    settings.maxInFlight() + " commands are in flight already, wait for some of their outcomes",
                    null));
        }
        CompletableFuture<Outcome> outcome = outcomes.await(key);
        CompletableFuture<Outcome> answer = outcome.orTimeout(
                        settings.outcomeTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .handle((settled, failure) -> {
                    outcomes.forget(key, outcome);
                    if (failure == null) {
                        return settled;
                    }
                    throw asUnknown(key, failure);
                });
        append(key, value, outcome);
        return answer;
    }

    /** How many commands wait for their outcome. */
    public int inFlight() {
        return outcomes.waiting();
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
        outcomes.close();
    }

    private void append(CommandKey key, byte[] value, CompletableFuture<Outcome> outcome) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                TopicNames.FLOW_COMMANDS, Partitions.of(key.partitionKey(), partitionCount), key.encode(), value);
        record.headers().add(TopicNames.SLUICE_COMMAND_ID, key.commandId().getBytes(StandardCharsets.UTF_8));
        try {
            producer.send(record, (metadata, failure) -> {
                if (failure != null) {
                    outcome.completeExceptionally(
                            failure instanceof RecordTooLargeException ? notSent(key, failure) : failure);
                }
            });
        } catch (RuntimeException e) {
            // Thrown before the record was handed over.
            outcome.completeExceptionally(notSent(key, e));
        }
    }

    private static RuntimeException notSent(CommandKey key, Exception cause) {
        String why = cause instanceof SerializationException || cause.getMessage() == null
                ? cause.toString()
                : cause.getMessage();
        return new CommandNotSentException(key, why, cause);
    }

    private RuntimeException asUnknown(CommandKey key, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof CommandNotSentException || cause instanceof OutcomeUnknownException) {
            return (RuntimeException) cause;
        }
        String why = cause instanceof TimeoutException
                ? "none came within " + settings.outcomeTimeout().toMillis() + " ms"
                : cause.getMessage();
        return new OutcomeUnknownException(key, why, cause);
    }

    private static Producer<byte[], byte[]> newProducer(ClientSettings settings) {
        Map<String, Object> config = new HashMap<>(settings.kafka());
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        // Room for key, headers and batch around the largest command; the topic allows the same.
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 2 * settings.commandMaxBytes());
        // Well below the wait for the outcome, so that a caller learns why.
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2_000);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 5_000);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }
}
