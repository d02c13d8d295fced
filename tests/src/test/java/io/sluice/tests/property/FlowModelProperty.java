package io.sluice.tests.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.Keys;
import io.sluice.state.flow.FlowDigest;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flow.FlowState;
import io.sluice.tests.harness.TestSize;
import io.sluice.tests.model.FlowCommands;
import io.sluice.tests.model.FlowModel;
import io.sluice.tests.model.FlowModel.Answer;
import io.sluice.tests.model.FlowModel.Effect;
import io.sluice.tests.model.FlowRowTexts;
import io.sluice.tests.model.MemoryRows;
import io.sluice.tests.model.SentCommand;
import io.sluice.tests.property.DrivenFlows.Written;
import io.sluice.topology.common.Limits;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Random command sequences through the real topology and store against {@link FlowModel}: after every command the answer, all
 * five indices and the routes topic; after every sequence the rows restored from the changelog, byte for byte.
 *
 * <p>{@code sluice.test.size=full} runs four sequences per try instead of one. A test driver serves several sequences, each with
 * catalogs of its own, since opening a store costs more than a sequence. It knows one partition; see {@link DrivenFlows}.
 */
class FlowModelProperty {
    private static final int SEQUENCES_PER_TRY = TestSize.of(1, 4);
    private static final int SEQUENCES_PER_DRIVER = 50;
    private static final int MAX_COMMANDS = 25;
    private static final int CATALOGS = 3;
    private static final Limits LIMITS = new Limits(4 * 1024);
    private static final FlowRecordCodec CODEC = new FlowRecordCodec(new SingleObject(KnownSchemas.shipped()));

    private static final Map<OutcomeCode, Integer> SEEN = new EnumMap<>(OutcomeCode.class);
    private static DrivenFlows flows;
    private static int sequenceCount;
    private static int commandCount;
    private static int changeCount;
    private static int retryCount;
    private static long decisionCount;

    @BeforeContainer
    static void start() {
        SEEN.clear();
        sequenceCount = 0;
        commandCount = 0;
        changeCount = 0;
        retryCount = 0;
    }

    /** A run that met too little proves too little. */
    @AfterContainer
    static void stop() {
        if (flows != null) {
            flows.close();
            flows = null;
        }
        if (sequenceCount < 500) {
            return; // Failed early, or a single sample is being looked at again.
        }
        assertThat(SEEN.keySet())
                .as("codes that were met")
                .containsExactlyInAnyOrder(
                        OutcomeCode.OK,
                        OutcomeCode.FLOW_ALREADY_EXISTS,
                        OutcomeCode.FLOW_VALUE_MISMATCH,
                        OutcomeCode.FLOW_ID_TAKEN,
                        OutcomeCode.FLOW_ID_MISMATCH,
                        OutcomeCode.REVISION_MISMATCH,
                        OutcomeCode.FLOW_NOT_FOUND,
                        OutcomeCode.UNSUPPORTED,
                        OutcomeCode.INVALID_ARGUMENT,
                        OutcomeCode.MISROUTED,
                        OutcomeCode.MALFORMED,
                        OutcomeCode.TOO_LARGE);
        assertThat(changeCount).as("changes").isGreaterThan(commandCount / 5);
        assertThat(retryCount).as("retries").isGreaterThan(commandCount / 50);
        System.out.println("FlowModelProperty: " + sequenceCount + " sequences, " + commandCount + " commands, "
                + changeCount + " changes, " + retryCount + " retries, " + SEEN);
    }

    @Property(tries = 500)
    void theTopologyDoesWhatTheModelSays(@ForAll("sequences") List<List<List<Integer>>> sequences) {
        for (List<List<Integer>> sequence : sequences) {
            run(sequence);
        }
    }

    @Provide
    Arbitrary<List<List<List<Integer>>>> sequences() {
        return Arbitraries.integers()
                .between(0, 9_999)
                .withDistribution(RandomDistribution.uniform())
                .list()
                .ofSize(FlowCommands.NUMBERS_PER_COMMAND)
                .list()
                .ofMinSize(1)
                .ofMaxSize(MAX_COMMANDS)
                .withSizeDistribution(RandomDistribution.uniform())
                .list()
                .ofSize(SEQUENCES_PER_TRY)
                .withoutEdgeCases();
    }

    private static void run(List<List<Integer>> sequence) {
        startSequence();
        List<String> catalogs = new ArrayList<>();
        for (int i = 0; i < CATALOGS; i++) {
            catalogs.add(catalog("s" + sequenceCount + "-" + i, true));
        }
        // One catalog's name begins with another's.
        catalogs.set(1, catalog(catalogs.get(0), true));
        FlowCommands commands = new FlowCommands(
                catalogs, catalog("s" + sequenceCount + "-foreign", false), "c", LIMITS.commandBytes());
        FlowModel model = new FlowModel(LIMITS.commandBytes(), FlowModelProperty::isOwn);
        Map<String, Outcome> firstAnswers = new HashMap<>();
        List<SentCommand> sent = new ArrayList<>();
        for (List<Integer> numbers : sequence) {
            SentCommand command = commands.next(numbers);
            sent.add(command);
            try {
                check(command, model, catalogs, firstAnswers);
            } catch (AssertionError e) {
                throw new AssertionError(describe(sent) + "\n" + e.getMessage(), e);
            }
        }
        checkRestored(model, catalogs);
    }

