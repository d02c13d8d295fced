package io.sluice.service.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SendLoopTest {
    private static final long STALL_MS = 300;

    @Test
    void anOpenLoopCountsWhatAStallKeptWaiting() throws InterruptedException {
        // 300 of the 400 were due while the first one stood still.
        BenchFigures figures = loopThatStallsOnce().run(0, 400, new Pace(400, 1_000), done -> {});

        assertThat(figures.p50Ms()).as(figures.text()).isGreaterThan(STALL_MS / 4.0);
        assertThat(figures.maxMs()).as(figures.text()).isGreaterThanOrEqualTo(STALL_MS);
        assertThat(figures.count()).isEqualTo(400);
    }

    @Test
    void aClosedLoopCountsAStallOnce() throws InterruptedException {
        BenchFigures figures = loopThatStallsOnce().run(0, 400, Pace.window(1), done -> {});

        assertThat(figures.p95Ms()).as(figures.text()).isLessThan(STALL_MS);
        assertThat(figures.maxMs()).as(figures.text()).isGreaterThanOrEqualTo(STALL_MS);
    }

    @Test
    void anOpenLoopSendsNoFasterThanItsRate() throws InterruptedException {
        long startNanos = System.nanoTime();
        BenchFigures figures = new SendLoop(number -> CompletableFuture.completedFuture(number))
                .run(0, 100, new Pace(100, 1_000), done -> {});

        // The last one is due 99 ms after the start.
        assertThat(System.nanoTime() - startNanos).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(99));
        assertThat(figures.ratePerSecond()).isLessThanOrEqualTo(100 / 0.099);
    }

    @Test
    void aFullWindowKeepsAnOpenLoopWaitingAndTheWaitCounts() throws InterruptedException {
        SendLoop loop = new SendLoop(
                number -> new CompletableFuture<Void>().completeOnTimeout(null, 50, TimeUnit.MILLISECONDS));

        BenchFigures figures = loop.run(0, 4, new Pace(1, 1_000), done -> {});

        assertThat(figures.maxMs())
                .as("the last waited for three others: " + figures.text())
                .isGreaterThan(150);
    }

    @Test
    void countsFailuresAndNamesTheFirst() throws InterruptedException {
        BenchFigures figures = new SendLoop(number -> number < 2
                        ? CompletableFuture.completedFuture(number)
                        : CompletableFuture.failedFuture(new IllegalStateException("number " + number)))
                .run(0, 4, Pace.window(1), done -> {});

        assertThat(figures.errors()).isEqualTo(2);
        assertThat(figures.firstError()).isEqualTo("number 2");
    }

    private static SendLoop loopThatStallsOnce() {
        return new SendLoop(number -> {
            if (number == 0) {
                stall();
            }
            return CompletableFuture.completedFuture(number);
        });
    }

    private static void stall() {
        try {
            TimeUnit.MILLISECONDS.sleep(STALL_MS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
