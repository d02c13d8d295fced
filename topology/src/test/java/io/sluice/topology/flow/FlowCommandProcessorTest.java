package io.sluice.topology.flow;

import static io.sluice.topology.flow.CommandRecords.PARTITION_COUNT;
import static io.sluice.topology.flow.CommandRecords.partitionOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.BarrierKey;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.KeyValueStoreRows;
import io.sluice.topology.common.CommandProcessor;
import io.sluice.topology.common.CommandTopology;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.IdleCommit;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.RecordedDecisions;
import io.sluice.topology.common.RoutedKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which partition of which topic everything goes to, with several partitions per family. */
class FlowCommandProcessorTest {
    private static final int FLOWNODE_PARTITION_COUNT = 5;
    private static final int PARTITION = partitionOf("greptime");

    @TempDir
    private Path stateDir;

    private final SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
    private final RecordedDecisions decisions = new RecordedDecisions();
    private MockProcessorContext<RoutedKey, byte[]> context;
    private CommandProcessor processor;
    private long offset;

    @BeforeEach
    void start() {
        context = new MockProcessorContext<>(new Properties(), new TaskId(0, PARTITION), stateDir.toFile());
        context.setCurrentSystemTimeMs(1_000_000);
        KeyValueStore<Bytes, byte[]> store = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(TopicNames.FLOW_STORE), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .build();
        store.init(context.getStateStoreContext(), store);
        processor = FlowTopology.processor(
                singleObject,
                DecisionLimits.of(Limits.defaults()),
                new PartitionCounts(PARTITION_COUNT, FLOWNODE_PARTITION_COUNT, 1),
                new IdleCommit(),
                decisions);
        processor.init(context);
    }

    @Test
    void anOutcomeGoesToThePartitionOfItsCommand() {
        process("greptime/c1", FlowCommands.create("f").commandId("c1").build(), PARTITION);

        Record<? extends RoutedKey, ? extends byte[]> outcome = only(CommandTopology.outcomesSink(CommandFamily.FLOW));
        assertThat(outcome.key().partition()).isEqualTo(PARTITION).isNotZero();
        assertThat(outcome.key().bytes()).isEqualTo("greptime/c1".getBytes(StandardCharsets.UTF_8));
        assertThat(outcome.timestamp()).isEqualTo(4711);
    }

    @Test
    void aMisroutedCommandIsAnsweredWhereItWasFound() {
        String elsewhere = "other-" + 0;
        for (int i = 1; partitionOf(elsewhere) == PARTITION; i++) {
            elsewhere = "other-" + i;
        }
        process(
                elsewhere + "/c1",
                FlowCommands.create("f").catalog(elsewhere).commandId("c1").build(),
                PARTITION);

        Record<? extends RoutedKey, ? extends byte[]> record = only(CommandTopology.outcomesSink(CommandFamily.FLOW));
        assertThat(record.key().partition()).isEqualTo(PARTITION);
        Outcome outcome = new OutcomeCodec(singleObject).decode(record.value());
        assertThat(outcome.code()).isEqualTo(OutcomeCode.MISROUTED);
        assertThat(only(CommandTopology.deadLettersSink(CommandFamily.FLOW))
                        .key()
                        .partition())
                .isZero();
    }

    @Test
    void aRouteGoesToThePartitionOfItsFlownode() {
        process(
                "greptime/c1",
                FlowCommands.create("f")
                        .routes("0:1,1:2,2:3,3:18446744073709551615")
                        .commandId("c1")
                        .build(),
                PARTITION);

        for (Record<? extends RoutedKey, ? extends byte[]> route : sent(FlowTopology.ROUTES_SINK)) {
            String key = new String(route.key().bytes(), StandardCharsets.UTF_8);
            String flownodeId = key.substring(0, key.indexOf('/'));
            assertThat(route.key().partition()).as(key).isEqualTo(Partitions.of(flownodeId, FLOWNODE_PARTITION_COUNT));
        }
        assertThat(sent(FlowTopology.ROUTES_SINK)).hasSize(4);
    }

    @Test
    void aTombstoneArmsNoCommit() {
        context.setRecordMetadata(TopicNames.FLOW_COMMANDS, PARTITION, offset++);
        processor.process(new Record<>("greptime/c1".getBytes(StandardCharsets.UTF_8), null, 4711));

        assertThat(context.scheduledPunctuators()).isEmpty();
        assertThat(context.forwarded()).isEmpty();
    }

    @Test
    void aCommandArmsACommitAndClosingDisarmsIt() {
        process("greptime/c1", FlowCommands.create("f").commandId("c1").build(), PARTITION);
        assertThat(context.scheduledPunctuators()).hasSize(1);

        processor.close();

        assertThat(context.scheduledPunctuators().get(0).cancelled()).isTrue();
    }

    @Test
    void theListenerIsToldWhatACommandAskedForAndHowLongItWaited() {
        process("greptime/c1", FlowCommands.create("f").commandId("c1").build(), PARTITION);
        process("greptime/c2", FlowCommands.create("f").commandId("c2").build(), PARTITION);

        assertThat(decisions.told())
                .containsExactly(
                        "flow create_flow OK",
                        "taken flow after 995289",
                        "flow create_flow FLOW_ALREADY_EXISTS",
                        "taken flow after 995289");
    }

    @Test
    void theListenerIsToldOfARetryThatItIsNoNewDecision() {
        process("greptime/c1", FlowCommands.create("f").commandId("c1").build(), PARTITION);
        decisions.told();

        process("greptime/c1", FlowCommands.create("f").commandId("c1").build(), PARTITION);

        assertThat(decisions.told()).containsExactly("repeated flow", "taken flow after 995289");
    }