    private static void startSequence() {
        if (flows == null || sequenceCount % SEQUENCES_PER_DRIVER == 0) {
            if (flows != null) {
                flows.close();
            }
            flows = new DrivenFlows(LIMITS);
            decisionCount = 0;
        }
        sequenceCount++;
    }

    private static void check(
            SentCommand command, FlowModel model, List<String> catalogs, Map<String, Outcome> firstAnswers) {
        Effect expected = model.settle(command);
        Written written = flows.send(command);
        commandCount++;
        decisionCount += expected.decides() ? 1 : 0;

        Outcome actual = written.answer();
        assertThat(
                        actual == null
                                ? null
                                : new Answer(
                                        actual.commandId(),
                                        actual.code(),
                                        actual.flowId(),
                                        actual.revision(),
                                        actual.applied()))
                .as("answer" + (actual == null ? "" : ": " + actual.message()))
                .isEqualTo(expected.answer());
        assertThat(written.deadLetters()).as("dead letters").isEqualTo(expected.deadLetter() ? 1 : 0);
        if (actual != null) {
            SEEN.merge(actual.code(), 1, Integer::sum);
            assertThat(written.answerKey()).isEqualTo(command.key());
            assertThat(actual.message().isEmpty())
                    .as("only a refusal has a message")
                    .isEqualTo(actual.isOk());
            checkPosition(command, expected, actual, firstAnswers);
        }
        checkWrites(expected, written);
        for (String catalog : catalogs) {
            assertThat(FlowRowTexts.of(flows.store(), catalog))
                    .as("rows of " + catalog)
                    .isEqualTo(model.rows(catalog));
            assertThat(flows.routesTopic(catalog))
                    .as("routes topic of " + catalog)
                    .isEqualTo(model.routesTopic(catalog));
        }
    }

    /** A decision has the next number; a retry has the first answer, number and all. */
    private static void checkPosition(
            SentCommand command, Effect expected, Outcome actual, Map<String, Outcome> firstAnswers) {
        Outcome first = firstAnswers.get(command.key());
        if (expected.decides()) {
            assertThat(first).as("decided twice").isNull();
            assertThat(actual.position().decision()).isEqualTo(decisionCount);
            firstAnswers.put(command.key(), actual);
        } else if (first != null
                && first.commandId().equals(actual.commandId())
                && expected.answer().equals(answer(first))) {
            retryCount++;
            assertThat(actual).isEqualTo(first);
        } else {
            assertThat(actual.position().decision()).isEqualTo(decisionCount);
        }
        changeCount += expected.decides() && actual.applied() ? 1 : 0;
    }

    private static Answer answer(Outcome o) {
        return new Answer(o.commandId(), o.code(), o.flowId(), o.revision(), o.applied());
    }

    private static void checkWrites(Effect expected, Written written) {
        List<String> keys = written.changedKeys();
        assertThat(keys).as("each key is written once").doesNotHaveDuplicates();
        assertThat(written.routeKeys()).as("each route is written once").doesNotHaveDuplicates();
        if (!expected.decides()) {
            assertThat(keys).as("rows of a record that decides nothing").isEmpty();
            assertThat(written.routeKeys()).isEmpty();
            return;
        }
        assertThat(keys.get(keys.size() - 1)).as("last row of a decision").isEqualTo(Keys.hex(CursorRow.key()));
        if (!expected.answer().applied()) {
            assertThat(keys).as("outcome, its age, cursor").hasSize(3);
            assertThat(written.routeKeys()).isEmpty();
        }
    }

    private static void checkRestored(FlowModel model, List<String> catalogs) {
        MemoryRows store = flows.copyOfStore();
        MemoryRows restored = flows.restored();
        assertThat(restored.toHex()).as("rows restored from the changelog").isEqualTo(store.toHex());
        assertThat(FlowDigest.of(restored)).as("digests").isEqualTo(FlowDigest.of(store));
        for (String catalog : catalogs) {
            assertThat(FlowRowTexts.of(restored, catalog))
                    .as("restored rows of " + catalog)
                    .isEqualTo(model.rows(catalog));
        }
        assertThat(FlowDigest.of(rebuilt(restored)))
                .as("digests after a rebuild")
                .isEqualTo(FlowDigest.of(store));
    }

    /** The truth of a store, and what follows from it. */
    private static MemoryRows rebuilt(MemoryRows store) {
        MemoryRows rebuilt = new MemoryRows();
        store.scanPrefix(FlowKeyFamily.ALLOCATOR.prefix(), (key, value) -> {
            rebuilt.put(key, value);
            return true;
        });
        store.scanPrefix(FlowKeyFamily.INFO.prefix(), (key, value) -> {
            FlowState.derive(CODEC.decodeRecord(value), rebuilt);
            return true;
        });
        return rebuilt;
    }

    private static boolean isOwn(String catalog) {
        return Partitions.of(catalog, DrivenFlows.FLOW_PARTITIONS) == 0;
    }

    private static String catalog(String prefix, boolean own) {
        for (int i = 0; ; i++) {
            String catalog = prefix + "x" + i;
            if (isOwn(catalog) == own) {
                return catalog;
            }
        }
    }

    private static String describe(List<SentCommand> sent) {
        StringBuilder text = new StringBuilder("after these commands:");
        sent.forEach(command -> text.append("\n  ").append(command));
        return text.toString();
    }
}
