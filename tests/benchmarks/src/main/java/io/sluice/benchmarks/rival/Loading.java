package io.sluice.benchmarks.rival;

import io.sluice.service.bench.BenchFigures;
import io.sluice.service.bench.Pace;
import io.sluice.service.bench.SendLoop;

/** Fills a rival with flows, outside of what is measured. Stateless. */
final class Loading {
    private static final int IN_FLIGHT = 200;

    private Loading() {}

    static void load(Rival rival, long flows) throws InterruptedException {
        BenchFigures loaded = new SendLoop(rival::create).run(0, flows, Pace.window(IN_FLIGHT), done -> {});
        if (loaded.errors() > 0) {
            throw new IllegalStateException("the flows could not be loaded: " + loaded.firstError());
        }
    }
}
