package io.sluice.service.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Purpose: the kinds of Kafka clients whose own settings are passed on to them: the prefix of each, and which settings it
 * knows.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: no prefix begins with another one.
 */
enum KafkaClient {
    KAFKA("kafka.", "every Kafka client", "Kafka's clients", clients()),
    STREAMS(
            "streams.",
            "Kafka Streams, which decides, and the clients within it",
            "Kafka Streams and its clients",
            streams()),
    PRODUCER("producer.", "the deciders' producers, within Kafka Streams", "Kafka's producers", producer()),
    CONSUMER("consumer.", "the deciders' consumers, within Kafka Streams", "Kafka's consumers", consumer()),
    ADMIN("admin.", "the admin client within Kafka Streams", "Kafka's admin clients", admin());

    /** Whatever comes after these is a plug-in's. */
    private static final List<String> OPEN_ENDED =
            List.of(AbstractConfig.CONFIG_PROVIDERS_CONFIG + ".", CommonClientConfigs.METRICS_CONTEXT_PREFIX);

    private static final String PLACEHOLDER = "${";

    private final String prefix;
    private final String receivers;
    private final String label;
    private final Map<String, List<ConfigKey>> known;

    KafkaClient(String prefix, String receivers, String label, Map<String, List<ConfigKey>> known) {
        this.prefix = prefix;
        this.receivers = receivers;
        this.label = label;
        this.known = known;
    }

    /** The kind whose prefix a setting begins with. */
    static Optional<KafkaClient> of(String setting) {
        for (KafkaClient client : values()) {
            if (setting.startsWith(client.prefix) && setting.length() > client.prefix.length()) {
                return Optional.of(client);
            }
        }
        return Optional.empty();
    }

    String prefix() {
        return prefix;
    }

    /** Who gets the settings, in words. */
    String receivers() {
        return receivers;
    }

    /** The kind as the one who knows a setting, in words. */
    String label() {
        return label;
    }

    /** The settings that are known, without the prefix. */
    Set<String> names() {
        return known.keySet();
    }

    /** Whether Kafka has such a setting. One that it has not may be a plug-in's. */
    boolean knows(String key) {
        return known.containsKey(key) || OPEN_ENDED.stream().anyMatch(key::startsWith);
    }

    /** What Kafka would say against a value, so that it is said with everything else that is wrong. */
    Optional<String> objectionTo(String key, String value) {
        if (value.contains(PLACEHOLDER)) {
            // Filled in by a configuration provider, when the client is made.
            return Optional.empty();
        }
        for (ConfigKey definition : known.getOrDefault(key, List.of())) {
            if (definition.type == ConfigDef.Type.PASSWORD) {
                continue;
            }
            try {
                Object parsed = ConfigDef.parseType(key, value, definition.type);
                if (definition.validator != null) {
                    definition.validator.ensureValid(key, parsed);
                }
            } catch (ConfigException e) {
                return Optional.of(e.getMessage());
            }
        }
        return Optional.empty();
    }

    private static Map<String, List<ConfigKey>> producer() {
        return add(new HashMap<>(), "", ProducerConfig.configDef());
    }

    private static Map<String, List<ConfigKey>> consumer() {
        return add(new HashMap<>(), "", ConsumerConfig.configDef());
    }

    private static Map<String, List<ConfigKey>> admin() {
        return add(new HashMap<>(), "", AdminClientConfig.configDef());
    }

    private static Map<String, List<ConfigKey>> clients() {
        Map<String, List<ConfigKey>> all = add(new HashMap<>(), "", ProducerConfig.configDef());
        add(all, "", ConsumerConfig.configDef());
        return add(all, "", AdminClientConfig.configDef());
    }

    /** Kafka Streams hands client settings on, with a prefix of its own to one kind, without one to all that know them. */
    private static Map<String, List<ConfigKey>> streams() {
        Map<String, List<ConfigKey>> all = clients();
        add(all, "", StreamsConfig.configDef());
        add(all, StreamsConfig.PRODUCER_PREFIX, ProducerConfig.configDef());
        add(all, StreamsConfig.ADMIN_CLIENT_PREFIX, AdminClientConfig.configDef());
        for (String consumerPrefix : StreamsKey.CONSUMERS) {
            add(all, consumerPrefix, ConsumerConfig.configDef());
        }
        return all;
    }

    private static Map<String, List<ConfigKey>> add(
            Map<String, List<ConfigKey>> known, String prefix, ConfigDef definition) {
        Collection<ConfigKey> keys = definition.configKeys().values();
        keys.forEach(key -> known.computeIfAbsent(prefix + key.name, name -> new ArrayList<>())
                .add(key));
        return known;
    }
}
