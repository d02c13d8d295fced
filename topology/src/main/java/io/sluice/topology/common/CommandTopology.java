package io.sluice.topology.common;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.TopicNames;
import io.sluice.state.common.StateStoreBuilders;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * A family's part of the topology: commands in; outcomes, dead letters and what else it writes out; one store.
 *
 * <pre>
 *  sluice.F.commands ──► F-decider ──┬──► sluice.F.outcomes
 *  (sluice.F.reports)──►    │        ├──► sluice.dead-letters
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
        add(topology, family, processors, moreSinks, addCommands(topology, family));
    }

    /**
     * As {@link #add}, for a family that also gets reports: they overtake the commands that wait, which may be many, while what they
     * report on keeps others waiting.
     */
    public static void addWithReports(
            Topology topology,
            CommandFamily family,
            String reportsTopic,
            Supplier<CommandProcessor> processors,
            Map<String, String> moreSinks) {
        String commands = addCommands(topology, family);
        add(topology, family, processors, moreSinks, commands, addReports(topology, family, reportsTopic));
    }

    private static String addCommands(Topology topology, CommandFamily family) {
        String source = family.label() + "-commands";
        topology.addSource(source, new ByteArrayDeserializer(), new ByteArrayDeserializer(), family.commandsTopic());
        return source;
    }

    /**
     * Kafka Streams takes the record with the earliest time first, so a report has none. It gets one again before it is decided:
     * records of the changelog have the time of what they are written for, and a log that mixes today with 1970 would begin a new
     * segment with every other record.
     */
    private static String addReports(Topology topology, CommandFamily family, String reportsTopic) {
        String source = family.label() + "-reports";
        String dated = source + "-dated";
        topology.addSource(
                AutoOffsetReset.earliest(),
                source,
                (record, partitionTime) -> 0,
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                reportsTopic);
        topology.addProcessor(dated, DatedNow::new, source);
        return dated;
    }

    private static void add(
            Topology topology,
            CommandFamily family,
            Supplier<CommandProcessor> processors,
            Map<String, String> moreSinks,
            String... parents) {
        String decider = family.label() + "-decider";
        topology.addProcessor(decider, processors::get, parents);
        topology.addStateStore(StateStoreBuilders.persistent(family.store()), decider);
        addSink(topology, outcomesSink(family), family.outcomesTopic(), decider);
        moreSinks.forEach((sink, topic) -> addSink(topology, sink, topic, decider));
        addSink(topology, deadLettersSink(family), TopicNames.DEAD_LETTERS, decider);
    }

    /** Gives records the time of now. */
    private static final class DatedNow implements Processor<byte[], byte[], byte[], byte[]> {
        private ProcessorContext<byte[], byte[]> context;

        @Override
        public void init(ProcessorContext<byte[], byte[]> taskContext) {
            context = taskContext;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            context.forward(record.withTimestamp(context.currentSystemTimeMs()));
        }
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
