package io.sluice.topology.guard;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Purpose: spells commands of Kafka's own tools, ready to be pasted into a shell.
 *
 * <p>Threading: immutable.
 *
 * @param bootstrapServers addresses of brokers with commas between them
 * @param commandConfig file with the properties of clients, security for example
 */
public record KafkaTools(String bootstrapServers, Optional<String> commandConfig) {
    /** Without a file of client properties. */
    public static KafkaTools at(String bootstrapServers) {
        return new KafkaTools(bootstrapServers, Optional.empty());
    }

    String setOnTopic(String topic, String setting, String value) {
        // Brackets keep commas within one value.
        String shown = value.contains(",") ? "[" + value + "]" : value;
        return alterTopic(topic) + " --add-config " + quoted(setting + "=" + shown);
    }

    String takeFromTopic(String topic, String setting) {
        return alterTopic(topic) + " --delete-config " + quoted(setting);
    }

    /** @param replicas partition to the ids of the brokers that are to have a copy */
    String reassign(String topic, Map<Integer, List<Integer>> replicas) {
        String partitions = replicas.entrySet().stream()
                .map(one -> "{\"topic\":\"" + topic + "\",\"partition\":" + one.getKey() + ",\"replicas\":"
                        + one.getValue().toString().replace(" ", "") + "}")
                .collect(Collectors.joining(","));
        return "echo '{\"version\":1,\"partitions\":[" + partitions + "]}' > reassign.json && "
                + tool("kafka-reassign-partitions.sh") + " --reassignment-json-file reassign.json --execute";
    }

    String upgradeFeature(String feature, int level) {
        return "kafka-features.sh --bootstrap-server " + bootstrapServers
                + commandConfig.map(file -> " --command-config " + quoted(file)).orElse("") + " upgrade --feature "
                + feature + "=" + level;
    }

    String grantDescribeConfigs(String resource) {
        return tool("kafka-acls.sh") + " --add --allow-principal User:NAME --operation DescribeConfigs " + resource;
    }

    private String alterTopic(String topic) {
        return tool("kafka-configs.sh") + " --alter --entity-type topics --entity-name " + topic;
    }

    private String tool(String name) {
        return name + " --bootstrap-server " + bootstrapServers
                + commandConfig.map(file -> " --command-config " + quoted(file)).orElse("");
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9._=/:-]*") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
