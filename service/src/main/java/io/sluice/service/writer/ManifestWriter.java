package io.sluice.service.writer;

import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.region.ManifestReport.ManifestWriteFailed;
import io.sluice.service.common.DaemonThreads;
import io.sluice.service.query.StoreReader;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the manifests of the regions that this instance decides, beside the deciding, and reports what came of it.
 *
 * <pre>
 *  sluice.region.writes --+                                          +--> folders of regions
 *                         +--> OrderLoop --> RegionTurns --> RegionWrites
 *  store: open orders ----+    (1 thread)    (a few threads)         +--> sluice.region.reports
 * </pre>
 *
 * <p>Threading: start and close from one thread. The thread that takes orders survives whatever happens, and begins anew; so do those
 * that write. Invariant: what is lost or done twice on the way does no harm, since orders stay open in the store until the decider has
 * a report about them, and everything that is done can be done again.
 */
public final class ManifestWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ManifestWriter.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PAUSE_WITHOUT_PARTITIONS = Duration.ofMillis(300);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    // Who leaves a group must not wait for a disk that hangs.
    private static final Duration WRITES_END_WITHIN = Duration.ofSeconds(2);
    private static final long LOOP_ENDS_WITHIN_MS = 2_000;

    private final RegionStates states;
    private final SingleObject singleObject;
    private final Map<String, Object> kafka;
    private final ManifestStorage storage;
    private final PoolTimer timer;
    private final ReportTopic reports;
    private final RegionWrites writes;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile OrderTopic orders;
    private boolean started;

    private ManifestWriter(
            ManifestSettings settings,
            RegionStates states,
            SingleObject singleObject,
            Map<String, Object> kafka,
            WriteListener listener) {
        this.states = states;
        this.singleObject = singleObject;
        this.kafka = Map.copyOf(kafka);
        storage = new MeasuredStorage(settings.around().apply(storage(settings)), listener);
        timer = new PoolTimer(settings.threads());
        reports = ReportTopic.open(kafka, states::partitionOf);
        writes = new RegionWrites(states, storage, counted(reports, listener), timer);
        thread = DaemonThreads.named("sluice-manifest-orders").newThread(this::run);
    }

    /**
     * Makes a writer that waits for {@link #start}.
     *
     * @param reader of all partitions
     * @param kafka settings of clients
     * @param listener is told what it does
     */
    public static ManifestWriter open(
            ManifestSettings settings,
            StoreReader reader,
            SingleObject singleObject,
            Map<String, Object> kafka,
            WriteListener listener) {
        return new ManifestWriter(settings, new StoredRegions(reader, singleObject), singleObject, kafka, listener);
    }

    private static ReportSink counted(ReportSink reports, WriteListener listener) {
        return (report, onFailure) -> {
            if (report instanceof ManifestWriteFailed) {
                listener.reportedFailed();
            }
            reports.send(report, onFailure);
        };
    }

    private static ManifestStorage storage(ManifestSettings settings) {
        return switch (settings.storage()) {
            case NONE -> new NoStorage();
            case DIR -> DirectoryStorage.prepared(settings.directory(), settings.ofDirectories());
        };
    }

    /** Begins to take orders, as soon as this instance decides something. */
    public void start() {
        started = true;
        thread.start();
    }

    /** How much it has to do. */
    public WriterLoad load() {
        return writes.load();
    }

    private void run() {
        OrderLoop loop = new OrderLoop(states, writes, storage.unfinishedDrops(), timer::nanoTime);
        while (!isClosing()) {
            try {
                follow(loop);
            } catch (WakeupException e) {
                LOG.debug("woken up", e);
            } catch (Throwable e) {
                // Whatever it is, without this thread no region would ever be written again.
                LOG.warn(
                        "orders for manifests cannot be taken, trying again in {} ms: commands about regions wait meanwhile",
                        PAUSE_AFTER_FAILURE.toMillis(),
                        e);
                pause(PAUSE_AFTER_FAILURE);
            }
        }
    }

    private void follow(OrderLoop loop) {
        try (OrderTopic topic = OrderTopic.open(kafka, singleObject)) {
            orders = topic;
            loop.restart();
            while (!isClosing()) {
                if (!loop.step(topic, POLL)) {
                    pause(PAUSE_WITHOUT_PARTITIONS);
                }
            }
        } finally {
            orders = null;
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void pause(Duration duration) {
        try {
            closing.await(duration.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // Only close ends this thread.
            LOG.debug("interrupted", e);
        }
    }

    /**
     * Takes no more orders, and waits a moment for the writes that run: their reports are worth it, since without them whoever decides
     * the regions next has to look at each of them again. Does nothing the second time.
     */
    @Override
    public void close() {
        if (isClosing()) {
            return;
        }
        closing.countDown();
        OrderTopic running = orders;
        if (running != null) {
            running.wakeUp();
        }
        if (started) {
            try {
                thread.join(LOOP_ENDS_WITHIN_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        writes.close(WRITES_END_WITHIN);
        timer.close();
        reports.close();
    }
}
