package io.sluice.service.cli;

import io.sluice.service.runtime.RestoreProgress;
import io.sluice.service.runtime.RestoreProgress.OfStore;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * Purpose: a progress bar on a terminal for each store that is being restored. Elsewhere it shows nothing: the log tells the same
 * every few seconds.
 *
 * <p>Threading: one thread.
 */
final class RestoreBars implements AutoCloseable {
    private final Supplier<ProgressBarBuilder> builders;
    private final Map<String, ProgressBar> bars = new HashMap<>();

    /** @param builders of the bars; null shows nothing */
    RestoreBars(Supplier<ProgressBarBuilder> builders) {
        this.builders = builders;
    }

    /** On standard error, if that is a terminal. */
    static RestoreBars onTerminal() {
        return new RestoreBars(System.console() == null ? null : ProgressBarBuilder::new);
    }

    void show(RestoreProgress progress) {
        if (builders == null) {
            return;
        }
        for (OfStore store : progress.stores()) {
            ProgressBar bar = bars.get(store.store());
            // A store with nothing to read is complete at once.
            if (bar == null && !store.isDone()) {
                bar = builders.get()
                        .setTaskName("restoring " + store.store())
                        .setInitialMax(store.offsetsTotal())
                        .build();
                bars.put(store.store(), bar);
            }
            if (bar != null) {
                bar.maxHint(store.offsetsTotal());
                bar.stepTo(store.offsetsDone());
                bar.setExtraMessage(" " + store.records() + " records, " + store.recordsPerSecond() + "/s");
                if (store.isDone()) {
                    bars.remove(store.store()).close();
                }
            }
        }
    }

    @Override
    public void close() {
        bars.values().forEach(ProgressBar::close);
        bars.clear();
    }
}
