package io.sluice.client;

import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.schemas.flownode.FlownodeCommand;
import io.sluice.schemas.flownode.FlownodeCommandCodec;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionCommandCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
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
 * <p>Thread-safe; make one per process and close it. Futures complete on threads that serve all callers: do not block in what
 * you chain to them.
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
    private final SchemaTopic schemas;
    private final Map<CommandFamily, Integer> partitionCounts;
    private final AtomicInteger inFlight = new AtomicInteger();

    SluiceClient(
            ClientSettings settings,
            Producer<byte[], byte[]> producer,
            OutcomeReader outcomes,
            SchemaTopic schemas,
            Map<CommandFamily, Integer> partitionCounts) {
        this.settings = settings;
        this.producer = producer;
        this.outcomes = outcomes;
        this.schemas = schemas;
        this.partitionCounts = Map.copyOf(partitionCounts);
    }

    /**
     * Connects, and publishes the schemas this client writes with.
     *
     * @throws org.apache.kafka.common.KafkaException if the brokers or Sluice's topics cannot be reached in time
     */
    public static SluiceClient connect(ClientSettings settings) {
        SchemaTopic schemas = new SchemaTopic(settings.kafka());
        Producer<byte[], byte[]> producer = null;
        try {
            schemas.publish(KnownSchemas.CURRENT);
            producer = newProducer(settings);
            Map<CommandFamily, Integer> partitionCounts = new EnumMap<>(CommandFamily.class);
            for (CommandFamily family : CommandFamily.values()) {
                partitionCounts.put(
                        family, producer.partitionsFor(family.commandsTopic()).size());
            }
            // A newer service writes outcomes with a newer schema, which it publishes.
            OutcomeReader outcomes =
                    OutcomeReader.open(settings.kafka(), new SingleObject(new KnownSchemas(schemas)), CONNECT_DEADLINE);
            return new SluiceClient(settings, producer, outcomes, schemas, partitionCounts);
        } catch (RuntimeException e) {
            if (producer != null) {
                producer.close(Duration.ZERO);
            }
            schemas.close();
            throw e;
        }
    }

    /**
     * Sends a command. The future ends with its outcome, refusals included; or with {@link OutcomeUnknownException} when none
     * came in time; or with {@link CommandNotSentException} when the command certainly was not sent.
     *
     * @throws IllegalArgumentException if its partition key and id are no {@link CommandKey}
     */
    public CompletableFuture<Outcome> send(Command command) {
        return submit(command).outcome();
    }

    /** As {@link #send}, for callers that also want to know when the command is durable. */
    public Submission submit(Command command) {
        CommandFamily family = command.family();
        CommandKey key = command.key();
        byte[] value = encode(command);
        CompletableFuture<Void> appended = new CompletableFuture<>();
        if (inFlight.incrementAndGet() > settings.maxInFlight()) {
            inFlight.decrementAndGet();
            CommandNotSentException full = new CommandNotSentException(
                    key,
                    settings.maxInFlight() + " commands are in flight already, wait for some of their outcomes",
                    null);
            appended.completeExceptionally(full);
            return new Submission(appended, CompletableFuture.failedFuture(full));
        }
        CompletableFuture<Outcome> waiting = outcomes.await(family, key);
        CompletableFuture<Outcome> outcome = waiting.orTimeout(
                        settings.outcomeTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .handle((settled, failure) -> {
                    inFlight.decrementAndGet();
                    outcomes.forget(family, key, waiting);
                    if (failure == null) {
                        return settled;
                    }
                    throw asUnknown(key, failure);
                });
        append(family, key, value, appended);
        appended.whenComplete((done, failure) -> {
            if (failure != null) {
                waiting.completeExceptionally(failure);
            }
        });
        return new Submission(appended, outcome);
    }

    /** How many commands wait for their outcome. */
    public int inFlight() {
        return inFlight.get();
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
        outcomes.close();
        schemas.close();
    }

    private void append(CommandFamily family, CommandKey key, byte[] value, CompletableFuture<Void> appended) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                family.commandsTopic(),
                Partitions.of(key.partitionKey(), partitionCounts.get(family)),
                key.encode(),
                value);
        record.headers().add(TopicNames.SLUICE_COMMAND_ID, key.commandId().getBytes(StandardCharsets.UTF_8));
        Thread caller = Thread.currentThread();
        // Used by the caller's thread only. That thread alone tells nothing: what callers chain to these futures runs
        // on the producer's thread, may send from there, and is told of later failures there too.
        boolean[] sending = {true};
        try {
            producer.send(record, (metadata, failure) -> {
                if (failure == null) {
                    appended.complete(null);
                } else if (Thread.currentThread() == caller && sending[0]
                        || failure instanceof RecordTooLargeException) {
                    // Told before the record was handed to the thread that talks to the brokers, or refused by them.
                    appended.completeExceptionally(notSent(key, failure));
                } else {
                    appended.completeExceptionally(new OutcomeUnknownException(
                            key, "the brokers did not acknowledge it: " + failure, failure));
                }
            });
        } catch (RuntimeException e) {
            appended.completeExceptionally(notSent(key, e));
        } finally {
            sending[0] = false;
        }
    }

    private static byte[] encode(Command command) {
        if (command instanceof FlowCommand flow) {
            return FlowCommandCodec.encode(flow);
        }
        return command instanceof FlownodeCommand flownode
                ? FlownodeCommandCodec.encode(flownode)
                : RegionCommandCodec.encode((RegionCommand) command);
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
