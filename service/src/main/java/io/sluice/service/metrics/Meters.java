package io.sluice.service.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.service.metrics.Metric.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that is measured in an instance, and how it is shown. The only class that knows how meters are made: each is a row of
 * the {@link MetricsTable}, so there is none that the documentation does not have.
 *
 * <p>Threading: thread-safe; what counts on stream threads holds the counter and costs them an addition. Invariant: what is shown at
 * once was looked at once, right before.
 */
public final class Meters implements AutoCloseable {
    /** Version of the format that Prometheus reads. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final Logger LOG = LoggerFactory.getLogger(Meters.class);

    /** From a lone command that meets an idle service to one that waits out a fail-over. */
    private static final Duration[] BUCKETS =
            millis(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final List<Runnable> looks = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> binders = new CopyOnWriteArrayList<>();

    private static Duration[] millis(long... values) {
        List<Duration> all = new ArrayList<>();
        for (long value : values) {
            all.add(Duration.ofMillis(value));
        }
        return all.toArray(Duration[]::new);
    }

    /** The counter with these labels; the same one each time. */
    public Counter counter(Metric metric, String... labelValues) {
        require(metric, Kind.COUNTER);
        return Counter.builder(metric.meterName())
                .description(metric.help())
                .tags(tags(metric, labelValues))
                .register(registry);
    }

    /** The histogram with these labels; the same one each time. */
    public Timer timer(Metric metric, String... labelValues) {
        require(metric, Kind.HISTOGRAM);
        return Timer.builder(metric.meterName())
                .description(metric.help())
                .tags(tags(metric, labelValues))
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    /** A value that is asked for whenever it is shown. */
    public void gauge(Metric metric, DoubleSupplier value, String... labelValues) {
        require(metric, Kind.GAUGE);
        Gauge.builder(metric.meterName(), value::getAsDouble)
                .description(metric.help())
                .tags(tags(metric, labelValues))
                .register(registry);
    }

    /** A gauge whose rows come and go. */
    public Rows rows(Metric metric) {
        require(metric, Kind.GAUGE);
        return new Rows(
                metric,
                MultiGauge.builder(metric.meterName())
                        .description(metric.help())
                        .register(registry));
    }

    /** The rows of a gauge. One thread at a time. */
    public static final class Rows {
        private final Metric metric;
        private final MultiGauge gauge;
        private final List<MultiGauge.Row<?>> next = new ArrayList<>();

        private Rows(Metric metric, MultiGauge gauge) {
            this.metric = metric;
            this.gauge = gauge;
        }

        /** One more row of those that {@link #show} shows. */
        public Rows add(double value, String... labelValues) {
            next.add(MultiGauge.Row.of(tags(metric, labelValues), value));
            return this;
        }

        /** Shows what was added since the last time, and nothing else. */
        public void show() {
            gauge.register(List.copyOf(next), true);
            next.clear();
        }
    }

    /** Meters that a library brings; their names do not begin with {@code sluice_}. */
    public void bind(MeterBinder binder) {
        binder.bindTo(registry);
        if (binder instanceof AutoCloseable closeable) {
            binders.add(closeable);
        }
    }

    /** Is to be done before everything is shown: looks once at what several gauges say something of. */
    public void beforeShowing(Runnable look) {
        looks.add(look);
    }

    /** Everything, as Prometheus reads it. */
    public synchronized String exposition() {
        for (Runnable look : looks) {
            try {
                look.run();
            } catch (RuntimeException e) {
                // One that cannot be looked at now must not hide the others, which may say why.
                LOG.debug("some gauges show what they showed before", e);
            }
        }
        return registry.scrape();
    }

    @Override
    public void close() {
        binders.forEach(Meters::closeQuietly);
        registry.close();
    }

    private static void closeQuietly(AutoCloseable binder) {
        try {
            binder.close();
        } catch (Exception e) {
            LOG.debug("cannot be closed", e);
        }
    }

    private static void require(Metric metric, Kind kind) {
        if (metric.kind() != kind) {
            throw new IllegalArgumentException(metric.name() + " is a " + metric.kind() + ", not a " + kind);
        }
    }

    private static Tags tags(Metric metric, String... values) {
        List<String> names = metric.labels();
        if (names.size() != values.length) {
            throw new IllegalArgumentException(
                    metric.name() + " has the labels " + names + ", given are " + values.length + " values");
        }
        List<Tag> tags = new ArrayList<>(values.length);
        for (int i = 0; i < values.length; i++) {
            tags.add(Tag.of(names.get(i), values[i]));
        }
        return Tags.of(tags);
    }
}
