package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.cut.ChangelogCut;
import io.sluice.service.cut.CutSettings;
import io.sluice.service.cut.PartitionCut;
import io.sluice.service.local.LocalSluice;
import io.sluice.state.flow.FlowDigest;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flow.FlowState;
import io.sluice.topology.common.Limits;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.CommonClientConfigs;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo's flows out of one installation, into a fresh one, and out again, with real brokers and as a user does it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class GreptimeIT {
    private static final int MANY = 600;
    private static final SingleObject SINGLE_OBJECT = new SingleObject(KnownSchemas.shipped());

    @TempDir
    private Path home;

    @Test
    void whatIsExportedAndImportedIsExportedTheSame() throws Exception {
        Path whole = home.resolve("whole.jsonl");
        Path plant = home.resolve("plant.jsonl");
        Path renumbered = home.resolve("renumbered.jsonl");
        Map<String, Object> before;
        try (LocalSluice first = LocalSluice.start(home.resolve("first"), 0, 0)) {
            applySamples(first);
            assertThat(export(first, home.resolve("none"), "--layout", "flow").err())
                    .contains("1024 (plant.", ", retail.", "--renumber", "Nothing was written");
            assertThat(home.resolve("none")).doesNotExist();
            assertDone(export(first, plant, "--catalog", "plant"));
            assertDone(export(first, whole, "--layout", "flow_task"));
            assertThat(export(first, renumbered, "--renumber").out())
                    .contains("renumbered  retail/1024  is flow_id 1032 in the file", "OK  14 flows of 2 catalogs");
            before = contents(first);
        }
        try (LocalSluice second = LocalSluice.start(home.resolve("second"), 0, 0)) {
            assertThat(importFile(second, whole).out())
                    .startsWith("OK  14 flows: 14 new, 0 unchanged, 0 replaced; 1 addresses registered");
            assertThat(contents(second)).isEqualTo(before);
            assertSame(second, whole, "--layout", "flow_task");
            assertSame(second, plant, "--catalog", "plant");

            importTwiceChangesNothing(second, whole, plant);
            otherContentIsLeftAlone(second, whole);
            assertThat(importFile(second, renumbered).exitCode())
                    .as("retail's names belong to other ids here")
                    .isEqualTo(1);
            assertThat(contents(second)).isEqualTo(before);
        }
    }

    @Test
    void aServiceThatStartsAgainInTheMiddleMissesNothingAndDoesNothingTwice() throws Exception {
        Path data = home.resolve("restarted");
        Path file = Files.write(home.resolve("many.jsonl"), manyFlows());
        CompletableFuture<Cli.Result> imported;
        int httpPort;
        int kafkaPort;
        String url;
        try (LocalSluice sluice = LocalSluice.start(data, 0, 0)) {
            url = sluice.url();
            httpPort = URI.create(url).getPort();
            kafkaPort = Integer.parseInt(sluice.bootstrapServers().replaceAll(".*:", ""));
            imported = CompletableFuture.supplyAsync(
                    () -> Cli.run("import", "greptime", "-f", file.toString(), "--server", url));
            ServiceClient client = ServiceClient.of(url);
            await().pollInterval(Duration.ofMillis(20))
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> flowsOf(client).size() >= MANY / 10);
        }
        assertThat(imported).as("it was in the middle").isNotDone();
        try (LocalSluice sluice = LocalSluice.start(data, httpPort, kafkaPort)) {
            assertThat(imported.get().err()).doesNotContain("error");
            assertThat(imported.get().outLines())
                    .last(InstanceOfAssertFactories.STRING)
                    .startsWith("OK  " + MANY + " flows: " + MANY + " new, 0 unchanged, 0 replaced;");
            assertThat(flowsOf(ServiceClient.of(url)))
                    .hasSize(MANY)
                    .allSatisfy(
                            flow -> assertThat(flow.path("revision").asLong()).isEqualTo(1));
            assertThat(importFile(sluice, file).out())
                    .startsWith("OK  " + MANY + " flows: 0 new, " + MANY + " unchanged, 0 replaced;");
        }
    }

    /** One of them nearly as large as a command may be, and not easy to write as JSON. */
    private static List<String> manyFlows() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            String sql = i == 0 ? "\"\n".repeat(Limits.DEFAULT_COMMAND_BYTES / 2 - 200) : "SELECT '流' -- \u0001" + i;
            ObjectNode info = Json.MAPPER.createObjectNode();
            info.putObject("sink_table_name")
                    .put("catalog_name", "many")
                    .put("schema_name", "s")
                    .put("table_name", "t");
            info.putObject("flownode_ids").put("0", 3);
            info.put("catalog_name", "many")
                    .put("flow_name", "f" + i)
                    .put("raw_sql", sql)
                    .put("comment", "");
            info.putObject("options").put("", "").put("ö ", "=");
            lines.add(Json.line(Json.MAPPER
                    .createObjectNode()
                    .put("key", "__flow/info/" + (1024 + i))
                    .put("value", Json.line(info))));
        }
        return lines;
    }

    private static List<JsonNode> flowsOf(ServiceClient client) {
        List<JsonNode> flows = new ArrayList<>();
        client.get("/v1/catalogs/many/flows?limit=1000").body().path("flows").forEach(flows::add);
        return flows;
    }

    private void importTwiceChangesNothing(LocalSluice sluice, Path whole, Path plant) throws Exception {
        assertThat(importFile(sluice, whole).out())
                .startsWith("OK  14 flows: 0 new, 14 unchanged, 0 replaced; 0 addresses registered, 1 kept");
        assertThat(importFile(sluice, plant, "--or-replace").out())
                .startsWith("OK  8 flows: 0 new, 8 unchanged, 0 replaced");
    }

    private void otherContentIsLeftAlone(LocalSluice sluice, Path whole) throws Exception {
        assertDone(run(sluice, "flow", "comment", "plant", "meter_load_5m", "mine"));

        Cli.Result refused = importFile(sluice, whole, "--json");

        JsonNode json = Json.MAPPER.readTree(refused.out());
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(json.path("unchanged").asLong()).isEqualTo(13);
        assertThat(json.path("left_out")).hasSize(1);
        assertThat(json.path("left_out").get(0).path("reason").asText()).isEqualTo("REPLACE_NEEDED");
        assertThat(run(sluice, "flow", "get", "plant", "meter_load_5m").out()).contains("mine");
        assertThat(importFile(sluice, whole, "--or-replace").out())
                .startsWith("OK  14 flows: 0 new, 13 unchanged, 1 replaced");
    }

    /** An export of now is the file. */
    private void assertSame(LocalSluice sluice, Path file, String... options) throws IOException {
        Path again = Files.createTempDirectory(home, "again").resolve("file");
        assertDone(export(sluice, again, options));
        assertThat(again).hasSameBinaryContentAs(file);
    }

    /**
     * The digests of the rows of all indices, and the records but for their revisions and commands, which are those of the import.
     * Catalogs count their ids for themselves here, and all of a file there, so allocators may be further.
     */
    private static Map<String, Object> contents(LocalSluice sluice) {
        FlowState state = new FlowState(SINGLE_OBJECT);
        Map<String, Object> contents = new TreeMap<>();
        Map<String, Object> kafka = Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, sluice.bootstrapServers());
        try (ChangelogCut cut =
                ChangelogCut.take(CutSettings.of(kafka).withFamilies(Set.of(CommandFamily.FLOW)), SINGLE_OBJECT)) {
            for (PartitionCut partition : cut.partitions()) {
                FlowDigest.of(partition.rows()).forEach((family, digest) -> {
                    if (family != FlowKeyFamily.INFO && family != FlowKeyFamily.ALLOCATOR) {
                        contents.put(partition.partition() + " " + family, digest);
                    }
                });
                partition.rows().scanPrefix(FlowKeyFamily.INFO.prefix(), (key, value) -> {
                    FlowRecord flow = state.info().decodeValue(value);
                    contents.put(flow.catalog() + "/" + flow.flowId(), flow.withRevision(1, ""));
                    return true;
                });
            }
        }
        assertThat(contents).hasSizeGreaterThan(14);
        return contents;
    }

    private static void applySamples(LocalSluice sluice) {
        Path samples = samples();
        assertDone(run(
                sluice, "flow", "apply", "-f", samples.resolve("plant.jsonl").toString()));
        assertDone(run(
                sluice, "flow", "apply", "-f", samples.resolve("retail.jsonl").toString()));
        assertDone(run(sluice, "flow", "comment", "retail", "revenue_daily", "changed once"));
        assertDone(run(sluice, "flownode", "register", "1", "10.9.0.1:6800", "--epoch", "5"));
    }

    private static Cli.Result export(LocalSluice sluice, Path file, String... options) {
        List<String> args = new ArrayList<>(
                List.of("export", "greptime", "-o", file.toString(), "--bootstrap", sluice.bootstrapServers()));
        args.addAll(List.of(options));
        return Cli.run(args.toArray(String[]::new));
    }

    private static Cli.Result importFile(LocalSluice sluice, Path file, String... options) {
        List<String> args = new ArrayList<>(List.of("import", "greptime", "-f", file.toString()));
        args.addAll(List.of(options));
        return run(sluice, args.toArray(String[]::new));
    }

    private static Cli.Result run(LocalSluice sluice, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--server", sluice.url()));
        return Cli.run(all.toArray(String[]::new));
    }

    private static void assertDone(Cli.Result result) {
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    private static Path samples() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("samples").resolve("plant.jsonl"))) {
            directory = directory.getParent();
        }
        return directory.resolve("samples");
    }
}
