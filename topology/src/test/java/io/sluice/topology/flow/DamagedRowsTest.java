package io.sluice.topology.flow;

import static io.sluice.topology.flow.CommandRecords.PARTITION_COUNT;
import static io.sluice.topology.flow.CommandRecords.partitionOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.state.common.Keys;
import io.sluice.state.common.OutcomeIndex;
import io.sluice.state.flow.FlowIdAllocator;
import io.sluice.state.flow.FlowInfoIndex;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flow.FlowNameIndex;
import io.sluice.state.flow.FlowState;
import io.sluice.topology.common.CommandHandler;
import io.sluice.topology.common.CommandHandler.Settled;
import io.sluice.topology.common.CommandProcessor;
import io.sluice.topology.common.CommandRecord;
import io.sluice.topology.common.CommandTopology;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.DecisionListener;
import io.sluice.topology.common.IdleCommit;
import io.sluice.topology.common.InMemoryRows;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.RoutedKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Damage stays local (docs/behaviour.md G9): whatever bytes a row of a flow holds, a command that meets it gets its one
 * answer, and every other flow is decided as if nothing had happened. Flow f, with id 1024, is damaged; flow g is not.
 */
class DamagedRowsTest {
    private static final PartitionCounts COUNTS =
            new PartitionCounts(PARTITION_COUNT, PARTITION_COUNT, PARTITION_COUNT);
    private static final long NOW_MS = 1_000_000_000_000L;
    private static final DecisionLimits LIMITS = DecisionLimits.of(Limits.defaults());
    private static final int PARTITION = partitionOf("greptime");

    private final AtomicBoolean schemasReachable = new AtomicBoolean(true);
    private final SingleObject singleObject = new SingleObject(new KnownSchemas(fingerprint -> {
        if (!schemasReachable.get()) {
            throw new TimeoutException("the schemas cannot be read");
        }
        return Optional.empty();
    }));
    private final FlowState state = new FlowState(singleObject);
    private final InMemoryRows rows = new InMemoryRows();
    private final CommandHandler<FlowCommand> handler = FlowTopology.handler(singleObject, LIMITS, PARTITION, COUNTS);

    /** What lies where a row was. */
    private enum Garbage {
        NOTHING {
            @Override
            byte[] of(byte[] row) {
                return new byte[0];
            }
        },
        FOREIGN_BYTES {
            @Override
            byte[] of(byte[] row) {
                return "not avro at all".getBytes(StandardCharsets.UTF_8);
            }
        },
        CUT_OFF {
            @Override
            byte[] of(byte[] row) {
                return Arrays.copyOf(row, Math.max(0, row.length - 1));
            }
        },
        LONGER {
            @Override
            byte[] of(byte[] row) {
                return Arrays.copyOf(row, row.length + 1);
            }
        },
        ANOTHER_KIND {
            @Override
            byte[] of(byte[] row) {
                return new Cursor(1, 1).encode();
            }
        },
        UNKNOWN_SCHEMA {
            @Override
            byte[] of(byte[] row) {
                return ofUnknownSchema(row.length < 10 ? new Cursor(1, 1).encode() : row);
            }
        };

        abstract byte[] of(byte[] row);
    }

    @BeforeEach
    void createFlows() {
        decide(FlowCommands.create("f").commandId("create-f"));
        decide(FlowCommands.create("g").routes("0:2").sources(1025).commandId("create-g"));
        rows.takeWrites();
    }

    // ---- name

    @ParameterizedTest
    @EnumSource
    void aDamagedNameRowIsAnsweredAndKept(Garbage garbage) {
        damage(FlowNameIndex.key("greptime", "f"), garbage);

        for (FlowCommands command : commandsAbout("f")) {
            assertUnsupported(settle(command));
        }
        assertUnsupported(settle(FlowCommands.drop("`f`").ifExists()));
        assertOthersAreDecided();
    }

    // ---- info

    @ParameterizedTest
    @EnumSource
    void aDamagedRecordCountsAsGoneAndItsNameIsStillTaken(Garbage garbage) {
        damage(FlowInfoIndex.key("greptime", 1024), garbage);

        for (FlowCommands command : commandsAbout("f")) {
            Settled settled = settle(command);
            assertThat(settled.outcome().code()).isEqualTo(OutcomeCode.FLOW_NOT_FOUND);
            assertThat(settled.outcome().message()).contains("rebuil");
            assertThat(settled.records()).isEmpty();
            assertThat(settled.deadLetter()).isNull();
        }
        assertOthersAreDecided();
    }

    // ---- allocator

