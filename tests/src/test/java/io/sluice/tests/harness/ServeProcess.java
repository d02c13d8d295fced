package io.sluice.tests.harness;

import io.sluice.service.cli.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * {@code sluice serve} in a process of its own: may be started, stopped and killed again and again, with the same settings and
 * the same folder. Used by one thread; its address may be asked for by any.
 */
public final class ServeProcess implements AutoCloseable {
    /**
     * Several processes that start at once would keep each other waiting with what the second compiler does for long runs. What
     * a test wants to know of a process is in its log, which is quiet in tests otherwise.
     */
    private static final List<String> OPTIONS =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dsluice.log.level=INFO");

    private final String instanceId;
    private final int port;
    private final Path settings;
    private RunningJvm jvm;
    private CompletableFuture<String> ready;

    private ServeProcess(String instanceId, int port, Path settings) {
        this.instanceId = instanceId;
        this.port = port;
        this.settings = settings;
    }

    /** Nothing runs yet. */
    public static ServeProcess of(
            Path directory, String instanceId, int port, String bootstrapServers, Map<String, String> more) {
        Map<String, String> all = new TreeMap<>();
        all.put("bootstrap.servers", bootstrapServers);
        all.put("instance.id", instanceId);
        all.put("application.server", "127.0.0.1:" + port);
        all.put("http.host", "127.0.0.1");
        all.put("state.dir", directory.resolve(instanceId).toString());
        all.put("topics.profile", "embedded");
        all.putAll(more);
        Path file = directory.resolve(instanceId + ".properties");
        try {
            Files.write(
                    file,
                    all.entrySet().stream()
                            .map(one -> one.getKey() + "=" + one.getValue())
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ServeProcess(instanceId, port, file);
    }

    /** Returns at once. */
    public ServeProcess start() {
        jvm = RunningJvm.start(Main.class, OPTIONS, List.of("serve", "-c", settings.toString()));
        ready = jvm.says("ready"::equals);
        return this;
    }

    /** Waits until it says that it can answer. */
    public ServeProcess awaitReady() {
        try {
            ready.get(LocalSluice.WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(
                    instanceId + " does not get ready, " + Health.of(this) + "\n" + String.join("\n", said()), e);
        }
        // What kept it waiting is worth knowing also when it got ready in the end.
        said().stream()
                .filter(line -> line.startsWith("not ready yet"))
                .forEach(line -> System.out.println(instanceId + " was " + line));
        return this;
    }

    /** Stops it as an operator would. */
    public void stop() throws InterruptedException {
        jvm.terminate();
        if (!jvm.said().contains("stopped")) {
            throw new AssertionError(instanceId + " did not stop properly: " + jvm.said());
        }
    }

    /** Ends it as a failing machine would. */
    public void kill() throws InterruptedException {
        jvm.kill();
    }

    public String instanceId() {
        return instanceId;
    }

    /** Where it answers, as the others know it. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    public String url() {
        return "http://" + address();
    }

    /** What it said since it was started last, its log included. */
    public List<String> said() {
        return jvm.said();
    }

    public RunningJvm jvm() {
        return jvm;
    }

    @Override
    public void close() {
        if (jvm != null) {
            jvm.close();
        }
    }
}
