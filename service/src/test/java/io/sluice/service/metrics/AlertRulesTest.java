package io.sluice.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The alert rules are about metrics that there are, and somebody who is woken finds out what to do. */
class AlertRulesTest {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][\\w:]*");
    private static final Pattern LABELS_IN_BRACES = Pattern.compile("\\{([^}]*)}");
    private static final Pattern LABELS_OF_SUM = Pattern.compile("by \\(([^)]*)\\)");
    private static final Pattern DURATION = Pattern.compile("\\[\\w+]");
    private static final Set<String> FUNCTIONS =
            Set.of("absent", "max", "min", "sum", "increase", "rate", "histogram_quantile");

    /** Of Prometheus itself, of Micrometer's binders, and of brokers. */
    private static final Map<String, Set<String>> OTHER_METRICS = Map.of(
            "up", Set.of(),
            "disk_free_bytes", Set.of("path"),
            "disk_total_bytes", Set.of("path"),
            "kafka_log_logcleanermanager_uncleanable_bytes", Set.of());

    /** Every metric has these once it is scraped. */
    private static final Set<String> SCRAPED_LABELS = Set.of("job", "instance");

    private static final List<JsonNode> ALERTS = new ArrayList<>();
    private static String runbook;

    @BeforeAll
    static void read() throws IOException {
        JsonNode rules = new YAMLMapper()
                .readTree(Repository.file("docker/prometheus/alerts.yaml").toFile());
        rules.get("groups").forEach(group -> group.get("rules").forEach(ALERTS::add));
        runbook = Files.readString(Repository.file("docs/runbook.md"));
    }

    @Test
    void everyAlertSaysWhatItIsAboutAndHowUrgentItIs() {
        assertThat(ALERTS).hasSizeGreaterThan(15).allSatisfy(alert -> {
            assertThat(alert.get("alert").textValue()).startsWith("Sluice");
            assertThat(alert.at("/labels/severity").textValue()).isIn("page", "ticket");
            assertThat(alert.at("/annotations/summary").textValue()).isNotBlank();
            assertThat(alert.at("/annotations/description").textValue()).isNotBlank();
        });
        assertThat(ALERTS.stream().map(alert -> alert.get("alert").textValue())).doesNotHaveDuplicates();
    }

    @Test
    void everyRuleIsAboutMetricsThatThereAreAndTheirLabels() {
        for (JsonNode alert : ALERTS) {
            String rule = alert.get("expr").textValue();
            Set<String> labels = labels(rule);
            Set<String> names = names(rule);
            names.removeAll(FUNCTIONS);

            assertThat(names)
                    .as(rule)
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(LABELS).containsKey(name));
            for (String name : names) {
                Set<String> known = new TreeSet<>(LABELS.get(name));
                known.addAll(SCRAPED_LABELS);
                assertThat(known).as(rule).containsAll(labels);
            }
        }
    }

    @Test
    void everyLabelThatIsShownSurvivesTheRule() {
        Pattern shown = Pattern.compile("\\$labels\\.(\\w+)");
        for (JsonNode alert : ALERTS) {
            String rule = alert.get("expr").textValue();
            Set<String> kept = kept(rule);

            assertThat(shown.matcher(alert.at("/annotations/summary").textValue())
                            .results()
                            .map(label -> label.group(1)))
                    .as(rule)
                    .allSatisfy(label -> assertThat(kept).contains(label));
        }
    }

    @Test
    void everyAlertHasASectionInTheRunbookAndEverySuchSectionAnAlert() {
        Set<String> sections = Pattern.compile("(?m)^### (Sluice\\w+)$")
                .matcher(runbook)
                .results()
                .map(heading -> heading.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(ALERTS)
                .allSatisfy(
                        alert -> assertThat(alert.at("/annotations/runbook_url").textValue())
                                .isEqualTo("docs/runbook.md#"
                                        + alert.get("alert").textValue().toLowerCase()));
        assertThat(sections)
                .isEqualTo(ALERTS.stream()
                        .map(alert -> alert.get("alert").textValue())
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static final Map<String, Set<String>> LABELS = labelsByName();

    /** As they are queried: histograms by their parts. */
    private static Map<String, Set<String>> labelsByName() {
        Map<String, Set<String>> all = new HashMap<>(OTHER_METRICS);
        MetricsTable.all().forEach(metric -> {
            Set<String> labels = new TreeSet<>(metric.labels());
            if (metric.kind() == Metric.Kind.HISTOGRAM) {
                all.put(metric.name() + "_count", labels);
                all.put(metric.name() + "_sum", labels);
                all.put(metric.name() + "_max", labels);
                Set<String> withBucket = new TreeSet<>(labels);
                withBucket.add("le");
                all.put(metric.name() + "_bucket", withBucket);
            } else {
                all.put(metric.name(), labels);
            }
        });
        return all;
    }

    private static Set<String> names(String rule) {
        String bare = rule.replaceAll(LABELS_IN_BRACES.pattern(), "")
                .replaceAll(LABELS_OF_SUM.pattern(), "")
                .replaceAll(DURATION.pattern(), "");
        return NAME.matcher(bare).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> labels(String rule) {
        Set<String> labels = new TreeSet<>();
        LABELS_IN_BRACES.matcher(rule).results().forEach(braces -> {
            for (String matcher : braces.group(1).split(",")) {
                labels.add(matcher.split("=", 2)[0].strip());
            }
        });
        labels.addAll(summedBy(rule));
        return labels;
    }

    /** The labels of what a rule results in. */
    private static Set<String> kept(String rule) {
        if (rule.startsWith("min(") || rule.startsWith("max(")) {
            return Set.of();
        }
        Set<String> summedBy = summedBy(rule);
        if (!summedBy.isEmpty()) {
            return summedBy;
        }
        Set<String> kept = new TreeSet<>(SCRAPED_LABELS);
        names(rule).stream().filter(LABELS::containsKey).forEach(name -> kept.addAll(LABELS.get(name)));
        return kept;
    }

    private static Set<String> summedBy(String rule) {
        Set<String> labels = new TreeSet<>();
        LABELS_OF_SUM
                .matcher(rule)
                .results()
                .forEach(by -> labels.addAll(List.of(by.group(1).split(", *"))));
        return labels;
    }
}