    @ParameterizedTest
    @EnumSource
    void aDamagedAllocatorStopsNewIdsOfItsCatalogOnly(Garbage garbage) {
        damage(FlowIdAllocator.key("greptime"), garbage);

        assertUnsupported(settle(FlowCommands.create("h")));
        assertUnsupported(settle(FlowCommands.create("i").id(5_000)));
        assertThat(settle(FlowCommands.comment("f", "x")).outcome().isOk()).isTrue();
        assertThat(settle(FlowCommands.replace("f").sql(FlowCommands.SQL_2))
                        .outcome()
                        .revision())
                .isEqualTo(3);
        assertThat(settle(FlowCommands.drop("f")).outcome().isOk()).isTrue();
        assertThat(settle(FlowCommands.create("f").catalog(otherCatalog()))
                        .outcome()
                        .flowId())
                .isEqualTo(1024);
        assertThat(settle(FlowCommands.comment("g", "x")).outcome().isOk()).isTrue();
    }

    // ---- outcome

    @ParameterizedTest
    @EnumSource
    void aDamagedOutcomeIsRepeatedAndNothingIsDecidedAgain(Garbage garbage) {
        byte[] key = OutcomeIndex.key("greptime", "create-f");
        damage(key, garbage);

        Settled retry = settle(FlowCommands.create("f").commandId("create-f"));

        assertThat(retry.answer().commandId()).isEqualTo("create-f");
        assertThat(retry.answer().encoded()).isEqualTo(rows.get(key));
        assertThat(retry.outcome()).isNull();
        assertThat(retry.records()).isEmpty();
        assertThat(retry.deadLetter()).isNull();
        assertThat(rows.takeWrites()).isEmpty();
        assertOthersAreDecided();
    }

