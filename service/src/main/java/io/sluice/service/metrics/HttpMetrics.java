package io.sluice.service.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Counts the requests that the HTTP door answers, with their time. Thread-safe. */
public final class HttpMetrics {
    /** Instead of method and route, for a request that there is no route for: what its caller wrote is not bounded. */
    public static final String NO_ROUTE = "none";

    private static final int INTERNAL = 500;

    private final Meters meters;
    /** Shown from the start, since an alert is about the first one. */
    private final Counter failures;

    private final Map<Answered, Timer> timers = new ConcurrentHashMap<>();

    private record Answered(String method, String route, int status) {}

    public HttpMetrics(Meters meters) {
        this.meters = meters;
        this.failures = meters.counter(MetricsTable.HTTP_FAILURES);
    }

    /**
     * A request was answered.
     *
     * @param method of the route, or {@link #NO_ROUTE}
     * @param route its template, or {@link #NO_ROUTE}
     */
    public void answered(String method, String route, int status, long tookNanos) {
        timers.computeIfAbsent(
                        new Answered(method, route, status),
                        one -> meters.timer(
                                MetricsTable.HTTP_REQUESTS, one.method(), one.route(), Integer.toString(one.status())))
                .record(tookNanos, TimeUnit.NANOSECONDS);
        if (status == INTERNAL) {
            failures.increment();
        }
    }
}
