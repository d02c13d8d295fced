package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.ManifestWriteKind;
import io.sluice.schemas.region.RegionRole;
import io.sluice.service.local.LocalSluice;
import io.sluice.service.runtime.InstanceSettings;
import io.sluice.service.writer.ForwardingStorage;
import io.sluice.service.writer.ManifestStorage;
import io.sluice.service.writer.OpenOrder;
import io.sluice.service.writer.WriteOutcome;
import io.sluice.tests.harness.BuildDirectory;
import io.sluice.tests.harness.Exposition;
import io.sluice.tests.harness.Exposition.Sample;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.HttpApi;
import io.sluice.tests.harness.Regions;
import io.sluice.tests.harness.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a running service shows at /metrics after some of everything has happened to it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MetricsIT {
    private static final Duration WITHIN = Duration.ofSeconds(60);
    private static final long REGION = (4096L << 32) + 1;
    private static final Pattern DOCUMENTED = Pattern.compile("\\| `(sluice_\\w+)` \\| (\\w+) \\| (.*?) \\| .*");
    private static final Pattern INCREASE = Pattern.compile("increase\\((\\w+)");
    private static final Pattern CODE = Pattern.compile("`(\\w+)`");

    @TempDir
    private static Path data;

    private static LocalSluice sluice;
    private static HttpApi api;
    private static Exposition atStart;

    /** No delta can be written. */
    private static final class WithoutDeltas extends ForwardingStorage {
        WithoutDeltas(ManifestStorage to) {
            super(to);
        }

        @Override
        public WriteOutcome write(OpenOrder open) {
            return open.order().kind() == ManifestWriteKind.DELTA
                    ? new WriteOutcome.NotDone(true, "the disk is full")
                    : super.write(open);
        }
    }

    @BeforeAll
    static void letSomethingHappen() {
        sluice = LocalSluice.start(data, 0, 0, MetricsIT::withoutDeltas);
        api = new HttpApi(sluice.url());
        atStart = Exposition.of(sluice.url());
        FlowDefinition definition = Flows.definition("SELECT 1");
        assertThat(settle(Flows.create("plant", "c1", "f", definition))).isEqualTo(OutcomeCode.OK);
        assertThat(settle(Flows.create("plant", "c2", "f", definition))).isEqualTo(OutcomeCode.FLOW_ALREADY_EXISTS);
        assertThat(settle(Flows.create("plant", "c2", "f", definition))).isEqualTo(OutcomeCode.FLOW_ALREADY_EXISTS);
        assertThat(settle(new CreateRegion(
                        envelope("c1"), REGION, Regions.metadata(REGION, 0), null, null, 0, RegionRole.LEADER)))
                .isEqualTo(OutcomeCode.OK);
        FileMeta file = Regions.file(REGION, UUID.randomUUID(), 1_000);
        assertThat(settle(new FlushRegion(envelope("c2"), REGION, List.of(file), List.of(), null, 7L, 7L, 7L)))
                .isEqualTo(OutcomeCode.MANIFEST_WRITE_FAILED);
        assertThat(api.get("/v1/catalogs/plant/flows/f").status()).isEqualTo(200);
        assertThat(api.get("/v1/catalogs/plant/flows/secret-name").status()).isEqualTo(404);
        assertThat(api.get("/no/such/path").status()).isEqualTo(404);
        assertThat(api.send("PURGE", "/v1/catalogs", null).status()).isEqualTo(405);
        try (Producer<byte[], byte[]> producer = new Topics(sluice.bootstrapServers()).rawProducer()) {
            producer.send(new ProducerRecord<>(
                    TopicNames.FLOW_COMMANDS, 0, "no slash".getBytes(StandardCharsets.UTF_8), new byte[] {1}));
        }
    }

    private static InstanceSettings withoutDeltas(InstanceSettings settings) {
        return settings.withManifests(settings.manifests().withAround(WithoutDeltas::new));
    }

    private static OutcomeCode settle(Command command) {
        return io.sluice.tests.harness.LocalSluice.within(
                        sluice.instance().service().settle(command, WITHIN))
                .code();
    }

    private static CommandEnvelope envelope(String commandId) {
        return new CommandEnvelope(U64.text(REGION), commandId, Flows.ISSUED_AT_NANOS);
    }

    @AfterAll
    static void stop() {
        sluice.close();
    }

    @Test
    void everyMetricInTheDocumentationIsShownAndEveryOneThatIsShownIsInIt() throws IOException {
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(Exposition.of(sluice.url()).sum("sluice_dead_letters_total"))
                        .isEqualTo(1));
        Exposition shown = Exposition.of(sluice.url());
        Map<String, String> documented = new TreeMap<>();
        documentation().forEach(row -> {
            documented.put(row.name(), row.type());
            if (row.type().equals("histogram")) {
                documented.put(row.name() + "_max", "gauge");
            }
        });

        Map<String, String> own = new TreeMap<>(shown.types());
        own.keySet().removeIf(name -> !name.startsWith("sluice_"));
        assertThat(own).isEqualTo(documented).hasSizeGreaterThan(25);
        assertThat(shown.samples()).extracting(Sample::name).containsAll(withValues(documented));
        assertThat(shown.contentType()).startsWith("text/plain; version=0.0.4");
    }

    /** A type alone is no value. */
    private static Set<String> withValues(Map<String, String> types) {
        Set<String> names = new TreeSet<>();
        types.forEach((name, type) -> names.add(type.equals("histogram") ? name + "_count" : name));
        return names;
    }

    @Test
    void everyMetricHasTheLabelsThatAreDocumented() throws IOException {
        Exposition shown = Exposition.of(sluice.url());

        for (Documented row : documentation()) {
            assertThat(shown.samples())
                    .filteredOn(sample -> sample.name().matches(row.name() + "(_(bucket|count|sum|max))?"))
                    .isNotEmpty()
                    .allSatisfy(sample -> {
                        Set<String> labels = new TreeSet<>(sample.labels().keySet());
                        labels.remove("le");
                        assertThat(labels).as(sample.name()).isEqualTo(new TreeSet<>(row.labels()));
                    });
        }
    }

    /** A rule about an increase does not see the first one of a row that comes with it. */
    @Test
    void whateverAnAlertIsAboutIsShownBeforeAnythingHappens() throws IOException {
        String rules = Files.readString(BuildDirectory.repository().resolve("docker/prometheus/alerts.yaml"));
        Set<String> increasing = INCREASE.matcher(rules)
                .results()
                .map(rule -> rule.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(increasing).hasSizeGreaterThanOrEqualTo(5);
        assertThat(atStart.samples()).extracting(Sample::name).containsAll(increasing);
    }

    @Test
    void commandsAreCountedByKindAndCode() {
        Exposition shown = Exposition.of(sluice.url());

        assertThat(shown.sum("sluice_commands_total", "kind", "create_flow", "code", "OK"))
                .isEqualTo(1);
        assertThat(shown.sum("sluice_commands_total", "kind", "create_flow", "code", "FLOW_ALREADY_EXISTS"))
                .isEqualTo(1);
        assertThat(shown.sum("sluice_commands_repeated_total", "family", "flow"))
                .isEqualTo(1);
        assertThat(shown.sum("sluice_commands_total", "kind", "create_region", "code", "OK"))
                .isEqualTo(1);
        assertThat(shown.sum("sluice_commands_total", "kind", "flush_region", "code", "MANIFEST_WRITE_FAILED"))
                .isEqualTo(1);
        assertThat(shown.sum("sluice_decision_latency_seconds_count", "family", "region"))
                .isEqualTo(2);
    }

    @Test
    void manifestWritesAreCountedByWhatCameOfThem() {
        Exposition shown = Exposition.of(sluice.url());

        assertThat(shown.sum("sluice_manifest_write_seconds_count", "kind", "create", "result", "done"))
                .isEqualTo(1);
        assertThat(shown.sum("sluice_manifest_failures_total")).isEqualTo(1);
    }

    @Test
    void aLoneInstanceIsReadyDecidesEverythingAndMissesNothing() {
        Exposition shown = Exposition.of(sluice.url());

        assertThat(shown.sum("sluice_ready")).isEqualTo(1);
        assertThat(shown.sum("sluice_broken")).isZero();
        assertThat(shown.sum("sluice_partitions", "here", "active")).isEqualTo(12);
        assertThat(shown.sum("sluice_partitions", "here", "moving")).isZero();
        assertThat(shown.sum("sluice_partitions_unowned")).isZero();
        assertThat(shown.sum("sluice_standbys_missing")).isZero();
        assertThat(shown.sum("sluice_topic_differences", "severity", "loss")).isZero();
        assertThat(shown.sum("sluice_topics_looked_seconds")).isBetween(0.0, 120.0);
        assertThat(shown.sum("sluice_stream_threads_alive")).isEqualTo(1);
        assertThat(shown.sum("sluice_rocksdb_memory_bytes", "use", "used")).isPositive();
        assertThat(shown.sum("sluice_process_resident_bytes")).isGreaterThan(50_000_000);
        assertThat(shown.sum("jvm_memory_used_bytes")).isPositive();
        assertThat(shown.sum("disk_free_bytes")).isPositive();
    }

    @Test
    void nothingWaitsOnceEverythingIsSettledAndItsTombstonesAreWritten() {
        await().atMost(WITHIN).untilAsserted(() -> {
            Exposition shown = Exposition.of(sluice.url());
            assertThat(shown.sum("sluice_janitor_tombstones_total", "family", "flow"))
                    .isGreaterThanOrEqualTo(3);
            assertThat(shown.sum("sluice_undecided_looked_seconds")).isLessThan(10);
            assertThat(shown.samples())
                    .filteredOn(sample -> sample.name().equals("sluice_undecided_age_seconds"))
                    .hasSize(12)
                    .extracting(Sample::value)
                    .containsOnly(0.0);
        });
    }

    @Test
    void requestsAreCountedByRouteAndNeverByWhatCallersWrote() {
        Exposition shown = Exposition.of(sluice.url());

        String route = "/v1/catalogs/{catalog}/flows/{name}";
        assertThat(shown.sum("sluice_http_requests_seconds_count", "route", route, "status", "200"))
                .isEqualTo(1);
        assertThat(shown.sum("sluice_http_requests_seconds_count", "route", route, "status", "404"))
                .isEqualTo(1);
        assertThat(shown.sum("sluice_http_requests_seconds_count", "route", "none", "method", "none", "status", "404"))
                .isEqualTo(1);
        assertThat(shown.samples())
                .flatExtracting(sample -> sample.labels().values())
                .doesNotContain("PURGE", "plant", "f", "secret-name", "/no/such/path", U64.text(REGION));
    }

    private record Documented(String name, String type, List<String> labels) {}

    private static List<Documented> documentation() throws IOException {
        List<Documented> rows = new ArrayList<>();
        for (String line : Files.readAllLines(BuildDirectory.repository().resolve("docs/metrics.md"))) {
            Matcher row = DOCUMENTED.matcher(line);
            if (row.matches()) {
                List<String> labels = CODE.matcher(row.group(3))
                        .results()
                        .map(label -> label.group(1))
                        .toList();
                rows.add(new Documented(row.group(1), row.group(2), labels));
            }
        }
        return rows;
    }
}
