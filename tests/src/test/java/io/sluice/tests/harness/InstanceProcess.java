package io.sluice.tests.harness;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** An {@link InstanceMain} that runs, until it is killed or stopped. Used by one thread. */
public final class InstanceProcess implements AutoCloseable {
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);

    private final Process process;
    private final Queue<String> said = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    private InstanceProcess(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "said-by-instance-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Returns when its main method runs: nothing is decided yet. */
    public static InstanceProcess start(String bootstrapServers, Path stateDirectory) {
        List<String> command = List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                InstanceMain.class.getName(),
                bootstrapServers,
                stateDirectory.toString());
        try {
            InstanceProcess started = new InstanceProcess(
                    new ProcessBuilder(command).redirectErrorStream(true).start());
            LocalSluice.within(started.begun);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until every partition can be read in it. */
    public void awaitReady() {
        LocalSluice.within(ready);
    }

    /** Ends it as a failing machine would, with nothing said or written any more. Fails if it had ended by itself. */
    public void kill() throws InterruptedException {
        if (!process.isAlive()) {
            throw new AssertionError("ended by itself with status " + process.exitValue() + ": " + said);
        }
        process.destroyForcibly();
        awaitEnd();
    }

    /** Stops it properly. */
    public void stop() throws IOException, InterruptedException {
        process.getOutputStream().close();
        awaitEnd();
        if (process.exitValue() != 0) {
            throw new AssertionError("stopped with status " + process.exitValue() + ": " + said);
        }
    }

    /** What it said so far, its log included. */
    public List<String> said() {
        return List.copyOf(said);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void awaitEnd() throws InterruptedException {
        if (!process.waitFor(ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("runs on after " + ENDS_WITHIN + ": " + said);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
                if (line.equals(InstanceMain.BEGINS)) {
                    begun.complete(null);
                } else if (line.equals(InstanceMain.READY)) {
                    ready.complete(null);
                }
            }
        } catch (IOException e) {
            said.add(e.toString());
        }
        IllegalStateException ended = new IllegalStateException("ended: " + said);
        begun.completeExceptionally(ended);
        ready.completeExceptionally(ended);
    }
}
