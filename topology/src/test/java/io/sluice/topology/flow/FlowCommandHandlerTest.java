package io.sluice.topology.flow;

import static io.sluice.topology.flow.CommandRecords.PARTITION_COUNT;
import static io.sluice.topology.flow.CommandRecords.atOffset;
import static io.sluice.topology.flow.CommandRecords.keyed;
import static io.sluice.topology.flow.CommandRecords.onPartition;
import static io.sluice.topology.flow.CommandRecords.withHeader;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.state.common.OutcomeIndex;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flow.FlowState;
import io.sluice.topology.common.CommandHandler;
import io.sluice.topology.common.CommandHandler.Settled;
import io.sluice.topology.common.CommandRecord;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.InMemoryRows;
import io.sluice.topology.common.InMemoryRows.Write;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.TopicRecord;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a record leads to: rows, answer, routes, dead letter; all in memory. */
class FlowCommandHandlerTest {
    private static final PartitionCounts COUNTS =
            new PartitionCounts(PARTITION_COUNT, PARTITION_COUNT, PARTITION_COUNT);
    private static final int COMMAND_MAX = 16 * 1024;
    private static final long RETENTION_MS = 1_000;
    private static final long NOW_MS = 1_000_000;
    private static final int PARTITION = Partitions.of("greptime", PARTITION_COUNT);

    private final SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
    private final FlowState state = new FlowState(singleObject);
    private final InMemoryRows rows = new InMemoryRows();
    private DecisionLimits limits = new DecisionLimits(COMMAND_MAX, 2 * COMMAND_MAX, 1 << 20, RETENTION_MS);
    private CommandHandler<FlowCommand> handler = newHandler();

    // ---- answers, positions, cursor

    @Test
    void theCursorIsTheLastRowOfADecisionAndNamesItsCommand() {
        settle(atOffset(CommandRecords.of(create("f", "c1")), 5));

        List<Write> writes = rows.takeWrites();
        assertThat(writes.get(writes.size() - 1).tag()).isEqualTo(FlowKeyFamily.CURSOR.tag());
        assertThat(writes)
                .filteredOn(w -> w.tag() == FlowKeyFamily.CURSOR.tag())
                .hasSize(1);
        assertThat(state.cursor().read(rows)).isEqualTo(new Cursor(1, 5));
    }

    @Test
    void aRefusalWritesItsOutcomeAndTheCursorAndNothingElse() {
        Settled refused =
                settle(CommandRecords.of(FlowCommands.drop("f").commandId("c1").build()));

        assertThat(refused.outcome().code()).isEqualTo(OutcomeCode.FLOW_NOT_FOUND);
        assertThat(refused.deadLetter()).isNull();
        assertThat(refused.records()).isEmpty();
        assertThat(tags(rows.takeWrites()))
                .containsExactly(FlowKeyFamily.OUTCOME, FlowKeyFamily.OUTCOME_AGE, FlowKeyFamily.CURSOR);
    }

    @Test
    void positionsCountTheDecisionsOfThePartition() {
        assertThat(decide(create("f", "c1")).position()).isEqualTo(at(1));
        assertThat(decide(FlowCommands.drop("g").commandId("c2").build()).position())
                .isEqualTo(at(2));
        assertThat(decide(create("f", "c1")).position()).as("retry").isEqualTo(at(1));
        assertThat(decide(FlowCommands.comment("f", "x").commandId("c3").build())
                        .position())
                .isEqualTo(at(3));
        assertThat(state.cursor().read(rows).decision()).isEqualTo(3);
    }

    @Test
    void aNewHandlerGoesOnCountingWhereTheRowsSay() {
        decide(create("f", "c1"));
        handler = newHandler();

        assertThat(decide(create("g", "c2")).position()).isEqualTo(at(2));
    }

    @Test
    void theOutcomeSaysWhoAndWhat() {
        Outcome outcome = decide(create("f", "c1"));

        assertThat(outcome)
                .isEqualTo(new Outcome("c1", OutcomeCode.OK, "", "greptime", 1024L, "f", 1L, true, at(1), "kafka"));
        assertThat(state.outcomes().find(rows, "greptime", "c1")).isEqualTo(outcome);
    }

