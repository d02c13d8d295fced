package io.sluice.tests.property;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.state.common.KeyValueStoreRows;
import io.sluice.state.common.Keys;
import io.sluice.state.common.RowScanner;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.tests.model.MemoryRows;
import io.sluice.tests.model.SentCommand;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.SluiceTopology;
import io.sluice.topology.common.StreamsSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/**
 * The real topology with its real store in a test driver, and everything it wrote folded up: the changelog into rows, the routes
 * topic into what flownodes would hold.
 *
 * <p>One thread. The driver runs partition 0 only, so it is partition 0 of {@value #FLOW_PARTITIONS}: catalogs of the others are
 * misrouted here.
 */
final class DrivenFlows implements AutoCloseable {
    static final int FLOW_PARTITIONS = 3;

    private final SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
    private final OutcomeCodec outcomeCodec = new OutcomeCodec(singleObject);
    private final FlowRecordCodec recordCodec = new FlowRecordCodec(singleObject);
    private final MemoryRows restored = new MemoryRows();
    private final SortedMap<String, String> routesTopic = new TreeMap<>();
    private final Path stateDir;
    private final TopologyTestDriver driver;
    private final TestInputTopic<String, byte[]> commands;
    private final TestOutputTopic<String, byte[]> outcomes;
    private final TestOutputTopic<String, byte[]> routes;
    private final TestOutputTopic<String, byte[]> deadLetters;
    private final TestOutputTopic<byte[], byte[]> changelog;

    /**
     * What one record led to.
     *
     * @param answer null when there was none
     * @param answerKey the key of the answer
     * @param changedKeys keys of the changelog records in their order, as hexadecimal text
     * @param routeKeys keys of the routes records in their order
     */
    record Written(
            Outcome answer, String answerKey, List<String> changedKeys, List<String> routeKeys, int deadLetters) {}

    DrivenFlows(Limits limits) {
        try {
            stateDir = Files.createTempDirectory("sluice-driven-flows");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Properties config = new Properties();
        config.putAll(new StreamsSettings(
                        TopicNames.APPLICATION_ID,
                        "unused:9092",
                        stateDir,
                        "instance-1",
                        "unused:7878",
                        1,
                        0,
                        StreamsSettings.DEFAULT_SESSION_TIMEOUT,
                        Profile.EMBEDDED,
                        limits)
                .toConfig());
        driver = new TopologyTestDriver(
                SluiceTopology.build(
                        singleObject, DecisionLimits.of(limits), new PartitionCounts(FLOW_PARTITIONS, 2, 1)),
                config);
        commands = driver.createInputTopic(TopicNames.FLOW_COMMANDS, new StringSerializer(), new ByteArraySerializer());
        outcomes = output(TopicNames.FLOW_OUTCOMES);
        routes = output(TopicNames.FLOWNODE_ROUTES);
        deadLetters = output(TopicNames.DEAD_LETTERS);
        changelog = driver.createOutputTopic(
                TopicNames.FLOW_CHANGELOG, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private TestOutputTopic<String, byte[]> output(String topic) {
        return driver.createOutputTopic(topic, new StringDeserializer(), new ByteArrayDeserializer());
    }

    Written send(SentCommand command) {
        RecordHeaders headers = new RecordHeaders();
        if (command.header() != null) {
            headers.add(TopicNames.SLUICE_COMMAND_ID, command.header().getBytes(StandardCharsets.UTF_8));
        }
        commands.pipeInput(new TestRecord<>(command.key(), command.value(), headers));
        List<String> changedKeys = new ArrayList<>();
        changelog.readRecordsToList().forEach(row -> {
            changedKeys.add(Keys.hex(row.key()));
            restored.fold(row.key(), row.value());
        });
        List<String> routeKeys = new ArrayList<>();
        routes.readRecordsToList().forEach(route -> {
            routeKeys.add(route.key());
            if (route.value() == null) {
                routesTopic.remove(route.key());
            } else {
                FlownodeRoute held = recordCodec.decodeRoute(route.value());
                routesTopic.put(
                        route.key(),
                        "r" + held.flow().revision() + " " + held.peer().addr());
            }
        });
        List<TestRecord<String, byte[]>> answers = outcomes.readRecordsToList();
        if (answers.size() > 1) {
            throw new AssertionError(answers.size() + " answers to one record");
        }
        TestRecord<String, byte[]> answer = answers.isEmpty() ? null : answers.get(0);
        return new Written(
                answer == null ? null : outcomeCodec.decode(answer.value()),
                answer == null ? null : answer.key(),
                changedKeys,
                routeKeys,
                deadLetters.readRecordsToList().size());
    }

    /** The rows of the real store. */
    RowScanner store() {
        return new KeyValueStoreRows(driver.getKeyValueStore(TopicNames.FLOW_STORE));
    }

    /** All rows of the real store, whatever their family. */
    MemoryRows copyOfStore() {
        MemoryRows copy = new MemoryRows();
        for (FlowKeyFamily family : FlowKeyFamily.values()) {
            store().scanPrefix(family.prefix(), (key, value) -> {
                copy.put(key, value);
                return true;
            });
        }
        return copy;
    }

    /** The changelog so far, folded into an empty store. */
    MemoryRows restored() {
        return restored;
    }

    /** The routes topic so far, folded: what the flownodes hold of a catalog. */
    SortedMap<String, String> routesTopic(String catalog) {
        SortedMap<String, String> ofCatalog = new TreeMap<>(routesTopic);
        ofCatalog.keySet().removeIf(key -> !key.split("/")[1].equals(catalog));
        return ofCatalog;
    }

    @Override
    public void close() {
        driver.close();
        try (Stream<Path> files = Files.walk(stateDir)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
