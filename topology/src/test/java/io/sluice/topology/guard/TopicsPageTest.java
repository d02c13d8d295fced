package io.sluice.topology.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The documentation of topics is the one made from their table and the guard's rules (K-4). */
class TopicsPageTest {
    @Test
    void theDocumentationIsTheRenderedPage() throws IOException {
        Path page = repositoryRoot().resolve("docs").resolve("topics.md");
        if (Boolean.getBoolean("sluice.docs.write")) {
            Files.createDirectories(page.getParent());
            Files.writeString(page, TopicsPage.text());
        }
        assertThat(page)
                .as("docs/topics.md is generated; write it anew with -Dsluice.docs.write=true")
                .exists()
                .hasContent(TopicsPage.text());
    }

    @Test
    void everyRuleIsOnThePage() {
        assertThat(SettingRule.ALL)
                .allSatisfy(rule -> assertThat(TopicsPage.text()).contains("| `" + rule.setting() + "` |"));
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
