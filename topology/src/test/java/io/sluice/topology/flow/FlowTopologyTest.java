package io.sluice.topology.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.topology.common.DeadLetters;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.SluiceTopology;
import io.sluice.topology.common.StreamsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole topology with its real store and settings, record in, records out. The test driver knows one partition, so the
 * counts are 1 here; explicit partitions are in {@link FlowCommandProcessorTest}.
 */
class FlowTopologyTest {
    private static final PartitionCounts COUNTS = new PartitionCounts(1, 1, 1);

    @TempDir
    private Path stateDir;

    private final SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
    private final OutcomeCodec outcomeCodec = new OutcomeCodec(singleObject);
    private final FlowRecordCodec recordCodec = new FlowRecordCodec(singleObject);

    private TopologyTestDriver driver;
    private TestInputTopic<String, byte[]> commands;
    private TestOutputTopic<String, byte[]> outcomes;
    private TestOutputTopic<String, byte[]> routes;
    private TestOutputTopic<String, byte[]> deadLetters;
    private TestOutputTopic<byte[], byte[]> changelog;

    @BeforeEach
    void start() {
        driver = new TopologyTestDriver(
                SluiceTopology.build(singleObject, DecisionLimits.of(Limits.defaults()), COUNTS), config());
        commands = driver.createInputTopic(TopicNames.FLOW_COMMANDS, new StringSerializer(), new ByteArraySerializer());
        outcomes = output(TopicNames.FLOW_OUTCOMES);
        routes = output(TopicNames.FLOWNODE_ROUTES);
        deadLetters = output(TopicNames.DEAD_LETTERS);
        changelog = driver.createOutputTopic(
                TopicNames.FLOW_CHANGELOG, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @AfterEach
    void stop() {
        driver.close();
    }

    @Test
    void aCreateIsAnsweredRoutedAndLogged() {
        send(FlowCommands.create("f").routes("0:1,1:2").commandId("c1"));

        TestRecord<String, byte[]> answer = outcomes.readRecord();
        assertThat(answer.key()).isEqualTo("greptime/c1");
        assertThat(header(answer.headers(), TopicNames.SLUICE_COMMAND_ID)).isEqualTo("c1");
        assertThat(outcomeCodec.decode(answer.value()))
                .isEqualTo(new Outcome(
                        "c1",
                        OutcomeCode.OK,
                        "",
                        "greptime",
                        1024L,
                        "f",
                        1L,
                        true,
                        new Position("flow", 0, 1),
                        "kafka"));
        assertThat(routeTexts()).containsExactly("1/greptime/1024/0 r1", "2/greptime/1024/1 r1");
        assertThat(deadLetters.isEmpty()).isTrue();
        assertThat(families(changelog.readRecordsToList()))
                .containsExactlyInAnyOrder(
                        "info +",
                        "name +",
                        "route +",
                        "route +",
                        "flownode +",
                        "flownode +",
                        "source_table +",
                        "source_table +",
                        "allocator +",
                        "outcome +",
                        "outcome_age +",
                        "cursor +")
                .endsWith("cursor +");
    }

    @Test
    void aReplaceTellsOnlyWhatChanged() {
        given(FlowCommands.create("f").routes("0:1,1:2"));

        send(FlowCommands.replace("f").routes("0:1,1:3").commandId("c2"));

        assertThat(outcome()).extracting(Outcome::revision, Outcome::applied).containsExactly(2L, true);
        assertThat(routeTexts())
                .containsExactly("2/greptime/1024/1 gone", "1/greptime/1024/0 r2", "3/greptime/1024/1 r2");
        // B-K6.2: each key once.
        List<TestRecord<byte[], byte[]>> log = changelog.readRecordsToList();
        assertThat(families(log))
                .containsExactlyInAnyOrder(
                        "info +",
                        "route +",
                        "flownode +",
                        "flownode -",
                        "source_table +",
                        "source_table -",
                        "outcome +",
                        "outcome_age +",
                        "cursor +");
    }

    @Test
    void aReplaceOfTheTextAloneLogsInfoAndOutcomeAndNoTombstone() {
        // B-K6.1
        given(FlowCommands.create("f")
                .routes("0:1,1:2")
                .sources(1024, 1025, 1026)
                .sourceNames());

        send(FlowCommands.replace("f")
                .sources(1024, 1025, 1026)
                .sourceNames()
                .sql(FlowCommands.SQL_2)
                .commandId("c2"));

        assertThat(outcome().applied()).isTrue();
        assertThat(families(changelog.readRecordsToList()))
                .containsExactly("info +", "outcome +", "outcome_age +", "cursor +");
        assertThat(routeTexts()).containsExactly("1/greptime/1024/0 r2", "2/greptime/1024/1 r2");
    }

    @Test
    void aDropEndsWithNullForEveryRow() {
        given(FlowCommands.create("f").routes("0:1,1:2"));

        send(FlowCommands.drop("f").commandId("c2"));

        assertThat(outcome()).extracting(Outcome::flowId, Outcome::applied).containsExactly(1024L, true);
        assertThat(routeTexts()).containsExactly("1/greptime/1024/0 gone", "2/greptime/1024/1 gone");
        assertThat(families(changelog.readRecordsToList()))
                .containsExactlyInAnyOrder(
                        "info -",
                        "name -",
                        "route -",
                        "route -",
                        "flownode -",
                        "flownode -",
                        "source_table -",
                        "source_table -",
                        "outcome +",
                        "outcome_age +",
                        "cursor +");
    }

    @Test
    void aRetriedDropWritesNothingButTheSameOutcome() {
        // B-F4.1
        given(FlowCommands.create("f"));
        send(FlowCommands.drop("f").commandId("d1"));
        byte[] first = outcomes.readRecord().value();
        takeAll();

        send(FlowCommands.drop("f").commandId("d1"));

        assertThat(outcomes.readRecord().value()).isEqualTo(first);
        assertThat(outcomes.isEmpty()).isTrue();
        assertNothingElseWritten();
    }

    @Test
    void aDropOfSomethingGoneIsRefusedOrFine() {
        // B-F4.2
        given(FlowCommands.create("f"), FlowCommands.drop("f"));

        send(FlowCommands.drop("f").commandId("d2"));
        assertThat(outcome().code()).isEqualTo(OutcomeCode.FLOW_NOT_FOUND);

        send(FlowCommands.drop("f").ifExists().commandId("d3"));
        assertThat(outcome())
                .extracting(Outcome::code, Outcome::flowId, Outcome::applied)
                .containsExactly(OutcomeCode.OK, null, false);
        assertThat(routes.isEmpty()).isTrue();
    }

    @Test
    void aChangeThatChangesNothingReachesNoFlownode() {
        // B-R1.13
        given(FlowCommands.create("f"));

        send(FlowCommands.replace("f").at(9_000).commandId("c2"));

        assertThat(outcome()).extracting(Outcome::code, Outcome::applied).containsExactly(OutcomeCode.OK, false);
        assertThat(routes.isEmpty()).isTrue();
        assertThat(families(changelog.readRecordsToList())).containsExactly("outcome +", "outcome_age +", "cursor +");
    }

    @Test
    void aPoisonRecordBetweenGoodOnesIsAnsweredAndParked() {
        // B-F14.3
        send(FlowCommands.create("f").commandId("c1"));
        FlowCommand broken = FlowCommands.create("x").commandId("c2").build();
        commands.pipeInput("greptime/c2", CommandRecords.cutOff(broken));
        send(FlowCommands.create("g").commandId("c3"));

        assertThat(outcome().flowId()).isEqualTo(1024);
        assertThat(outcome())
                .extracting(Outcome::code, Outcome::commandId)
                .containsExactly(OutcomeCode.MALFORMED, "c2");
        assertThat(outcome().flowId()).isEqualTo(1025);
        TestRecord<String, byte[]> letter = deadLetters.readRecord();
        assertThat(letter.key()).isEqualTo("sluice.flow.commands/0/1");
        assertThat(letter.value()).isEqualTo(CommandRecords.cutOff(broken));
        assertThat(header(letter.headers(), DeadLetters.CODE)).isEqualTo("MALFORMED");
        assertThat(header(letter.headers(), DeadLetters.REASON)).contains("CreateFlow is broken");
        assertThat(header(letter.headers(), DeadLetters.ORIGINAL_KEY)).isEqualTo("greptime/c2");
        assertThat(letter.headers().lastHeader(DeadLetters.ORIGINAL_VALUE_BYTES))
                .isNull();
        assertThat(deadLetters.isEmpty()).isTrue();
    }

    @Test
    void randomBytesAreParkedAndTheNextCommandIsDecided() {
        // B-F14.4
        commands.pipeInput("garbage", new byte[] {9, 9, 9});
        commands.pipeInput((String) null, new byte[] {9, 9, 9});
        send(FlowCommands.create("f").commandId("c1"));

        assertThat(outcome().flowId()).isEqualTo(1024);
        assertThat(outcomes.isEmpty()).isTrue();
        assertThat(deadLetters.readKeyValuesToList()).hasSize(2);
    }

    @Test
    void aRecordWithoutKeyIsAnsweredThroughItsHeader() {
        Headers headers = new RecordHeaders();
        headers.add(TopicNames.SLUICE_COMMAND_ID, "c1".getBytes(StandardCharsets.UTF_8));
        commands.pipeInput(new TestRecord<>(null, new byte[] {9}, headers));

        TestRecord<String, byte[]> answer = outcomes.readRecord();
        assertThat(answer.key()).as("a compacted topic refuses a missing key").isEmpty();
        assertThat(outcomeCodec.decode(answer.value()).commandId()).isEqualTo("c1");
    }

    @Test
    void tenThousandBrokenRecordsAreEachAnsweredOrParked() {
        // K-30
        int count = 10_000;
        Random random = new Random(7);
        for (int i = 0; i < count; i++) {
            byte[] value = new byte[1 + random.nextInt(40)];
            random.nextBytes(value);
            commands.pipeInput(i % 2 == 0 ? "greptime/b" + i : "broken" + i, value);
        }
        send(FlowCommands.create("f").commandId("c1"));

        List<byte[]> answers = outcomes.readValuesToList();
        assertThat(answers).hasSize(count / 2 + 1);
        assertThat(deadLetters.readValuesToList()).hasSize(count);
        assertThat(outcomeCodec.decode(answers.get(answers.size() - 1)).flowId())
                .isEqualTo(1024);
    }

    @Test
    void aRecordLargerThanAnyTopicTakesIsParkedCutOff() {
        // Compressed it may well have fitted the commands topic.
        Limits limits = Limits.defaults();
        byte[] huge = new byte[limits.deadLetterTopicBytes() + 1];

        commands.pipeInput("greptime/c1", huge);
        send(FlowCommands.create("f").commandId("c2"));

        assertThat(outcome().code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(outcome().flowId()).isEqualTo(1024);
        TestRecord<String, byte[]> letter = deadLetters.readRecord();
        assertThat(letter.value()).hasSize(limits.commandTopicBytes());
        assertThat(header(letter.headers(), DeadLetters.ORIGINAL_VALUE_BYTES)).isEqualTo(String.valueOf(huge.length));
    }

    @Test
    void tombstonesOnTheSourceAreSkipped() {
        // K-40
        given(FlowCommands.create("f").commandId("c1"));

        commands.pipeInput("greptime/c1", null);
        commands.pipeInput("greptime/never-seen", null);
        commands.pipeInput((String) null, null);

        assertThat(outcomes.isEmpty()).isTrue();
        assertNothingElseWritten();
        send(FlowCommands.create("g").commandId("c2"));
        assertThat(outcome().position()).isEqualTo(new Position("flow", 0, 2));
    }

    @Test
    void theCursorClosesEveryDecisionInTheChangelog() {
        send(FlowCommands.create("f").commandId("c1"));
        send(FlowCommands.drop("nobody").commandId("c2"));
        send(FlowCommands.create("f").commandId("c1"));
        send(FlowCommands.drop("f").commandId("c3"));

        List<TestRecord<byte[], byte[]>> log = changelog.readRecordsToList();
        List<Cursor> cursors = log.stream()
                .filter(row -> row.key()[0] == FlowKeyFamily.CURSOR.tag())
                .map(row -> Cursor.decode(singleObject, row.value()))
                .toList();
        assertThat(cursors).containsExactly(new Cursor(1, 0), new Cursor(2, 1), new Cursor(3, 3));
        assertThat(log.get(log.size() - 1).key()).isEqualTo(FlowKeyFamily.CURSOR.prefix());
    }

    @Test
    void presenceRowsHaveZeroBytesAndAreNoTombstones() {
        send(FlowCommands.create("f").commandId("c1"));

        assertThat(changelog.readRecordsToList())
                .filteredOn(row -> row.key()[0] == FlowKeyFamily.FLOWNODE.tag())
                .singleElement()
                .extracting(TestRecord::value)
                .isEqualTo(new byte[0]);
    }

    @Test
    void theTopologyIsTheOneThatWasReleased() throws IOException {
        // K-37: another name, or another number of a sub-topology, would orphan stores and changelogs.
        String description = SluiceTopology.build(singleObject, DecisionLimits.of(Limits.defaults()), COUNTS)
                .describe()
                .toString();

        assertThat(description.strip()).isEqualTo(resource("/topology.txt").strip());
        assertThat(description).doesNotContain("repartition", "KSTREAM", "KTABLE", "global");
    }

    @Test
    void onlyKnownTopicsAreWritten() {
        send(FlowCommands.create("f").commandId("c1"));
        commands.pipeInput("garbage", new byte[] {9});
        driver.advanceWallClockTime(Duration.ofSeconds(1));

        assertThat(driver.producedTopicNames())
                .containsExactlyInAnyOrder(
                        TopicNames.FLOW_OUTCOMES,
                        TopicNames.FLOWNODE_ROUTES,
                        TopicNames.DEAD_LETTERS,
                        TopicNames.FLOW_CHANGELOG);
    }

    // ---- helpers

    private Properties config() {
        Map<String, Object> settings = new StreamsSettings(
                        TopicNames.APPLICATION_ID,
                        "unused:9092",
                        stateDir,
                        "instance-1",
                        "unused:7878",
                        1,
                        0,
                        StreamsSettings.DEFAULT_SESSION_TIMEOUT,
                        Profile.EMBEDDED,
                        Limits.defaults())
                .toConfig();
        Properties config = new Properties();
        config.putAll(settings);
        return config;
    }

    private TestOutputTopic<String, byte[]> output(String topic) {
        return driver.createOutputTopic(topic, new StringDeserializer(), new ByteArrayDeserializer());
    }

    private void send(FlowCommands command) {
        FlowCommand built = command.build();
        commands.pipeInput(
                new CommandKey(built.catalog(), built.envelope().commandId()).toString(),
                FlowCommandCodec.encode(built));
    }

    /** Commands that must be accepted; what they wrote is out of the way. */
    private void given(FlowCommands... accepted) {
        for (FlowCommands command : accepted) {
            send(command);
            assertThat(outcome().code()).isEqualTo(OutcomeCode.OK);
        }
        takeAll();
    }

    private Outcome outcome() {
        return outcomeCodec.decode(outcomes.readRecord().value());
    }

    private void takeAll() {
        for (TestOutputTopic<?, ?> topic : List.of(outcomes, routes, deadLetters, changelog)) {
            topic.readRecordsToList();
        }
    }

    private void assertNothingElseWritten() {
        assertThat(routes.isEmpty()).as("routes").isTrue();
        assertThat(deadLetters.isEmpty()).as("dead letters").isTrue();
        assertThat(changelog.isEmpty()).as("changelog").isTrue();
    }

    private List<String> routeTexts() {
        return routes.readRecordsToList().stream()
                .map(route -> route.key() + " "
                        + (route.value() == null
                                ? "gone"
                                : "r"
                                        + recordCodec
                                                .decodeRoute(route.value())
                                                .flow()
                                                .revision()))
                .toList();
    }

    private static List<String> families(List<TestRecord<byte[], byte[]>> log) {
        return log.stream()
                .map(row -> FlowKeyFamily.values()[row.key()[0] - 1].label() + (row.value() == null ? " -" : " +"))
                .toList();
    }

    private static String header(Headers headers, String name) {
        return new String(headers.lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private static String resource(String path) throws IOException {
        try (InputStream in = FlowTopologyTest.class.getResourceAsStream(path)) {
            assertThat(in).as("resource " + path).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
