package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flownode.FlowStateEntry;
import io.sluice.schemas.flownode.RegisterFlownode;
import io.sluice.schemas.flownode.ReportFlowState;
import io.sluice.schemas.region.AlterRegion;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionRole;
import io.sluice.service.snapshot.SnapshotException;
import io.sluice.service.snapshot.SnapshotExport.Written;
import io.sluice.service.snapshot.SnapshotHeader.Place;
import io.sluice.service.snapshot.SnapshotImport.Imported;
import io.sluice.service.writer.ForwardingStorage;
import io.sluice.service.writer.ManifestStorage;
import io.sluice.service.writer.OpenOrder;
import io.sluice.service.writer.WriteOutcome;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.FollowingFlownode;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.ManyFlows;
import io.sluice.tests.harness.RegionProof;
import io.sluice.tests.harness.Regions;
import io.sluice.tests.harness.Snapshots;
import io.sluice.tests.harness.TestSize;
import io.sluice.tests.harness.Topics;
import io.sluice.topology.common.InstallationPin;
import io.sluice.topology.common.InstallationWishes;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.TopicCreationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot brings everything to other brokers: answers, outcomes, what followers see, and what had only begun. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SnapshotIT {
    private static final PartitionCounts COUNTS = new PartitionCounts(2, 2, 2);
    private static final List<String> CATALOGS = List.of("greptime", "plant", "retail");
    private static final long NOW_NANOS = 1_790_000_000_000_000_000L;
    private static final long FLOWNODE = 3;
    private static final long REGION = (2048L << 32) + 1;
    private static final long BUSY_REGION = (2048L << 32) + 2;
    private static final List<String> PUBLIC_TOPICS = List.of(
            TopicNames.FLOWNODE_ROUTES,
            TopicNames.FLOWNODE_ADDRESSES,
            TopicNames.FLOWNODE_STATES,
            TopicNames.REGION_STATES,
            TopicNames.REGION_MANIFESTS,
            TopicNames.REGION_WRITES);

    @TempDir
    private static Path data;

    private static CompletableFuture<Void> written = CompletableFuture.completedFuture(null);
    private static LocalSluice source;
    private static List<FlowCommand> flowCommands;
    private static List<Outcome> flowOutcomes;
    private static Map<String, String> followed;
    private static Map<String, String> publicRecords;

    /** Taken while flows were being created, a manifest was being written and commands waited for it. */
    private static Path busyFile;

    private static Written busy;

    /** Taken when nothing went on. */
    private static Path quietFile;

    private static Written quiet;
    private static int commandIds;

    @BeforeAll
    static void prepare() {
        source = LocalSluice.on(data.resolve("source"))
                .withInstance(settings -> settings.withCounts(COUNTS)
                        .withManifests(settings.manifests().withAround(SnapshotIT::held)))
                .start();
        flowCommands = flowCommands();
        flowOutcomes = source.settle(flowCommands);
        settleAll(flownodeCommands());
        settleAll(List.of(create(REGION), create(BUSY_REGION)));
        settleAll(List.of(flush(REGION, 1), alter(REGION, 1), flush(REGION, 2)));
        takeBusySnapshot();
        quietFile = data.resolve("quiet.snapshot");
        quiet = Snapshots.export(source.bootstrapServers(), quietFile);
        publicRecords = publicRecords(source);
        followed = followed(source);
    }

    private static void takeBusySnapshot() {
        CompletableFuture<Void> release = new CompletableFuture<>();
        written = release;
        List<CompletableFuture<Outcome>> waiting = new ArrayList<>();
        waiting.add(send(alter(BUSY_REGION, 1)));
        for (int flush = 1; flush <= 3; flush++) {
            waiting.add(send(flush(BUSY_REGION, flush)));
        }
        await().atMost(LocalSluice.WITHIN)
                .until(() -> region(source, BUSY_REGION).queued() == 3);
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Integer> load = CompletableFuture.supplyAsync(() -> {
            int flows = 0;
            while (!ended.get()) {
                String name = "load_" + flows++;
                assertThat(source.settle(Flows.create("load", "c-" + name, name, Flows.definition("S")))
                                .isOk())
                        .isTrue();
            }
            return flows;
        });
        busyFile = data.resolve("busy.snapshot");
        busy = Snapshots.export(source.bootstrapServers(), busyFile);
        ended.set(true);
        release.complete(null);
        assertThat(LocalSluice.within(load)).as("flows made meanwhile").isPositive();
        waiting.forEach(
                outcome -> assertThat(LocalSluice.within(outcome).code()).isEqualTo(OutcomeCode.OK));
    }

    @AfterAll
    static void stop() {
        source.close();
    }

    @Test
    void whatIsImportedGivesTheSameAnswersAndGoesOn() throws Exception {
        try (LocalSluice target = LocalSluice.on(data.resolve("target"))
                .withInstance(settings -> settings.withCounts(COUNTS))
                .start()
                .stopInstance()) {
            FlowCommand waiting = leaveWaiting(target);
            Imported imported = Snapshots.importInto(target.bootstrapServers(), quietFile);

            assertThat(imported.resumed()).isFalse();
            assertThat(imported.unreadable()).isZero();
            assertThat(publicRecords(target)).as("what followers see").isEqualTo(publicRecords);
            Written again = Snapshots.export(target.bootstrapServers(), data.resolve("again.snapshot"));
            assertThat(again.totals().partitions())
                    .as("digests")
                    .isEqualTo(quiet.totals().partitions());
            assertThat(decisions(again)).isEqualTo(decisions(quiet));

            target.startInstance();
            assertIsDecidedAgainstTheSnapshot(waiting, target);
            for (String catalog : CATALOGS) {
                assertThat(flows(target, catalog))
                        .isEqualTo(flows(source, catalog))
                        .isNotEmpty();
            }
            assertThat(RegionProof.manifest(target, REGION)).isEqualTo(RegionProof.manifest(source, REGION));
            assertThat(target.settle(flowCommands))
                    .as("the same commands again")
                    .isEqualTo(flowOutcomes);
            assertThat(followed(target))
                    .as("what flownode 3 runs")
                    .isEqualTo(followed)
                    .isNotEmpty();

            assertGoesOn(target);
        }
    }

    /** Sends a command that nobody decides yet, for a name that the snapshot has. */
    private static FlowCommand leaveWaiting(LocalSluice target) throws Exception {
        FlowCommand command = Flows.create("plant", "waiting", "flow_1", Flows.definition("later"));
        try (Producer<byte[], byte[]> producer = target.topics().rawProducer()) {
            producer.send(Topics.recordOf(command, COUNTS.flow())).get();
        }
        return command;
    }

    private static void assertIsDecidedAgainstTheSnapshot(FlowCommand command, LocalSluice target) {
        await().atMost(LocalSluice.WITHIN)
                .untilAsserted(() -> assertThat(target.topics()
                                .outcomesOf(
                                        command.catalog(), command.envelope().commandId()))
                        .singleElement()
                        .extracting(Outcome::code)
                        .isEqualTo(OutcomeCode.FLOW_ALREADY_EXISTS));
    }

    /** New commands get numbers behind all of the snapshot's, and behind that of the command that waited. */
    private static void assertGoesOn(LocalSluice target) {
        long highest = flows(target, "plant").stream()
                .mapToLong(FlowRecord::flowId)
                .max()
                .orElseThrow();
        Outcome created = target.settle(Flows.create("plant", "new", "new_flow", Flows.definition("S")));
        int partition = target.queries().partitionOf("plant");

        assertThat(created.code()).isEqualTo(OutcomeCode.OK);
        assertThat(created.flowId()).isEqualTo(highest + 1);
        assertThat(created.position().decision()).isEqualTo(decisions(quiet).get("flow:" + partition) + 2);
        RegionManifest before = RegionProof.manifest(target, REGION);
        assertThat(target.settle(flush(REGION, 9)).code()).isEqualTo(OutcomeCode.OK);
        RegionManifest after = RegionProof.manifest(target, REGION);
        assertThat(after.manifestVersion()).isEqualTo(before.manifestVersion() + 1);
        RegionProof.assertDirectories(target.manifestsDirectory(), Map.of(REGION, after));
    }

    @Test
    void anImportThatIsKilledAnywhereKeepsTheServiceFromStartingAndIsEndedByAnother() throws IOException {
        try (LocalSluice target = LocalSluice.on(data.resolve("killed")).startBroker()) {
            long rows = busy.totals().rows();
            for (long at : new long[] {1, rows / 3, rows, rows + 1}) {
                assertThatThrownBy(() -> Snapshots.importInto(target.bootstrapServers(), busyFile, new KilledAt(at)))
                        .isInstanceOf(KilledAt.Killed.class);
            }
            assertAFileThatIsDamagedMeanwhileIsNamed(target);
            assertThatThrownBy(target::startInstance)
                    .isInstanceOf(TopicCreationException.class)
                    .hasMessageContaining(busy.totals().sha256())
                    .hasMessageContaining("import snapshot");
            assertThatThrownBy(() -> Snapshots.importInto(target.bootstrapServers(), quietFile))
                    .isInstanceOf(TopicCreationException.class)
                    .hasMessageContaining(busy.totals().sha256());

            assertThatThrownBy(() -> Snapshots.export(target.bootstrapServers(), data.resolve("half.snapshot")))
                    .isInstanceOf(TopicCreationException.class)
                    .hasMessageContaining(busy.totals().sha256());

            assertThat(Snapshots.importInto(target.bootstrapServers(), busyFile).resumed())
                    .isTrue();
            assertThat(publicRecords(target).keySet())
                    .as("the order that is open")
                    .anyMatch(key -> key.startsWith(TopicNames.REGION_WRITES + "-")
                            && key.endsWith(" " + U64.text(BUSY_REGION)));

            assertThat(Snapshots.export(target.bootstrapServers(), data.resolve("ended.snapshot"))
                            .totals()
                            .partitions())
                    .isEqualTo(busy.totals().partitions());
            // From a disk that knows more than the snapshot does.
            LocalSluice.deleteTree(target.manifestsDirectory());
            copyTree(source.manifestsDirectory(), target.manifestsDirectory());
            target.startInstance();
            assertWhatHadBegunEnds(target);
        }
    }

    private static void assertAFileThatIsDamagedMeanwhileIsNamed(LocalSluice target) throws IOException {
        Path copy = Files.copy(busyFile, data.resolve("damaged-meanwhile.snapshot"));
        assertThatThrownBy(() -> Snapshots.importAfterwards(target.bootstrapServers(), copy, () -> flipABit(copy)))
                .isInstanceOf(SnapshotException.class)
                .hasMessageContaining("was changed while it was being imported")
                .hasMessageContaining(copy + " is damaged")
                .hasMessageContaining("import snapshot " + busy.totals().sha256());
    }

    private static void flipABit(Path file) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length / 2] ^= 1;
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    /** The manifest write that was in flight, and what waited for it, in its order and with the same outcomes. */
    private static void assertWhatHadBegunEnds(LocalSluice target) {
        await().atMost(LocalSluice.WITHIN)
                .until(() -> region(target, BUSY_REGION).writeInFlight() == null
                        && region(target, BUSY_REGION).queued() == 0);
        RegionManifest manifest = RegionProof.manifest(target, BUSY_REGION);

        assertThat(manifest).isEqualTo(RegionProof.manifest(source, BUSY_REGION));
        assertThat(manifest.manifestVersion()).isEqualTo(4);
        RegionProof.assertDirectories(target.manifestsDirectory(), Map.of(BUSY_REGION, manifest));
    }

    @Test
    void aServiceThatRunsAndOneThatHasDecidedAnythingAreLeftAlone() {
        List<FlowRecord> before = flows(source, "plant");
        Map<?, Long> ends = source.topics().ends(TopicNames.FLOW_CHANGELOG);

        assertThatThrownBy(() -> Snapshots.importInto(source.bootstrapServers(), quietFile))
                .isInstanceOf(SnapshotException.class)
                .hasMessageContaining("sluice-embedded")
                .hasMessageContaining("Stop every instance");
        source.stopInstance();
        assertThatThrownBy(() -> Snapshots.importInto(source.bootstrapServers(), quietFile))
                .isInstanceOf(SnapshotException.class)
                .hasMessageContainingAll(
                        TopicNames.FLOW_CHANGELOG, TopicNames.FLOWNODE_ROUTES, TopicNames.REGION_MANIFESTS)
                .hasMessageContaining("Nothing was changed");

        assertThat(source.topics().ends(TopicNames.FLOW_CHANGELOG)).isEqualTo(ends);
        source.startInstance();
        assertThat(flows(source, "plant")).isEqualTo(before).isNotEmpty();
    }

    @Test
    void otherPartitionCountsAreRefusedWithBoth() {
        PartitionCounts others = new PartitionCounts(3, 2, 1);
        try (LocalSluice target = LocalSluice.on(data.resolve("counts")).startBroker()) {
            new InstallationPin(Map.of("bootstrap.servers", target.bootstrapServers()))
                    .pin(
                            Profile.EMBEDDED,
                            Limits.defaults(),
                            InstallationWishes.of(others),
                            Map.of(),
                            LocalSluice.WITHIN);

            assertThatThrownBy(() -> Snapshots.importInto(target.bootstrapServers(), quietFile))
                    .isInstanceOf(SnapshotException.class)
                    .hasMessageContaining("{flow=2, flownode=2, region=2}")
                    .hasMessageContaining("{flow=3, flownode=2, region=1}");
        }
    }

    @Test
    void manyFlowsAreExportedAndImportedInBoundedMemory() throws IOException {
        int flows = TestSize.of(1_000, 200_000);
        Path file = data.resolve("many.snapshot");
        Written exported;
        try (LocalSluice many = LocalSluice.on(data.resolve("many")).start()) {
            ManyFlows.create(many, flows);
            long startNanos = System.nanoTime();
            exported = Snapshots.export(many.bootstrapServers(), file);
            printRate("exported", exported.totals().rows(), startNanos, file);
        }
        try (LocalSluice target = LocalSluice.on(data.resolve("many-target")).startBroker()) {
            long startNanos = System.nanoTime();
            Snapshots.importInto(target.bootstrapServers(), file);
            printRate("imported", exported.totals().rows(), startNanos, file);

            target.startInstance();
            assertThat(target.queries()
                            .digests()
                            .value()
                            .get(FlowKeyFamily.INFO)
                            .rows())
                    .isEqualTo(flows);
        }
    }

    private static void printRate(String what, long rows, long startNanos, Path file) throws IOException {
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        System.out.printf(
                "%s %d rows in %d ms, %d rows/s, a file of %d bytes%n",
                what, rows, tookMs, rows * 1_000 / tookMs, Files.size(file));
    }

    /** Dies when a row is written, or when everything is and is being read back. */
    private static final class KilledAt extends Snapshots.Unwatched {
        private final long at;

        KilledAt(long at) {
            this.at = at;
        }

        static final class Killed extends RuntimeException {
            private static final long serialVersionUID = 1L;
        }

        @Override
        public void written(long rows, long total) {
            if (rows == at) {
                throw new Killed();
            }
        }

        @Override
        public void compared(long offsets, long total) {
            throw new Killed();
        }
    }

    private static ManifestStorage held(ManifestStorage storage) {
        return new ForwardingStorage(storage) {
            @Override
            public WriteOutcome write(OpenOrder open) {
                LocalSluice.within(written);
                return super.write(open);
            }
        };
    }

    private static List<FlowCommand> flowCommands() {
        List<FlowCommand> commands = new ArrayList<>();
        for (String catalog : CATALOGS) {
            for (int flow = 0; flow < 12; flow++) {
                String name = "flow_" + flow;
                commands.add(Flows.create(
                        catalog, "create-" + flow, name, Flows.definition("S1", 2, flow % 5, Flows.tables(1024, 2))));
                if (flow % 3 == 0) {
                    commands.add(Flows.replace(
                            catalog, "replace-" + flow, name, Flows.definition("S2", 3, 2, Flows.tables(7, 1))));
                }
                if (flow % 4 == 0) {
                    commands.add(Flows.drop(catalog, "drop-" + flow, name));
                }
            }
            commands.add(Flows.create(catalog, "refused", "flow_1", Flows.definition("other")));
        }
        return commands;
    }

    private static List<Command> flownodeCommands() {
        List<Command> commands = new ArrayList<>();
        LongStream.of(FLOWNODE, 4, -1).forEach(id -> {
            commands.add(new RegisterFlownode(envelope(id), id, "10.1.0.1:6800", 5));
            commands.add(new ReportFlowState(envelope(id), id, List.of(new FlowStateEntry("plant", 1024, 10, 20, 5L))));
        });
        // One that takes its report back: its tombstone is not in the snapshot.
        commands.add(new ReportFlowState(envelope(4), 4, List.of()));
        return commands;
    }

    private static CreateRegion create(long regionId) {
        return new CreateRegion(
                envelope(regionId), regionId, Regions.metadata(regionId, 0), null, null, 0, RegionRole.LEADER);
    }

    private static AlterRegion alter(long regionId, long schemaVersion) {
        return new AlterRegion(envelope(regionId), regionId, Regions.metadata(regionId, schemaVersion), null, null);
    }

    private static FlushRegion flush(long regionId, long entryId) {
        return new FlushRegion(
                envelope(regionId),
                regionId,
                List.of(Regions.file(regionId, new UUID(regionId, entryId), entryId * 1_000)),
                List.of(),
                null,
                entryId,
                entryId * 10,
                entryId * 10);
    }

    private static CommandEnvelope envelope(long id) {
        return new CommandEnvelope(U64.text(id), "c-" + commandIds++, NOW_NANOS);
    }

    private static void settleAll(List<? extends Command> commands) {
        commands.forEach(command -> assertThat(source.settle(command).code()).isEqualTo(OutcomeCode.OK));
    }

    private static CompletableFuture<Outcome> send(Command command) {
        return source.instance().service().settle(command, LocalSluice.WITHIN);
    }

    private static RegionRecord region(LocalSluice sluice, long regionId) {
        return sluice.instance().service().queries().regions().region(regionId).value();
    }

    private static List<FlowRecord> flows(LocalSluice sluice, String catalog) {
        return sluice.queries().list(catalog, "", null, 0).value().flows();
    }

    private static Map<String, Long> decisions(Written snapshot) {
        Map<String, Long> decisions = new TreeMap<>();
        for (Place place : snapshot.header().partitions()) {
            decisions.put(place.partition().toString(), place.decision());
        }
        return decisions;
    }

    private static Map<String, String> followed(LocalSluice sluice) {
        try (FollowingFlownode flownode = new FollowingFlownode(FLOWNODE).start(sluice.bootstrapServers())) {
            return flownode.held();
        }
    }

    /** The last value of each key in the topics that others follow, those of Sluice's own keys left out. */
    private static Map<String, String> publicRecords(LocalSluice sluice) {
        Map<String, String> last = new TreeMap<>();
        for (String topic : PUBLIC_TOPICS) {
            for (ConsumerRecord<byte[], byte[]> record : sluice.topics().read(topic)) {
                String key = topic + "-" + record.partition() + " " + new String(record.key(), StandardCharsets.UTF_8);
                if (record.key()[0] == '_') {
                    continue;
                }
                if (record.value() == null) {
                    last.remove(key);
                } else {
                    last.put(key, HexFormat.of().formatHex(record.value()));
                }
            }
        }
        return last;
    }
}
