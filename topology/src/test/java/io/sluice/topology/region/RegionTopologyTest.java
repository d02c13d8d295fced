package io.sluice.topology.region;

import static io.sluice.topology.region.RegionCommands.alter;
import static io.sluice.topology.region.RegionCommands.create;
import static io.sluice.topology.region.RegionCommands.drop;
import static io.sluice.topology.region.RegionCommands.edit;
import static io.sluice.topology.region.RegionCommands.flush;
import static io.sluice.topology.region.RegionCommands.role;
import static io.sluice.topology.region.RegionSamples.REGION;
import static io.sluice.topology.region.RegionSamples.metadata;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.ManifestChunk;
import io.sluice.schemas.region.ManifestCodec;
import io.sluice.schemas.region.ManifestReport;
import io.sluice.schemas.region.ManifestReport.ManifestWriteFailed;
import io.sluice.schemas.region.ManifestReport.ManifestWritten;
import io.sluice.schemas.region.ManifestReportCodec;
import io.sluice.schemas.region.ManifestWriteKind;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionCommandCodec;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.RegionStateRecord;
import io.sluice.state.region.RegionQueueIndex;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.RecordedDecisions;
import io.sluice.topology.common.SluiceTopology;
import io.sluice.topology.common.StreamsSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The region family of the topology with its real store, records in, records out. */
class RegionTopologyTest {
    private static final String ID = U64.text(REGION);
    private static final int KEPT = 3;

    @TempDir
    private Path stateDir;

    private final SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
    private final ManifestCodec manifestCodec = new ManifestCodec(singleObject);

    private final RecordedDecisions decisions = new RecordedDecisions();