    // ---- barriers

    @Test
    void aBarrierMovesTheCursorsOffsetAndKeepsItsDecision() {
        settle(atOffset(CommandRecords.of(create("f", "c1")), 5));

        handler.pass(rows, 9);

        assertThat(state.cursor().read(rows)).isEqualTo(new Cursor(1, 9));
    }

    @Test
    void aBarrierWritesTheCursorAndNoOtherRow() {
        decide(create("f", "c1"));
        rows.takeWrites();

        handler.pass(rows, 18);

        assertThat(tags(rows.takeWrites())).containsExactly(FlowKeyFamily.CURSOR);
    }

    @Test
    void aBarrierBeforeTheFirstCommandIsPassedToo() {
        handler.pass(rows, 0);

        assertThat(state.cursor().read(rows)).isEqualTo(new Cursor(0, 0));
    }

    @Test
    void theCommandAfterABarrierIsTheNextDecision() {
        decide(create("f", "c1"));
        handler.pass(rows, 18);
        handler.pass(rows, 19);

        Settled next = settle(atOffset(CommandRecords.of(create("g", "c2")), 20));

        assertThat(next.outcome().position()).isEqualTo(at(2));
        assertThat(state.cursor().read(rows)).isEqualTo(new Cursor(2, 20));
    }

    @Test
    void aNewHandlerGoesOnAfterABarrierWhereTheRowsSay() {
        decide(create("f", "c1"));
        handler.pass(rows, 18);
        handler = newHandler();

        handler.pass(rows, 19);

        assertThat(state.cursor().read(rows)).isEqualTo(new Cursor(1, 19));
        assertThat(decide(create("g", "c2")).position()).isEqualTo(at(2));
    }

    @Test
    void aRetryAfterABarrierDoesNotTakeTheCursorBack() {
        decide(create("f", "c1"));
        handler.pass(rows, 18);

        settle(atOffset(CommandRecords.of(create("f", "c1")), 19));

        assertThat(state.cursor().read(rows)).isEqualTo(new Cursor(1, 18));
    }

