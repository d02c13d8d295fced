package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.Json;
import io.sluice.service.local.LocalSluice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice export snapshot} and {@code sluice import snapshot} from one data directory into another. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class SnapshotCommandsIT {
    private static final String FLOWS = """
            {"catalog_name":"plant","flow_name":"a","source_table_ids":[1024],"raw_sql":"SELECT 1","flownode_ids":{"0":1},\
            "sink_table_name":{"catalog_name":"plant","schema_name":"public","table_name":"out"}}
            """;

    @TempDir
    private Path folder;

    @Test
    void whatIsExportedFromOneDataDirectoryIsImportedIntoAnother() throws IOException {
        Path from = folder.resolve("from");
        Path to = folder.resolve("to");
        Path file = folder.resolve("a.snapshot");
        String before = make(from);

        Cli.Result exported = Cli.run("export", "snapshot", "--data", from.toString(), "-o", file.toString(), "--json");
        assertThat(exported.exitCode()).as(exported.err()).isZero();
        JsonNode said = Json.MAPPER.readTree(exported.out());
        assertThat(said.path("rows").asLong()).isPositive();
        assertThat(said.path("size_bytes").asLong()).isEqualTo(Files.size(file));
        assertRefused(Cli.run("export", "snapshot", "--data", from.toString(), "-o", file.toString()), "left as it is");
        assertDamageIsRefusedBeforeAnythingIsMade(file, to);

        Cli.Result imported = Cli.run("import", "snapshot", "--data", to.toString(), "-f", file.toString());
        assertThat(imported.exitCode()).as(imported.err()).isZero();
        assertThat(imported.out())
                .startsWith("OK  snapshot " + said.path("snapshot").asText().substring(0, 12))
                .contains(said.path("rows").asText() + " rows");
        assertRefused(Cli.run("import", "snapshot", "--data", to.toString(), "-f", file.toString()), "was decided");
        try (LocalSluice sluice = LocalSluice.start(to, 0, 0)) {
            assertThat(flow(sluice)).isEqualTo(before);
        }
    }

    private String make(Path directory) throws IOException {
        Path flows = Files.writeString(folder.resolve("flows.jsonl"), FLOWS);
        try (LocalSluice sluice = LocalSluice.start(directory, 0, 0)) {
            Cli.Result applied = Cli.run("flow", "apply", "--server", sluice.url(), "-f", flows.toString());
            assertThat(applied.exitCode()).as(applied.err()).isZero();
            return flow(sluice);
        }
    }

    private static String flow(LocalSluice sluice) {
        Cli.Result flow = Cli.run("flow", "get", "--server", sluice.url(), "--json", "plant", "a");
        assertThat(flow.exitCode()).as(flow.err()).isZero();
        return flow.out();
    }

    private void assertDamageIsRefusedBeforeAnythingIsMade(Path file, Path to) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Path damaged = Files.write(folder.resolve("damaged.snapshot"), bytes);

        assertRefused(Cli.run("import", "snapshot", "--data", to.toString(), "-f", damaged.toString()), "is damaged");
        assertThat(to).doesNotExist();
    }

    private static void assertRefused(Cli.Result result, String why) {
        assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCodes.FAILED);
        assertThat(result.err()).contains(why);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void wrongUsageIsToldFromWhatIsMissing() {
        assertThat(Cli.run("export", "snapshot").exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(Cli.run("import", "snapshot").exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(Cli.run("export", "snapshot", "-o", "x", "--bootstrap", "a:1", "--data", "b")
                        .exitCode())
                .isEqualTo(ExitCodes.USAGE);
        assertRefused(
                Cli.run(
                        "export",
                        "snapshot",
                        "-o",
                        "x",
                        "--data",
                        folder.resolve("none").toString()),
                "--data");
        assertRefused(Cli.run("import", "snapshot", "-f", folder.resolve("none").toString()), "there is no file");
    }
}
