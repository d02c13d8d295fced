package io.sluice.topology.flownode;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.BarrierKey;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flownode.FlowStateEntry;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeCommand;
import io.sluice.schemas.flownode.FlownodeCommandCodec;
import io.sluice.schemas.flownode.FlownodeRecordCodec;
import io.sluice.schemas.flownode.FlownodeReport;
import io.sluice.schemas.flownode.RegisterFlownode;
import io.sluice.schemas.flownode.ReportFlowState;
import io.sluice.state.flownode.FlownodeKeyFamily;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.SluiceTopology;
import io.sluice.topology.common.StreamsSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The flownode family of the topology with its real store, record in, records out. */
class FlownodeTopologyTest {
    private static final String CURSOR = "_cursor";

    @TempDir
    private Path stateDir;

    private final SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
    private final FlownodeRecordCodec records = new FlownodeRecordCodec(singleObject);

    private TopologyTestDriver driver;
    private TestInputTopic<String, byte[]> commands;
    private TestOutputTopic<String, byte[]> outcomes;
    private TestOutputTopic<String, byte[]> addresses;
    private TestOutputTopic<String, byte[]> states;
    private TestOutputTopic<String, byte[]> deadLetters;
    private TestOutputTopic<byte[], byte[]> changelog;

    @BeforeEach
    void start() {
        Properties config = new Properties();
        config.putAll(new StreamsSettings(
                        TopicNames.APPLICATION_ID,
                        "unused:1",
                        stateDir,
                        "test",
                        "unused:2",
                        1,
                        0,
                        StreamsSettings.DEFAULT_SESSION_TIMEOUT,
                        Profile.EMBEDDED,
                        Limits.defaults())
                .toConfig());
        driver = new TopologyTestDriver(
                SluiceTopology.build(singleObject, DecisionLimits.of(Limits.defaults()), new PartitionCounts(1, 1, 1)),
                config);
        commands = driver.createInputTopic(
                TopicNames.FLOWNODE_COMMANDS, new StringSerializer(), new ByteArraySerializer());
        outcomes = output(TopicNames.FLOWNODE_OUTCOMES);
        addresses = output(TopicNames.FLOWNODE_ADDRESSES);
        states = output(TopicNames.FLOWNODE_STATES);
        deadLetters = output(TopicNames.DEAD_LETTERS);
        changelog = driver.createOutputTopic(
                TopicNames.FLOWNODE_CHANGELOG, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @AfterEach
    void stop() {
        driver.close();
    }

    @Test
    void aRegistrationIsAnsweredAndItsAddressIsFollowedByTheCursor() {
        register(-1, "c1", "b:1", 5);

        assertThat(outcome()).isEqualTo(Outcome.ofFlownode("c1", OutcomeCode.OK, "", -1L, 5L, true, at(1), "alice"));
        KeyValue<String, byte[]> address = addresses.readKeyValue();
        assertThat(address.key).isEqualTo("18446744073709551615");
        assertThat(records.decodeAddress(address.value)).isEqualTo(new FlownodeAddress(-1, "b:1", 5, "c1"));
        assertCursor(new Cursor(1, 0));
        assertThat(addresses.isEmpty()).isTrue();
        assertThat(states.isEmpty()).isTrue();
    }

    @Test
    void aRefusalMovesTheCursorToo() {
        register(1, "c1", "b:1", 5);
        register(1, "c2", "c:1", 4);

        outcome();
        Outcome refused = outcome();
        assertThat(refused.code()).isEqualTo(OutcomeCode.REVISION_MISMATCH);
        assertThat(refused.flownodeId()).isEqualTo(1);
        assertThat(refused.revision()).isEqualTo(5);
        addresses.readKeyValue();
        assertCursor(new Cursor(1, 0));
        assertCursor(new Cursor(2, 1));
        assertThat(addresses.isEmpty()).isTrue();
        assertThat(deadLetters.isEmpty()).isTrue();
    }

    @Test
    void aRetryGetsTheFirstOutcomeAndWritesNothingElse() {
        register(1, "c1", "b:1", 5);
        register(1, "c1", "z:1", 9);

        assertThat(outcome()).isEqualTo(outcome());
        assertThat(addresses.readKeyValuesToList()).hasSize(2);
    }

    @Test
    void aCommandIdIsUniqueWithinItsFlownodeOnly() {
        register(1, "c1", "b:1", 5);
        register(2, "c1", "b:2", 5);

        assertThat(outcome().applied()).isTrue();
        assertThat(outcome().applied()).isTrue();
    }

    @Test
    void aReportReplacesTheFormerOneAndAnEmptyOneLeavesATombstone() {
        report(1, "c1", entry(1024, 100));
        report(1, "c2", entry(1025, 50));
        report(1, "c3");

        assertThat(outcome().revision()).isNull();
        assertThat(state()).isEqualTo(new FlownodeReport(1, List.of(entry(1024, 100)), "c1"));
        assertThat(state()).isEqualTo(new FlownodeReport(1, List.of(entry(1025, 50)), "c2"));
        KeyValue<String, byte[]> gone = states.readKeyValue();
        assertThat(gone.key).isEqualTo("1");
        assertThat(gone.value).isNull();
        assertThat(addresses.readKeyValuesToList()).extracting(one -> one.key).containsOnly(CURSOR);
    }

    @Test
    void aBarrierMovesTheCursorForFollowersToo() {
        register(1, "c1", "b:1", 5);
        commands.pipeInput(new String(BarrierKey.of("i1"), StandardCharsets.UTF_8), new byte[] {1});

        addresses.readKeyValue();
        assertCursor(new Cursor(1, 0));
        assertCursor(new Cursor(1, 1));
        outcome();
        assertThat(outcomes.isEmpty()).as("a barrier has no outcome").isTrue();
    }

    @Test
    void aKeyThatNamesAnotherFlownodeThanItsBodyIsMalformed() {
        commands.pipeInput("01/c1", FlownodeCommandCodec.encode(command(1, "c1", "b:1", 5)));

        Outcome outcome = outcome();
        assertThat(outcome.code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(outcome.flownodeId()).as("01 is nobody's id").isNull();
        assertThat(outcome.message()).contains("the body's flownode id is \"1\", the key says \"01\"");
        assertThat(deadLetters.readKeyValuesToList()).hasSize(1);
    }

    @Test
    void aBrokenBodyIsAnsweredUnderItsFlownode() {
        commands.pipeInput("7/c1", new byte[] {1, 2, 3});

        Outcome outcome = outcome();
        assertThat(outcome.code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(outcome.flownodeId()).isEqualTo(7);
        assertCursor(new Cursor(1, 0));
        assertThat(deadLetters.readKeyValuesToList()).hasSize(1);
    }

    @Test
    void theCursorIsTheLastRowOfADecision() {
        register(1, "c1", "b:1", 5);

        assertThat(changelog.readKeyValuesToList())
                .extracting(row -> row.key[0])
                .containsExactly(
                        FlownodeKeyFamily.ADDRESS.tag(),
                        FlownodeKeyFamily.OUTCOME.tag(),
                        FlownodeKeyFamily.OUTCOME_AGE.tag(),
                        FlownodeKeyFamily.CURSOR.tag());
    }

    @Test
    void flowsAreNotTouched() {
        register(1, "c1", "b:1", 5);

        assertThat(driver.producedTopicNames())
                .doesNotContain(TopicNames.FLOW_OUTCOMES, TopicNames.FLOW_CHANGELOG, TopicNames.FLOWNODE_ROUTES);
    }

    private void register(long flownodeId, String commandId, String addr, long epoch) {
        send(command(flownodeId, commandId, addr, epoch));
    }

    private void report(long flownodeId, String commandId, FlowStateEntry... flows) {
        send(new ReportFlowState(flownodeId, commandId, 0, "alice", List.of(flows)));
    }

    private void send(FlownodeCommand command) {
        CommandKey key = command.key();
        commands.pipeInput(key.toString(), FlownodeCommandCodec.encode(command));
    }

    private Outcome outcome() {
        return new OutcomeCodec(singleObject).decode(outcomes.readValue());
    }

    private FlownodeReport state() {
        return records.decodeReport(states.readValue());
    }

    private void assertCursor(Cursor expected) {
        KeyValue<String, byte[]> record = addresses.readKeyValue();
        assertThat(record.key).isEqualTo(CURSOR);
        assertThat(Cursor.decode(singleObject, record.value)).isEqualTo(expected);
    }

    private TestOutputTopic<String, byte[]> output(String topic) {
        return driver.createOutputTopic(topic, new StringDeserializer(), new ByteArrayDeserializer());
    }

    private static RegisterFlownode command(long flownodeId, String commandId, String addr, long epoch) {
        return new RegisterFlownode(flownodeId, commandId, 0, "alice", addr, epoch);
    }

    private static FlowStateEntry entry(long flowId, long lastExecTimeMs) {
        return new FlowStateEntry("greptime", flowId, 0, lastExecTimeMs, null);
    }

    private static Position at(long decision) {
        return new Position("flownode", 0, decision);
    }
}
