package io.sluice.schemas.common;

/**
 * Purpose: the names that Sluice and every foreign client must agree on: topics, the stores behind the changelogs, and record
 * headers.
 *
 * <p>Threading: constants only.
 *
 * <p>Invariants: a name never changes once released. A new layout of keys or another partition count means a new name
 * (a new generation of the topic), since a compacted topic cannot be rewritten in place.
 */
public final class TopicNames {
    /** Name of the Kafka Streams application, and so the prefix of its group, transactional ids and changelogs. */
    public static final String APPLICATION_ID = "sluice";

    /** Name of the store that holds all key families of the flow family. */
    public static final String FLOW_STORE = "flow";

    /** Flow commands: what producers append. */
    public static final String FLOW_COMMANDS = "sluice.flow.commands";

    /** One outcome for each flow command. */
    public static final String FLOW_OUTCOMES = "sluice.flow.outcomes";

    /** The compacted log of flows: all rows of the flow store. Kafka Streams derives this name, so it has dashes. */
    public static final String FLOW_CHANGELOG = APPLICATION_ID + "-" + FLOW_STORE + "-changelog";

    /** Name of the store that holds all key families of the flownode family. */
    public static final String FLOWNODE_STORE = "flownode";

    /** Flownode commands: registrations and reports. */
    public static final String FLOWNODE_COMMANDS = "sluice.flownode.commands";

    /** One outcome for each flownode command. */
    public static final String FLOWNODE_OUTCOMES = "sluice.flownode.outcomes";

    /** All rows of the flownode store. Kafka Streams derives this name. */
    public static final String FLOWNODE_CHANGELOG = APPLICATION_ID + "-" + FLOWNODE_STORE + "-changelog";

    /** Under which address each flownode can be reached. */
    public static final String FLOWNODE_ADDRESSES = "sluice.flownode.addresses";

    /** What each flownode said last about its flows. */
    public static final String FLOWNODE_STATES = "sluice.flownode.states";

    /** What each flownode has to run. */
    public static final String FLOWNODE_ROUTES = "sluice.flownode.routes";

    /** Name of the store that holds all key families of the region family. */
    public static final String REGION_STORE = "region";

    /** Region commands: what changes manifests, and who leads. */
    public static final String REGION_COMMANDS = "sluice.region.commands";

    /** One outcome for each region command. */
    public static final String REGION_OUTCOMES = "sluice.region.outcomes";

    /** All rows of the region store. Kafka Streams derives this name. */
    public static final String REGION_CHANGELOG = APPLICATION_ID + "-" + REGION_STORE + "-changelog";

    /** What the writer of each region's manifest has to write now. */
    public static final String REGION_WRITES = "sluice.region.writes";

    /** What became of it. */
    public static final String REGION_REPORTS = "sluice.region.reports";

    /** Whether each region takes writes of rows now. */
    public static final String REGION_STATES = "sluice.region.states";

    /** The latest versions of each region's manifest, as what changed. */
    public static final String REGION_MANIFESTS = "sluice.region.manifests";

    /** What the installation consists of: partition counts, topic ids, generation. Only the service writes it. */
    public static final String META = "sluice.meta";

    /** Writer schemas by fingerprint. */
    public static final String SCHEMAS = "sluice.schemas";

    /** Records that could not be decoded, as they came, with the reason in their headers. */
    public static final String DEAD_LETTERS = "sluice.dead-letters";

    /**
     * Header with the command id in UTF-8. It repeats what the key says, so that a command whose key or body is broken
     * can still be answered.
     */
    public static final String SLUICE_COMMAND_ID = "sluice-command-id";

    private TopicNames() {}
}
