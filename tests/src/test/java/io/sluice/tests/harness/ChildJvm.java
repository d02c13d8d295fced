package io.sluice.tests.harness;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class of the tests in a process of its own, which may die without taking the tests along. Stateless. */
public final class ChildJvm {
    private ChildJvm() {}

    /** How a child ended, and everything it said. */
    public record Ended(int exitStatus, String said) {}

    /** @param directory where a crash leaves its report */
    public static Ended run(Path directory, Class<?> main, Duration within, String... args)
            throws IOException, InterruptedException {
        Path said = directory.resolve(main.getSimpleName() + ".txt");
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xmx512m",
                "-XX:ErrorFile=" + directory.resolve("crash-%p.log"),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("not done within " + within + ": " + Files.readString(said));
            }
            return new Ended(process.exitValue(), Files.readString(said, StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }
}
