package io.sluice.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation is the one made from the table. */
class SettingsPageTest {
    @Test
    void documentationPageIsTheRenderedTable() throws IOException {
        Path page = repositoryRoot().resolve("docs").resolve("settings.md");
        if (Boolean.getBoolean("sluice.docs.write")) {
            Files.createDirectories(page.getParent());
            Files.writeString(page, SettingsPage.text());
        }
        assertThat(page)
                .as("docs/settings.md is generated; write it anew with -Dsluice.docs.write=true")
                .exists()
                .hasContent(SettingsPage.text());
    }

    @Test
    void everySettingIsInIt() {
        assertThat(SettingsTable.rows())
                .allSatisfy(row -> assertThat(SettingsPage.text()).contains("\n| `" + row.name + "` | "));
        assertThat(SettingsPage.text())
                .contains("| `session.timeout.ms` | whole number, 6000 to 300000 ms (6 s to 5 min)"
                        + " | `10000` (10 s) | How long");
    }

    @Test
    void itHasNoBlanksBeforeLineEnds() {
        assertThat(SettingsPage.text().lines())
                .allSatisfy(line -> assertThat(line).isEqualTo(line.stripTrailing()));
        assertThat(SettingsPage.text()).endsWith("\n").doesNotContain("\r");
    }

    @Test
    void theExampleCanBeLoaded(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("sluice.properties"), SettingsPage.EXAMPLE);
        ServiceSettings settings = SettingsLoader.load(
                file, Map.of("SLUICE_INSTANCE_ID", "sluice-1", "SLUICE_APPLICATION_SERVER", "10.2.0.1:7878"), Map.of());

        assertThat(settings.warnings()).isEmpty();
        assertThat(settings.kafka()).containsEntry("sasl.mechanism", "SCRAM-SHA-512");
        assertThat(SettingsPage.text())
                .contains(
                        SettingsPage.EXAMPLE,
                        "\nSLUICE_INSTANCE_ID=sluice-1 SLUICE_APPLICATION_SERVER=10.2.0.1:7878 ./sluice serve -c"
                                + " sluice.properties");
    }

    /** The nearest folder upwards that has both modules and documentation, wherever the test was started from. */
    private static Path repositoryRoot() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve("topology"))) {
            folder = folder.getParent();
        }
        assertThat(folder)
                .as("a folder above %s with the module topology", Path.of("").toAbsolutePath())
                .isNotNull();
        return folder;
    }
}
