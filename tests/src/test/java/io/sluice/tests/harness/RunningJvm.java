package io.sluice.tests.harness;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A main class in a process of its own that runs until it is killed or stopped, and every line it says.
 *
 * <p>Threading: one thread of its own reads what it says; everything else is thread-safe.
 */
public final class RunningJvm implements AutoCloseable {
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(90);

    private final Process process;
    // Guarded by this.
    private final List<String> said = new ArrayList<>();
    private final List<Awaited> awaited = new ArrayList<>();
    private boolean ended;

    private record Awaited(Predicate<String> line, CompletableFuture<String> future) {}

    private RunningJvm(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "said-by-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** @param options of the virtual machine, beside what all have */
    public static RunningJvm start(Class<?> main, List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.add("-Xmx512m");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        try {
            return new RunningJvm(
                    new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends with the first such line, or fails when the process ends without it. */
    public CompletableFuture<String> says(Predicate<String> line) {
        CompletableFuture<String> future = new CompletableFuture<>();
        synchronized (this) {
            String before = said.stream().filter(line).findFirst().orElse(null);
            if (before != null) {
                future.complete(before);
            } else if (ended) {
                future.completeExceptionally(endedWithout());
            } else {
                awaited.add(new Awaited(line, future));
            }
        }
        return future;
    }

    public synchronized List<String> said() {
        return List.copyOf(said);
    }

    /** Ends it as a failing machine would, with nothing said or written any more. Fails if it had ended by itself. */
    public void kill() throws InterruptedException {
        if (!process.isAlive()) {
            throw new AssertionError("ended by itself with status " + process.exitValue() + ": " + said());
        }
        process.destroyForcibly();
        awaitEnd();
    }

    /** Asks it to stop, as an operator or a supervisor would, and waits. */
    public void terminate() throws InterruptedException {
        // Process.destroy would also close what it still says.
        process.toHandle().destroy();
        awaitEnd();
    }

    /** Ends its input, and waits for it to stop by that. */
    public void endInput() throws IOException, InterruptedException {
        process.getOutputStream().close();
        awaitEnd();
    }

    /** Stops it in its tracks: it runs no more, and knows nothing of it. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Lets it run on. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        // The shell's own: not every machine has the program.
        int status = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new AssertionError("kill -" + name + " ended with status " + status);
        }
    }

    /** Waits until it ends, and gives its exit status. */
    public int awaitEnd() throws InterruptedException {
        if (!process.waitFor(ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("runs on after " + ENDS_WITHIN + ": " + said());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                heard(line);
            }
        } catch (IOException e) {
            heard(e.toString());
        }
        synchronized (this) {
            ended = true;
            awaited.forEach(one -> one.future().completeExceptionally(endedWithout()));
            awaited.clear();
        }
    }

    private synchronized void heard(String line) {
        said.add(line);
        awaited.removeIf(one -> one.line().test(line) && one.future().complete(line));
    }

    private IllegalStateException endedWithout() {
        return new IllegalStateException("ended: " + String.join("\n", said));
    }
}
