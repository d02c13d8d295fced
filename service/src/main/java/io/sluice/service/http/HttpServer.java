package io.sluice.service.http;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinException;
import io.sluice.service.common.DaemonThreads;
import io.sluice.service.json.FlowCommandJson;
import io.sluice.service.json.FlownodeCommandJson;
import io.sluice.service.json.RegionCommandJson;
import io.sluice.service.runtime.Health;
import io.sluice.service.runtime.SluiceService;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.handler.StatisticsHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP door of an instance.
 *
 * <pre>
 *  request -> http thread: route, checks, look-up            -> answer
 *                 | command                                      ^
 *                 +-> sender thread: hands it to Kafka           |
 *                        ... outcome, or the wait is over -> http thread
 * </pre>
 *
 * <p>Threading: start and close from one thread. A bounded pool of threads serves requests; what waits for a decision
 * or a position holds none of them. Invariant: after {@link #close} returns no request is being answered.
 */
public final class HttpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final int REQUEST_HEADER_BYTES = 16 * 1024;

    /** Room for a Location that repeats a part of the request, percent-encoded. */
    private static final int RESPONSE_HEADER_BYTES = 4 * REQUEST_HEADER_BYTES;

    private static final int SENDERS = 4;
    private static final int SENDERS_QUEUE = 1_000;
    private static final int MIN_THREADS = 4;
    private static final int THREAD_IDLE_MS = 60_000;

    private final Javalin javalin;
    private final ThreadPoolExecutor senders;
    private final Duration drainWithin;

    private HttpServer(Javalin javalin, ThreadPoolExecutor senders, Duration drainWithin) {
        this.javalin = javalin;
        this.senders = senders;
        this.drainWithin = drainWithin;
    }

    /**
     * Opens the door; requests are answered when this returns.
     *
     * @param service what is behind the door
     * @param health how the instance is
     * @throws IllegalStateException if the address cannot be listened on
     */
    public static HttpServer start(HttpSettings settings, SluiceService service, Health health) {
        QueuedThreadPool threads = new QueuedThreadPool(settings.maxThreads(), MIN_THREADS, THREAD_IDLE_MS);
        threads.setName("sluice-http");
        ThreadPoolExecutor senders = newSenders();
        CommandSettler settler = new CommandSettler(service, senders, threads);
        RouteTable routes = Routes.table(
                new FlowCommandEndpoints(new FlowCommandJson(settings.clock()), settler),
                new FlownodeCommandEndpoints(new FlownodeCommandJson(settings.clock()), settler),
                new RegionCommandEndpoints(new RegionCommandJson(settings.clock()), settler),
                new ServiceEndpoints(health, service.bootstrapServers(), service.meters()));
        FrontDoor door = new FrontDoor(routes, service, threads, settings.maxBodyBytes());
        Javalin javalin = Javalin.create(config -> configure(config, settings, threads));
        // One handler for everything: Javalin's own routes decode leniently and answer unknown paths in plain text.
        javalin.before(ctx -> {
            ctx.skipRemainingHandlers();
            door.handle(ctx);
        });
        try {
            javalin.start(settings.host(), settings.port());
        } catch (JavalinException e) {
            senders.shutdownNow();
            throw new IllegalStateException(
                    "cannot listen on " + settings.host() + ":" + settings.port() + ": " + rootMessage(e), e);
        }
        // Not before it runs: a server that could not start must not wait for requests when it is stopped.
        javalin.jettyServer().server().setStopTimeout(settings.drainWithin().toMillis());
        return new HttpServer(javalin, senders, settings.drainWithin());
    }

    /** The port it listens on. */
    public int port() {
        return javalin.port();
    }

    /** Takes no new requests, and waits for those that are being answered as long as the settings say. */
    @Override
    public void close() {
        try {
            javalin.stop();
        } catch (JavalinException e) {
            LOG.warn("requests were still being answered when the HTTP door closed: {}", rootMessage(e));
        }
        senders.shutdown();
        try {
            if (!senders.awaitTermination(drainWithin.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("commands were still being handed to Kafka when the HTTP door closed");
                senders.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void configure(JavalinConfig config, HttpSettings settings, QueuedThreadPool threads) {
        config.showJavalinBanner = false;
        config.startupWatcherEnabled = false;
        config.http.disableCompression();
        config.jetty.threadPool = threads;
        // Names may hold anything. Paths are taken apart and decoded by us, so an ambiguous one harms nobody.
        config.jetty.modifyHttpConfiguration(http -> {
            http.setUriCompliance(UriCompliance.UNSAFE);
            http.setSendServerVersion(false);
            http.setRequestHeaderSize(REQUEST_HEADER_BYTES);
            http.setResponseHeaderSize(RESPONSE_HEADER_BYTES);
        });
        config.jetty.modifyServer(server -> {
            // Counts requests, those that wait included, so that stopping can wait for them.
            server.setHandler(new StatisticsHandler());
            server.setErrorHandler(new JettyErrors());
        });
    }

    private static ThreadPoolExecutor newSenders() {
        // More than this many waiting means that the brokers do not take them: better to say so than to queue without
        // bound.
        ThreadPoolExecutor senders = new ThreadPoolExecutor(
                SENDERS,
                SENDERS,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(SENDERS_QUEUE),
                DaemonThreads.numbered("sluice-http-sender"));
        senders.allowCoreThreadTimeOut(true);
        return senders;
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage();
    }
}
