package io.sluice.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is asked about a topic, mostly by an administrative client. Stateless: each such question has a client of its own. */
public final class TopicFacts {
    /** What Sluice's topics are made with (docs/kafka.md). */
    public static final Duration DEFAULT_DELETE_RETENTION = Duration.ofDays(7);

    private static final Logger LOG = LoggerFactory.getLogger(TopicFacts.class);
    /** Below this a follower would read the topic over and over. */
    private static final Duration SHORTEST_DELETE_RETENTION = Duration.ofSeconds(1);

    private TopicFacts() {}

    /**
     * How many partitions the topic has, 0 if it does not exist.
     *
     * @throws KafkaException if it cannot be known now
     */
    static int partitionCount(
            Map<String, Object> clientConfig, Consumer<?, ?> consumer, String topic, Duration within) {
        try {
            return consumer.partitionsFor(topic, within).size();
        } catch (TimeoutException e) {
            throw new TimeoutException(
                    "no answer from the brokers at " + brokers(clientConfig) + " within " + within.toSeconds() + " s",
                    e);
        }
    }

    /** For whoever needs the topic, and does not find it. */
    static IllegalStateException missing(Map<String, Object> clientConfig, String topic) {
        return new IllegalStateException("topic " + topic + " does not exist at " + brokers(clientConfig)
                + ": are these the brokers of Sluice, and was it started there?");
    }

    private static Object brokers(Map<String, Object> clientConfig) {
        return clientConfig.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
    }

    /**
     * The id that Kafka gave the topic; one that was deleted and made again has another.
     *
     * @throws KafkaException if it cannot be known now
     */
    public static String topicId(Map<String, Object> clientConfig, String topic, Duration within) {
        return ask(
                clientConfig,
                within,
                "the id of topic " + topic,
                admin -> admin.describeTopics(List.of(topic))
                        .topicNameValues()
                        .get(topic)
                        .thenApply(description -> description.topicId().toString()));
    }

    /**
     * How long tombstones are kept in the topic; {@link #DEFAULT_DELETE_RETENTION} if that may not be asked.
     *
     * @throws KafkaException if it cannot be known now
     */
    public static Duration deleteRetention(Map<String, Object> clientConfig, String topic, Duration within) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        String asked = TopicConfig.DELETE_RETENTION_MS_CONFIG + " of topic " + topic;
        Duration retention;
        try {
            retention = ask(
                    clientConfig,
                    within,
                    asked,
                    admin -> admin.describeConfigs(List.of(resource))
                            .values()
                            .get(resource)
                            .thenApply(config -> ofMillis(config.get(TopicConfig.DELETE_RETENTION_MS_CONFIG))));
        } catch (AuthorizationException | UnsupportedVersionException e) {
            LOG.info("{} may not be asked, taken to be {}: {}", asked, DEFAULT_DELETE_RETENTION, e.toString());
            return DEFAULT_DELETE_RETENTION;
        }
        if (retention.compareTo(SHORTEST_DELETE_RETENTION) < 0) {
            LOG.warn(
                    "{} is {} ms: too short to be sure of every delete, taken to be {} ms",
                    asked,
                    retention.toMillis(),
                    SHORTEST_DELETE_RETENTION.toMillis());
            return SHORTEST_DELETE_RETENTION;
        }
        return retention;
    }

    private static Duration ofMillis(ConfigEntry entry) {
        return entry == null || entry.value() == null
                ? DEFAULT_DELETE_RETENTION
                : Duration.ofMillis(Long.parseLong(entry.value()));
    }

    private static <T> T ask(
            Map<String, Object> clientConfig, Duration within, String what, Function<Admin, KafkaFuture<T>> question) {
        Admin admin = Admin.create(clientConfig);
        try {
            return question.apply(admin).get(Math.max(1, within.toMillis()), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("no broker said " + what + " within " + within.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KafkaException known) {
                throw known;
            }
            throw new KafkaException("cannot ask for " + what, e.getCause());
        } finally {
            admin.close(Duration.ZERO);
        }
    }
}
