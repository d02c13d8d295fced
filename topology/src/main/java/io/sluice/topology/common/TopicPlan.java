package io.sluice.topology.common;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Purpose: renders a {@link TopicTable} for people (aligned text), for the documentation (Markdown) and for programs
 * (maps that become JSON).
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: all renderings come from the same rows, and the same table always gives the same text, with lines
 * ending in a line feed and no blanks before it.
 */
public final class TopicPlan {
    private static final List<String> COLUMNS = List.of(
            "topic",
            "partitions",
            "replicas",
            "in sync",
            "cleanup",
            "retention",
            "delete.retention",
            "min.compaction.lag",
            "timestamps",
            "max bytes",
            "key");

    private static final String INTRODUCTION = """
            # Topics

            <!-- Generated from TopicTable, not to be edited.
                 `mvn -pl topology -am test -Dsluice.docs.write=true` writes it anew. -->

            Sluice creates its topics itself and writes every setting on them, so that nothing depends on a broker's
            defaults. `sluice topics plan` prints the same table for either profile. Whoever creates the
            topics by hand uses exactly these values.

            ## Profiles

            """;

    private static final String THE_TABLE = """

            Partition counts are fixed at the first start and pinned in `sluice.meta`, together with the id of every
            topic. Each later start compares them before it creates or decides anything. It is refused when the counts
            differ, since added partitions would move keys to other deciders, and when a pinned topic is gone or was
            deleted and created again, since what it held is lost then.

            ## The table

            For the cluster profile and the default command limit.

            """;

    private final TopicTable table;

    public TopicPlan(TopicTable table) {
        this.table = Objects.requireNonNull(table, "table");
    }

    /** An aligned table for a terminal: a header line, then one line per topic. */
    public String text() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(
                COLUMNS.stream().map(column -> column.toUpperCase(Locale.ROOT)).toList());
        table.specs().forEach(spec -> lines.add(cells(spec)));
        int[] widths = new int[COLUMNS.size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String cell = line.get(i);
                row.append(cell).append(" ".repeat(widths[i] - cell.length() + 2));
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** The rows as a Markdown table. */
    public String markdown() {
        List<List<String>> rows = table.specs().stream()
                .map(TopicPlan::cells)
                .map(cells -> cells.stream().map(TopicPlan::escape).collect(Collectors.toList()))
                .toList();
        rows.forEach(row -> row.set(0, "`" + row.get(0) + "`"));
        return markdownTable(COLUMNS, rows);
    }

    /**
     * The rows for JSON: keys in snake_case and in a fixed order; times in milliseconds, sizes in bytes, null where a
     * cell does not apply. `configs` holds the settings exactly as they are written on the topic.
     */
    public List<Map<String, Object>> rows() {
        return table.specs().stream().map(TopicPlan::row).toList();
    }

    /** Most of the page docs/topics.md: both profiles, every row, the settings as written and the reasons. */
    public static String page() {
        TopicTable cluster = TopicTable.defaults(Profile.CLUSTER);
        return INTRODUCTION
                + profiles()
                + THE_TABLE
                + new TopicPlan(cluster).markdown()
                + everywhere()
                + partitions(cluster)
                + sizes()
                + settings(cluster);
    }

    private static String profiles() {
        return markdownTable(
                List.of(
                        "profile",
                        "for",
                        "replicas",
                        "in sync",
                        "partitions of a family, unless set at the first start"),
                Arrays.stream(Profile.values()).map(TopicPlan::profileRow).toList());
    }

    private static String everywhere() {
        return """

                Every topic also has `unclean.leader.election.enable=false` and `retention.bytes=-1`. Compacted topics
                have `segment.ms` %s, `min.cleanable.dirty.ratio` %s, and `retention.ms=-1`. Those with CreateTime take
                records of any age: `message.timestamp.before.max.ms` is the largest number there is.
                """.formatted(duration(TopicSpec.COMPACTED_SEGMENT), TopicSpec.COMPACTED_DIRTY_RATIO);
    }

    private static String partitions(TopicTable cluster) {
        List<List<String>> rows = cluster.specs().stream()
                .map(spec -> List.of(
                        "`" + spec.name() + "`",
                        spec.family().label(),
                        spec.family().partitionKey()))
                .toList();
        return "\n## Partitions\n\n" + markdownTable(List.of("topic", "family", "partition computed from"), rows) + """

                The record key is not what the partition is computed from: the partition is
                `(murmur2(utf8(partition key)) & 0x7fffffff) % partitions`.
                """;
    }

    private static String sizes() {
        return """

                ## Sizes

                All sizes but those of `sluice.meta` and `sluice.schemas` follow the largest encoded command L (the
                default is %s): commands 2 L, facts and outcomes 4 L, dead letters 6 L. L may be set from %s to %s.
                """.formatted(
                size(Limits.DEFAULT_COMMAND_BYTES), size(Limits.MIN_COMMAND_BYTES), size(Limits.MAX_COMMAND_BYTES));
    }

    private static String settings(TopicTable cluster) {
        StringBuilder text = new StringBuilder("""

                ## Settings as written

                For the cluster profile and the default command limit. `min.insync.replicas` is 1 for the embedded
                profile.
                """);
        for (TopicSpec spec : cluster.specs()) {
            text.append("\n### `").append(spec.name()).append("`\n\n").append(spec.why());
            text.append("\n\n```properties\n");
            spec.configs().forEach((setting, value) -> text.append(setting + "=" + value + "\n"));
            text.append("```\n");
        }
        return text.toString();
    }

    private static List<String> profileRow(Profile profile) {
        return List.of(
                profile.name().toLowerCase(Locale.ROOT),
                profile == Profile.EMBEDDED ? "one broker in the same process" : "three or more brokers",
                Integer.toString(profile.replicationFactor()),
                Integer.toString(profile.minInSyncReplicas()),
                Integer.toString(profile.defaultPartitionCount()));
    }

    private static List<String> cells(TopicSpec spec) {
        return List.of(
                spec.name(),
                Integer.toString(spec.partitionCount()),
                Integer.toString(spec.replicationFactor()),
                Integer.toString(spec.minInSyncReplicas()),
                spec.cleanup().value(),
                spec.retention().map(TopicPlan::duration).orElse("-"),
                spec.deleteRetention().map(TopicPlan::duration).orElse("-"),
                spec.minCompactionLag().map(TopicPlan::duration).orElse("-"),
                spec.timestamps().value(),
                size(spec.maxMessageBytes()),
                spec.key());
    }

    private static Map<String, Object> row(TopicSpec spec) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("topic", spec.name());
        row.put("family", spec.family().label());
        row.put("partitions", spec.partitionCount());
        row.put("replication_factor", spec.replicationFactor());
        row.put("min_insync_replicas", spec.minInSyncReplicas());
        row.put("cleanup_policy", spec.cleanup().value());
        row.put("retention_ms", millisOrNull(spec.retention()));
        row.put("delete_retention_ms", millisOrNull(spec.deleteRetention()));
        row.put("min_compaction_lag_ms", millisOrNull(spec.minCompactionLag()));
        row.put("timestamp_type", spec.timestamps().value());
        row.put("max_message_bytes", spec.maxMessageBytes());
        row.put("key", spec.key());
        row.put("why", spec.why());
        row.put("configs", spec.configs());
        return row;
    }

