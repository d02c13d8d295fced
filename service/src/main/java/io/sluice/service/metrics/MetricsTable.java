package io.sluice.service.metrics;

import io.sluice.service.metrics.Metric.Kind;
import java.util.List;
import java.util.stream.Stream;

/**
 * Purpose: every metric of Sluice's own. What is shown is made from it, and so is docs/metrics.md.
 *
 * <p>Threading: constants only.
 *
 * <p>Invariants: the values of a label are bounded by what Sluice is made of: there is none with a catalog, a flow, a region or anything
 * else that callers name.
 */
public final class MetricsTable {
    private static final String FAMILY = "family";
    private static final String PARTITION = "partition";

    // Commands.

    public static final Metric COMMANDS = counter(
            "sluice_commands_total",
            "Commands that got their outcome, by what they asked for and the code they got (errors.md). kind is none for a record"
                    + " that could not be decided",
            FAMILY,
            "kind",
            "code");
    public static final Metric COMMANDS_REPEATED = counter(
            "sluice_commands_repeated_total",
            "Commands that were sent again and answered with the outcome that they had already",
            FAMILY);
    public static final Metric DECISION_WAIT = histogram(
            "sluice_decision_latency_seconds",
            "From the append of a command to its topic, by the broker's clock, until it is decided. A command about a region that"
                    + " waits for its manifest counts until it is taken up",
            FAMILY);
    public static final Metric UNDECIDED_AGE = gauge(
            "sluice_undecided_age_seconds",
            "seconds",
            "How long the oldest command of a partition has waited for its decision; 0 when none waits. Every instance shows all"
                    + " partitions, also those that nobody decides. Tombstones and settled commands do not count",
            FAMILY,
            PARTITION);
    public static final Metric UNDECIDED_LOOKED = gauge(
            "sluice_undecided_looked_seconds",
            "seconds",
            "How long ago sluice_undecided_age_seconds was looked at: more than a minute means that the brokers do not answer and"
                    + " that it says nothing");
    public static final Metric TRANSACTION_OPEN = gauge(
            "sluice_transaction_open_seconds",
            "seconds",
            "How long readers of outcomes have been held back by a transaction that does not end, where that is longest; 0 when they"
                    + " are not. Every instance looks at all partitions",
            FAMILY);
    public static final Metric DEAD_LETTERS = counter(
            "sluice_dead_letters_total",
            "Records that were put into sluice.dead-letters, by the code of the reason",
            FAMILY,
            "reason");
    public static final Metric IN_FLIGHT = gauge(
            "sluice_commands_in_flight",
            "",
            "Commands that were sent through this instance and wait for their outcome here");
    public static final Metric JANITOR_TOMBSTONES = counter(
            "sluice_janitor_tombstones_total",
            "Settled commands whose tombstone was written, so that their topic shrinks",
            FAMILY);
    public static final Metric JANITOR_FAILURES = counter(
            "sluice_janitor_failures_total",
            "Times that the janitor could not go on and began anew; settled commands stay in their topic meanwhile",
            FAMILY);

    // The instance.

    public static final Metric READY =
            gauge("sluice_ready", "", "1 when this instance can answer, else 0: /health/ready says why");
    public static final Metric BROKEN = gauge(
            "sluice_broken",
            "",
            "1 when this instance has given up deciding and must be started again, else 0: /health/live says why");
    public static final Metric BUILD =
            gauge("sluice_build", "", "1; says which version of Sluice and Java this is", "version", "java");
    public static final Metric PARTITIONS = gauge(
            "sluice_partitions",
            "",
            "Partitions of which this instance has a copy: active (it decides them), standby, or moving (restored, or on the way)",
            FAMILY,
            "here");
    public static final Metric PARTITIONS_UNOWNED =
            gauge("sluice_partitions_unowned", "", "Partitions of which this instance knows nobody who decides them");
    public static final Metric STANDBYS_MISSING = gauge(
            "sluice_standbys_missing",
            "",
            "Partitions with fewer standbys than standby.replicas asks for, as this instance knows it");
    public static final Metric PARTITION_LAG = gauge(
            "sluice_partition_lag_records",
            "records",
            "How far the copy of a partition here is behind its changelog; markers count, so 2 is nothing. No row where there is no"
                    + " copy",
            FAMILY,
            PARTITION);
    public static final Metric RESTORE_REMAINING = gauge(
            "sluice_restore_remaining_offsets",
            "offsets",
            "How much of the changelogs is still to be read before this instance can decide all that was given to it, by offsets, of"
                    + " which compaction leaves gaps; 0 when nothing is restored",
            FAMILY);
    public static final Metric RESTORE_RECORDS = gauge(
            "sluice_restore_records",
            "records",
            "Records that were read by the restore that goes on, or went on last",
            FAMILY);
    public static final Metric THREADS_ALIVE =
            gauge("sluice_stream_threads_alive", "", "Threads that decide, as Kafka Streams counts them");
    public static final Metric THREAD_FAILURES = counter(
            "sluice_stream_thread_failures_total",
            "Failures of threads that decide: replaced (what was not committed is decided again) or stopped (the instance gives up)",
            "action");
    public static final Metric COMMIT_MAX = gauge(
            "sluice_stream_commit_max_seconds",
            "seconds",
            "The longest commit of the last half minute, as Kafka Streams measures it; NaN when there was none");

    // Topics.

