package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flownode.RegisterFlownode;
import io.sluice.service.cli.Main;
import io.sluice.service.cut.CutAt;
import io.sluice.service.cut.CutSettings;
import io.sluice.service.rebuild.Rebuild;
import io.sluice.service.rebuild.RebuildException;
import io.sluice.service.rebuild.RebuildListener;
import io.sluice.service.rebuild.RebuildReport;
import io.sluice.service.verify.Verification;
import io.sluice.service.verify.VerifyReport;
import io.sluice.state.common.KeyFamily;
import io.sluice.state.common.Keys;
import io.sluice.state.common.OutcomeIndex;
import io.sluice.state.common.RowDigest;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flow.FlowNameIndex;
import io.sluice.state.flow.FlowRouteIndex;
import io.sluice.state.flow.FlownodeIndex;
import io.sluice.state.flow.SourceTableIndex;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.RebuildRecorder;
import io.sluice.tests.harness.RunningJvm;
import io.sluice.tests.harness.TestSize;
import io.sluice.topology.common.TopicCreationException;
import io.sluice.topology.common.TopicCreationException.Reason;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An installation with many flows, each of 12 rows: its state is restored and verified; its changelog is damaged, and what was
 * damaged is found and mended, whenever the rebuild is killed. Every test begins and ends with a stopped and sound installation.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class VerifyRebuildIT {
    private static final int FLOWS = TestSize.of(5_000, 200_000);
    private static final int KILLS = TestSize.of(2, 10);
    private static final int CATALOGS = 8;
    private static final int ROUNDS_UNDER_WRITES = 3;
    private static final int IN_FLIGHT = 2_000;
    private static final String CATALOG = "plant-3";
    private static final String F = "__flow_task/" + CATALOG + "/";
    private static final byte[] PRESENT = new byte[0];
    private static final byte[] NONSENSE = "nonsense".getBytes(StandardCharsets.UTF_8);
    private static final Peer ELSEWHERE = new Peer(77, "10.9.9.9:6800");
    private static final SingleObject SINGLE_OBJECT = new SingleObject(KnownSchemas.shipped());

    @TempDir
    static Path data;

    private static LocalSluice sluice;
    private static VerifyReport sound;

    @BeforeAll
    static void createFlows() throws Exception {
        sluice = LocalSluice.on(data).start();
        long startNanos = System.nanoTime();
        Deque<CompletableFuture<Outcome>> open = new ArrayDeque<>();
        for (int number = 0; number < FLOWS; number++) {
            if (open.size() == IN_FLIGHT) {
                requireOk(open.remove());
            }
            open.add(sluice.instance().service().settle(create(number), LocalSluice.WITHIN));
        }
        open.forEach(VerifyRebuildIT::requireOk);
        requireOk(sluice.instance()
                .service()
                .settle(new RegisterFlownode(Flows.envelope("7", "r"), 7, "10.0.0.7:1", 1), LocalSluice.WITHIN));
        System.out.printf(
                "%d flows created in %d ms%n", FLOWS, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
        sluice.stopInstance();
        sound = verify(new ArrayList<>());
        assertThat(sound.digests(CommandFamily.FLOW).get(FlowKeyFamily.INFO).rows())
                .isEqualTo(FLOWS);
    }

    @AfterAll
    static void stop() {
        sluice.close();
    }

    @Test
    void aWipedInstallationShowsTheVerifiedStateAndIsNotRebuiltWhileItRuns() throws Exception {
        assertThat(sound.errors()).isZero();
        long startNanos = System.nanoTime();
        sluice.wipeState().startInstance();
        try {
            long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
            System.out.printf(
                    "restored %d records in %d ms, start and group included: %d records/s%n",
                    sound.records(), tookMs, sound.records() * 1_000 / tookMs);
            assertLiveDigestsAre(sound);

            List<String> found = new ArrayList<>();
            assertThat(digests(verify(found))).as("while it runs").isEqualTo(digests(sound));
            assertThat(found).isEmpty();
            assertThatThrownBy(() -> rebuild(new RebuildRecorder()))
                    .isInstanceOf(RebuildException.class)
                    .hasMessageContainingAll("instances are running", "sluice-embedded", "127.0.0.1", "Stop them");
        } finally {
            sluice.stopInstance();
        }
    }

    @Test
    void findsNothingWhileCommandsAreBeingDecided() throws Exception {
        sluice.startInstance();
        AtomicBoolean ended = new AtomicBoolean();
        try {
            CompletableFuture<Integer> load = CompletableFuture.supplyAsync(() -> changeUntil(ended));
            try {
                List<String> found = new ArrayList<>();
                for (int round = 0; round < ROUNDS_UNDER_WRITES; round++) {
                    verify(found);
                }
                assertThat(found).isEmpty();
            } finally {
                ended.set(true);
            }
            assertThat(LocalSluice.within(load))
                    .as("commands decided meanwhile")
                    .isGreaterThan(100);
        } finally {
            sluice.stopInstance();
        }
        sound = verify(new ArrayList<>());
        assertThat(sound.errors()).isZero();
    }

    /** Flows that come, move to other flownodes and go, in all catalogs. */
    private static int changeUntil(AtomicBoolean ended) {
        int commands = 0;
        for (int round = 0; !ended.get(); round++) {
            List<FlowCommand> changes = new ArrayList<>();
            for (int catalog = 0; catalog < CATALOGS; catalog++) {
                String of = "plant-" + catalog;
                String id = round + "-" + catalog;
                changes.add(Flows.create(of, "busy-create-" + id, "busy-" + round, definition(round)));
                changes.add(Flows.replace(of, "busy-replace-" + id, "busy-" + round, definition(round + 1)));
                if (round % 2 == 1) {
                    changes.add(Flows.drop(of, "busy-drop-" + id, "busy-" + (round - 1)));
                }
            }
            sluice.settle(changes).forEach(outcome -> assertThat(outcome.isOk()).isTrue());
            commands += changes.size();
        }
        return commands;
    }

    @Test
    void findsExactlyWhatWasDamagedMendsExactlyThatAndAKeptStateDirectoryTakesItIn() throws Exception {
        List<String> expected = damageInElevenWays();
        Map<TopicPartition, Long> damaged = ends();

        List<String> found = new ArrayList<>();
        assertThat(verify(found).errors()).isEqualTo(expected.size());
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);

        RebuildReport plan = new Rebuild(settings(), SINGLE_OBJECT, Duration.ZERO, new RebuildRecorder()).dryRun();
        assertThat(plan.put() + plan.deleted()).isEqualTo(expected.size() - 1L);
        assertThat(ends()).as("a dry run writes nothing").isEqualTo(damaged);

        RebuildRecorder recorded = new RebuildRecorder();
        RebuildReport report = rebuild(recorded);
        assertThat(recorded.found()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(report.put()).isEqualTo(plan.put());
        assertThat(report.deleted()).isEqualTo(plan.deleted());
        assertThat(report.partitions()).as("with a cursor behind the rows").isEqualTo(1);
        assertThat(report.isComplete()).isTrue();
        assertThat(written(damaged)).as("the rows, and the cursor once more").isEqualTo(expected.size());
        assertThat(digests(report.proof())).isEqualTo(digests(sound));

        Map<TopicPartition, Long> mended = ends();
        assertThat(rebuild(new RebuildRecorder()).put()).isZero();
        assertThat(ends()).as("nothing is written to sound changelogs").isEqualTo(mended);

        sluice.startInstance();
        try {
            assertLiveDigestsAre(sound);
        } finally {
            sluice.stopInstance();
        }
    }

    @Test
    void killedAtRandomMomentsItStillEndsRightAndNothingStartsMeanwhile() throws Exception {
        deleteAllRowsOf(FlowKeyFamily.FLOWNODE);
        VerifyReport damaged = verify(new ArrayList<>());
        assertThat(damaged.errors()).isGreaterThan(2L * FLOWS);

        Random random = new Random(4711);
        int killed = 0;
        for (int attempt = 0; killed < KILLS && attempt < 3 * KILLS; attempt++) {
            // Half of them while it writes, as far as that can be met.
            String from = attempt % 2 == 0 ? "comparing" : "reading";
            if (killedRebuild(from, random.nextLong(damaged.took().toMillis()))) {
                killed++;
                assertThatThrownBy(() -> sluice.startInstance())
                        .isInstanceOfSatisfying(
                                TopicCreationException.class,
                                e -> assertThat(e.reason()).isEqualTo(Reason.MAINTENANCE))
                        .hasMessageContainingAll("being rebuilt by", "process", "sluice rebuild");
            } else {
                deleteAllRowsOf(FlowKeyFamily.FLOWNODE);
            }
        }
        assertThat(killed).as("kills that met a rebuild at work").isEqualTo(KILLS);

        RebuildReport report = rebuild(new RebuildRecorder());

        System.out.printf(
                "rebuilt after %d kills: %d rows written in the end of %d, verified at %d records/s%n",
                killed, report.put(), damaged.errors(), report.proof().recordsPerSecond());
        assertThat(digests(report.proof())).isEqualTo(digests(sound));
        sluice.startInstance();
        try {
            assertLiveDigestsAre(sound);
            String name = sluice.queries()
                    .list(CATALOG, "", null, 1)
                    .value()
                    .flows()
                    .get(0)
                    .flowName();
            assertThat(sluice.settle(Flows.drop(CATALOG, "drop-after-rebuild", name))
                            .isOk())
                    .isTrue();
            assertThat(sluice.settle(Flows.create(CATALOG, "after-rebuild", "after", definition(3)))
                            .isOk())
                    .isTrue();
        } finally {
            sluice.stopInstance();
        }
        sound = verify(new ArrayList<>());
        assertThat(sound.errors()).isZero();
    }

    /**
     * Whether it was still at work.
     *
     * @param from the step after whose begin it is killed
     * @param afterMs so long after it
     */
    private static boolean killedRebuild(String from, long afterMs) throws Exception {
        try (RunningJvm rebuild =
                RunningJvm.start(Main.class, List.of(), List.of("rebuild", "--bootstrap", sluice.bootstrapServers()))) {
            LocalSluice.within(rebuild.says(line -> line.startsWith(from)));
            Thread.sleep(afterMs);
            try {
                rebuild.kill();
            } catch (AssertionError e) {
                assertThat(e).hasMessageContaining("ended by itself with status 0");
                return false;
            }
            System.out.printf("killed %d ms after %s%n", afterMs, from);
            return true;
        }
    }

    /** Each way in one row, all in one partition, as a program would that knows nothing of decisions. */
    private static List<String> damageInElevenWays() {
        List<FlowRecord> flows = new ArrayList<>();
        sluice.startInstance();
        try {
            flows.addAll(sluice.queries().list(CATALOG, "", null, 11).value().flows());
        } finally {
            sluice.stopInstance();
        }
        Map<byte[], byte[]> rows = new LinkedHashMap<>();
        List<String> expected = new ArrayList<>();

        rows.put(FlowRouteIndex.key(CATALOG, id(flows, 0), 1), null);
        expected.add("MISSING_ROW " + F + "route/" + id(flows, 0) + "/1");

        rows.put(FlownodeIndex.key(CATALOG, 77, id(flows, 1), 0), PRESENT);
        expected.add("ORPHAN_ROW " + F + "flownode/77/" + id(flows, 1) + "/0");

        rows.put(FlowRouteIndex.key(CATALOG, id(flows, 2), 0), FlowRecordCodec.encode(ELSEWHERE));
        expected.add("ROUTE_MISMATCH " + F + "route/" + id(flows, 2) + "/0");

        long flownode = flows.get(3).routes().get(0L).id();
        long table = flows.get(3).sourceTableIds().get(0);
        rows.put(SourceTableIndex.key(CATALOG, table, flownode, id(flows, 3), 0), FlowRecordCodec.encode(ELSEWHERE));
        expected.add("ROUTE_MISMATCH " + F + "source_table/" + table + "/" + flownode + "/" + id(flows, 3) + "/0");

        rows.put(FlowNameIndex.key(CATALOG, flows.get(4).flowName()), null);
        expected.add("RECORD_WITHOUT_NAME " + F + "name/" + flows.get(4).flowName());

        rows.put(FlowNameIndex.key(CATALOG, "ghost"), FlowRecordCodec.encodeFlowId(id(flows, 5)));
        expected.add("NAME_WITHOUT_RECORD " + F + "name/ghost");

        rows.put(FlowNameIndex.key(CATALOG, flows.get(6).flowName()), FlowRecordCodec.encodeFlowId(id(flows, 5)));
        expected.add("NAME_CONFLICT " + F + "name/" + flows.get(6).flowName());

        byte[] tooLong = Keys.after(FlowRouteIndex.key(CATALOG, id(flows, 7), 0));
        rows.put(tooLong, FlowRecordCodec.encode(ELSEWHERE));
        expected.add("NONCANONICAL_KEY row key " + Keys.hex(tooLong));

        rows.put(FlowRouteIndex.key(CATALOG, id(flows, 8), 1), NONSENSE);
        expected.add("UNDECODABLE_ROW " + F + "route/" + id(flows, 8) + "/1");

        rows.put(FlownodeIndex.key(CATALOG, flows.get(9).routes().get(0L).id(), id(flows, 9), 0), null);
        expected.add(
                "MISSING_ROW " + F + "flownode/" + flows.get(9).routes().get(0L).id() + "/" + id(flows, 9) + "/0");

        rows.put(OutcomeIndex.ageKey(1, CATALOG, "never"), PRESENT);
        expected.add("ORPHAN_ROW outcome_age/1/" + CATALOG + "/never");

        write(rows);
        // Behind the last decision: that is told as well.
        expected.add("OUT_OF_RANGE cursor");
        return expected;
    }

    private static long id(List<FlowRecord> flows, int index) {
        return flows.get(index).flowId();
    }

    private static void write(Map<byte[], byte[]> rows) {
        int partition = Partitions.of(CATALOG, sound.partitions().size() / CommandFamily.values().length);
        try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
            rows.forEach((key, value) ->
                    producer.send(new ProducerRecord<>(TopicNames.FLOW_CHANGELOG, partition, key, value)));
        }
    }

    private static void deleteAllRowsOf(FlowKeyFamily family) {
        try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
            for (ConsumerRecord<byte[], byte[]> record : sluice.topics().read(TopicNames.FLOW_CHANGELOG)) {
                if (record.key()[0] == family.tag() && record.value() != null) {
                    producer.send(
                            new ProducerRecord<>(TopicNames.FLOW_CHANGELOG, record.partition(), record.key(), null));
                }
            }
        }
    }

    private static Map<TopicPartition, Long> ends() {
        return sluice.topics()
                .ends(TopicNames.FLOW_CHANGELOG, TopicNames.REGION_CHANGELOG, TopicNames.FLOWNODE_CHANGELOG);
    }

    private static long written(Map<TopicPartition, Long> before) {
        return ends().entrySet().stream()
                .mapToLong(end -> end.getValue() - before.get(end.getKey()))
                .sum();
    }

    private static VerifyReport verify(List<String> found) throws InterruptedException {
        VerifyReport report = new Verification(SINGLE_OBJECT)
                .verify(settings(), (partition, finding) -> found.add(finding.code() + " " + finding.where()));
        System.out.printf(
                "verified %d records in %d ms: %d records/s%n",
                report.records(), report.took().toMillis(), report.recordsPerSecond());
        return report;
    }

    private static CutSettings settings() {
        return CutSettings.of(Map.of("bootstrap.servers", sluice.bootstrapServers()))
                .withEnd(CutAt.END);
    }

    private static RebuildReport rebuild(RebuildListener listener) throws InterruptedException {
        return new Rebuild(settings(), SINGLE_OBJECT, Duration.ZERO, listener).run(false);
    }

    /** Of all indices of all families, the ages of outcomes too. */
    private static Map<KeyFamily, RowDigest> digests(VerifyReport report) {
        Map<KeyFamily, RowDigest> digests = new LinkedHashMap<>();
        for (CommandFamily family : CommandFamily.values()) {
            digests.putAll(report.digests(family));
        }
        return digests;
    }

    private static void assertLiveDigestsAre(VerifyReport report) {
        Map<FlowKeyFamily, RowDigest> live = sluice.queries().digests().value();
        live.forEach((family, digest) -> assertThat(digest)
                .as(family.label())
                .isEqualTo(report.digests(CommandFamily.FLOW).get(family)));
    }

    private static FlowCommand create(int number) {
        String catalog = "plant-" + number % CATALOGS;
        return Flows.create(catalog, "create-" + number, "flow-" + number, definition(number));
    }

    private static FlowDefinition definition(int number) {
        return Flows.definition("S" + number, 2, number % 16, Flows.tables(2048 + number % 500, 3));
    }

    private static void requireOk(CompletableFuture<Outcome> outcome) {
        assertThat(LocalSluice.within(outcome).isOk()).isTrue();
    }
}