    @Test
    void anOutcomeWithACodeOfALaterVersionIsRepeatedByteForByte() {
        byte[] later = SingleObject.encode(new io.sluice.avro.Outcome(
                "create-f",
                "PAUSED_BY_POLICY",
                "said by a later version",
                "greptime",
                1024L,
                "f",
                1L,
                false,
                "flow:" + PARTITION + "@1",
                "kafka",
                null,
                null));
        rows.put(OutcomeIndex.key("greptime", "create-f"), later);
        rows.takeWrites();

        for (FlowCommands command : List.of(FlowCommands.create("f"), FlowCommands.drop("f"))) {
            Settled retry = settle(command.commandId("create-f"));
            assertThat(retry.answer().commandId()).isEqualTo("create-f");
            assertThat(retry.answer().encoded()).isEqualTo(later);
            assertThat(retry.outcome()).isNull();
            assertThat(retry.deadLetter()).isNull();
        }
        CommandRecord broken = CommandRecords.withValue(
                FlowCommands.create("f").commandId("create-f").build(), new byte[] {1});
        Settled refused = handler.settle(broken, rows, NOW_MS);
        assertThat(refused.answer().encoded()).isEqualTo(later);
        assertThat(refused.deadLetter().code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(rows.takeWrites()).isEmpty();
        assertOthersAreDecided();
    }

    @ParameterizedTest
    @EnumSource
    void aDamagedOutcomeExpiresLikeAnyOther(Garbage garbage) {
        byte[] key = OutcomeIndex.key("greptime", "create-f");
        damage(key, garbage);

        handler.settle(
                CommandRecords.of(FlowCommands.comment("g", "x").build()),
                rows,
                NOW_MS + LIMITS.outcomeRetentionMs() + 1);

        assertThat(rows.get(key)).isNull();
    }

    @Test
    void anAgeRowThatNoVersionWritesStopsNoDecision() {
        byte[] key = {FlowKeyFamily.OUTCOME_AGE.tag(), 0, 0, 0, 0, 0, 0, 0, 1, 'x'};
        rows.put(key, new byte[0]);
        rows.takeWrites();
        long later = NOW_MS + LIMITS.outcomeRetentionMs() + 1;
        // As after a start: it does not know yet how old the oldest outcome is.
        CommandHandler<FlowCommand> restarted = FlowTopology.handler(singleObject, LIMITS, PARTITION, COUNTS);

        for (int i = 0; i < 2; i++) {
            Settled settled = restarted.settle(
                    CommandRecords.of(FlowCommands.comment("g", "x" + i).build()), rows, later);
            assertThat(settled.outcome().isOk()).isTrue();
            assertThat(settled.deadLetter()).isNull();
        }
        assertThat(state.info().find(rows, "greptime", 1025).comment()).isEqualTo("x1");
    }

    // ---- derived rows that no decision reads

    @ParameterizedTest
    @EnumSource
    void damagedRowsOfRoutesFlownodesAndSourceTablesChangeNoDecision(Garbage garbage) {
        for (FlowKeyFamily family : derived()) {
            keysOf(family).forEach(key -> damage(key, garbage));
        }

        assertThat(settle(FlowCommands.comment("f", "x")).outcome())
                .extracting(Outcome::code, Outcome::revision)
                .containsExactly(OutcomeCode.OK, 2L);
        Settled replaced =
                settle(FlowCommands.replace("f").routes("1:3").sources(1026).comment("x"));
        assertThat(replaced.outcome())
                .extracting(Outcome::code, Outcome::revision)
                .containsExactly(OutcomeCode.OK, 3L);
        assertThat(replaced.records()).as("one route ends and one begins").hasSize(2);
        assertThat(replaced.deadLetter()).isNull();
        assertThat(state.info().find(rows, "greptime", 1024).routes()).containsOnlyKeys(1L);
        assertOthersAreDecided();

        assertThat(settle(FlowCommands.drop("f")).outcome().isOk()).isTrue();
        assertThat(settle(FlowCommands.drop("g")).outcome().isOk()).isTrue();
        assertThat(settle(FlowCommands.drop("h")).outcome().isOk()).isTrue();
        for (FlowKeyFamily family : derived()) {
            assertThat(keysOf(family))
                    .as("%s rows after all flows are dropped", family)
                    .isEmpty();
        }
    }

    // ---- schemas that cannot be looked up now

    @Test
    void aCommandWhoseSchemaCannotBeLookedUpNowIsDecidedLater() {
        FlowCommand command = FlowCommands.create("h").commandId("c1").build();
        CommandRecord unreadable = CommandRecords.withValue(command, ofUnknownSchema(FlowCommandCodec.encode(command)));
        assertNothingIsKnownNow(unreadable);

        Settled settled = handler.settle(unreadable, rows, NOW_MS);
        assertThat(settled.outcome().code()).as("now it is certain").isEqualTo(OutcomeCode.MALFORMED);
        assertThat(settled.deadLetter()).isNotNull();
    }

    @Test
    void aRowWhoseSchemaCannotBeLookedUpNowIsNotCalledDamaged() {
        for (byte[] key : List.of(
                FlowNameIndex.key("greptime", "f"),
                FlowInfoIndex.key("greptime", 1024),
                OutcomeIndex.key("greptime", "create-f"),
                FlowIdAllocator.key("greptime"))) {
            byte[] sound = rows.get(key);
            damage(key, Garbage.UNKNOWN_SCHEMA);
            FlowCommands command = key[0] == FlowKeyFamily.OUTCOME.tag()
                    ? FlowCommands.create("f").commandId("create-f")
                    : key[0] == FlowKeyFamily.ALLOCATOR.tag() ? FlowCommands.create("h") : FlowCommands.drop("f");

            assertNothingIsKnownNow(CommandRecords.of(command.build()));

            rows.put(key, sound);
            rows.takeWrites();
        }
        long before = state.cursor().read(rows).decision();
        assertOthersAreDecided();
        assertThat(state.cursor().read(rows).decision())
                .as("no decision was counted that was not made")
                .isEqualTo(before + 3);
    }

    @Test
    void theProcessorAsksForItsTaskToBeStartedAgain(@TempDir Path directory) {
        MockProcessorContext<RoutedKey, byte[]> context =
                new MockProcessorContext<>(new Properties(), new TaskId(0, PARTITION), directory.toFile());
        context.setCurrentSystemTimeMs(NOW_MS);
        KeyValueStore<Bytes, byte[]> store = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(TopicNames.FLOW_STORE), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .build();
        store.init(context.getStateStoreContext(), store);
        CommandProcessor processor = FlowTopology.processor(
                singleObject,
                LIMITS,
                new PartitionCounts(PARTITION_COUNT, 1, 1),
                new IdleCommit(),
                DecisionListener.NONE);
        processor.init(context);
        context.setRecordMetadata(TopicNames.FLOW_COMMANDS, PARTITION, 7);
        FlowCommand command = FlowCommands.create("f").commandId("c1").build();
        Record<byte[], byte[]> unreadable = new Record<>(
                CommandRecords.keyOf(command).getBytes(StandardCharsets.UTF_8),
                ofUnknownSchema(FlowCommandCodec.encode(command)),
                4711);

        schemasReachable.set(false);
        assertThatThrownBy(() -> processor.process(unreadable))
                .isInstanceOfSatisfying(
                        TaskCorruptedException.class,
                        corrupted -> assertThat(corrupted.corruptedTasks()).containsExactly(context.taskId()));
        assertThat(context.forwarded()).isEmpty();
        assertThat(context.scheduledPunctuators()).as("no commit is asked for").isEmpty();
        assertThat(store.approximateNumEntries()).isZero();

        schemasReachable.set(true);
        processor.process(unreadable);
        assertThat(context.forwarded(CommandTopology.outcomesSink(CommandFamily.FLOW)))
                .singleElement()
                .satisfies(answer -> assertThat(new OutcomeCodec(singleObject)
                                .decode(answer.record().value())
                                .code())
                        .isEqualTo(OutcomeCode.MALFORMED));
        assertThat(context.forwarded(CommandTopology.deadLettersSink(CommandFamily.FLOW)))
                .hasSize(1);
    }

    // ---- helpers

    private static List<FlowCommands> commandsAbout(String flowName) {
        return List.of(
                FlowCommands.create(flowName),
                FlowCommands.create(flowName).orReplace(),
                FlowCommands.create(flowName).createIfNotExists(),
                FlowCommands.replace(flowName),
                FlowCommands.comment(flowName, "x"),
                FlowCommands.drop(flowName).ifExists());
    }

    private static List<FlowKeyFamily> derived() {
        return List.of(FlowKeyFamily.ROUTE, FlowKeyFamily.FLOWNODE, FlowKeyFamily.SOURCE_TABLE);
    }

    private void assertUnsupported(Settled settled) {
        assertThat(settled.outcome().code()).isEqualTo(OutcomeCode.UNSUPPORTED);
        assertThat(settled.outcome().message()).contains("damaged");
        assertThat(settled.outcome().applied()).isFalse();
        assertThat(settled.records()).isEmpty();
        assertThat(settled.deadLetter())
                .isEqualTo(new CommandHandler.DeadLetter(
                        OutcomeCode.UNSUPPORTED, settled.outcome().message()));
        assertThat(rows.takeWrites().stream().map(write -> FlowKeyFamily.values()[write.tag() - 1]))
                .as("nothing of the decision is written, its outcome is")
                .containsExactly(FlowKeyFamily.OUTCOME, FlowKeyFamily.OUTCOME_AGE, FlowKeyFamily.CURSOR);
    }

    /** Another flow is changed, and a new one is created. */
    private void assertOthersAreDecided() {
        long revision = state.info().find(rows, "greptime", 1025).revision();
        assertThat(settle(FlowCommands.comment("g", "changed " + revision)).outcome())
                .extracting(Outcome::code, Outcome::flowId, Outcome::revision)
                .containsExactly(OutcomeCode.OK, 1025L, revision + 1);
        assertThat(settle(FlowCommands.create("h").createIfNotExists()).outcome())
                .extracting(Outcome::code, Outcome::flowId)
                .containsExactly(OutcomeCode.OK, 1026L);
        assertThat(settle(FlowCommands.drop("nobody")).outcome().code()).isEqualTo(OutcomeCode.FLOW_NOT_FOUND);
    }

    private void assertNothingIsKnownNow(CommandRecord record) {
        schemasReachable.set(false);
        assertThatThrownBy(() -> handler.settle(record, rows, NOW_MS)).isInstanceOf(TimeoutException.class);
        assertThat(rows.takeWrites()).isEmpty();
        schemasReachable.set(true);
    }

    private void damage(byte[] key, Garbage garbage) {
        byte[] row = rows.get(key);
        assertThat(row).as("row %s, which is to be damaged", Keys.hex(key)).isNotNull();
        rows.put(key, garbage.of(row));
        rows.takeWrites();
    }

    private List<byte[]> keysOf(FlowKeyFamily family) {
        List<byte[]> keys = new ArrayList<>();
        rows.scan(family.prefix(), Keys.afterPrefix(family.prefix()), (key, value) -> keys.add(key));
        return keys;
    }

    private Settled settle(FlowCommands command) {
        FlowCommand built = command.build();
        Settled settled = handler.settle(CommandRecords.of(built), rows, NOW_MS);
        assertThat(settled.answer()).as("the answer to %s", built).isNotNull();
        assertThat(settled.answer().commandId()).isEqualTo(built.envelope().commandId());
        return settled;
    }

    private void decide(FlowCommands command) {
        assertThat(settle(command).outcome().isOk()).isTrue();
    }

    /** Another catalog of the same partition. */
    private static String otherCatalog() {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "other" + i)
                .filter(catalog -> partitionOf(catalog) == PARTITION)
                .findFirst()
                .orElseThrow();
    }

    private static byte[] ofUnknownSchema(byte[] encoded) {
        byte[] unknown = encoded.clone();
        unknown[2] ^= 0x55;
        return unknown;
    }
}