    @Test
    void aRecordThatOnlyLooksLikeABarrierIsADeadLetter() {
        Settled settled = settle(CommandRecords.record("_other", new byte[] {1}, null, PARTITION));

        assertThat(settled.answer()).isNull();
        assertThat(settled.deadLetter().code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(rows.takeWrites()).isEmpty();
    }

    // ---- retries

    @Test
    void aRetryReturnsTheRecordedOutcomeAndWritesNoRow() {
        Settled first = settle(CommandRecords.of(create("f", "c1")));
        rows.takeWrites();

        Settled again = settle(atOffset(CommandRecords.of(create("f", "c1")), 99));

        assertThat(again.outcome()).isEqualTo(first.outcome());
        assertThat(again.records()).isEmpty();
        assertThat(again.deadLetter()).isNull();
        assertThat(rows.takeWrites()).isEmpty();
        assertThat(state.cursor().read(rows).commandOffset()).isEqualTo(17);
    }

    @Test
    void aUsedIdWithAnotherBodyGetsTheRecordedOutcome() {
        Outcome first = decide(create("f", "c1"));

        assertThat(decide(FlowCommands.drop("f").commandId("c1").build())).isEqualTo(first);
        assertThat(state.names().find(rows, "greptime", "f")).isEqualTo(1024L);
    }

    @Test
    void commandIdsOfOneCatalogSayNothingAboutAnother() {
        String other = catalogBesides("greptime");
        decide(create("f", "c1"));

        Outcome outcome =
                decide(FlowCommands.create("f").catalog(other).commandId("c1").build());

        assertThat(outcome.catalog()).isEqualTo(other);
        assertThat(outcome.applied()).isTrue();
        assertThat(outcome.position()).isEqualTo(at(2));
    }

    @Test
    void aRefusalIsRecordedToo() {
        FlowCommand drop = FlowCommands.drop("f").commandId("c1").build();
        decide(drop);
        decide(create("f", "c2"));

        assertThat(decide(drop).code()).isEqualTo(OutcomeCode.FLOW_NOT_FOUND);
        assertThat(state.names().find(rows, "greptime", "f")).isEqualTo(1024L);
    }

    // ---- records that cannot be decided

    @Test
    void aBrokenBodyIsTheIdsOutcomeAndTheNextCommandIsDecided() {
        FlowCommand create = create("f", "c1");
        Settled broken = settle(CommandRecords.withValue(create, CommandRecords.cutOff(create)));

        assertThat(broken.outcome())
                .extracting(Outcome::code, Outcome::commandId, Outcome::catalog, Outcome::position)
                .containsExactly(OutcomeCode.MALFORMED, "c1", "greptime", at(1));
        assertThat(broken.deadLetter().code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(broken.deadLetter().reason()).isEqualTo(broken.outcome().message());
        assertThat(decide(create)).as("the id is used up").isEqualTo(broken.outcome());
        assertThat(decide(create("f", "c2")).flowId()).isEqualTo(1024);
    }

    @Test
    void aBrokenBodyUnderAnIdThatWasDecidedGetsTheRecordedOutcomeAndADeadLetter() {
        FlowCommand create = create("f", "c1");
        Outcome first = decide(create);
        rows.takeWrites();

        Settled broken = settle(CommandRecords.withValue(create, new byte[] {1, 2, 3}));

        assertThat(broken.outcome()).isEqualTo(first);
        assertThat(broken.deadLetter()).isNotNull();
        assertThat(rows.takeWrites()).isEmpty();
    }

    @Test
    void aBrokenBodyOnTheWrongPartitionIsAnsweredAndNotRecorded() {
        FlowCommand create = create("f", "c1");
        CommandRecord broken = CommandRecords.withValue(create, CommandRecords.cutOff(create));
        CommandHandler<FlowCommand> elsewhere = FlowTopology.handler(singleObject, limits, 0, COUNTS);
        assertThat(PARTITION).as("the case needs a partition besides 0").isNotZero();

        Settled settled = elsewhere.settle(onPartition(broken, 0), rows, NOW_MS);

        assertThat(settled.outcome().code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(settled.outcome().position()).isEqualTo(new Position("flow", 0, 0));
        assertThat(settled.deadLetter()).isNotNull();
        assertThat(rows.takeWrites()).isEmpty();
    }

    @Test
    void aMisroutedCommandIsAnsweredNeverDecidedAndNotTheIdsOutcome() {
        CommandRecord misrouted = onPartition(CommandRecords.of(create("f", "c1")), 0);
        CommandHandler<FlowCommand> elsewhere = FlowTopology.handler(singleObject, limits, 0, COUNTS);

        Settled settled = elsewhere.settle(misrouted, rows, NOW_MS);

        assertThat(settled.outcome().code()).isEqualTo(OutcomeCode.MISROUTED);
        assertThat(settled.deadLetter().code()).isEqualTo(OutcomeCode.MISROUTED);
        assertThat(rows.takeWrites()).isEmpty();
        assertThat(decide(create("f", "c1")).applied())
                .as("sent again, to its partition")
                .isTrue();
    }

    @Test
    void aMisroutedRecordShowsThePositionReachedHere() {
        decide(create("f", "c1"));

        Settled settled = settle(keyed("no slash", create("f", "c2")), "c2");

        assertThat(settled.outcome().position()).isEqualTo(at(1));
        assertThat(settled.outcome().catalog()).isNull();
    }

    @Test
    void aNewFlowIsAnsweredUnderTheNameThatIsStored() {
        assertThat(decide(create("`f`", "c1")).flowName()).isEqualTo("f");
        assertThat(decide(create("`f`", "c2")).flowName())
                .as("refused, it exists")
                .isEqualTo("f");
    }

    @Test
    void anEntityKeyedCommandIsRefusedAndChangesNothing() {
        Settled settled = settle(keyed("greptime/f", create("f", "c1")));

        assertThat(settled.outcome())
                .extracting(Outcome::code, Outcome::commandId)
                .containsExactly(OutcomeCode.MALFORMED, "c1");
        assertThat(settled.deadLetter()).isNotNull();
        assertThat(state.names().find(rows, "greptime", "f")).isNull();
        assertThat(decide(create("f", "c1")).flowId()).as("with its own key").isEqualTo(1024);
    }

    @Test
    void anEntityKeyedCommandWithAHeaderAnswersItsIdEveryTimeAndRecordsNothing() {
        CommandRecord entityKeyed = withHeader(keyed("greptime/f", create("f", "c1")), "c1");

        for (int i = 0; i < 2; i++) {
            Settled settled = settle(entityKeyed);
            assertThat(settled.outcome())
                    .extracting(Outcome::code, Outcome::commandId)
                    .containsExactly(OutcomeCode.MALFORMED, "c1");
            assertThat(settled.deadLetter()).isNotNull();
        }
        assertThat(rows.takeWrites()).isEmpty();
    }

    @Test
    void aRecordWithoutAnyReadableIdIsOnlyADeadLetter() {
        Settled settled = settle(CommandRecords.record("no slash", new byte[] {7}, null, PARTITION));

        assertThat(settled.outcome()).isNull();
        assertThat(settled.deadLetter().code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(rows.takeWrites()).isEmpty();
    }

    @Test
    void anOutcomeInTheCommandsTopicIsNoCommand() {
        Settled settled = settle(CommandRecords.withValue(create("f", "c1"), CommandRecords.outcomeBytes("c1")));

        assertThat(settled.outcome().code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(settled.outcome().message()).contains("Outcome");
    }

    @Test
    void aCatalogThatNoRowCanHoldDoesNotStopTheHandler() {
        String catalog = IntStream.range(0, 100)
                .mapToObj(i -> "a\0" + i)
                .filter(name -> Partitions.of(name, PARTITION_COUNT) == PARTITION)
                .findFirst()
                .orElseThrow();

        Settled settled = settle(
                keyed(
                        catalog + "/c1",
                        FlowCommands.create("f")
                                .catalog(catalog)
                                .commandId("c1")
                                .build()),
                "c1");

        assertThat(settled.outcome().code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(settled.deadLetter()).isNotNull();
        assertThat(rows.takeWrites()).isEmpty();
    }

    @Test
    void aCatalogOutsideTheNamePatternIsInvalid() {
        String catalog = IntStream.range(0, 100)
                .mapToObj(i -> "1 / 流" + i)
                .filter(name -> Partitions.of(name, PARTITION_COUNT) == PARTITION)
                .findFirst()
                .orElseThrow();

        Outcome outcome =
                decide(FlowCommands.create("f").catalog(catalog).commandId("c1").build());

        assertThat(outcome.code()).isEqualTo(OutcomeCode.INVALID_ARGUMENT);
        assertThat(state.outcomes().find(rows, catalog, "c1")).isEqualTo(outcome);
    }

    // ---- sizes (K-31, K-43, B-K2)

    @Test
    void aCommandOfTheLimitIsDecidedAndOneByteMoreUsesNoId() {
        FlowCommand larger =
                CommandRecords.createOfSize(FlowCommands.create("f").commandId("c1"), COMMAND_MAX + 1);
        FlowCommand largest =
                CommandRecords.createOfSize(FlowCommands.create("f").commandId("c2"), COMMAND_MAX);

        Settled refused = settle(CommandRecords.of(larger));
        assertThat(refused.outcome().code()).isEqualTo(OutcomeCode.TOO_LARGE);
        assertThat(refused.deadLetter().code()).isEqualTo(OutcomeCode.TOO_LARGE);
        assertThat(tags(rows.takeWrites()))
                .containsExactly(FlowKeyFamily.OUTCOME, FlowKeyFamily.OUTCOME_AGE, FlowKeyFamily.CURSOR);

        assertThat(decide(largest).flowId()).isEqualTo(1024);
        assertThat(decide(larger)).as("retry").isEqualTo(refused.outcome());
    }

    @Test
    void aRecordOfTheFactLimitIsWrittenAndOneByteMoreIsRefused() {
        FlowCommand create =
                FlowCommands.create("f").commandId("c1").sql("x".repeat(2_000)).build();
        int factBytes = factBytesOf(create);

        limits = new DecisionLimits(COMMAND_MAX, factBytes - 1, 1 << 20, RETENTION_MS);
        handler = newHandler();
        Settled refused = settle(CommandRecords.of(create));
        assertThat(refused.outcome().code()).isEqualTo(OutcomeCode.TOO_LARGE);
        assertThat(refused.outcome().message()).contains(factBytes + " bytes", String.valueOf(factBytes - 1));
        assertThat(refused.deadLetter()).isNotNull();
        assertThat(tags(rows.takeWrites()))
                .containsExactly(FlowKeyFamily.OUTCOME, FlowKeyFamily.OUTCOME_AGE, FlowKeyFamily.CURSOR);

        limits = new DecisionLimits(COMMAND_MAX, factBytes, 1 << 20, RETENTION_MS);
        handler = newHandler();
        Outcome accepted = decide(
                FlowCommands.create("f").commandId("c2").sql("x".repeat(2_000)).build());
        assertThat(accepted.flowId()).as("the refusal used no id").isEqualTo(1024);
    }

    @Test
    void theSumOfADecisionIsLimitedOnBothSides() {
        FlowCommands wide = FlowCommands.create("f").routes(routes(40)).sql("x".repeat(4_000));
        long sum = sumOf(wide.commandId("c1").build());

        limits = new DecisionLimits(COMMAND_MAX, 2 * COMMAND_MAX, sum - 1, RETENTION_MS);
        handler = newHandler();
        Settled refused = settle(CommandRecords.of(wide.commandId("c1").build()));
        assertThat(refused.outcome())
                .extracting(Outcome::code, Outcome::flowId, Outcome::revision, Outcome::applied)
                .containsExactly(OutcomeCode.TOO_LARGE, null, null, false);
        assertThat(refused.outcome().message()).contains(sum + " bytes", (sum - 1) + " in one decision");
        assertThat(refused.records()).isEmpty();
        assertThat(refused.deadLetter()).isNotNull();
        assertThat(tags(rows.takeWrites()))
                .containsExactly(FlowKeyFamily.OUTCOME, FlowKeyFamily.OUTCOME_AGE, FlowKeyFamily.CURSOR);

        // The next one is decided, with the id the refused one did not use.
        assertThat(decide(create("g", "c2")).flowId()).isEqualTo(1024);
    }

    @Test
    void aDecisionOfExactlyTheSumIsWritten() {
        FlowCommand wide = FlowCommands.create("f")
                .routes(routes(40))
                .sql("x".repeat(4_000))
                .commandId("c1")
                .build();
        limits = new DecisionLimits(COMMAND_MAX, 2 * COMMAND_MAX, sumOf(wide), RETENTION_MS);
        handler = newHandler();

        Settled accepted = settle(CommandRecords.of(wide));

        assertThat(accepted.outcome().applied()).isTrue();
        assertThat(accepted.records()).hasSize(40);
    }

    @Test
    void aReplaceThatIsTooLargeNamesTheFlowAndLeavesItAsItIs() {
        decide(create("f", "c1"));
        Map<String, String> before = rows.toHex();
        FlowRecord flow = state.info().find(rows, "greptime", 1024);
        limits = new DecisionLimits(COMMAND_MAX, 2 * COMMAND_MAX, 10_000, RETENTION_MS);
        handler = newHandler();

        Settled refused = settle(CommandRecords.of(FlowCommands.replace("f")
                .routes(routes(40))
                .sql("x".repeat(4_000))
                .commandId("c2")
                .build()));

        assertThat(refused.outcome())
                .extracting(Outcome::code, Outcome::flowId, Outcome::revision)
                .containsExactly(OutcomeCode.TOO_LARGE, 1024L, 1L);
        assertThat(state.info().find(rows, "greptime", 1024)).isEqualTo(flow);
        assertThat(rows.toHex()).containsAllEntriesOf(withoutCursor(before));
    }

    @Test
    void aReplaceUnderAQuotedNameThatIsTooLargeStillNamesTheFlow() {
        decide(create("f", "c1"));
        limits = new DecisionLimits(COMMAND_MAX, 2 * COMMAND_MAX, 10_000, RETENTION_MS);
        handler = newHandler();

        Outcome refused = decide(FlowCommands.replace("`f`")
                .routes(routes(40))
                .sql("x".repeat(4_000))
                .commandId("c2")
                .build());

        assertThat(refused)
                .extracting(Outcome::code, Outcome::flowId, Outcome::revision)
                .containsExactly(OutcomeCode.TOO_LARGE, 1024L, 1L);
    }

    @Test
    void aDecisionThatIsTooLargeIsTheIdsOutcome() {
        limits = new DecisionLimits(COMMAND_MAX, 2 * COMMAND_MAX, 1_000, RETENTION_MS);
        handler = newHandler();
        FlowCommand wide =
                FlowCommands.create("f").routes(routes(40)).commandId("c1").build();
        Outcome refused = decide(wide);
        rows.takeWrites();

        assertThat(decide(wide)).isEqualTo(refused);
        assertThat(rows.takeWrites()).isEmpty();
    }

    // ---- retention of outcomes (K-41)

    @Test
    void retentionCountsFromTheDecisionNotFromTheCommand() {
        // Issued in 1970, decided now: it lives for the whole retention.
        FlowCommand old = FlowCommands.create("f").commandId("c1").at(1).build();
        settle(CommandRecords.of(old));

        handler.settle(CommandRecords.of(create("g", "c2")), rows, NOW_MS + RETENTION_MS);
        assertThat(state.outcomes().find(rows, "greptime", "c1")).isNotNull();

        handler.settle(CommandRecords.of(create("h", "c3")), rows, NOW_MS + RETENTION_MS + 1);
        assertThat(state.outcomes().find(rows, "greptime", "c1")).isNull();
        assertThat(rows.get(OutcomeIndex.ageKey(NOW_MS, "greptime", "c1"))).isNull();
        assertThat(state.outcomes().find(rows, "greptime", "c2")).isNotNull();
    }

    @Test
    void aRetryIsRecognisedAsLongAsItsRowLives() {
        Outcome first = decide(create("f", "c1"));

        Settled late = handler.settle(CommandRecords.of(create("f", "c1")), rows, NOW_MS + 100 * RETENTION_MS);
        assertThat(late.outcome()).isEqualTo(first);

        handler.settle(CommandRecords.of(create("g", "c2")), rows, NOW_MS + 100 * RETENTION_MS);
        Settled afterExpiry = handler.settle(CommandRecords.of(create("f", "c1")), rows, NOW_MS + 100 * RETENTION_MS);
        assertThat(afterExpiry.outcome().code()).as("decided anew").isEqualTo(OutcomeCode.FLOW_ALREADY_EXISTS);
    }

    @Test
    void oneCommandExpiresOnlyAFewAndLaterOnesTheRest() {
        for (int i = 0; i < 20; i++) {
            decide(create("f" + i, "c" + i));
        }
        rows.takeWrites();
        long later = NOW_MS + 2 * RETENTION_MS;

        List<Integer> expiredPerCommand = IntStream.range(0, 4)
                .mapToObj(i -> {
                    handler.settle(CommandRecords.of(create("g" + i, "d" + i)), rows, later);
                    return (int) rows.takeWrites().stream()
                            .filter(w -> w.isDelete() && w.tag() == FlowKeyFamily.OUTCOME.tag())
                            .count();
                })
                .toList();

        assertThat(expiredPerCommand).containsExactly(8, 8, 4, 0);
        for (int i = 0; i < 4; i++) {
            assertThat(state.outcomes().find(rows, "greptime", "d" + i)).isNotNull();
        }
    }

    @Test
    void aNewHandlerExpiresWhatAnEarlierOneLeft() {
        decide(create("f", "c1"));
        handler = newHandler();

        handler.settle(CommandRecords.of(create("g", "c2")), rows, NOW_MS + 2 * RETENTION_MS);

        assertThat(state.outcomes().find(rows, "greptime", "c1")).isNull();
    }

    @Test
    void aClockThatGoesBackLosesNoOutcome() {
        handler.settle(CommandRecords.of(create("f", "c1")), rows, NOW_MS);
        handler.settle(CommandRecords.of(create("g", "c2")), rows, NOW_MS - 10 * RETENTION_MS);
        assertThat(state.outcomes().find(rows, "greptime", "c1")).isNotNull();

        // The one decided "earlier" is the older one, and still found when the clock is right again.
        handler.settle(CommandRecords.of(create("h", "c3")), rows, NOW_MS + 1);
        assertThat(state.outcomes().find(rows, "greptime", "c1")).isNotNull();
        assertThat(state.outcomes().find(rows, "greptime", "c2")).isNull();
    }

    @Test
    void theSameRecordsGiveTheSameRows() {
        InMemoryRows again = new InMemoryRows();
        for (InMemoryRows target : List.of(rows, again)) {
            handler = newHandler();
            handler.settle(CommandRecords.of(create("f", "c1")), target, NOW_MS);
            handler.settle(
                    CommandRecords.of(
                            FlowCommands.comment("f", "x").commandId("c2").build()),
                    target,
                    NOW_MS);
            handler.settle(
                    CommandRecords.of(FlowCommands.drop("f").commandId("c3").build()), target, NOW_MS);
        }
        assertThat(again.toHex()).isEqualTo(rows.toHex());
    }

    // ---- helpers

    private CommandHandler<FlowCommand> newHandler() {
        return FlowTopology.handler(singleObject, limits, PARTITION, COUNTS);
    }

    private Settled settle(CommandRecord record) {
        return handler.settle(record, rows, NOW_MS);
    }

    private Settled settle(CommandRecord record, String header) {
        return settle(withHeader(record, header));
    }

    private Outcome decide(FlowCommand command) {
        return settle(CommandRecords.of(command)).outcome();
    }

    private static FlowCommand create(String flowName, String commandId) {
        return FlowCommands.create(flowName).commandId(commandId).build();
    }

    private static Position at(long decision) {
        return new Position("flow", PARTITION, decision);
    }

    /** Another catalog that is decided in the same partition. */
    private static String catalogBesides(String catalog) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "other" + i)
                .filter(name -> Partitions.of(name, PARTITION_COUNT) == Partitions.of(catalog, PARTITION_COUNT))
                .findFirst()
                .orElseThrow();
    }

    private static String routes(int count) {
        return IntStream.range(0, count).mapToObj(i -> i + ":" + (i % 7 + 1)).collect(Collectors.joining(","));
    }

    private static List<FlowKeyFamily> tags(List<Write> writes) {
        return writes.stream().map(w -> FlowKeyFamily.values()[w.tag() - 1]).toList();
    }

    private static Map<String, String> withoutCursor(Map<String, String> hex) {
        return hex.entrySet().stream()
                .filter(row -> !row.getKey().startsWith("09"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Bytes of the record that a command leads to, found out in rows of its own. */
    private int factBytesOf(FlowCommand command) {
        InMemoryRows trial = new InMemoryRows();
        newHandler().settle(CommandRecords.of(command), trial, NOW_MS);
        return FlowRecordCodec.encode(state.info().find(trial, command.catalog(), 1024)).length;
    }

    /** Bytes of all rows of flows and of all routes that a command leads to, found out in rows of its own. */
    private long sumOf(FlowCommand command) {
        InMemoryRows trial = new InMemoryRows();
        Settled settled = newHandler().settle(CommandRecords.of(command), trial, NOW_MS);
        long sum = settled.records().stream().mapToLong(TopicRecord::sizeBytes).sum();
        for (Write write : trial.takeWrites()) {
            if (FlowKeyFamily.values()[write.tag() - 1].isState()) {
                sum += write.key().length + write.value().length;
            }
        }
        return sum;
    }
}
