package io.sluice.benchmarks.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A program that runs beside this one, and what it says in a file.
 *
 * <p>Threading: one thread. Invariant: one that was started is stopped by {@link #close}, and before this process ends.
 */
public final class ChildProcess implements AutoCloseable {
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(60);
    private static final long LOOK_EVERY_MS = 20;
    private static final int LINES_SHOWN = 20;

    private final String name;
    private final Process process;
    private final Path log;
    private final Thread atExit;

    private ChildProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.atExit = new Thread(process::destroyForcibly, "end-" + name);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** @param log is written anew */
    public static ChildProcess start(String name, List<String> command, Path log) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.to(log.toFile()))
                    .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            return new ChildProcess(name, process, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    /** Runs a program to its end, which has to be a good one. */
    public static void run(String name, List<String> command, Path log, Duration within) throws InterruptedException {
        try (ChildProcess child = start(name, command, log)) {
            if (!child.process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
                throw child.failed("is not done after " + within.toSeconds() + " s");
            }
            if (child.process.exitValue() != 0) {
                throw child.failed("ended with status " + child.process.exitValue());
            }
        }
    }

    /** The command that runs a main class of this class path in a process of its own, as {@code sluice} runs it. */
    public static List<String> java(List<String> options, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseParallelGC");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(arguments);
        return command;
    }

    public String name() {
        return name;
    }

    /** The program, and below it whatever it started. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Waits until it has said a line. */
    public void awaitLine(String line, Duration within) throws InterruptedException {
        await("say \"" + line + "\"", () -> said().contains(line), within);
    }

    /**
     * Waits until something is so.
     *
     * @param what for people: it does not ...
     */
    public void await(String what, BooleanSupplier isSo, Duration within) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + within.toNanos();
        while (!isSo.getAsBoolean()) {
            if (!process.isAlive()) {
                throw failed("ended with status " + process.exitValue());
            }
            if (System.nanoTime() > deadlineNanos) {
                throw failed("does not " + what + " within " + within.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
        }
    }

    /** All lines that it said so far. */
    public List<String> said() {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private IllegalStateException failed(String how) {
        List<String> said = said();
        return new IllegalStateException(name + " " + how + ". It said last:\n"
                + String.join("\n", said.subList(Math.max(0, said.size() - LINES_SHOWN), said.size())));
    }

    /** Asks it to stop, and ends it if it does not. */
    @Override
    public void close() {
        process.toHandle().destroy();
        try {
            if (!process.waitFor(STOPS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // This process is ending: the hook runs.
        }
    }
}