    @Test
    void theListenerIsToldWhatCannotBeDecided() {
        process("greptime/c1".getBytes(StandardCharsets.UTF_8), new byte[] {1});

        assertThat(decisions.told())
                .containsExactly("flow none MALFORMED", "dead letter flow MALFORMED", "taken flow after 995289");
    }

    @Test
    void theListenerIsToldNothingOfBarriersAndTombstones() {
        process(BarrierKey.of("sluice-1"), new byte[] {1});
        process(BarrierKey.of("sluice-1"), null);
        process("greptime/c1".getBytes(StandardCharsets.UTF_8), null);

        assertThat(decisions.told()).isEmpty();
    }

    @Test
    void aClockThatIsBehindThatOfTheBrokerMakesNoWaitShorterThanNone() {
        context.setCurrentSystemTimeMs(4_710);

        process("greptime/c1", FlowCommands.create("f").commandId("c1").build(), PARTITION);

        assertThat(decisions.told()).contains("taken flow after 0");
    }

    @Test
    void aBarrierIsAnsweredNowhereAndMovesTheCursor() {
        process("greptime/c1", FlowCommands.create("f").commandId("c1").build(), PARTITION);
        context.resetForwards();

        process(BarrierKey.of("sluice-1"), new byte[] {1});

        assertThat(context.forwarded()).isEmpty();
        assertThat(cursor()).isEqualTo(new Cursor(1, 1));
    }

    @Test
    void aBarrierArmsTheCommitThatShowsItToItsReader() {
        process(BarrierKey.of("sluice-1"), new byte[] {1});

        assertThat(context.scheduledPunctuators()).hasSize(1);
    }

    @Test
    void theCommandAfterABarrierIsTheNextDecision() {
        process("greptime/c1", FlowCommands.create("f").commandId("c1").build(), PARTITION);
        process(BarrierKey.of("sluice-1"), new byte[] {1});
        context.resetForwards();

        process("greptime/c2", FlowCommands.create("g").commandId("c2").build(), PARTITION);

        Outcome outcome = new OutcomeCodec(singleObject)
                .decode(only(CommandTopology.outcomesSink(CommandFamily.FLOW)).value());
        assertThat(outcome.position()).isEqualTo(new Position("flow", PARTITION, 2));
        assertThat(cursor()).isEqualTo(new Cursor(2, 2));
    }

    @Test
    void aTombstoneOfABarrierIsPassedOver() {
        process(BarrierKey.of("sluice-1"), null);

        assertThat(context.forwarded()).isEmpty();
        assertThat(context.scheduledPunctuators()).isEmpty();
        assertThat(cursor()).isEqualTo(Cursor.START);
    }

    @Test
    void aCommandOfACatalogThatLooksLikeABarrierIsSettled() {
        process(
                "_barrier-a/c1",
                FlowCommands.create("f").catalog("_barrier-a").commandId("c1").build(),
                PARTITION);

        assertThat(only(CommandTopology.outcomesSink(CommandFamily.FLOW)).key().bytes())
                .isEqualTo("_barrier-a/c1".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aKeyWithoutASlashThatIsNoBarrierIsADeadLetter() {
        process("_other".getBytes(StandardCharsets.UTF_8), new byte[] {1});

        assertThat(sent(CommandTopology.outcomesSink(CommandFamily.FLOW))).isEmpty();
        assertThat(sent(CommandTopology.deadLettersSink(CommandFamily.FLOW))).hasSize(1);
        assertThat(cursor()).isEqualTo(Cursor.START);
    }

    @Test
    void aBrokenHeaderIsNoId() {
        RecordHeaders headers = new RecordHeaders();
        headers.add(TopicNames.SLUICE_COMMAND_ID, null);
        context.setRecordMetadata(TopicNames.FLOW_COMMANDS, PARTITION, offset++);
        processor.process(new Record<>("no slash".getBytes(StandardCharsets.UTF_8), new byte[] {1}, 4711, headers));

        assertThat(sent(CommandTopology.outcomesSink(CommandFamily.FLOW))).isEmpty();
        assertThat(sent(CommandTopology.deadLettersSink(CommandFamily.FLOW))).hasSize(1);
    }

    @Test
    void theSinksPartitionerTakesTheKeysPartitionWhateverTheTopicHas() {
        RoutedKey key = new RoutedKey(new byte[] {1}, 3);

        assertThat(RoutedKey.<byte[]>partitioner().partitions("t", key, new byte[0], new RecordHeaders(), 1))
                .isEqualTo(Optional.of(Set.of(3)));
        assertThat(RoutedKey.serializer().serialize("t", key)).containsExactly(1);
    }

    private void process(String key, FlowCommand command, int partition) {
        context.setRecordMetadata(TopicNames.FLOW_COMMANDS, partition, offset++);
        processor.process(new Record<>(key.getBytes(StandardCharsets.UTF_8), FlowCommandCodec.encode(command), 4711));
    }

    private void process(byte[] key, byte[] value) {
        context.setRecordMetadata(TopicNames.FLOW_COMMANDS, PARTITION, offset++);
        processor.process(new Record<>(key, value, 4711));
    }

    private Cursor cursor() {
        return new CursorRow(singleObject).read(new KeyValueStoreRows(context.getStateStore(TopicNames.FLOW_STORE)));
    }

    private Record<? extends RoutedKey, ? extends byte[]> only(String sink) {
        List<Record<? extends RoutedKey, ? extends byte[]>> sent = sent(sink);
        assertThat(sent).as(sink).hasSize(1);
        return sent.get(0);
    }

    private List<Record<? extends RoutedKey, ? extends byte[]>> sent(String sink) {
        List<Record<? extends RoutedKey, ? extends byte[]>> sent = new ArrayList<>();
        context.forwarded(sink).forEach(forward -> sent.add(forward.record()));
        return sent;
    }
}
