package io.sluice.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.benchmarks.process.Usage;
import io.sluice.benchmarks.rival.Restored;
import io.sluice.benchmarks.rival.Setting;
import io.sluice.service.client.Json;
import io.sluice.service.client.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What a run measured, as tables for people and as JSON: medians over its rounds, and how many times the rate of the others Sluice has.
 * Pure.
 */
public final class Report {
    private static final List<String> RATES =
            List.of("work", "setting", "per second", "p50 ms", "p95 ms", "p99 ms", "Sluice has");
    private static final List<String> WATCHES =
            List.of("setting", "sent to seen p50 ms", "p95 ms", "acknowledged to seen p50 ms", "p95 ms");
    private static final List<String> RESTORES =
            List.of("setting", "flows", "records", "restore s", "records/s", "verify s", "how");
    private static final List<String> USES = List.of("setting", "process", "CPU s", "MiB");
    private static final double MIB = 1024 * 1024;
    private static final JsonMapper SNAKE_CASE = Json.MAPPER
            .rebuild()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private final Results results;

    public Report(Results results) {
        this.results = results;
    }

    /** The middle one, or between the two in the middle. */
    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** The median of a figure over all rounds; empty when there is none. */
    Optional<Double> median(Setting setting, Work work, ToDoubleFunction<Measured> figure) {
        List<Double> values = measured(setting, work).map(figure::applyAsDouble).toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(median(values));
    }

    /** How many times the rate of a setting the setting of Sluice has that it is compared with; empty when one is missing. */
    Optional<Double> sluiceHas(Setting setting, Work work) {
        return setting.against()
                .flatMap(sluice -> median(sluice, work, Measured::ratePerSecond))
                .flatMap(
                        sluice -> median(setting, work, Measured::ratePerSecond).map(other -> sluice / other));
    }

    private Stream<Measured> measured(Setting setting, Work work) {
        return results.measured().stream()
                .filter(one ->
                        one.setting().equals(setting.label()) && one.work().equals(work.label()));
    }

    private List<Setting> settings() {
        return Stream.of(Setting.values())
                .filter(setting -> results.measured().stream()
                                .anyMatch(one -> one.setting().equals(setting.label()))
                        || results.restored().containsKey(setting.label()))
                .toList();
    }

    private List<List<String>> rates() {
        List<List<String>> rows = new ArrayList<>();
        for (Work work : Work.values()) {
            for (Setting setting : settings()) {
                median(setting, work, Measured::ratePerSecond)
                        .ifPresent(rate -> rows.add(List.of(
                                work.title(),
                                setting.label(),
                                number(rate),
                                number(median(setting, work, Measured::p50Ms).orElseThrow()),
                                number(median(setting, work, Measured::p95Ms).orElseThrow()),
                                number(median(setting, work, Measured::p99Ms).orElseThrow()),
                                sluiceHas(setting, work)
                                        .map(ratio -> number(ratio) + " x")
                                        .orElse(""))));
            }
        }
        return rows;
    }

    private List<List<String>> watches() {
        List<List<String>> rows = new ArrayList<>();
        for (Setting setting : settings()) {
            median(setting, Work.WATCH, Measured::p50Ms)
                    .ifPresent(p50 -> rows.add(List.of(
                            setting.label(),
                            number(p50),
                            number(median(setting, Work.WATCH, Measured::p95Ms).orElseThrow()),
                            number(median(setting, Work.WATCH, Measured::afterAckP50Ms)
                                    .orElseThrow()),
                            number(median(setting, Work.WATCH, Measured::afterAckP95Ms)
                                    .orElseThrow()))));
        }
        return rows;
    }

    private List<List<String>> restores() {
        List<List<String>> rows = new ArrayList<>();
        for (Setting setting : settings()) {
            Restored restored = results.restored().get(setting.label());
            if (restored != null) {
                rows.add(List.of(
                        setting.label(),
                        Long.toString(restored.flows()),
                        Long.toString(restored.records()),
                        number(restored.restoreSeconds()),
                        number(restored.records() / restored.restoreSeconds()),
                        number(restored.verifySeconds()),
                        restored.how()));
            }
        }
        return rows;
    }

    /** Processor time over all work, median of the rounds; memory the most that any work ended with. */
    private List<List<String>> uses() {
        List<List<String>> rows = new ArrayList<>();
        for (Setting setting : settings()) {
            uses(setting)
                    .forEach((process, usage) -> rows.add(List.of(
                            setting.label(), process, number(usage.cpuSeconds()), number(usage.memoryBytes() / MIB))));
            Restored restored = results.restored().get(setting.label());
            if (restored != null) {
                new TreeMap<>(restored.processes())
                        .forEach((process, usage) -> rows.add(List.of(
                                setting.label() + ", " + restored.flows() + " flows restored",
                                process,
                                number(usage.cpuSeconds()),
                                number(usage.memoryBytes() / MIB))));
            }
        }
        return rows;
    }

