package io.sluice.service.cluster;

import static io.sluice.service.cluster.Futures.failure;
import static io.sluice.service.cluster.Futures.far;
import static io.sluice.service.cluster.Futures.get;
import static io.sluice.service.cluster.Futures.in;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.service.query.NotReadyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RetryTest {
    private final ExecutorService workers = Executors.newSingleThreadExecutor();
    private final AtomicInteger attempts = new AtomicInteger();

    @AfterEach
    void close() {
        workers.shutdownNow();
    }

    private <T> CompletableFuture<T> until(long deadlineNanos, Supplier<CompletableFuture<T>> attempt) {
        return Retry.until(deadlineNanos, () -> false, workers, () -> {
            attempts.incrementAndGet();
            return attempt.get();
        });
    }

    private NotReadyException notReadyYet() {
        return new NotReadyException("attempt " + attempts.get(), null, null);
    }

    /** What works at this attempt and not before. */
    private Supplier<CompletableFuture<String>> worksAt(int attempt) {
        return () -> attempts.get() < attempt
                ? CompletableFuture.failedFuture(notReadyYet())
                : CompletableFuture.completedFuture("done");
    }

    @Test
    void whatWorksAtOnceIsTriedOnce() {
        assertThat(get(until(far(), worksAt(1)))).isEqualTo("done");
        assertThat(attempts).hasValue(1);
    }

    @Test
    void whatIsNotReadyIsTriedAgainUntilItWorks() {
        assertThat(get(until(far(), worksAt(4)))).isEqualTo("done");
        assertThat(attempts).hasValue(4);
    }

    @Test
    void whatFuturesWrapAroundNotReadyIsNotReadyToo() {
        CompletableFuture<String> result = until(
                far(),
                () -> worksAt(3).get().handle((value, failure) -> {
                    if (failure != null) {
                        throw new CompletionException(new CompletionException(failure));
                    }
                    return value;
                }));

        assertThat(get(result)).isEqualTo("done");
    }

    @Test
    void anyOtherFailureEndsItAtOnce() {
        IllegalStateException bug = new IllegalStateException("bug");

        assertThat(failure(until(far(), () -> CompletableFuture.failedFuture(bug))))
                .isSameAs(bug);
        assertThat(attempts).hasValue(1);
    }

    @Test
    void anyOtherFailureEndsItLaterToo() {
        IllegalStateException bug = new IllegalStateException("bug");

        CompletableFuture<String> result =
                until(far(), () -> CompletableFuture.failedFuture(attempts.get() < 3 ? notReadyYet() : bug));

        assertThat(failure(result)).isSameAs(bug);
        assertThat(attempts).hasValue(3);
    }

    @Test
    void anAttemptThatThrowsCountsLikeOneThatFails() {
        CompletableFuture<String> result = until(far(), () -> {
            if (attempts.get() < 3) {
                throw notReadyYet();
            }
            return CompletableFuture.completedFuture("done");
        });

        assertThat(get(result)).isEqualTo("done");
        assertThat(attempts).hasValue(3);
    }

    @Test
    void anAttemptThatThrowsAnythingElseFailsTheFutureAndNotTheCaller() {
        IllegalStateException bug = new IllegalStateException("bug");

        CompletableFuture<String> result = until(far(), () -> {
            throw bug;
        });

        assertThat(failure(result)).isSameAs(bug);
    }

    @Test
    void afterTheDeadlineItEndsWithTheLastFailure() {
        List<NotReadyException> failures = Collections.synchronizedList(new ArrayList<>());

        Throwable last = failure(until(in(Duration.ofMillis(200)), () -> {
            failures.add(notReadyYet());
            return CompletableFuture.failedFuture(failures.get(failures.size() - 1));
        }));

        assertThat(failures).hasSizeGreaterThan(1);
        assertThat(last).isSameAs(failures.get(failures.size() - 1));
    }

    @Test
    void theFirstAttemptIsMadeEvenAfterTheDeadline() {
        assertThat(get(until(System.nanoTime() - 1, worksAt(1)))).isEqualTo("done");
    }

    @Test
    void noSecondAttemptIsMadeAfterTheDeadline() {
        assertThat(failure(until(System.nanoTime() - 1, worksAt(2)))).hasMessage("attempt 1");
        assertThat(attempts).hasValue(1);
    }

    @Test
    void itEndsWhenTryingAgainHasBecomeHopeless() {
        AtomicBoolean hopeless = new AtomicBoolean();

        CompletableFuture<String> result = Retry.until(far(), hopeless::get, workers, () -> {
            if (attempts.incrementAndGet() == 3) {
                hopeless.set(true);
            }
            return CompletableFuture.failedFuture(notReadyYet());
        });

        assertThat(failure(result)).hasMessage("attempt 3");
    }

    @Test
    void whoAsksIsNotKeptUntilItWorks() {
        AtomicBoolean works = new AtomicBoolean();

        CompletableFuture<String> result = until(
                far(),
                () -> works.get()
                        ? CompletableFuture.completedFuture("done")
                        : CompletableFuture.failedFuture(notReadyYet()));
        await().until(() -> attempts.get() > 2);
        assertThat(result).isNotDone();
        works.set(true);

        assertThat(get(result)).isEqualTo("done");
    }

    @Test
    void theFirstAttemptIsMadeByTheCallerAndTheOthersByWorkers() {
        List<Thread> made = Collections.synchronizedList(new ArrayList<>());

        get(until(far(), () -> {
            made.add(Thread.currentThread());
            return worksAt(3).get();
        }));

        assertThat(made).hasSize(3).startsWith(Thread.currentThread());
        assertThat(made.subList(1, 3)).doesNotContain(Thread.currentThread());
    }

    @Test
    void pausesHoldNoWorker() {
        // One worker, and each of the many would hold it for all its pauses.
        List<CompletableFuture<String>> all = IntStream.range(0, 200)
                .mapToObj(i -> {
                    AtomicInteger own = new AtomicInteger();
                    return Retry.until(
                            far(),
                            () -> false,
                            workers,
                            () -> own.incrementAndGet() < 6
                                    ? CompletableFuture.<String>failedFuture(notReadyYet())
                                    : CompletableFuture.completedFuture("done"));
                })
                .toList();

        assertThat(all).allSatisfy(one -> assertThat(get(one)).isEqualTo("done"));
    }

    @Test
    void workersThatAreGoneEndItInsteadOfLeavingItOpen() {
        workers.shutdownNow();

        assertThat(failure(until(far(), worksAt(2)))).isNotNull();
    }
}
