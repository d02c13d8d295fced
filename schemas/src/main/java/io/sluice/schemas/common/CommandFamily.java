package io.sluice.schemas.common;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Commands that are decided in one order per partition, against one store. Everything that has a family's label, a position for
 * example, is about its partitions.
 *
 * <p>Immutable.
 */
public enum CommandFamily {
    /** Partitioned by catalog. */
    FLOW("flow", "catalog", TopicNames.FLOW_COMMANDS, TopicNames.FLOW_OUTCOMES, TopicNames.FLOW_STORE),
    /** Partitioned by flownode id in decimal. */
    FLOWNODE(
            "flownode",
            "flownode id",
            TopicNames.FLOWNODE_COMMANDS,
            TopicNames.FLOWNODE_OUTCOMES,
            TopicNames.FLOWNODE_STORE),
    /** Partitioned by region id in decimal. */
    REGION("region", "region id", TopicNames.REGION_COMMANDS, TopicNames.REGION_OUTCOMES, TopicNames.REGION_STORE);

    private final String label;
    private final String partitionKey;
    private final String commandsTopic;
    private final String outcomesTopic;
    private final String store;

    CommandFamily(String label, String partitionKey, String commandsTopic, String outcomesTopic, String store) {
        this.label = label;
        this.partitionKey = partitionKey;
        this.commandsTopic = commandsTopic;
        this.outcomesTopic = outcomesTopic;
        this.store = store;
    }

    /** The family of a label, if there is one. */
    public static Optional<CommandFamily> ofLabel(String label) {
        return Stream.of(values()).filter(family -> family.label.equals(label)).findFirst();
    }

    /** Its name in positions, and for people. */
    public String label() {
        return label;
    }

    /** What its partition is computed from, in words. */
    public String partitionKey() {
        return partitionKey;
    }

    public String commandsTopic() {
        return commandsTopic;
    }

    public String outcomesTopic() {
        return outcomesTopic;
    }

    /** Name of the store that its decisions are made against. */
    public String store() {
        return store;
    }
}
