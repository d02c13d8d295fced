package io.sluice.benchmarks.compare;

import io.sluice.benchmarks.process.Usage;
import io.sluice.benchmarks.rival.Restored;
import io.sluice.benchmarks.rival.Rival;
import io.sluice.benchmarks.rival.Setting;
import io.sluice.service.bench.BenchFigures;
import io.sluice.service.bench.BenchFlows;
import io.sluice.service.bench.Pace;
import io.sluice.service.bench.RouteFigures;
import io.sluice.service.bench.SeenLoop;
import io.sluice.service.bench.SendLoop;
import io.sluice.service.common.Folders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * Lets one setting after the other do the same work, round after round: each is started empty, warmed, measured and stopped before the
 * next one starts, and each round begins with another one, so that what changes on the machine meanwhile meets all of them.
 *
 * <p>Threading: one thread.
 */
final class Comparison {
    private static final int WARMUP_IN_FLIGHT = 64;

    private final Path folder;
    private final Size size;
    private final Set<Work> works;
    private final PrintWriter progress;
    private final List<Measured> measured = new ArrayList<>();
    private final Map<String, Restored> restored = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();

    /** Something that may fail without keeping the others from being measured. */
    @FunctionalInterface
    private interface Attempt {
        void with(Rival rival) throws Exception;
    }

    /** @param folder for data, on the disk that is to be measured */
    Comparison(Path folder, Size size, Set<Work> works, PrintWriter progress) {
        this.folder = folder;
        this.size = size;
        this.works = works;
        this.progress = progress;
    }

    List<Measured> measured() {
        return List.copyOf(measured);
    }

    Map<String, Restored> restored() {
        return Map.copyOf(restored);
    }

    /** What could not be measured, and why. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    void run(List<Setting> settings, int rounds) throws InterruptedException {
        for (int round = 1; round <= rounds; round++) {
            List<Setting> turn = new ArrayList<>(settings);
            Collections.rotate(turn, 1 - round);
            for (Setting setting : turn) {
                int number = round;
                attempt("round " + round + " of " + rounds + ": " + setting.label(), setting, rival -> {
                    rival.start();
                    new Round(setting, rival, number).run();
                });
            }
        }
    }

    void restore(List<Setting> settings) throws InterruptedException {
        for (Setting setting : settings) {
            if (setting.isRestored()) {
                long flows = size.restored(setting == Setting.SLUICE);
                attempt(
                        "restore " + flows + " flows: " + setting.label(),
                        setting,
                        rival -> restored.put(setting.label(), rival.restore(flows)));
            }
        }
    }

    private void attempt(String what, Setting setting, Attempt attempt) throws InterruptedException {
        tell(what);
        try (Data data = Data.below(folder);
                Rival rival = setting.rival(data.path())) {
            attempt.with(rival);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            failures.add(what + ": " + e.getMessage());
            tell("  failed: " + e.getMessage());
        }
    }

    private void tell(String line) {
        progress.println(line);
        progress.flush();
    }

    /** A folder that others may look into, since PostgreSQL runs as another user; deleted when it is closed. */
    private record Data(Path path) implements AutoCloseable {
        static Data below(Path folder) throws IOException {
            Path path = Files.createTempDirectory(folder, "run-");
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
            return new Data(path);
        }

        @Override
        public void close() throws IOException {
            Folders.delete(path);
        }
    }

    /** What one rival does in one round. One thread. */
    private final class Round {
        private final Setting setting;
        private final Rival rival;
        private final int round;
        private long created;
        private long moved;
        private long flushed;

        Round(Setting setting, Rival rival, int round) {
            this.setting = setting;
            this.rival = rival;
            this.round = round;
        }

        void run() throws Exception {
            for (Work work : Work.values()) {
                if (works.contains(work)) {
                    measure(work);
                } else if (work == Work.CREATE_2000) {
                    // What is looked up and replaced has to be there.
                    send(Work.CREATE_2000, size.count(work), Pace.window(WARMUP_IN_FLIGHT));
                }
            }
        }

        private void measure(Work work) throws Exception {
            tell("  " + work.title());
            if (work.kind() == Work.Kind.WATCH) {
                watch(work);
                return;
            }
            if (work.kind() == Work.Kind.FLUSH) {
                rival.createRegions(size.regions());
            }
            if (size.warmup(work) > 0) {
                send(work, size.warmup(work), Pace.window(Math.min(window(work), WARMUP_IN_FLIGHT)));
            }
            Map<String, Usage> before = Usage.ofEach(rival.processes());
            BenchFigures figures = send(work, size.count(work), Pace.window(window(work)));
            add(work, figures, null, before);
        }

        /** Warm-ups keep more in flight than one, which would take long; regions have one each. */
        private int window(Work work) {
            return work.kind() == Work.Kind.FLUSH ? size.regions() : work.inFlight();
        }

        private BenchFigures send(Work work, long count, Pace pace) throws InterruptedException {
            return new SendLoop(sender(work)).run(0, count, pace, done -> {});
        }

        /** Numbers go on where the former ones of the kind ended, and round the flows that there are. */
        private LongFunction<CompletableFuture<?>> sender(Work work) {
            return switch (work.kind()) {
                case CREATE, WATCH -> number -> rival.create(created++);
                case MOVE -> {
                    long flows = created;
                    yield number -> {
                        long next = moved++;
                        return rival.move(next % flows, 1 + next / flows);
                    };
                }
                case LOOK_UP -> {
                    long flows = created;
                    yield number -> rival.lookUp(work.lookUp(), number % flows);
                }
                case FLUSH -> number -> rival.flush(flushed++);
            };
        }

        private void watch(Work work) throws Exception {
            SeenLoop loop = new SeenLoop(rival::create, BenchFlows.PARTITIONS);
            AutoCloseable followed = rival.follow(loop::seen);
            try (followed) {
                long warmup = size.count(work) / 2;
                loop.run(created, warmup, Pace.window(1), done -> {});
                created += warmup;
                Map<String, Usage> before = Usage.ofEach(rival.processes());
                RouteFigures figures = loop.run(created, size.count(work), Pace.window(1), done -> {});
                created += size.count(work);
                add(work, figures.toTold(), figures, before);
            }
        }

        private void add(Work work, BenchFigures figures, RouteFigures seen, Map<String, Usage> before) {
            Map<String, Usage> used = new HashMap<>();
            Usage.ofEach(rival.processes())
                    .forEach((process, now) -> used.put(process, now.since(before.getOrDefault(process, Usage.NONE))));
            measured.add(new Measured(
                    setting.label(),
                    work.label(),
                    round,
                    figures.count(),
                    figures.ratePerSecond(),
                    figures.p50Ms(),
                    figures.p95Ms(),
                    figures.p99Ms(),
                    figures.maxMs(),
                    figures.errors(),
                    figures.firstError(),
                    seen == null ? null : seen.afterAckP50Ms(),
                    seen == null ? null : seen.afterAckP95Ms(),
                    used));
            if (figures.errors() > 0) {
                tell("    " + figures.errors() + " errors, the first: " + figures.firstError());
            }
        }
    }
}
