package io.sluice.topology.flow;

import static io.sluice.topology.flow.CommandRecords.PARTITION_COUNT;
import static io.sluice.topology.flow.CommandRecords.keyed;
import static io.sluice.topology.flow.CommandRecords.onPartition;
import static io.sluice.topology.flow.CommandRecords.partitionOf;
import static io.sluice.topology.flow.CommandRecords.record;
import static io.sluice.topology.flow.CommandRecords.withHeader;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.topology.common.CommandReader;
import io.sluice.topology.common.CommandReader.Decidable;
import io.sluice.topology.common.CommandReader.Refused;
import io.sluice.topology.common.CommandRecord;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The envelope rules of docs/behaviour.md 2.1, and what gives away a record with a wrong key (K-1, K-14). */
class FlowCommandReaderTest {
    private static final int MAX_BYTES = 4096;

    private final CommandReader<FlowCommand> reader = new CommandReader<>(
            new FlowRules(
                    new SingleObject(KnownSchemas.shipped()), DecisionLimits.of(Limits.defaults()), PARTITION_COUNT),
            MAX_BYTES,
            PARTITION_COUNT);
    private final FlowCommand create = FlowCommands.create("f").commandId("c1").build();

    @Test
    void aCommandUnderItsKeyOnItsPartitionCanBeDecided() {
        assertThat(reader.read(CommandRecords.of(create))).isEqualTo(new Decidable<>(create));
    }

    @Test
    void aHeaderThatRepeatsTheKeysIdChangesNothing() {
        assertThat(reader.read(withHeader(CommandRecords.of(create), "c1"))).isInstanceOf(Decidable.class);
    }

    @Test
    void aHeaderThatIsNoCommandIdCountsAsNone() {
        assertThat(reader.read(withHeader(CommandRecords.of(create), "no/id"))).isInstanceOf(Decidable.class);
        assertThat(reader.read(withHeader(keyed("no slash", create), "no id")))
                .isEqualTo(refusal(keyed("no slash", create)))
                .extracting(read -> ((Refused<FlowCommand>) read).commandId())
                .isNull();
    }

    @Test
    void everyKindOfFlowCommandIsRead() {
        for (FlowCommands command : new FlowCommands[] {
            FlowCommands.create("f"), FlowCommands.replace("f"), FlowCommands.drop("f"), FlowCommands.comment("f", "x")
        }) {
            FlowCommand built = command.build();
            assertThat(reader.read(CommandRecords.of(built)))
                    .isInstanceOfSatisfying(
                            Decidable.class, read -> assertThat(read.command()).isEqualTo(built));
        }
    }