    public static final Metric TOPIC_DIFFERENCES = gauge(
            "sluice_topic_differences",
            "",
            "Differences between the topics and what they have to be: loss (records could be lost, and this instance is not ready) or"
                    + " warning. `sluice topics verify` prints them",
            "severity");
    public static final Metric TOPICS_LOOKED = gauge(
            "sluice_topics_looked_seconds",
            "seconds",
            "How long ago the topics were looked at: more than a few minutes means that they cannot be");

    // Manifests.

    public static final Metric MANIFEST_REGIONS = gauge(
            "sluice_manifest_regions",
            "",
            "Regions with something to write: waiting for their turn, tries after a failure included, or running",
            "state");
    public static final Metric MANIFEST_OLDEST = gauge(
            "sluice_manifest_oldest_seconds",
            "seconds",
            "How long the region that waits longest has waited for a write that should be done by now: its turn is due or does not"
                    + " end, or its attempts fail");
    public static final Metric MANIFEST_WRITES = histogram(
            "sluice_manifest_write_seconds",
            "Attempts at a manifest write, by what was to be written (create, delta, drop) and what came of it: done, failed, held (by"
                    + " another process) or unknown (nothing may be concluded, it is tried again)",
            "kind",
            "result");
    public static final Metric MANIFEST_FAILURES = counter(
            "sluice_manifest_failures_total",
            "Manifest writes that were given up after several attempts: their commands got MANIFEST_WRITE_FAILED");
    public static final Metric HEARTBEATS_FAILING = gauge(
            "sluice_region_heartbeats_failing",
            "",
            "Partitions of regions decided here whose last heartbeat could not be written: if that lasts, data nodes stall writes");

    // HTTP.

    public static final Metric HTTP_REQUESTS = histogram(
            "sluice_http_requests_seconds",
            "Requests that were answered, those of other instances included, by the route's method and template (none when there"
                    + " is no such route) and the status. What waits for an outcome or a position counts the wait",
            "method",
            "route",
            "status");
    public static final Metric HTTP_FAILURES = counter(
            "sluice_http_failures_total",
            "Requests that were answered 500, which is a fault of this instance: each is in its log under its incident");

    // Memory.

    public static final Metric ROCKSDB_MEMORY = gauge(
            "sluice_rocksdb_memory_bytes",
            "bytes",
            "Memory of all stores of the process outside of the heap: used (blocks that were read, and rows not yet written out), and"
                    + " the pinned part of it, which cannot be given back now",
            "use");
    public static final Metric ROCKSDB_LIMIT = gauge(
            "sluice_rocksdb_memory_limit_bytes",
            "bytes",
            "What rocksdb.block.cache.bytes allows for it; write buffers may go beyond for a moment");
    public static final Metric ITERATORS = gauge(
            "sluice_store_iterators_open",
            "",
            "Iterators over stores that are open now, as Kafka Streams counts them: a number that only grows is a leak");
    public static final Metric RESIDENT = gauge(
            "sluice_process_resident_bytes",
            "bytes",
            "Memory of the process as the system counts it, heap, stores and everything else; NaN where /proc does not tell");

    private static final List<Section> SECTIONS = List.of(
            new Section(
                    "Commands",
                    List.of(
                            COMMANDS,
                            COMMANDS_REPEATED,
                            DECISION_WAIT,
                            UNDECIDED_AGE,
                            UNDECIDED_LOOKED,
                            TRANSACTION_OPEN,
                            DEAD_LETTERS,
                            IN_FLIGHT,
                            JANITOR_TOMBSTONES,
                            JANITOR_FAILURES)),
            new Section(
                    "The instance",
                    List.of(
                            READY,
                            BROKEN,
                            BUILD,
                            PARTITIONS,
                            PARTITIONS_UNOWNED,
                            STANDBYS_MISSING,
                            PARTITION_LAG,
                            RESTORE_REMAINING,
                            RESTORE_RECORDS,
                            THREADS_ALIVE,
                            THREAD_FAILURES,
                            COMMIT_MAX)),
            new Section("Topics", List.of(TOPIC_DIFFERENCES, TOPICS_LOOKED)),
            new Section(
                    "Manifests of regions",
                    List.of(MANIFEST_REGIONS, MANIFEST_OLDEST, MANIFEST_WRITES, MANIFEST_FAILURES, HEARTBEATS_FAILING)),
            new Section("HTTP", List.of(HTTP_REQUESTS, HTTP_FAILURES)),
            new Section("Memory", List.of(ROCKSDB_MEMORY, ROCKSDB_LIMIT, ITERATORS, RESIDENT)));

    private MetricsTable() {}

    /** Metrics that belong together. */
    record Section(String title, List<Metric> metrics) {
        Section {
            metrics = List.copyOf(metrics);
        }
    }

    static List<Section> sections() {
        return SECTIONS;
    }

    /** All of them. */
    public static Stream<Metric> all() {
        return SECTIONS.stream().flatMap(section -> section.metrics().stream());
    }

    private static Metric counter(String name, String help, String... labels) {
        return new Metric(name, Kind.COUNTER, List.of(labels), "", help);
    }

    private static Metric gauge(String name, String unit, String help, String... labels) {
        return new Metric(name, Kind.GAUGE, List.of(labels), unit, help);
    }

    private static Metric histogram(String name, String help, String... labels) {
        return new Metric(name, Kind.HISTOGRAM, List.of(labels), "seconds", help);
    }
}
