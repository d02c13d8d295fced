package io.sluice.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The documentation is the one made from the table. */
class MetricsPageTest {
    @Test
    void documentationPageIsTheRenderedTable() throws IOException {
        Path page = Repository.file("docs/metrics.md");
        if (Boolean.getBoolean("sluice.docs.write")) {
            Files.writeString(page, MetricsPage.text());
        }
        assertThat(page)
                .as("docs/metrics.md is generated; write it anew with -Dsluice.docs.write=true")
                .exists()
                .hasContent(MetricsPage.text());
    }

    @Test
    void everyMetricIsInItOnce() {
        assertThat(MetricsTable.all().map(Metric::name)).doesNotHaveDuplicates();
        assertThat(MetricsTable.all())
                .allSatisfy(
                        metric -> assertThat(MetricsPage.text()).containsOnlyOnce("\n| `" + metric.name() + "` | "));
    }

    @Test
    void itHasNoBlanksBeforeLineEnds() {
        assertThat(MetricsPage.text().lines())
                .allSatisfy(line -> assertThat(line).isEqualTo(line.stripTrailing()));
        assertThat(MetricsPage.text()).endsWith("\n").doesNotContain("\r");
    }

    @Test
    void noLabelIsOfSomethingThatCallersName() {
        assertThat(MetricsTable.all().flatMap(metric -> metric.labels().stream()))
                .doesNotContainAnyElementsOf(Set.of(
                        "catalog", "flow", "flow_id", "flownode", "flownode_id", "region", "region_id", "table"));
    }
}
