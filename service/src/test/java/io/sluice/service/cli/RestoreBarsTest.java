package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.runtime.RestoreProgress;
import io.sluice.service.runtime.RestoreProgress.OfStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.junit.jupiter.api.Test;

/** A terminal gets a bar per store, with what was read and how fast. */
class RestoreBarsTest {
    private final List<String> shown = new CopyOnWriteArrayList<>();

    private RestoreBars bars() {
        return new RestoreBars(
                () -> new ProgressBarBuilder().setConsumer(new DelegatingProgressBarConsumer(shown::add, 140)));
    }

    private static RestoreProgress flow(int partitionsDone, long records, long offsetsDone) {
        return new RestoreProgress(
                List.of(new OfStore("flow", 2, partitionsDone, records, offsetsDone, 400, Duration.ofSeconds(2))));
    }

    @Test
    void theLastThatABarShowsIsTheWholeStoreWithRecordsAndRate() {
        try (RestoreBars bars = bars()) {
            bars.show(flow(0, 10, 40));
            bars.show(flow(2, 300, 400));
        }

        assertThat(shown.get(shown.size() - 1)).contains("restoring flow", "100%", "400/400", "300 records, 150/s");
    }

    @Test
    void aStoreThatHasNothingToReadGetsNoBar() {
        try (RestoreBars bars = bars()) {
            bars.show(flow(2, 0, 400));
        }

        assertThat(shown).isEmpty();
    }
}
