package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.Peer;
import io.sluice.service.query.Copy;
import io.sluice.service.query.FlowQueries;
import io.sluice.state.common.RowDigest;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flow.FlowRouteIndex;
import io.sluice.state.flow.FlowTextKeys;
import io.sluice.state.flow.FlownodeIndex;
import io.sluice.state.flow.SourceTableIndex;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.TestSize;
import io.sluice.tests.model.FlowCommands;
import io.sluice.tests.model.FlowModel;
import io.sluice.tests.model.SentCommand;
import io.sluice.topology.common.Limits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random command sequences on the real broker against {@link FlowModel}: outcomes and all five indices as readers see
 * them, after every few commands and again with stores restored from the topics.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ModelSequencesIT {
    private static final int PARTITIONS = 4;
    private static final int COMMANDS = 40;
    private static final int COMMANDS_PER_CHECK = 5;
    private static final Limits LIMITS = new Limits(4 * 1024);

    /** The flownodes and tables that the commands draw from, and one more of each that nobody uses. */
    private static final long[] FLOWNODES = {1, 2, 3, -1, 98};

    private static final long[] TABLES = {1024, 1025, 1026, 1027};

    @TempDir
    Path data;

    /** Decisions so far, by partition. */
    private final long[] decisions = new long[PARTITIONS];

    /** What was sent to some catalogs of their own, and what must have come of it. */
    private record Sequence(List<String> catalogs, FlowModel model, List<SentCommand> sent) {}

    @Test
    void readersSeeWhatTheModelSaysAfterEveryFewCommandsAndWithRestoredStores() {
        int count = TestSize.of(8, 50);
        List<Sequence> sequences = new ArrayList<>();
        try (LocalSluice sluice = LocalSluice.on(data)
                .withInstance(settings -> settings.withLimits(LIMITS))
                .start()) {
            try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
                for (int number = 0; number < count; number++) {
                    sequences.add(run(sluice, producer, number));
                }
            }
            Map<FlowKeyFamily, RowDigest> digests = sluice.queries().digests().value();
            sequences.forEach(sequence -> assertOutcomes(sluice.queries(), sequence));

            sluice.stopInstance().wipeState().startInstance();

            assertThat(sluice.queries().digests().value()).isEqualTo(digests);
            for (Sequence sequence : sequences) {
                assertIndices(sluice.queries(), sequence);
                assertOutcomes(sluice.queries(), sequence);
            }
        }
    }

    private Sequence run(LocalSluice sluice, Producer<byte[], byte[]> producer, int number) {
        Random random = new Random(number);
        List<String> catalogs = List.of("m" + number, "m" + number + "b", "m" + number + "c");
        FlowCommands commands = new FlowCommands(catalogs, null, "c", LIMITS.commandBytes());
        Sequence sequence =
                new Sequence(catalogs, new FlowModel(LIMITS.commandBytes(), catalog -> true), new ArrayList<>());
        for (int i = 1; i <= COMMANDS; i++) {
            SentCommand command = commands.next(FlowCommands.numbers(random));
            int partition = Partitions.of(catalogOf(command), PARTITIONS);
            decisions[partition] += sequence.model().settle(command).decides() ? 1 : 0;
            sequence.sent().add(command);
            producer.send(record(command, partition));
            if (i % COMMANDS_PER_CHECK == 0) {
                try {
                    awaitDecisions(sluice);
                    assertIndices(sluice.queries(), sequence);
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError(describe(number, sequence) + "\n" + e.getMessage(), e);
                }
            }
        }
        return sequence;
    }

    /** What is decided is known by its number, so that what is read then must be right at once. */
    private void awaitDecisions(LocalSluice sluice) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Position reached = LocalSluice.within(sluice.instance()
                    .service()
                    .positions()
                    .await(
                            new Position("flow", partition, decisions[partition]),
                            Copy.ACTIVE,
                            System.nanoTime() + TimeUnit.SECONDS.toNanos(20)));
            assertThat(reached.decision())
                    .as("decisions in partition %s", partition)
                    .isEqualTo(decisions[partition]);
        }
    }

    private static void assertIndices(FlowQueries queries, Sequence sequence) {
        for (String catalog : sequence.catalogs()) {
            var flows = sequence.model().flows(catalog);
            assertThat(queries.list(catalog, "", null, 0).value().flows())
                    .as("flows of %s by name", catalog)
                    .containsExactlyElementsOf(flows.values().stream()
                            .sorted(Comparator.comparing(FlowRecord::flowName))
                            .toList());
            Set<FlownodeIndex.Key> onFlownodes = new HashSet<>();
            Set<SourceTableIndex.Entry> ofTables = new HashSet<>();
            for (FlowRecord flow : flows.values()) {
                assertThat(queries.flow(catalog, flow.flowName()).value()).isEqualTo(flow);
                assertThat(queries.flow(catalog, flow.flowId()).value()).isEqualTo(flow);
                assertThat(queries.routes(catalog, flow.flowId()).value())
                        .as("routes of %s", flow)
                        .containsExactlyElementsOf(flow.routes().entrySet().stream()
                                .map(route -> new FlowRouteIndex.Entry(route.getKey(), route.getValue()))
                                .toList());
                flow.routes().forEach((partition, peer) -> {
                    onFlownodes.add(new FlownodeIndex.Key(catalog, peer.id(), flow.flowId(), partition));
                    flow.sourceTableIds().forEach(table -> ofTables.add(row(flow, table, partition, peer)));
                });
            }
            Set<FlownodeIndex.Key> seenOnFlownodes = new HashSet<>();
            for (long flownode : FLOWNODES) {
                seenOnFlownodes.addAll(
                        queries.flowsOfFlownode(catalog, flownode).value());
            }
            assertThat(seenOnFlownodes).as("flownode rows of %s", catalog).isEqualTo(onFlownodes);
            Set<SourceTableIndex.Entry> seenOfTables = new HashSet<>();
            for (long table : TABLES) {
                seenOfTables.addAll(queries.flowsOfTable(catalog, table).value());
            }
            assertThat(seenOfTables).as("source table rows of %s", catalog).isEqualTo(ofTables);
            // Rows that no look-up above would have met.
            assertThat(queries.keys(catalog, FlowTextKeys.Layout.FLOW).value())
                    .as("keys of %s", catalog)
                    .hasSize(2 * flows.size() + 2 * onFlownodes.size() + ofTables.size());
        }
    }

    private static SourceTableIndex.Entry row(FlowRecord flow, long table, long partition, Peer peer) {
        return new SourceTableIndex.Entry(
                new SourceTableIndex.Key(flow.catalog(), table, peer.id(), flow.flowId(), partition), peer);
    }

    private static void assertOutcomes(FlowQueries queries, Sequence sequence) {
        Set<String> ids = new TreeSet<>();
        sequence.sent().stream()
                .filter(command -> command.body() != null)
                .forEach(command -> ids.add(command.body().envelope().commandId()));
        for (String catalog : sequence.catalogs()) {
            for (String id : ids) {
                Outcome outcome = queries.outcome(catalog, id).value();
                assertThat(
                                outcome == null
                                        ? null
                                        : new FlowModel.Answer(
                                                outcome.commandId(),
                                                outcome.code(),
                                                outcome.flowId(),
                                                outcome.revision(),
                                                outcome.applied()))
                        .as("outcome of %s/%s", catalog, id)
                        .isEqualTo(sequence.model().outcome(catalog, id));
            }
        }
    }

    private static String catalogOf(SentCommand command) {
        int slash = command.key().lastIndexOf('/');
        return slash < 0
                ? command.body().envelope().partitionKey()
                : command.key().substring(0, slash);
    }

    private static ProducerRecord<byte[], byte[]> record(SentCommand command, int partition) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                TopicNames.FLOW_COMMANDS, partition, command.key().getBytes(StandardCharsets.UTF_8), command.value());
        if (command.header() != null) {
            record.headers().add(TopicNames.SLUICE_COMMAND_ID, command.header().getBytes(StandardCharsets.UTF_8));
        }
        return record;
    }

    private static String describe(int number, Sequence sequence) {
        StringBuilder text = new StringBuilder("sequence " + number + ", after these commands:");
        sequence.sent().forEach(command -> text.append("\n  ").append(command));
        return text.toString();
    }
}
