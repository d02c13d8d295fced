package io.sluice.benchmarks.compare;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/** What the benchmarks run on. Stateless. */
final class Machine {
    private static final double GIB = 1L << 30;

    private Machine() {}

    /** In one line, without its name. */
    static String describe() {
        long memory =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        return String.format(
                Locale.ROOT,
                "%s; %d x %s, %.0f GiB; %s %s; Java %s",
                LocalDate.now(ZoneOffset.UTC),
                Runtime.getRuntime().availableProcessors(),
                processor(),
                memory / GIB,
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("java.version"));
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("processor");
        } catch (IOException e) {
            return "processor";
        }
    }
}