    Map<String, Usage> uses(Setting setting) {
        Map<String, Map<Integer, Double>> cpu = new TreeMap<>();
        Map<String, Long> memory = new TreeMap<>();
        for (Measured one : results.measured()) {
            if (one.setting().equals(setting.label())) {
                one.processes().forEach((process, usage) -> {
                    cpu.computeIfAbsent(process, name -> new TreeMap<>())
                            .merge(one.round(), usage.cpuSeconds(), Double::sum);
                    memory.merge(process, usage.memoryBytes(), Math::max);
                });
            }
        }
        Map<String, Usage> uses = new TreeMap<>();
        cpu.forEach((process, rounds) ->
                uses.put(process, new Usage(median(List.copyOf(rounds.values())), memory.get(process))));
        return uses;
    }

    /** For a terminal. */
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(results.machine()).append('\n');
        for (Setting setting : settings()) {
            text.append(setting.label())
                    .append(": ")
                    .append(setting.durability())
                    .append('\n');
        }
        leftOut().forEach(line -> text.append(line).append('\n'));
        text.append('\n').append(table(RATES, rates()));
        text.append('\n').append(table(WATCHES, watches()));
        text.append('\n').append(table(RESTORES, restores()));
        text.append('\n').append(table(USES, uses()));
        errors().forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    /** For the page. */
    public String markdown() {
        StringBuilder page = new StringBuilder();
        page.append(results.machine()).append(". Size: ").append(results.size()).append(".\n\n");
        page.append(markdown(
                List.of("setting", "a write is acknowledged when it has"),
                settings().stream()
                        .map(setting -> List.of(setting.label(), setting.durability()))
                        .toList()));
        leftOut().forEach(line -> page.append('\n').append(line).append(".\n"));
        page.append("\n### Rates and latencies\n\n").append(markdown(RATES, rates()));
        page.append("\n### From a create to its followers\n\n").append(markdown(WATCHES, watches()));
        page.append("\n### Restoring and verifying\n\n").append(markdown(RESTORES, restores()));
        page.append("\n### Processor time and memory\n\n").append(markdown(USES, uses()));
        errors().forEach(line -> page.append("\nWRONG: ").append(line).append("\n"));
        return page.toString();
    }

    private List<String> leftOut() {
        return new TreeMap<>(results.missing())
                .entrySet().stream()
                        .map(one -> "left out: " + one.getKey() + ", " + one.getValue())
                        .toList();
    }

    /** What went wrong: what could not be measured, and measurements in which something did. */
    public List<String> errors() {
        Stream<String> wrong = results.measured().stream()
                .filter(one -> one.errors() > 0)
                .map(one -> one.setting() + " " + one.work() + ", round " + one.round() + ": " + one.errors()
                        + " errors, the first: " + one.firstError());
        return Stream.concat(results.failures().stream(), wrong).toList();
    }

    /** Every measurement, and the medians. */
    public JsonNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("machine", results.machine());
        json.put("size", results.size());
        ObjectNode durability = json.putObject("durability");
        settings().forEach(setting -> durability.put(setting.label(), setting.durability()));
        ObjectNode medians = json.putObject("medians");
        for (Work work : Work.values()) {
            ObjectNode ofWork = JsonNodeFactory.instance.objectNode();
            for (Setting setting : settings()) {
                median(setting, work, Measured::ratePerSecond).ifPresent(rate -> {
                    ObjectNode figures = ofWork.putObject(setting.label());
                    figures.put("rate_per_s", rate);
                    figures.put("p50_ms", median(setting, work, Measured::p50Ms).orElseThrow());
                    figures.put("p95_ms", median(setting, work, Measured::p95Ms).orElseThrow());
                    figures.put("p99_ms", median(setting, work, Measured::p99Ms).orElseThrow());
                    sluiceHas(setting, work).ifPresent(ratio -> figures.put("sluice_has_times", ratio));
                });
            }
            if (!ofWork.isEmpty()) {
                medians.set(work.label(), ofWork);
            }
        }
        json.set("measured", SNAKE_CASE.valueToTree(results.measured()));
        json.set("restored", SNAKE_CASE.valueToTree(new TreeMap<>(results.restored())));
        json.set("missing", SNAKE_CASE.valueToTree(new TreeMap<>(results.missing())));
        json.set("failures", SNAKE_CASE.valueToTree(results.failures()));
        return json;
    }

    private static String table(List<String> columns, List<List<String>> rows) {
        TextTable table = new TextTable(
                columns.stream().map(column -> column.toUpperCase(Locale.ROOT)).toArray(String[]::new));
        rows.forEach(row -> table.row(row.toArray()));
        return table.isEmpty() ? "" : table.text("");
    }

    private static String markdown(List<String> columns, List<List<String>> rows) {
        StringBuilder table = new StringBuilder();
        table.append("| ").append(String.join(" | ", columns)).append(" |\n");
        table.append("|---".repeat(columns.size())).append("|\n");
        rows.forEach(row -> table.append("| ").append(String.join(" | ", row)).append(" |\n"));
        return table.toString();
    }

    /** Three digits, more of them before the point if there are. */
    static String number(double value) {
        int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
