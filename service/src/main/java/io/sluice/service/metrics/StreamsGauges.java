package io.sluice.service.metrics;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * The few of Kafka Streams' own metrics that are shown. What RocksDB says of a single store is not among them: asking a store that is
 * being closed would be asking freed memory (docs/kafka.md, K-42).
 *
 * <p>Threading: looked at by one thread at a time.
 */
public final class StreamsGauges {
    private static final double MILLIS_PER_SECOND = 1_000;

    private final Supplier<Map<MetricName, ? extends Metric>> kafka;
    private volatile double threadsAlive;
    private volatile double iterators;
    private volatile double commitMaxMs = Double.NaN;

    private StreamsGauges(Supplier<Map<MetricName, ? extends Metric>> kafka) {
        this.kafka = kafka;
    }

    /** @param kafka as Kafka Streams gives them */
    public static void showIn(Meters meters, Supplier<Map<MetricName, ? extends Metric>> kafka) {
        StreamsGauges gauges = new StreamsGauges(kafka);
        meters.beforeShowing(gauges::look);
        meters.gauge(MetricsTable.THREADS_ALIVE, () -> gauges.threadsAlive);
        meters.gauge(MetricsTable.ITERATORS, () -> gauges.iterators);
        meters.gauge(MetricsTable.COMMIT_MAX, () -> gauges.commitMaxMs / MILLIS_PER_SECOND);
    }

    private void look() {
        double alive = 0;
        double open = 0;
        double longestMs = Double.NaN;
        for (Map.Entry<MetricName, ? extends Metric> one : kafka.get().entrySet()) {
            switch (one.getKey().name()) {
                case "alive-stream-threads" -> alive += number(one.getValue());
                case "num-open-iterators" -> open += number(one.getValue());
                case "commit-latency-max" -> {
                    // Of threads and of the whole: the tasks' own have another group.
                    if (one.getKey().group().equals("stream-thread-metrics")) {
                        longestMs = larger(longestMs, number(one.getValue()));
                    }
                }
                default -> {}
            }
        }
        threadsAlive = alive;
        iterators = open;
        commitMaxMs = longestMs;
    }

    private static double larger(double one, double other) {
        return Double.isNaN(one) || other > one ? other : one;
    }

    private static double number(Metric metric) {
        return metric.metricValue() instanceof Number value ? value.doubleValue() : Double.NaN;
    }
}
