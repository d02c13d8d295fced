package io.sluice.topology.common;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.TopicNames;
import io.sluice.state.common.StateStoreBuilders;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;

/**
 * A family's part of the topology: commands in; outcomes, dead letters and what else it writes out; one store.
 *
 * <pre>
 *  sluice.F.commands ──► F-decider ──┬──► sluice.F.outcomes
 *                           │        ├──► sluice.dead-letters
 *                        store F     └──► ...
 * </pre>
 *
 * <p>No repartition stands between a command and its decision, and every name is given, so nothing moves when the topology
 * grows. Stateless.
 */
public final class CommandTopology {
    private CommandTopology() {}

    /** @param moreSinks what it writes besides: name of the sink to topic */
    public static void add(
            Topology topology,
            CommandFamily family,
            Supplier<CommandProcessor> processors,
            Map<String, String> moreSinks) {
        String source = family.label() + "-commands";
        String decider = family.label() + "-decider";
        topology.addSource(source, new ByteArrayDeserializer(), new ByteArrayDeserializer(), family.commandsTopic());
        topology.addProcessor(decider, processors::get, source);
        topology.addStateStore(StateStoreBuilders.persistent(family.store()), decider);
        addSink(topology, outcomesSink(family), family.outcomesTopic(), decider);
        moreSinks.forEach((sink, topic) -> addSink(topology, sink, topic, decider));
        addSink(topology, deadLettersSink(family), TopicNames.DEAD_LETTERS, decider);
    }

    /** Where a family's outcomes go. */
    public static String outcomesSink(CommandFamily family) {
        return family.label() + "-outcomes";
    }

    /** Where a family's dead letters go. */
    public static String deadLettersSink(CommandFamily family) {
        return family.label() + "-dead-letters";
    }

    private static void addSink(Topology topology, String name, String topic, String decider) {
        topology.addSink(
                name,
                topic,
                RoutedKey.serializer(),
                new ByteArraySerializer(),
                RoutedKey.<byte[]>partitioner(),
                decider);
    }
}