    @Test
    void anEntityKeyIsGivenAwayByTheBody() {
        Refused<FlowCommand> read = refusal(keyed("greptime/f", create));

        assertThat(read.code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(read.reason())
                .contains("command_id", "\"c1\"", "the key says \"f\"", "the key must be <catalog>/<command id>");
        assertThat(read.commandId()).as("its sender waits for this one").isEqualTo("c1");
        assertThat(read.recordUnder()).as("\"f\" is nobody's command id").isNull();
    }

    @Test
    void anEntityKeyBesideAHeaderAnswersTheHeadersIdAndRecordsNothing() {
        Refused<FlowCommand> read = refusal(withHeader(keyed("greptime/f", create), "c1"));

        assertThat(read.code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(read.reason()).contains("header sluice-command-id says \"c1\"", "the key says \"f\"");
        assertThat(read.commandId()).isEqualTo("c1");
        assertThat(read.recordUnder()).isNull();
    }

    @Test
    void anEntityKeyThatIsNoCommandKeyAnswersTheHeadersId() {
        Refused<FlowCommand> read = refusal(withHeader(keyed("greptime/流", create), "c1"));

        assertThat(read.code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(read.commandId()).isEqualTo("c1");
        assertThat(read.recordUnder()).isNull();
    }

    @Test
    void aKeyOfAnotherCatalogIsGivenAwayByTheBody() {
        CommandRecord foreign = onPartition(keyed("other/c1", create), partitionOf("other"));

        Refused<FlowCommand> read = refusal(foreign);

        assertThat(read.code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(read.reason()).contains("catalog", "\"greptime\"", "\"other\"");
        assertThat(read.recordUnder()).isEqualTo(new CommandKey("other", "c1"));
    }

    @Test
    void aKeyWithoutSlashIsAnsweredOnlyThroughTheHeader() {
        assertThat(refusal(keyed("c1", create)).commandId()).isNull();

        Refused<FlowCommand> read = refusal(withHeader(keyed("c1", create), "c1"));
        assertThat(read.code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(read.reason()).contains("\"c1\"", "has no \"/\"", "<catalog>/<command id>");
        assertThat(read.commandId()).isEqualTo("c1");
        assertThat(read.recordUnder()).isNull();
    }

    @Test
    void anEmptyKeyIsAKeyWithoutSlash() {
        assertThat(refusal(keyed("", create)).commandId()).isNull();
        assertThat(refusal(withHeader(keyed("", create), "c1")).commandId()).isEqualTo("c1");
    }

    @Test
    void aKeyThatIsNoTextIsMalformed() {
        byte[] key = {'g', '/', (byte) 0xFF};
        CommandRecord broken = new CommandRecord(key, FlowCommandCodec.encode(create), "c1", 0, 17);

        assertThat(refusal(broken).reason()).contains("not UTF-8");
        assertThat(refusal(broken).commandId()).isEqualTo("c1");
    }

    @Test
    void aCatalogWithAZeroCharacterIsAnsweredAndNotRecorded() {
        // No row key can hold it, so looking for its outcome would throw.
        FlowCommand zero =
                FlowCommands.create("f").catalog("gre\0ptime").commandId("c1").build();

        Refused<FlowCommand> read = refusal(withHeader(keyed("gre\0ptime/c1", zero), "c1"));

        assertThat(read.code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(read.reason()).contains("zero character");
        assertThat(read.commandId()).isEqualTo("c1");
        assertThat(read.recordUnder()).isNull();
    }

    @Test
    void aBrokenBodyIsRecordedUnderTheKeyOnTheRightPartitionOnly() {
        CommandRecord broken = CommandRecords.withValue(create, CommandRecords.cutOff(create));

        assertThat(refusal(broken))
                .extracting(Refused::code, Refused::commandId, Refused::recordUnder)
                .containsExactly(OutcomeCode.MALFORMED, "c1", new CommandKey("greptime", "c1"));
        assertThat(refusal(onPartition(broken, elsewhere())))
                .extracting(Refused::code, Refused::commandId, Refused::recordUnder)
                .containsExactly(OutcomeCode.MALFORMED, "c1", null);
    }

    @Test
    void aRecordOfAnotherKindIsNamed() {
        Refused<FlowCommand> read = refusal(CommandRecords.withValue(create, CommandRecords.outcomeBytes("c1")));

        assertThat(read.code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(read.reason()).contains("io.sluice.avro.Outcome", "no flow command", "CreateFlow");
        assertThat(read.recordUnder()).isEqualTo(new CommandKey("greptime", "c1"));
    }

    @Test
    void randomBytesAreMalformedAndNeverThrow() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            byte[] value = new byte[random.nextInt(64)];
            random.nextBytes(value);
            byte[] key = new byte[random.nextInt(24)];
            random.nextBytes(key);

            assertThat(reader.read(CommandRecords.withValue(create, value)))
                    .isInstanceOfSatisfying(
                            Refused.class, read -> assertThat(read.code()).isEqualTo(OutcomeCode.MALFORMED));
            assertThat(reader.read(new CommandRecord(key, value, null, 0, i))).isInstanceOf(Refused.class);
        }
    }

    @Test
    void aCommandOfExactlyTheLimitIsReadAndOneByteMoreIsTooLarge() {
        FlowCommand largest =
                CommandRecords.createOfSize(FlowCommands.create("f").commandId("c1"), MAX_BYTES);
        FlowCommand larger =
                CommandRecords.createOfSize(FlowCommands.create("f").commandId("c1"), MAX_BYTES + 1);

        assertThat(reader.read(CommandRecords.of(largest))).isInstanceOf(Decidable.class);
        Refused<FlowCommand> read = refusal(CommandRecords.of(larger));
        assertThat(read.code()).isEqualTo(OutcomeCode.TOO_LARGE);
        assertThat(read.reason()).contains("4097 bytes", "4096");
        assertThat(read.commandId()).isEqualTo("c1");
        assertThat(read.recordUnder()).isEqualTo(new CommandKey("greptime", "c1"));
    }

    @Test
    void tooLargeComesBeforeTheWrongPartitionAndIsNotRecordedThere() {
        FlowCommand larger =
                CommandRecords.createOfSize(FlowCommands.create("f").commandId("c1"), MAX_BYTES + 1);

        Refused<FlowCommand> read = refusal(onPartition(CommandRecords.of(larger), elsewhere()));

        assertThat(read.code()).isEqualTo(OutcomeCode.TOO_LARGE);
        assertThat(read.recordUnder()).isNull();
    }

    @Test
    void aKeyAboveTheLimitIsNotAnswered() {
        // The answer would repeat key and catalog, and be larger than its topic takes.
        String catalog = "c".repeat(MAX_BYTES);
        CommandRecord huge = record(catalog + "/c1", new byte[] {1}, "c1", partitionOf(catalog));

        assertThat(refusal(huge))
                .extracting(Refused::code, Refused::commandId, Refused::recordUnder)
                .containsExactly(OutcomeCode.TOO_LARGE, null, null);
    }

    @Test
    void theWrongPartitionIsAnsweredAndNotRecorded() {
        int elsewhere = elsewhere();

        Refused<FlowCommand> read = refusal(onPartition(CommandRecords.of(create), elsewhere));

        assertThat(read.code()).isEqualTo(OutcomeCode.MISROUTED);
        assertThat(read.reason())
                .contains(
                        "\"greptime\" belongs to partition " + partitionOf("greptime") + " of " + PARTITION_COUNT,
                        "sent to partition " + elsewhere,
                        "murmur2");
        assertThat(read.commandId()).isEqualTo("c1");
        assertThat(read.recordUnder()).isNull();
    }

    @Test
    void reasonsStayShortWhateverTheInput() {
        String longText = "x".repeat(3_000);
        FlowCommand longCatalog =
                FlowCommands.create("f").catalog(longText).commandId("c1").build();

        assertThat(refusal(keyed("greptime/c1", longCatalog)).reason()).hasSizeLessThan(700);
        assertThat(refusal(record(longText, new byte[0], null, 0)).reason()).hasSizeLessThan(700);
        assertThat(refusal(onPartition(CommandRecords.of(longCatalog), (partitionOf(longText) + 1) % PARTITION_COUNT))
                        .reason()
                        .getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThan(700);
    }

    private Refused<FlowCommand> refusal(CommandRecord record) {
        return (Refused<FlowCommand>) reader.read(record);
    }

    private static int elsewhere() {
        return (partitionOf("greptime") + 1) % PARTITION_COUNT;
    }
}
