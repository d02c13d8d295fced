package io.sluice.benchmarks.compare;

import io.sluice.benchmarks.rival.Setting;
import io.sluice.service.client.Json;
import io.sluice.service.common.Folders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tests/benchmarks/run}: Sluice beside what its users would otherwise use. Threading: one thread. */
@Command(
        name = "tests/benchmarks/run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Lets Sluice, etcd and PostgreSQL do the same work on this machine, and shows medians and ratios.",
            "What each of them guarantees stands beside the figures. More: docs/performance.md."
        })
public final class CompareCommand implements Callable<Integer> {
    private static final int FAILED = 1;

    @Option(names = "--quick", description = "Only shows that everything runs, in about two minutes.")
    private boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: 3, with --quick 1).")
    private Integer rounds;

    @Option(
            names = "--settings",
            paramLabel = "NAME",
            split = ",",
            description =
                    "What is compared, with commas between (default: all there are, with --quick sluice, sluice-3,"
                            + " etcd, postgres).")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--works",
            paramLabel = "NAME",
            split = ",",
            description = "What is measured, with commas between, or none (default: all).")
    private List<String> works = new ArrayList<>();

    @Option(names = "--no-restore", description = "Leaves out what is restored, which takes the most time and room.")
    private boolean noRestore;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "/var/tmp",
            description =
                    "Where data is kept meanwhile, on the disk that is to be measured (default: ${DEFAULT-VALUE}).")
    private Path data;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            defaultValue = "benchmarks.json",
            description = "Where all figures go (default: ${DEFAULT-VALUE}).")
    private Path json;

    @Option(
            names = "--page",
            paramLabel = "FILE",
            description = "A page whose figures are replaced, such as docs/performance.md (default: none).")
    private Path page;

    @Spec
    private CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new CompareCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter err = spec.commandLine().getErr();
        Size size = quick ? Size.QUICK : Size.FULL;
        if (quick && page != null) {
            throw new ParameterException(
                    spec.commandLine(), "--page and --quick cannot go together: figures of a quick run say nothing");
        }
        Set<Work> wantedWorks = wantedWorks();
        Map<String, String> missing = new TreeMap<>();
        List<Setting> present = new ArrayList<>();
        for (Setting setting : wantedSettings()) {
            setting.missing().ifPresentOrElse(why -> missing.put(setting.label(), why), () -> present.add(setting));
        }
        missing.forEach((label, why) -> err.println("left out: " + label + ", " + why));
        Path folder = Files.createTempDirectory(data.toAbsolutePath(), "sluice-benchmarks-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        Comparison comparison = new Comparison(folder, size, wantedWorks, err);
        try {
            if (!wantedWorks.isEmpty()) {
                comparison.run(present, rounds == null ? size.rounds() : rounds);
            }
            if (!noRestore) {
                comparison.restore(present);
            }
        } finally {
            Folders.delete(folder);
        }
        return show(new Results(
                Machine.describe(),
                size.name().toLowerCase(Locale.ROOT),
                comparison.measured(),
                comparison.restored(),
                missing,
                comparison.failures()));
    }

    private int show(Results results) throws IOException {
        Report report = new Report(results);
        PrintWriter out = spec.commandLine().getOut();
        out.print(report.text());
        out.flush();
        Files.writeString(json, Json.line(report.json()) + "\n");
        if (page != null) {
            Files.writeString(page, FiguresPage.with(Files.readString(page), report.markdown()));
        }
        spec.commandLine().getErr().println("all figures: " + json.toAbsolutePath());
        return report.errors().isEmpty() ? 0 : FAILED;
    }

    private List<Setting> wantedSettings() {
        if (settings.isEmpty()) {
            return quick
                    ? List.of(Setting.SLUICE, Setting.SLUICE_3, Setting.ETCD, Setting.POSTGRES)
                    : List.of(Setting.values());
        }
        return settings.stream()
                .map(label -> Setting.ofLabel(label)
                        .orElseThrow(() -> wrong(
                                "--settings",
                                label,
                                Stream.of(Setting.values()).map(Setting::label).toList())))
                .toList();
    }

    private Set<Work> wantedWorks() {
        if (works.isEmpty()) {
            return EnumSet.allOf(Work.class);
        }
        Set<Work> wanted = EnumSet.noneOf(Work.class);
        for (String label : works) {
            if (!label.equals("none")) {
                wanted.add(Stream.of(Work.values())
                        .filter(work -> work.label().equals(label))
                        .findFirst()
                        .orElseThrow(() -> wrong(
                                "--works",
                                label,
                                Stream.of(Work.values()).map(Work::label).toList())));
            }
        }
        return wanted;
    }

    private ParameterException wrong(String option, String given, List<String> allowed) {
        return new ParameterException(
                spec.commandLine(), option + " " + given + " is not known: allowed are " + String.join(", ", allowed));
    }
}
