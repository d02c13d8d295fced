package io.sluice.service.metrics;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Purpose: renders the table of metrics as the page docs/metrics.md.
 *
 * <p>Threading: functions only.
 *
 * <p>Invariants: the same table always gives the same text, with lines ending in a line feed and no blanks before it.
 */
final class MetricsPage {
    private static final String INTRODUCTION = """
            # Metrics

            <!-- Generated from MetricsTable, not to be edited.
                 `mvn -pl service -am test -Dsluice.docs.write=true` writes it anew. -->

            `GET /metrics` of every instance, in the text format of Prometheus. What to do when an alert fires:
            [runbook.md](runbook.md); the rules are in [alerts.yaml](../docker/prometheus/alerts.yaml).

            ```yaml
            scrape_configs:
              - job_name: sluice
                static_configs:
                  - targets: ["10.2.0.1:7878", "10.2.0.2:7878", "10.2.0.3:7878"]
            rule_files: ["alerts.yaml"]
            ```

            Counters begin with the process. What the threads that decide count is not committed yet: when a transaction is
            aborted, by a broken connection or a partition that moves, its commands are decided again and count again. The truth
            about a command is its outcome. A histogram has `_bucket`, `_sum` and `_count`, and `_max` with the largest of the
            last minutes.

            No label has a catalog, a flow, a flownode or a region: the number of rows is bounded, whatever callers do.
            """;

    private static final String OTHERS = """

            ## Others

            Of the process and the Java virtual machine, by Micrometer's own names: memory, garbage collection, threads, processor
            time, open files, time since the start (`jvm_*`, `process_*`, `system_*`), and free space of the disk that `state.dir` is on (`disk_*`).
            """;

    private MetricsPage() {}

    static String text() {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        for (MetricsTable.Section section : MetricsTable.sections()) {
            page.append("\n## ").append(section.title()).append("\n\n");
            page.append("| metric | type | labels | unit | what it says |\n|---|---|---|---|---|\n");
            section.metrics().forEach(metric -> page.append(row(metric)));
        }
        return page.append(OTHERS).toString();
    }

    private static String row(Metric metric) {
        return "| " + String.join(" | ", cells(metric)) + " |\n";
    }

    private static List<String> cells(Metric metric) {
        String labels = metric.labels().stream().map(MetricsPage::code).collect(Collectors.joining(", "));
        return List.of(
                code(metric.name()),
                metric.kind().name().toLowerCase(Locale.ROOT),
                labels.isEmpty() ? "-" : labels,
                metric.unit().isEmpty() ? "-" : metric.unit(),
                metric.help().replace("errors.md", "[errors.md](errors.md)"));
    }

    private static String code(String text) {
        return "`" + text + "`";
    }
}
