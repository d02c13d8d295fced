package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.ClientSettings;
import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.FlownodeRouteKey;
import io.sluice.service.query.FlowQueries;
import io.sluice.state.common.RowDigest;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flow.FlowTextKeys;
import io.sluice.tests.harness.Alone;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.InstanceMain;
import io.sluice.tests.harness.InstanceProcess;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.ReplayedFlows;
import io.sluice.tests.harness.SteadyLoad;
import io.sluice.tests.harness.TestSize;
import io.sluice.tests.harness.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * However often an instance is killed, a command has one outcome, and its record, rows and routes are there together or
 * not at all (docs/behaviour.md G1, G4, B-K1, B-H2; docs/kafka.md, K-17, K-27).
 */
@Alone
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class InstanceKillCrash {
    private static final List<String> CATALOGS = List.of("energy", "greptime", "plant", "retail");
    private static final int NAMES_PER_CATALOG = 40;
    private static final int FLOWNODES = 12;
    private static final String LARGE_CATALOG = "retail";
    private static final String LARGE = "large";

    private static final int MAX_IN_FLIGHT = 400;
    private static final int LEAST_IN_FLIGHT = 100;
    private static final int LEAST_OUTCOMES = 500;
    private static final int MORE_OUTCOMES = 1_000;
    private static final int LONGEST_START_MS = 4_000;
    /** Shorter than any start, so that commands in flight at a kill are sent again. */
    private static final Duration OUTCOME_WITHIN = Duration.ofSeconds(2);

    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(3);

    /** Outcome records, repeated ones too: those committed, and those whose transaction was not. */
    private record Answers(int committed, int cutOff) {}

    @TempDir
    Path data;

    private final Random random = new Random();
    private final List<Integer> inFlightAtKills = new ArrayList<>();
    private final List<Double> secondsToFirstOutcome = new ArrayList<>();

    @Test
    void killsAmidManyCommandsLoseNothingDoubleNothingAndLeaveNoHalfOfAChange() throws Exception {
        int kills = TestSize.of(3, 20);
        try (LocalSluice sluice =
                LocalSluice.on(data).withInstance(InstanceMain::withTwoThreads).startBroker()) {
            SteadyLoad<FlowCommand> load = killAgainAndAgain(sluice, kills);
            Map<CommandKey, FlowCommand> commands = load.sent();
            Map<CommandKey, Outcome> outcomes = load.outcomes();

            assertThat(inFlightAtKills)
                    .as("commands in flight at each kill; fewer would prove too little")
                    .hasSize(kills)
                    .allMatch(inFlight -> inFlight >= LEAST_IN_FLIGHT);
            assertThat(load.retried()).as("commands sent again").isGreaterThanOrEqualTo(kills * LEAST_IN_FLIGHT);
            Answers answers = assertOneOutcomeEach(sluice, commands, outcomes);
            assertThat(answers.cutOff())
                    .as("answers that kills cut off before their commit; none would prove too little")
                    .isPositive();
            assertEachDecisionOnce(outcomes);
            ReplayedFlows replayed = ReplayedFlows.of(commands, outcomes);
            assertThat(replayed.wrong()).as("outcomes unlike the history").isEmpty();
            long largeRevision = replayed.flows().get(LARGE_CATALOG).get(LARGE).revision();
            assertThat(largeRevision).as("changes of the large flow").isGreaterThan(kills / 2);
            System.out.println(figures(load, answers, largeRevision));

            Map<FlowKeyFamily, RowDigest> kept = assertState(sluice.startInstance(), replayed);
            Map<FlowKeyFamily, RowDigest> restored =
                    assertState(sluice.stopInstance().wipeState().startInstance(), replayed);
            assertThat(restored).as("stores restored from the topics").isEqualTo(kept);
            assertAnsweredAlike(sluice, commands, outcomes);
        }
    }

    /** Returns when every command has its outcome and no process runs any more. */
    private SteadyLoad<FlowCommand> killAgainAndAgain(LocalSluice sluice, int kills)
            throws IOException, InterruptedException {
        InstanceProcess instance = start(sluice);
        try {
            instance.awaitReady();
            ClientSettings settings =
                    ClientSettings.of(sluice.bootstrapServers()).withOutcomeTimeout(OUTCOME_WITHIN);
            try (SluiceClient client = SluiceClient.connect(settings);
                    SteadyLoad<FlowCommand> load =
                            new SteadyLoad<>(client, MAX_IN_FLIGHT, new Commands(TestSize.of(2_000, 9_996)))) {
                for (int kill = 1; kill <= kills; kill++) {
                    // Every third kill strikes wherever the start happens to be, the others amid the work.
                    if (kill % 3 == 0) {
                        TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_START_MS));
                    } else {
                        LocalSluice.within(load.moreOutcomes(LEAST_OUTCOMES + random.nextInt(MORE_OUTCOMES)));
                    }
                    inFlightAtKills.add(load.inFlight());
                    long killedNanos = System.nanoTime();
                    instance.kill();
                    instance = start(sluice);
                    CompletableFuture<Long> outcome = load.moreOutcomes(1);
                    if (kill % 3 != 2) {
                        secondsToFirstOutcome.add((LocalSluice.within(outcome) - killedNanos) / 1e9);
                    }
                }
                LocalSluice.within(load.moreOutcomes(LEAST_OUTCOMES + MORE_OUTCOMES));
                within(load.end());
                instance.stop();
                return load;
            }
        } catch (AssertionError | RuntimeException e) {
            e.addSuppressed(new AssertionError("the last instance said " + instance.said()));
            throw e;
        } finally {
            instance.close();
        }
    }

    private static InstanceProcess start(LocalSluice sluice) {
        return InstanceProcess.start(sluice.bootstrapServers(), sluice.stateDirectory());
    }

    private static void within(CompletableFuture<Void> settled) throws InterruptedException {
        try {
            settled.get(SETTLED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("commands without an outcome after " + SETTLED_WITHIN, e);
        } catch (ExecutionException e) {
            throw new AssertionError("the load failed", e.getCause());
        }
    }

    private String figures(SteadyLoad<FlowCommand> load, Answers answers, long largeChanges) {
        return String.format(
                Locale.ROOT,
                "commands=%d kills=%d retried=%d answers=%d cutOff=%d largeChanges=%d inFlight=%s secondsToOutcome=%s",
                load.sent().size(),
                inFlightAtKills.size(),
                load.retried(),
                answers.committed(),
                answers.cutOff(),
                largeChanges,
                inFlightAtKills,
                secondsToFirstOutcome.stream()
                        .map(seconds -> String.format(Locale.ROOT, "%.1f", seconds))
                        .toList());
    }

    private static Answers assertOneOutcomeEach(
            LocalSluice sluice, Map<CommandKey, FlowCommand> commands, Map<CommandKey, Outcome> outcomes) {
        Topics topics = sluice.topics();
        OutcomeCodec codec = new OutcomeCodec(new SingleObject(KnownSchemas.shipped()));
        Map<CommandKey, ConsumerRecord<byte[], byte[]>> first = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        int answers = 0;
        for (ConsumerRecord<byte[], byte[]> record : topics.read(TopicNames.FLOW_OUTCOMES)) {
            CommandKey key = CommandKey.decode(record.key());
            ConsumerRecord<byte[], byte[]> before = first.putIfAbsent(key, record);
            answers++;
            if (before != null
                    && (before.partition() != record.partition() || !Arrays.equals(before.value(), record.value()))) {
                wrong.add(key + ": " + codec.decode(before.value()) + " and " + codec.decode(record.value()));
            }
        }
        assertThat(wrong).as("commands with two outcomes").isEmpty();
        assertThat(first.keySet()).as("commands with an outcome").isEqualTo(commands.keySet());
        first.forEach((key, record) -> {
            if (!codec.decode(record.value()).equals(outcomes.get(key))) {
                wrong.add(key + ": " + codec.decode(record.value()) + ", the sender got " + outcomes.get(key));
            }
        });
        assertThat(wrong).as("senders that got another outcome").isEmpty();
        assertThat(answers).as("answers, to repeated commands too").isGreaterThan(commands.size());
        assertThat(topics.read(TopicNames.DEAD_LETTERS)).isEmpty();
        return new Answers(answers, writtenAnswers(sluice.bootstrapServers()) - answers);
    }

    /** How many answers were written, whether their transaction was committed or not. */
    private static int writtenAnswers(String bootstrapServers) {
        Map<String, Object> config =
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_uncommitted");
        try (Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(TopicNames.FLOW_OUTCOMES).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            long deadlineNanos = System.nanoTime() + LocalSluice.WITHIN.toNanos();
            int written = 0;
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                assertThat(System.nanoTime()).as("read up to " + ends).isLessThan(deadlineNanos);
                written += consumer.poll(Duration.ofMillis(100)).count();
            }
            return written;
        }
    }

    /** Decisions of a partition are numbered from 1 on without a gap, and each is the decision of one command. */
    private static void assertEachDecisionOnce(Map<CommandKey, Outcome> outcomes) {
        Map<Integer, List<Long>> decisions = new TreeMap<>();
        outcomes.forEach((key, outcome) -> decisions
                .computeIfAbsent(outcome.position().partition(), partition -> new ArrayList<>())
                .add(outcome.position().decision()));
        assertThat(decisions).hasSizeGreaterThan(1);
        decisions.forEach((partition, numbers) -> {
            numbers.sort(null);
            assertThat(numbers)
                    .as("decisions of partition %s", partition)
                    .isEqualTo(LongStream.rangeClosed(1, numbers.size()).boxed().toList());
        });
    }

    private static Map<FlowKeyFamily, RowDigest> assertState(LocalSluice sluice, ReplayedFlows replayed) {
        FlowQueries queries = sluice.queries();
        assertThat(sluice.everywhere(queries::catalogs)).containsExactlyInAnyOrderElementsOf(CATALOGS);
        Map<FlowKeyFamily, Long> rowCounts = new TreeMap<>(Map.of(FlowKeyFamily.ALLOCATOR, (long) CATALOGS.size()));
        Map<String, FlowRecord> running = new HashMap<>();
        for (String catalog : CATALOGS) {
            List<FlowRecord> flows = queries.list(catalog, "", null, 0).value().flows();
            Map<String, ReplayedFlows.Flow> expected = replayed.flows().get(catalog);
            assertThat(flows).extracting(FlowRecord::flowName).containsExactlyElementsOf(expected.keySet());
            assertThat(flows).extracting(FlowRecord::flowId).doesNotHaveDuplicates();
            List<String> rows = new ArrayList<>();
            for (FlowRecord flow : flows) {
                assertThat(flow.options()).isEqualTo(Map.of("flow_type", "batching"));
                assertThat(asReplayed(flow)).isEqualTo(expected.get(flow.flowName()));
                assertThat(queries.flow(catalog, flow.flowId()).value()).isEqualTo(flow);
                addRows(flow, rows, rowCounts);
                flow.routes()
                        .forEach((partition, peer) -> running.put(
                                new FlownodeRouteKey(peer.id(), catalog, flow.flowId(), partition).toString(), flow));
            }
            rows.sort(null);
            assertThat(queries.keys(catalog, FlowTextKeys.Layout.FLOW_TASK).value())
                    .as("rows of %s", catalog)
                    .isEqualTo(rows);
        }
        Map<FlowKeyFamily, RowDigest> digests = queries.digests().value();
        Map<FlowKeyFamily, Long> rowsThere = new TreeMap<>();
        digests.forEach((family, digest) -> rowsThere.put(family, digest.rows()));
        assertThat(rowsThere).isEqualTo(rowCounts);
        assertRoutes(sluice, running);
        return digests;
    }

    /** The record as a replay has it, but for options, which are completed. */
    private static ReplayedFlows.Flow asReplayed(FlowRecord flow) {
        List<RouteSpec> routes = flow.routes().entrySet().stream()
                .map(route -> new RouteSpec(route.getKey(), route.getValue()))
                .toList();
        FlowDefinition definition = new FlowDefinition(
                flow.sinkTableName(),
                flow.sourceTableIds(),
                flow.allSourceTableNames(),
                flow.unresolvedSourceTableNames(),
                routes,
                null,
                flow.queryContext(),
                flow.rawSql(),
                null,
                null,
                null,
                new TreeMap<>());
        return new ReplayedFlows.Flow(flow.flowId(), flow.revision(), flow.commandId(), definition);
    }

    private static void addRows(FlowRecord flow, List<String> rows, Map<FlowKeyFamily, Long> counts) {
        String scope = "__flow_task/" + flow.catalog() + "/";
        rows.add(scope + "name/" + flow.flowName());
        rows.add(scope + "info/" + flow.flowId());
        counts.merge(FlowKeyFamily.NAME, 1L, Long::sum);
        counts.merge(FlowKeyFamily.INFO, 1L, Long::sum);
        flow.routes().forEach((partition, peer) -> {
            rows.add(scope + "route/" + flow.flowId() + "/" + partition);
            rows.add(scope + "flownode/" + peer.id() + "/" + flow.flowId() + "/" + partition);
            counts.merge(FlowKeyFamily.ROUTE, 1L, Long::sum);
            counts.merge(FlowKeyFamily.FLOWNODE, 1L, Long::sum);
            flow.sourceTableIds()
                    .forEach(table -> rows.add(
                            scope + "source_table/" + table + "/" + peer.id() + "/" + flow.flowId() + "/" + partition));
            counts.merge(
                    FlowKeyFamily.SOURCE_TABLE, (long) flow.sourceTableIds().size(), Long::sum);
        });
    }

    /** What flownodes were told, the last word on each key, is what the index has and what the records say. */
    private static void assertRoutes(LocalSluice sluice, Map<String, FlowRecord> running) {
        FlowRecordCodec codec = new FlowRecordCodec(new SingleObject(KnownSchemas.shipped()));
        Map<String, byte[]> told = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : sluice.topics().read(TopicNames.FLOWNODE_ROUTES)) {
            String key = FlownodeRouteKey.decode(record.key()).toString();
            if (record.value() == null) {
                told.remove(key);
            } else {
                told.put(key, record.value());
            }
        }
        Set<String> indexed = new HashSet<>();
        for (long flownode = 1; flownode <= FLOWNODES; flownode++) {
            long flownodeId = flownode;
            sluice.everywhere(partition -> sluice.queries().flowsOfFlownode(partition, flownodeId))
                    .forEach(key -> indexed.add(
                            new FlownodeRouteKey(key.flownodeId(), key.catalog(), key.flowId(), key.partitionId())
                                    .toString()));
        }
        assertThat(told.keySet()).as("routes told to flownodes").isEqualTo(indexed);
        assertThat(indexed).as("flownode index").isEqualTo(running.keySet());
        told.forEach((key, value) -> {
            FlownodeRoute route = codec.decodeRoute(value);
            FlowRecord flow = running.get(key);
            assertThat(route.flow().revision()).as(key).isEqualTo(flow.revision());
            assertThat(route.flow().rawSql()).as(key).isEqualTo(flow.rawSql());
            assertThat(route.peer()).as(key).isEqualTo(flow.routes().get(route.partitionId()));
        });
    }

    /** A retry after everything gets the outcome of long ago. */
    private static void assertAnsweredAlike(
            LocalSluice sluice, Map<CommandKey, FlowCommand> commands, Map<CommandKey, Outcome> outcomes) {
        List<CommandKey> some = commands.keySet().stream().limit(500).toList();
        Map<FlowKeyFamily, RowDigest> before = sluice.queries().digests().value();
        assertThat(sluice.settle(some.stream().map(commands::get).toList()))
                .isEqualTo(some.stream().map(outcomes::get).toList());
        assertThat(sluice.queries().digests().value()).isEqualTo(before);
    }

    /** Any change of any flow, and always one of the large flow. Used by the thread of the load. */
    private static final class Commands implements Function<SteadyLoad<FlowCommand>, FlowCommand> {
        private static final int MOST_PARTITIONS = 3;
        private static final int MOST_SOURCES = 4;

        private final Random random = new Random();
        private final List<List<Long>> largeSources;
        private long made;
        private CommandKey lastLarge;

        Commands(int sources) {
            // Apart, so that a change takes every row away; and by one, so that it keeps nearly all.
            largeSources = LongStream.of(100_000, 100_001, 200_000)
                    .mapToObj(first -> Flows.tables(first, sources))
                    .map(List::copyOf)
                    .toList();
        }

        @Override
        public FlowCommand apply(SteadyLoad<FlowCommand> load) {
            made++;
            String commandId = "c" + made;
            if (lastLarge == null || load.isSettled(lastLarge)) {
                FlowDefinition definition = Flows.definition(
                        "S" + made, 1, flownode(), largeSources.get(random.nextInt(largeSources.size())));
                FlowCommand large = lastLarge == null
                        ? Flows.create(LARGE_CATALOG, commandId, LARGE, definition)
                        : Flows.replace(LARGE_CATALOG, commandId, LARGE, definition);
                lastLarge = large.key();
                return large;
            }
            String catalog = CATALOGS.get(random.nextInt(CATALOGS.size()));
            String name = "flow_" + random.nextInt(NAMES_PER_CATALOG);
            return switch (random.nextInt(6)) {
                case 0 -> Flows.drop(catalog, commandId, name);
                case 1, 2 -> Flows.create(catalog, commandId, name, small());
                default -> Flows.replace(catalog, commandId, name, small());
            };
        }

        private FlowDefinition small() {
            return Flows.definition(
                    "S" + made,
                    1 + random.nextInt(MOST_PARTITIONS),
                    flownode(),
                    Flows.tables(1024 + random.nextInt(MOST_SOURCES), 1 + random.nextInt(MOST_SOURCES)));
        }

        private long flownode() {
            return 1 + random.nextInt(FLOWNODES - MOST_PARTITIONS + 1);
        }
    }
}