    private static Long millisOrNull(Optional<Duration> duration) {
        return duration.map(Duration::toMillis).orElse(null);
    }

    public static String markdownTable(List<String> columns, List<? extends List<String>> rows) {
        StringBuilder text = new StringBuilder();
        text.append("| ").append(String.join(" | ", columns)).append(" |\n");
        text.append("|").append("---|".repeat(columns.size())).append('\n');
        rows.forEach(row -> text.append("| ").append(String.join(" | ", row)).append(" |\n"));
        return text.toString();
    }

    /** Angle brackets and bars mean something in Markdown; code spans would hide the bars' escape. */
    private static String escape(String cell) {
        return cell.replace("|", "\\|").replace("<", "&lt;").replace(">", "&gt;");
    }

    /**
     * A duration in its largest whole unit: "7 d", "24 h", "300 ms", "0". One day reads "24 h", as in Kafka's own
     * texts.
     */
    static String duration(Duration duration) {
        long ms = duration.toMillis();
        if (ms == 0) {
            return "0";
        }
        long[] units = {86_400_000L, 3_600_000L, 60_000L, 1_000L, 1L};
        String[] labels = {"d", "h", "min", "s", "ms"};
        for (int i = 0; i < units.length; i++) {
            long count = ms / units[i];
            if (ms % units[i] == 0 && !(i == 0 && count == 1)) {
                return count + " " + labels[i];
            }
        }
        throw new AssertionError("every number of milliseconds is a whole one");
    }

    /** A size in its largest whole binary unit: "512 KiB", "2 MiB", "1000 B". */
    static String size(long bytes) {
        String[] labels = {"B", "KiB", "MiB", "GiB"};
        int unit = 0;
        long count = bytes;
        while (unit < labels.length - 1 && count != 0 && count % 1024 == 0) {
            count /= 1024;
            unit++;
        }
        return count + " " + labels[unit];
    }
}
