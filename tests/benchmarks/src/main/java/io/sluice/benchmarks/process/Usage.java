package io.sluice.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a program and those it started have used. Immutable.
 *
 * @param cpuSeconds since it was started, those that have ended included
 * @param memoryBytes what it holds now; of what several share (the buffers of PostgreSQL), each has its part
 */
public record Usage(double cpuSeconds, long memoryBytes) {
    public static final Usage NONE = new Usage(0, 0);

    /** Linux counts times in these, whatever the machine. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int FIRST_TIME = 13;
    private static final int TIMES = 4;

    /** Of a process and all below it; what has ended meanwhile counts as nothing. */
    public static Usage of(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants())
                .map(one -> ofOne(Path.of("/proc", Long.toString(one.pid()))))
                .reduce(NONE, Usage::plus);
    }

    /** Of each of several programs now, by name. */
    public static Map<String, Usage> ofEach(List<ChildProcess> processes) {
        Map<String, Usage> now = new HashMap<>();
        processes.forEach(process -> now.put(process.name(), of(process.handle())));
        return now;
    }

    public Usage plus(Usage other) {
        return new Usage(cpuSeconds + other.cpuSeconds, memoryBytes + other.memoryBytes);
    }

    /** What was used since, and what is held now. */
    public Usage since(Usage before) {
        return new Usage(cpuSeconds - before.cpuSeconds, memoryBytes);
    }

    private static Usage ofOne(Path proc) {
        try {
            double cpuSeconds = cpuSeconds(Files.readString(proc.resolve("stat")));
            return new Usage(cpuSeconds, memoryBytes(Files.readString(proc.resolve("smaps_rollup"))));
        } catch (IOException e) {
            return NONE;
        }
    }

    /** @param stat what {@code /proc/PID/stat} says */
    static double cpuSeconds(String stat) {
        // The name of the program is in parentheses, and may have anything in it.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = 0;
        // Its own times in user and system, and those of children that have ended.
        for (int i = 0; i < TIMES; i++) {
            ticks += Long.parseLong(fields[FIRST_TIME - 2 + i]);
        }
        return ticks / TICKS_PER_SECOND;
    }

    /** @param rollup what {@code /proc/PID/smaps_rollup} says */
    static long memoryBytes(String rollup) {
        return rollup.lines()
                .filter(line -> line.startsWith("Pss:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .sum();
    }
}
