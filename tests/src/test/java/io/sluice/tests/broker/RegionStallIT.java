package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.client.GateSettings;
import io.sluice.client.RegionWriteGate;
import io.sluice.client.Submission;
import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.region.Admission;
import io.sluice.schemas.region.AlterRegion;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.SetRegionRole;
import io.sluice.schemas.region.TruncateRegion;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.runtime.SluiceService;
import io.sluice.service.writer.ForwardingStorage;
import io.sluice.service.writer.ManifestStorage;
import io.sluice.service.writer.OpenOrder;
import io.sluice.service.writer.SlowAlters;
import io.sluice.service.writer.WriteOutcome;
import io.sluice.tests.harness.Alone;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.RegionProof;
import io.sluice.tests.harness.Regions;
import io.sluice.tests.harness.TestSize;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** While a manifest is written its own region stalls, and nobody else waits; what was prepared before a truncate comes to nothing. */
@Alone
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RegionStallIT {
    private static final long ALTERED = (4096L << 32) + 1;
    private static final long OTHER = (4096L << 32) + 2;
    private static final Duration ALTER_TAKES = Duration.ofMillis(200);
    private static final int BACKLOG = 8_000;

    @TempDir
    private Path data;

    /** Nothing is written before that. */
    private volatile CompletableFuture<?> released = CompletableFuture.completedFuture(null);

    private LocalSluice sluice;
    private int ids;

    @BeforeEach
    void start() {
        sluice = LocalSluice.on(data)
                .withInstance(
                        settings -> settings.withManifests(settings.manifests().withAround(this::heldAndSlow)))
                .start();
        sluice.settle(List.of(create(ALTERED), create(OTHER)));
    }

    @AfterEach
    void stop() {
        sluice.close();
    }

    @Test
    void anAlterStallsItsOwnRegionAndDelaysNobodyElse() {
        int rounds = TestSize.of(10, 50);
        SluiceService service = sluice.instance().service();
        List<Double> flowMs = new ArrayList<>();
        List<Double> otherMs = new ArrayList<>();
        List<Double> flowQuietMs = new ArrayList<>();
        List<Double> otherQuietMs = new ArrayList<>();
        int stalled = 0;
        try (RegionWriteGate gate = RegionWriteGate.open(GateSettings.of(sluice.bootstrapServers()))) {
            assertThat(gate.await(ALTERED, LocalSluice.WITHIN).admission()).isEqualTo(Admission.ADMIT);
            for (int round = 1; round <= rounds; round++) {
                flowQuietMs.add(measured(() -> sluice.settle(flow())));
                otherQuietMs.add(measured(() -> sluice.settle(flush(OTHER))));
            }
            for (int round = 1; round <= rounds; round++) {
                CompletableFuture<Outcome> alter = service.settle(alter(round), LocalSluice.WITHIN);
                await().atMost(LocalSluice.WITHIN)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> alter.isDone()
                                || gate.admission(ALTERED).state().equals("ALTERING"));
                stalled += gate.admission(ALTERED).admission() == Admission.STALL ? 1 : 0;
                flowMs.add(measured(() -> sluice.settle(flow())));
                otherMs.add(measured(() -> sluice.settle(flush(OTHER))));
                Outcome outcome = LocalSluice.within(alter);
                assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.OK);
                assertThat(gate.await(ALTERED, outcome.position(), LocalSluice.WITHIN)
                                .admission())
                        .as("after the alter")
                        .isEqualTo(Admission.ADMIT);
            }
        }
        assertThat(stalled).as("alters that were seen to stall their region").isGreaterThan(rounds / 2);
        System.out.printf(
                Locale.ROOT,
                "alters of %d ms: a flow command takes %s ms meanwhile, %s without; another region's flush %s ms, %s without"
                        + " (p50/max of %d)%n",
                ALTER_TAKES.toMillis(),
                shown(flowMs),
                shown(flowQuietMs),
                shown(otherMs),
                shown(otherQuietMs),
                rounds);
    }

    @Test
    void aReportOvertakesTheCommandsThatWait() {
        long neighbour = neighbourOf(ALTERED);
        sluice.settle(create(neighbour));

        // Whether commands wait when the report arrives is the machine's affair: nearly always, on any.
        long overtaken = 0;
        for (int attempt = 1; attempt <= 5 && overtaken == 0; attempt++) {
            overtaken = overtakenByAReport(neighbour);
            System.out.printf(
                    "attempt %d: a report overtook %d of %d commands that were there before it%n",
                    attempt, overtaken, BACKLOG);
        }

        assertThat(overtaken).isPositive();
    }

    /** Lets a flush be written when half of many commands of the same partition are there, and counts those it was decided before. */
    private long overtakenByAReport(long neighbour) {
        SluiceService service = sluice.instance().service();
        CompletableFuture<Void> half = new CompletableFuture<>();
        released = half;
        CompletableFuture<Outcome> flush = service.settle(flush(ALTERED), LocalSluice.WITHIN);
        List<Submission> sent = new ArrayList<>();
        for (int i = 0; i < BACKLOG; i++) {
            sent.add(service.submit(
                    new SetRegionRole(envelope(neighbour), neighbour, RegionRole.LEADER), LocalSluice.WITHIN));
        }
        LocalSluice.within(sent.get(BACKLOG / 2).appended());
        half.complete(null);

        Position flushed = LocalSluice.within(flush).position();
        Set<String> decidedAfter = sent.stream()
                .map(Submission::outcome)
                .map(LocalSluice::within)
                .filter(outcome -> outcome.position().partition() == flushed.partition()
                        && outcome.position().decision() > flushed.decision())
                .map(Outcome::commandId)
                .collect(Collectors.toSet());
        long reportedMs = reportedMs(ALTERED);
        return sluice.topics().read(TopicNames.REGION_COMMANDS).stream()
                .filter(record -> record.value() != null && record.timestamp() < reportedMs)
                .map(record -> CommandKey.decode(record.key()).commandId())
                .filter(decidedAfter::contains)
                .count();
    }

    /** When the last report about a region was appended, by the broker's clock. */
    private long reportedMs(long regionId) {
        return sluice.topics().read(TopicNames.REGION_REPORTS).stream()
                .filter(record -> new String(record.key(), StandardCharsets.UTF_8).equals(U64.text(regionId)))
                .mapToLong(ConsumerRecord::timestamp)
                .max()
                .orElseThrow();
    }

    @Test
    void aFlushThatWasPreparedBeforeATruncateIsInNoManifestWhicheverWayTheyMeet() {
        SluiceService service = sluice.instance().service();
        FileMeta kept = file(OTHER);
        sluice.settle(flush(OTHER, kept, 4, 40));
        FileMeta before = file(OTHER);
        FileMeta waiting = file(OTHER);
        FileMeta after = file(OTHER);
        FileMeta fresh = file(OTHER);

        // One is decided before the truncate, one while that is written, one after it.
        List<CompletableFuture<Outcome>> sent = List.of(
                service.settle(flush(OTHER, before, 5, 50), LocalSluice.WITHIN),
                service.settle(truncate(5, 50), LocalSluice.WITHIN),
                service.settle(flush(OTHER, waiting, 5, 50), LocalSluice.WITHIN),
                service.settle(flush(OTHER, fresh, 6, 60), LocalSluice.WITHIN));
        List<OutcomeCode> codes =
                sent.stream().map(LocalSluice::within).map(Outcome::code).toList();
        Outcome late = sluice.settle(flush(OTHER, after, 5, 50));

        assertThat(codes).containsExactly(OutcomeCode.OK, OutcomeCode.OK, OutcomeCode.REGION_TRUNCATED, OutcomeCode.OK);
        assertThat(late.code()).isEqualTo(OutcomeCode.REGION_TRUNCATED);
        RegionManifest manifest = RegionProof.manifest(sluice, OTHER);
        assertThat(manifest.files().keySet()).containsExactly(fresh.fileId());
        assertThat(RegionProof.read(sluice.manifestsDirectory().resolve(U64.text(OTHER))))
                .as("the directory")
                .isEqualTo(manifest);
        assertThat(RegionProof.regions(sluice).removed(OTHER).value().givenUp())
                .as("to be deleted")
                .hasSize(2);
    }

    private ManifestStorage heldAndSlow(ManifestStorage storage) {
        return new ForwardingStorage(SlowAlters.by(ALTER_TAKES).apply(storage)) {
            @Override
            public WriteOutcome write(OpenOrder open) {
                LocalSluice.within(released);
                return super.write(open);
            }
        };
    }

    /** Another region that is decided in the same partition. */
    private long neighbourOf(long regionId) {
        FamilyPartitions partitions = sluice.instance().service().queries().partitions();
        long neighbour = OTHER + 1;
        while (!partitions.ofRegion(neighbour).equals(partitions.ofRegion(regionId))) {
            neighbour++;
        }
        return neighbour;
    }

    private static double measured(Supplier<Outcome> command) {
        long startNanos = System.nanoTime();
        Outcome outcome = command.get();
        assertThat(outcome.isOk()).as(outcome.toString()).isTrue();
        return (System.nanoTime() - startNanos) / 1e6;
    }

    private static String shown(List<Double> millis) {
        double[] sorted = millis.stream().mapToDouble(one -> one).sorted().toArray();
        return String.format(
                Locale.ROOT,
                "%.0f/%.0f",
                sorted[sorted.length / 2],
                Arrays.stream(sorted).max().orElse(0));
    }

    private RegionCommand create(long regionId) {
        return new CreateRegion(
                envelope(regionId), regionId, Regions.metadata(regionId, 0), null, null, 0, RegionRole.LEADER);
    }

    private RegionCommand alter(long schemaVersion) {
        return new AlterRegion(envelope(ALTERED), ALTERED, Regions.metadata(ALTERED, schemaVersion), null, null);
    }

    private RegionCommand truncate(long entryId, long sequence) {
        return new TruncateRegion(envelope(OTHER), OTHER, new TruncateRegion.What.All(entryId, sequence));
    }

    private RegionCommand flush(long regionId) {
        return flush(regionId, file(regionId), ids, ids);
    }

    private RegionCommand flush(long regionId, FileMeta file, long entryId, long sequence) {
        return new FlushRegion(
                envelope(regionId), regionId, List.of(file), List.of(), null, entryId, sequence, sequence);
    }

    private FileMeta file(long regionId) {
        return Regions.file(regionId, UUID.randomUUID(), 1_000L * ids++);
    }

    private FlowCommand flow() {
        String name = "f" + ids++;
        return Flows.create("plant", "c-" + name, name, Flows.definition("S", 1, 1, Flows.tables(1, 1)));
    }

    private CommandEnvelope envelope(long regionId) {
        return new CommandEnvelope(U64.text(regionId), "r-" + ids++, 1_790_000_000_000_000_000L);
    }
}