    private TopologyTestDriver driver;
    private TestInputTopic<String, byte[]> commands;
    private TestInputTopic<String, byte[]> reports;
    private TestOutputTopic<String, byte[]> outcomes;
    private TestOutputTopic<String, byte[]> writes;
    private TestOutputTopic<String, byte[]> states;
    private TestOutputTopic<String, byte[]> manifests;
    private TestOutputTopic<String, byte[]> deadLetters;
    private int ids;

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
        DecisionLimits limits = DecisionLimits.of(Limits.defaults());
        driver = new TopologyTestDriver(
                SluiceTopology.build(
                        singleObject,
                        new DecisionLimits(
                                limits.commandMaxBytes(),
                                limits.factMaxBytes(),
                                limits.decisionMaxBytes(),
                                limits.outcomeRetentionMs(),
                                KEPT),
                        new PartitionCounts(1, 1, 1),
                        new StreamsConfig(config),
                        decisions),
                config);
        commands = input(TopicNames.REGION_COMMANDS);
        reports = input(TopicNames.REGION_REPORTS);
        outcomes = output(TopicNames.REGION_OUTCOMES);
        writes = output(TopicNames.REGION_WRITES);
        states = output(TopicNames.REGION_STATES);
        manifests = output(TopicNames.REGION_MANIFESTS);
        deadLetters = output(TopicNames.DEAD_LETTERS);
    }

    @AfterEach
    void stop() {
        driver.close();
    }

    @Test
    void aCommandIsAnsweredOnlyOnceItsVersionIsReported() {
        send(create().as("c1"));

        assertThat(outcomes.isEmpty()).isTrue();
        assertThat(states.isEmpty()).as("nobody is told of it yet").isTrue();
        assertThat(manifests.isEmpty()).isTrue();
        ManifestWriteOrder order = order();
        assertThat(order.kind()).isEqualTo(ManifestWriteKind.CREATE);

        written(order);
        assertThat(outcomes.readKeyValuesToList())
                .extracting(one -> one.key, one -> outcome(one.value))
                .containsExactly(tuple(
                        ID + "/c1", Outcome.ofRegion("c1", OutcomeCode.OK, "", REGION, 0L, true, at(2), "kafka")));
        assertThat(state("WRITABLE").manifestVersion()).isZero();
        assertClosed();
        KeyValue<String, byte[]> version = manifests.readKeyValue();
        assertThat(version.key).isEqualTo(ID + "/0/0");
        ManifestChunk chunk = manifestCodec.decodeChunk(version.value);
        assertThat(chunk.actions()).isEqualTo(order.actions());
        assertThat(chunk.incarnation()).isEqualTo(1);
        assertThat(chunk.commandId()).isEqualTo("c1");
        assertThat(chunk.last()).isTrue();
    }

    @Test
    void aFailedWriteIsAnsweredAndLeavesNothingBehind() {
        send(create().as("c1"));
        failed(order());

        Outcome outcome = outcome();
        assertThat(outcome.code()).isEqualTo(OutcomeCode.MANIFEST_WRITE_FAILED);
        assertThat(outcome.message()).contains("disk full");
        assertClosed();
        assertThat(manifests.isEmpty()).isTrue();
        assertThat(states.readKeyValuesToList()).extracting(one -> one.value).containsOnlyNulls();
    }

    @Test
    void oneReportMaySettleManyCommandsAndOrdersTheNextWrite() {
        given();
        send(alter(metadata(1, "c")).as("a"));
        ManifestWriteOrder altering = order();
        assertThat(state("ALTERING").epoch()).isEqualTo(3);
        send(edit("+A").as("e1"));
        send(edit("+B").as("e2"));
        send(edit("-Z").as("e3"));
        send(flush("+F", null, null).as("f"));
        assertThat(outcomes.isEmpty()).as("all wait").isTrue();
        assertThat(writes.isEmpty()).isTrue();

        written(altering);
        assertThat(outcome().commandId()).isEqualTo("a");
        assertThat(outcomes.isEmpty()).isTrue();
        ManifestWriteOrder merged = order();
        assertThat(merged.commandId()).isEqualTo("e1");
        assertThat(state("EDITING").schemaVersion()).isEqualTo(1);

        written(merged);
        assertThat(outcomes.readKeyValuesToList())
                .extracting(one -> one.key, one -> outcome(one.value).code())
                .containsExactly(
                        tuple(ID + "/e1", OutcomeCode.OK),
                        tuple(ID + "/e2", OutcomeCode.OK),
                        tuple(ID + "/e3", OutcomeCode.REGION_TRUNCATED));
        assertThat(order().commandId()).isEqualTo("f");
        assertThat(state("WRITABLE").manifestVersion()).isEqualTo(2);
    }

    @Test
    void theListenerIsToldWhatACommandAskedForOnceItsReportSettlesIt() {
        given();
        assertThat(settled()).containsExactly("region create_region OK");
        send(alter(metadata(1, "c")).as("a"));
        ManifestWriteOrder altering = order();
        send(edit("+A").as("e1"));
        send(edit("+B").as("e2"));
        send(edit("-Z").as("e3"));
        assertThat(settled()).as("all wait").isEmpty();

        written(altering);
        assertThat(settled()).containsExactly("region alter_region OK");

        failed(order());
        assertThat(settled())
                .containsExactly(
                        "region edit_region MANIFEST_WRITE_FAILED",
                        "region edit_region MANIFEST_WRITE_FAILED",
                        "region edit_region REGION_TRUNCATED");
    }

    @Test
    void aRetryOfACommandThatWaitsIsNotQueuedAgainAndTheOneOutcomeAnswersBoth() {
        given();
        send(alter(metadata(1, "c")).as("a"));
        send(flush("+F", null, null).as("f"));
        send(flush("+F", null, null).as("f"));
        send(alter(metadata(1, "c")).as("a"));
        assertThat(outcomes.isEmpty()).isTrue();

        written(order());
        assertThat(outcome().commandId()).isEqualTo("a");
        written(order());
        assertThat(outcome().commandId()).isEqualTo("f");
        assertThat(outcomes.isEmpty()).isTrue();
        assertThat(states.readKeyValuesToList())
                .last()
                .satisfies(last -> assertThat(codec().decodeState(last.value).manifestVersion())
                        .isEqualTo(2));
        send(flush("+F", null, null).as("f"));
        assertThat(outcome().position()).as("the recorded one").isEqualTo(at(6));
    }

    @Test
    void aBrokenRecordUnderTheKeyOfACommandThatWaitsIsNotItsOutcome() {
        given();
        send(alter(metadata(1, "c")).as("a"));
        send(drop().as("d"));
        commands.pipeInput(ID + "/d", new byte[] {1, 2, 3});
        commands.pipeInput(ID + "/a", new byte[] {1, 2, 3});
        assertThat(outcomes.isEmpty()).isTrue();
        assertThat(deadLetters.readKeyValuesToList()).hasSize(2);

        written(order());
        written(order());
        assertThat(outcomes.readKeyValuesToList())
                .extracting(one -> one.key, one -> outcome(one.value).code())
                .containsExactly(tuple(ID + "/a", OutcomeCode.OK), tuple(ID + "/d", OutcomeCode.OK));
        commands.pipeInput(ID + "/d", new byte[] {1, 2, 3});
        assertThat(outcome().code()).as("the recorded one").isEqualTo(OutcomeCode.OK);
    }

    @Test
    void aWaitingCommandThatCannotBeReadHoldsNobodyUp() {
        given();
        send(alter(metadata(1, "c")).as("a"));
        ManifestWriteOrder altering = order();
        send(flush("+A", null, null).as("lost"));
        send(flush("+B", null, null).as("f"));
        KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore(TopicNames.REGION_STORE);
        store.put(Bytes.wrap(RegionQueueIndex.key(REGION, 2)), new byte[] {1, 2, 3});

        written(altering);
        assertThat(outcome().commandId()).isEqualTo("a");
        written(order());
        assertThat(outcome().commandId()).isEqualTo("f");
    }

    @Test
    void aLateOrRepeatedReportDecidesNothing() {
        given();
        send(flush("+A", null, null).as("f1"));
        ManifestWriteOrder order = order();
        written(order);
        outcomes.readKeyValuesToList();
        states.readKeyValuesToList();
        manifests.readKeyValuesToList();
        assertClosed();

        written(order);
        failed(order);
        assertThat(outcomes.isEmpty()).isTrue();
        assertThat(states.isEmpty()).isTrue();
        assertThat(manifests.isEmpty()).isTrue();
        assertThat(writes.readKeyValuesToList())
                .extracting(one -> one.value)
                .as("closed, and closed again")
                .containsExactly(null, null);
        send(role(RegionRole.LEADER).as("r"));
        assertThat(outcome().position()).as("no decision was used").isEqualTo(at(5));
    }

    @Test
    void aReportThatCannotBeReadIsADeadLetterAndTheNextOneIsRead() {
        send(create());
        reports.pipeInput(ID, new byte[] {1, 2, 3});
        written(order());

        assertThat(deadLetters.readKeyValue().key).isEqualTo(TopicNames.REGION_REPORTS + "/0/0");
        assertThat(outcome().isOk()).isTrue();
    }

    @Test
    void onlyTheLatestVersionsAreKept() {
        given();
        for (int version = 1; version <= 4; version++) {
            send(flush("", null, null));
            written(order());
            assertClosed();
        }

        assertThat(manifests.readKeyValuesToList())
                .extracting(one -> one.key, one -> one.value == null)
                .containsExactly(
                        tuple(ID + "/1/0", false),
                        tuple(ID + "/2/0", false),
                        tuple(ID + "/3/0", false),
                        tuple(ID + "/0/0", true),
                        tuple(ID + "/4/0", false),
                        tuple(ID + "/1/0", true));
    }

    @Test
    void aDropTakesEverythingThatOthersWereTold() {
        given();
        send(flush("+A", null, null));
        written(order());
        drained();
        send(drop().as("d"));
        assertThat(state("DROPPING").admission().name()).isEqualTo("REJECT");
        written(order());

        assertThat(outcome().isOk()).isTrue();
        assertThat(states.readKeyValuesToList())
                .extracting(one -> one.key, one -> one.value)
                .containsExactly(tuple(ID, null));
        assertThat(manifests.readKeyValuesToList())
                .extracting(one -> one.key, one -> one.value)
                .containsExactly(tuple(ID + "/0/0", null), tuple(ID + "/1/0", null));
        assertClosed();
    }

    @Test
    void leftoversOfAnUnknownRegionAreClearedAndTheirOrderIsClosed() {
        send(drop().as("d"));
        assertThat(outcome().code()).isEqualTo(OutcomeCode.REGION_NOT_FOUND);
        ManifestWriteOrder order = order();
        assertThat(order.kind()).isEqualTo(ManifestWriteKind.DROP);

        written(order);
        assertClosed();
        assertThat(outcomes.isEmpty()).isTrue();
    }

    @Test
    void aRoleActsAtOnceWhileAWriteIsInFlight() {
        given();
        send(alter(metadata(1, "c")).as("a"));
        ManifestWriteOrder order = order();
        state("ALTERING");
        send(role(RegionRole.FOLLOWER).as("r"));
        assertThat(outcome().commandId()).isEqualTo("r");
        assertThat(state("READ_ONLY").admission().name()).isEqualTo("REJECT");

        written(order);
        assertThat(outcome().commandId()).isEqualTo("a");
        assertThat(state("READ_ONLY").manifestVersion()).isEqualTo(1);
    }

    @Test
    void reportsHaveNoTimeInTheQueueAndTheTimeOfNowInTheChangelog() {
        TestOutputTopic<byte[], byte[]> changelog = driver.createOutputTopic(
                TopicNames.REGION_CHANGELOG, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        send(create());
        changelog.readRecordsToList();
        long beforeMs = System.currentTimeMillis() - 1_000;
        written(order());

        assertThat(changelog.readRecordsToList())
                .isNotEmpty()
                .extracting(TestRecord::timestamp)
                .allMatch(timestamp -> timestamp >= beforeMs);
    }

    private void given() {
        send(create());
        written(order());
        drained();
    }

    private void drained() {
        List.of(outcomes, writes, states, manifests).forEach(TestOutputTopic::readKeyValuesToList);
    }

    private void send(RegionCommands built) {
        RegionCommand command = built.build(built.commandId() == null ? "c" + ids++ : built.commandId());
        commands.pipeInput(command.key().toString(), RegionCommandCodec.encode(command));
    }

    private void written(ManifestWriteOrder order) {
        report(new ManifestWritten(order.regionId(), order.commandId(), order.version()));
    }

    private void failed(ManifestWriteOrder order) {
        report(new ManifestWriteFailed(order.regionId(), order.commandId(), order.version(), "disk full"));
    }

    private void report(ManifestReport report) {
        reports.pipeInput(U64.text(report.regionId()), ManifestReportCodec.encode(report));
    }

    /** What the listener was told, but for how long commands waited. */
    private List<String> settled() {
        return decisions.told().stream()
                .filter(one -> !one.startsWith("taken "))
                .toList();
    }

    /** The order that is open now: the last record, which is no tombstone. */
    private ManifestWriteOrder order() {
        List<KeyValue<String, byte[]>> all = writes.readKeyValuesToList();
        KeyValue<String, byte[]> last = all.get(all.size() - 1);
        assertThat(last.key).isEqualTo(ID);
        return manifestCodec.decodeOrder(last.value);
    }

    private void assertClosed() {
        assertThat(writes.readKeyValuesToList()).last().satisfies(last -> {
            assertThat(last.key).isEqualTo(ID);
            assertThat(last.value).isNull();
        });
    }

    /** What data nodes were told last. */
    private RegionStateRecord state(String expected) {
        List<KeyValue<String, byte[]>> all = states.readKeyValuesToList();
        RegionStateRecord last = codec().decodeState(all.get(all.size() - 1).value);
        assertThat(last.state()).isEqualTo(expected);
        return last;
    }

    private Outcome outcome() {
        return outcome(outcomes.readValue());
    }

    private Outcome outcome(byte[] value) {
        return new OutcomeCodec(singleObject).decode(value);
    }

    private RegionRecordCodec codec() {
        return new RegionRecordCodec(singleObject);
    }

    private TestInputTopic<String, byte[]> input(String topic) {
        return driver.createInputTopic(topic, new StringSerializer(), new ByteArraySerializer());
    }

    private TestOutputTopic<String, byte[]> output(String topic) {
        return driver.createOutputTopic(topic, new StringDeserializer(), new ByteArrayDeserializer());
    }

    private static Position at(long decision) {
        return new Position("region", 0, decision);
    }
}
