package io.sluice.service.broker;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.Exit;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.raft.DynamicVoters;
import org.apache.kafka.server.common.Feature;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Purpose: a real Kafka broker and controller in this process, on the loopback address, with its data in one directory.
 * It is the only class that may import Kafka's internals.
 *
 * <p>Threading: {@link #start()} and {@link #close()} exclude each other and may be called by any thread; everything
 * else may be read at any time after start. No shutdown hook is installed: whoever starts a broker closes it.
 *
 * <p>Invariants: the directory is claimed for as long as the broker runs; it is formatted once; after a start that
 * failed, nothing runs and the directory is free. A closed broker is not started again: build another on the same
 * directory, its ports may differ.
 *
 * <p>Kafka ends the process on faults it cannot survive, by a procedure that is global to the process. From the first
 * start on it is this class's: while a broker starts, a fault fails that start; later it goes to the {@link FatalFault}
 * of every running broker that has one, else the process ends as Kafka meant it to.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);

    private static final String HOST = "127.0.0.1";
    private static final int NODE_ID = 1;
    private static final String BROKER_LISTENER = "PLAINTEXT";
    private static final String CONTROLLER_LISTENER = "CONTROLLER";
    private static final int ATTEMPTS = 5;
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);
    private static final Duration STOP_PATIENCE_AFTER_FAULT = Duration.ofSeconds(5);

    /** Brokers that are starting or running in this process. */
    private static final List<EmbeddedBroker> LIVE = new CopyOnWriteArrayList<>();

    private enum State {
        NEW,
        STARTING,
        RUNNING,
        CLOSED
    }

    private final Path wantedDirectory;
    private final int wantedKafkaPort;
    private final int wantedControllerPort;
    private final Map<String, String> extraProperties;
    private final Duration startWithin;
    private final Optional<FatalFault> fatalFault;

    private final AtomicReference<String> startFault = new AtomicReference<>();
    private volatile State state = State.NEW;
    /** Set by a fault anywhere in the process, as Kafka does not say which broker it came from. */
    private volatile boolean faulted;

    private volatile int kafkaPort;
    private DataDirectory directory;
    private KafkaRaftServer server;
    private boolean threadsLeft;

    private EmbeddedBroker(Builder builder) {
        this.wantedDirectory = builder.directory;
        this.wantedKafkaPort = builder.kafkaPort;
        this.wantedControllerPort = builder.controllerPort;
        this.extraProperties = Map.copyOf(builder.properties);
        this.startWithin = builder.startWithin;
        this.fatalFault = Optional.ofNullable(builder.fatalFault);
    }

    /**
     * Begins the description of a broker.
     *
     * @param directory where its data is or will be; the broker wants it for itself
     */
    public static Builder builder(Path directory) {
        return new Builder(directory);
    }

    /**
     * Starts the broker and returns when it answers.
     *
     * @return this broker
     * @throws EmbeddedBrokerException when it cannot start, with what to do about it
     */
    public synchronized EmbeddedBroker start() {
        if (state != State.NEW) {
            throw new IllegalStateException("an embedded broker starts once, build another one");
        }
        long deadlineNanos = System.nanoTime() + startWithin.toNanos();
        requireFree("Kafka", wantedKafkaPort);
        requireFree("controller", wantedControllerPort);
        directory = DataDirectory.claim(wantedDirectory, NODE_ID);
        state = State.STARTING;
        LIVE.add(this);
        ExitProcedures.install();
        try {
            startOnSomePorts(deadlineNanos);
            awaitAnswer(deadlineNanos);
            state = State.RUNNING;
            return this;
        } catch (Throwable e) {
            close();
            throw startFailure(e);
        }
    }

    /** Where clients connect: host and port. */
    public String bootstrapServers() {
        return HOST + ":" + kafkaPort();
    }

    /** The port that clients connect to; never 0 once the broker runs. */
    public int kafkaPort() {
        if (state != State.RUNNING) {
            throw new IllegalStateException("the embedded broker is not running: " + state);
        }
        return kafkaPort;
    }

    /** The directory with the broker's data. */
    public Path directory() {
        return wantedDirectory;
    }

    /** Whether the broker answers, as far as this object knows. */
    public boolean isRunning() {
        return state == State.RUNNING;
    }

    /** Stops the broker, waits until it has stopped and gives up the directory. Nothing happens the second time. */
    @Override
    public synchronized void close() {
        state = State.CLOSED;
        stopServer();
        LIVE.remove(this);
        // Threads left behind may still write, so their directory stays claimed until the process ends.
        if (!threadsLeft && directory != null) {
            directory.close();
            directory = null;
        }
    }

    /** A port that the system chose may be taken by someone else before the broker binds it; then others are tried. */
    private void startOnSomePorts(long deadlineNanos) throws Exception {
        for (int attempt = 1; ; attempt++) {
            List<Integer> free = FreePorts.take(2);
            kafkaPort = wantedKafkaPort == 0 ? free.get(0) : wantedKafkaPort;
            int controllerPort = wantedControllerPort == 0 ? free.get(1) : wantedControllerPort;
            formatOnce(controllerPort);
            Properties properties = properties(controllerPort, Math.max(1, remainingMs(deadlineNanos)));
            server = new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
            try {
                server.startup();
                return;
            } catch (Throwable e) {
                stopServer();
                boolean chosenHere = wantedKafkaPort == 0 || wantedControllerPort == 0;
                if (threadsLeft || !isPortTaken(e) || !chosenHere || attempt == ATTEMPTS) {
                    throw e;
                }
                LOG.debug("port {} or {} was taken meanwhile, trying others", kafkaPort, controllerPort);
                startFault.set(null);
                faulted = false;
            }
        }
    }

    /** The first start's controller port is written down; Kafka puts that right when it starts on another. */
    private void formatOnce(int controllerPort) throws Exception {
        if (directory.isFormatted()) {
            return;
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        new Formatter()
                .setPrintStream(new PrintStream(said, true, StandardCharsets.UTF_8))
                .setNodeId(NODE_ID)
                .setClusterId(Uuid.randomUuid().toString())
                .addDirectory(directory.path().toString())
                .setMetadataLogDirectory(directory.path().toString())
                .setControllerListenerName(CONTROLLER_LISTENER)
                .setHasDynamicQuorum(true)
                .setInitialControllers(
                        DynamicVoters.parse(NODE_ID + "@" + HOST + ":" + controllerPort + ":" + Uuid.randomUuid()))
                // Without this list it fails on a feature that exists for Kafka's own tests only.
                .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                .run();
        LOG.debug("{}", said.toString(StandardCharsets.UTF_8).strip());
    }

    private Properties properties(int controllerPort, long startWithinMs) {
        Map<String, String> wanted = new HashMap<>();
        wanted.put("process.roles", "broker,controller");
        wanted.put("node.id", Integer.toString(NODE_ID));
        String listeners = BROKER_LISTENER + "://" + HOST + ":" + kafkaPort + "," + CONTROLLER_LISTENER + "://" + HOST
                + ":" + controllerPort;
        wanted.put("listeners", listeners);
        wanted.put("advertised.listeners", listeners);
        wanted.put(
                "listener.security.protocol.map", BROKER_LISTENER + ":PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT");
        wanted.put("inter.broker.listener.name", BROKER_LISTENER);
        wanted.put("controller.listener.names", CONTROLLER_LISTENER);
        wanted.put("controller.quorum.bootstrap.servers", HOST + ":" + controllerPort);
        wanted.put("log.dirs", directory.path().toString());
        // Otherwise a start that hangs inside Kafka would hang for ever.
        wanted.put("server.max.startup.time.ms", Long.toString(startWithinMs));

        // A typo or a foreign client must not create a topic with a broker's defaults (K-3, K-12).
        wanted.put("auto.create.topics.enable", "false");
        wanted.put("unclean.leader.election.enable", "false");
        wanted.put("default.replication.factor", "1");
        wanted.put("min.insync.replicas", "1");
        wanted.put("offsets.topic.replication.factor", "1");
        wanted.put("offsets.topic.num.partitions", "1");
        wanted.put("transaction.state.log.replication.factor", "1");
        wanted.put("transaction.state.log.min.isr", "1");
        wanted.put("transaction.state.log.num.partitions", "1");
        wanted.put("share.coordinator.state.topic.replication.factor", "1");
        wanted.put("share.coordinator.state.topic.min.isr", "1");
        wanted.put("share.coordinator.state.topic.num.partitions", "1");
        // A new owner waits until the dead transaction of the old one is swept (K-17).
        wanted.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
        wanted.put("group.initial.rebalance.delay.ms", "0");
        wanted.put("log.cleaner.enable", "true");
        // The default, 128 MiB, is sized for servers.
        wanted.put("log.cleaner.dedupe.buffer.size", Integer.toString(8 * 1024 * 1024));
        wanted.putAll(extraProperties);

        Properties properties = new Properties();
        properties.putAll(wanted);
        return properties;
    }

    private void awaitAnswer(long deadlineNanos) throws ExecutionException, InterruptedException {
        Map<String, Object> config = Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, HOST + ":" + kafkaPort);
        try (Admin admin = Admin.create(config)) {
            while (true) {
                int timeoutMs = (int) Math.max(1, Math.min(Integer.MAX_VALUE, remainingMs(deadlineNanos)));
                boolean listed = !admin.describeCluster(new DescribeClusterOptions().timeoutMs(timeoutMs))
                        .nodes()
                        .get()
                        .isEmpty();
                if (listed && startFault.get() == null) {
                    return;
                }
                if (startFault.get() != null || remainingMs(deadlineNanos) <= 0) {
                    throw new IllegalStateException("it does not list itself as a broker of its cluster");
                }
                Thread.sleep(10);
            }
        }
    }

    private void stopServer() {
        KafkaRaftServer stopping = server;
        server = null;
        if (stopping == null) {
            return;
        }
        // Kafka waits up to 5 minutes for a controller that, after a fault, may not answer any more. Interrupted, it
        // goes on.
        Thread stopper = new Thread(
                () -> {
                    stopping.shutdown();
                    stopping.awaitShutdown();
                },
                "embedded-broker-stop");
        stopper.start();
        Duration patience = faulted ? STOP_PATIENCE_AFTER_FAULT : STOP_PATIENCE;
        if (isEndedWithin(stopper, patience)) {
            return;
        }
        LOG.warn("the embedded broker has not stopped after {} s, it is stopped the hard way", patience.toSeconds());
        stopper.interrupt();
        if (!isEndedWithin(stopper, STOP_PATIENCE)) {
            threadsLeft = true;
            LOG.error("the embedded broker on {} does not stop, its threads are left behind", wantedDirectory);
        }
    }

    /** Waits for a thread, interrupted or not. */
    private static boolean isEndedWithin(Thread thread, Duration patience) {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        while (thread.isAlive() && remainingMs(deadlineNanos) > 0) {
            try {
                thread.join(remainingMs(deadlineNanos));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private RuntimeException startFailure(Throwable e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        String fault = startFault.get();
        String said = (e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e).toString();
        if (isPortTaken(e)) {
            return new EmbeddedBrokerException(
                    "the embedded broker cannot listen: " + said
                            + ". Stop the process that uses the port, or choose another one (0 takes a free one).",
                    e);
        }
        return new EmbeddedBrokerException(
                "the embedded broker on data directory " + wantedDirectory.toAbsolutePath() + " did not start: " + said
                        + (fault == null ? "" : "; fatal fault: " + fault)
                        + ". The broker's log says more with -Dsluice.log.libraries.level=INFO; if the data is damaged,"
                        + " start on another directory.",
                e);
    }

    private static void requireFree(String what, int port) {
        if (port == 0) {
            return;
        }
        FreePorts.whyTaken(HOST, port).ifPresent(why -> {
            throw new EmbeddedBrokerException(what + " port " + port + " on " + HOST + " cannot be used: " + why
                    + ". Stop the process that uses it, or choose another port (0 takes a free one).");
        });
    }

    private static boolean isPortTaken(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException) {
                return true;
            }
        }
        return false;
    }

    private static long remainingMs(long deadlineNanos) {
        return (deadlineNanos - System.nanoTime()) / 1_000_000;
    }

    /** Puts Kafka's process-ending procedures into this class's hands. */
    private static final class ExitProcedures {
        private ExitProcedures() {}

        static synchronized void install() {
            Exit.setExitProcedure((status, message) ->
                    fault(status, message, () -> Runtime.getRuntime().exit(status)));
            Exit.setHaltProcedure((status, message) ->
                    fault(status, message, () -> Runtime.getRuntime().halt(status)));
        }

        private static void fault(int status, String message, Runnable end) {
            String said = message == null ? "" : message;
            LIVE.forEach(broker -> broker.faulted = true);
            List<EmbeddedBroker> starting = LIVE.stream()
                    .filter(broker -> broker.state == State.STARTING)
                    .toList();
            if (!starting.isEmpty()) {
                starting.forEach(broker -> broker.startFault.compareAndSet(null, "exit status " + status + " " + said));
                return;
            }
            List<FatalFault> handlers =
                    LIVE.stream().flatMap(broker -> broker.fatalFault.stream()).toList();
            if (handlers.isEmpty()) {
                LOG.error("the embedded Kafka broker cannot go on, the process ends with status {} {}", status, said);
                end.run();
            }
            handlers.forEach(handler -> handler.onFatalFault(status, said));
        }
    }

    /**
     * Purpose: describes a broker before it starts.
     *
     * <p>Threading: one thread.
     */
    public static final class Builder {
        private final Path directory;
        private final Map<String, String> properties = new HashMap<>();
        private int kafkaPort;
        private int controllerPort;
        private Duration startWithin = Duration.ofSeconds(60);
        private FatalFault fatalFault;

        private Builder(Path directory) {
            this.directory = Objects.requireNonNull(directory, "directory");
        }

        /** The port for clients; 0, the default, takes a free one. */
        public Builder kafkaPort(int port) {
            this.kafkaPort = requirePort("Kafka", port);
            return this;
        }

        /** The port of the controller, which only the broker itself uses; 0, the default, takes a free one. */
        public Builder controllerPort(int port) {
            this.controllerPort = requirePort("controller", port);
            return this;
        }

        /** A broker setting, laid over those of this class; for tests. */
        public Builder property(String name, String value) {
            properties.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /** How long a start may take; 60 s unless said. */
        public Builder startWithin(Duration startWithin) {
            this.startWithin = Objects.requireNonNull(startWithin, "startWithin");
            return this;
        }

        /** What to do on a fault after the start, instead of ending the process. */
        public Builder onFatalFault(FatalFault fatalFault) {
            this.fatalFault = Objects.requireNonNull(fatalFault, "fatalFault");
            return this;
        }

        public EmbeddedBroker build() {
            return new EmbeddedBroker(this);
        }

        /** Builds and starts. */
        public EmbeddedBroker start() {
            return build().start();
        }

        private static int requirePort(String what, int port) {
            if (port < 0 || port > 65_535) {
                throw new EmbeddedBrokerException(
                        what + " port " + port + " does not exist. Choose one from 1 to 65535, or 0 for a free one.");
            }
            return port;
        }
    }
}
