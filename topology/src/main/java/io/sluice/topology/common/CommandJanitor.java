package io.sluice.topology.common;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the outcomes and writes a tombstone for each settled command, under the command's own key and partition, so that the
 * commands topic shrinks to what is still open.
 *
 * <p>Why not in the deciding transaction: the decider reads its source committed, and its own open transaction would
 * hold back the commands behind its tombstone (docs/kafka.md, E11). A tombstone lost or written twice does no harm: a
 * retry is recognised by its outcome's row.
 *
 * <p>Threading: one thread of its own. The instances share the work through a consumer group, whose offsets are committed only
 * after the tombstones are acknowledged: a crash repeats some, and skips none.
 */
public final class CommandJanitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommandJanitor.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long PAUSE_AFTER_FAILURE_MS = 1_000;
    private static final int SESSION_TIMEOUT_MS = 10_000;
    // Leaving is a courtesy to the others: a stop does not wait long for it.
    private static final CloseOptions LEAVE_SOON = CloseOptions.groupMembershipOperation(
                    CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
            .withTimeout(Duration.ofSeconds(2));

    private final String outcomesTopic;
    private final String commandsTopic;
    private final Map<String, Object> clientConfig;
    private final String groupId;
    private final String memberId;
    private final int commandTopicBytes;
    private final JanitorListener listener;
    private final Thread thread;

    private final CountDownLatch stopping = new CountDownLatch(1);

    private volatile boolean closed;
    private volatile Consumer<byte[], byte[]> consumer;

    /**
     * @param clientConfig Kafka client settings, at least {@code bootstrap.servers}
     * @param groupId the consumer group that the janitors of all instances share
     * @param memberId stable name of this instance's janitor within the group: after a crash it takes its own place again
     *     instead of waiting for its former self to be missed
     * @param commandTopicBytes the largest record of the commands topic
     * @param listener is told what it does
     */
    public CommandJanitor(
            String commandsTopic,
            String outcomesTopic,
            String groupId,
            String memberId,
            int commandTopicBytes,
            Map<String, Object> clientConfig,
            JanitorListener listener) {
        this.commandsTopic = Objects.requireNonNull(commandsTopic, "commandsTopic");
        this.outcomesTopic = Objects.requireNonNull(outcomesTopic, "outcomesTopic");
        this.groupId = Objects.requireNonNull(groupId, "groupId");
        this.memberId = Objects.requireNonNull(memberId, "memberId");
        this.commandTopicBytes = commandTopicBytes;
        this.clientConfig = Map.copyOf(clientConfig);
        this.listener = listener;
        this.thread = new Thread(this::run, "sluice-janitor-" + commandsTopic);
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        Consumer<byte[], byte[]> running = consumer;
        if (running != null) {
            running.wakeup();
        }
        // Not an interrupt: it would cut off the consumer's own close, which leaves the group.
        stopping.countDown();
        try {
            thread.join(Duration.ofSeconds(10).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            try {
                follow();
            } catch (WakeupException e) {
                LOG.debug("janitor of {} was woken up", commandsTopic, e);
            } catch (InterruptException e) {
                LOG.warn(
                        "janitor of {} was interrupted and ends: settled commands stay in the topic", commandsTopic, e);
                return;
            } catch (RuntimeException e) {
                LOG.warn(
                        "janitor of {} failed, trying again in {} ms: settled commands stay in the topic meanwhile",
                        commandsTopic,
                        PAUSE_AFTER_FAILURE_MS,
                        e);
                listener.failed();
                pause();
            }
        }
    }

    private void follow() {
        Consumer<byte[], byte[]> outcomes = newConsumer();
        consumer = outcomes;
        try (Producer<byte[], byte[]> tombstones = newProducer()) {
            outcomes.subscribe(List.of(outcomesTopic));
            while (!closed) {
                ConsumerRecords<byte[], byte[]> settled = outcomes.poll(POLL);
                if (!settled.isEmpty()) {
                    bury(settled, tombstones);
                    listener.buried(settled.count());
                    outcomes.commitSync();
                }
            }
        } finally {
            consumer = null;
            outcomes.close(LEAVE_SOON);
        }
    }

    private void bury(ConsumerRecords<byte[], byte[]> settled, Producer<byte[], byte[]> tombstones) {
        RuntimeException[] failure = new RuntimeException[1];
        for (ConsumerRecord<byte[], byte[]> outcome : settled) {
            if (outcome.key() == null) {
                continue;
            }
            // Outcomes lie in the partition of their command.
            tombstones.send(
                    new ProducerRecord<>(commandsTopic, outcome.partition(), outcome.key(), null), (metadata, e) -> {
                        if (e != null) {
                            failure[0] = e instanceof RuntimeException r ? r : new IllegalStateException(e);
                        }
                    });
        }
        tombstones.flush();
        if (failure[0] != null) {
            throw failure[0];
        }
    }

    private void pause() {
        try {
            stopping.await(PAUSE_AFTER_FAILURE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Consumer<byte[], byte[]> newConsumer() {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.put(ConsumerConfig.GROUP_ID_CONFIG, groupId);
        config.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, memberId);
        config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MS);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        // Settled commands are no hurry: larger fetches leave the brokers to the decider.
        config.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 64 * 1024);
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 500);
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private Producer<byte[], byte[]> newProducer() {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 20);
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, commandTopicBytes);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }
}
