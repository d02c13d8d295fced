package io.sluice.service.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RegionTurnsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ManualTimer timer = new ManualTimer();
    private final List<String> taken = new ArrayList<>();
    private final Map<Long, Long> next = new HashMap<>();
    private final RegionTurns turns = new RegionTurns(timer, this::take);
    private Runnable meanwhile = () -> {};

    private long take(long regionId) {
        taken.add(regionId + "");
        meanwhile.run();
        return next.getOrDefault(regionId, RegionTurns.NO_MORE);
    }

    private void pass(long nanos) {
        timer.pass(Duration.ofNanos(nanos));
    }

    @Test
    void whoAsksHasATurnInTime() {
        turns.ask(1, SECOND);
        pass(SECOND - 1);
        assertThat(taken).isEmpty();
        pass(1);
        assertThat(taken).containsExactly("1");
        pass(10 * SECOND);
        assertThat(taken).hasSize(1);
    }

    @Test
    void theLoadCountsWhoWaitsAndNotThoseWhoseTimeHasNotCome() {
        turns.ask(1, 0);
        turns.ask(2, 3 * SECOND);
        assertThat(turns.load()).isEqualTo(new WriterLoad(2, 0, 0));

        pass(SECOND);
        assertThat(turns.load()).isEqualTo(new WriterLoad(1, 0, 0));
    }

    @Test
    void theLoadSaysForHowLongATurnDoesNotEnd() {
        List<WriterLoad> seen = new ArrayList<>();
        meanwhile = () -> {
            timer.stall(Duration.ofSeconds(7));
            seen.add(turns.load());
        };
        turns.ask(1, 0);
        pass(0);

        assertThat(seen).containsExactly(new WriterLoad(0, 1, 7 * SECOND));
        assertThat(turns.load()).isEqualTo(new WriterLoad(0, 0, 0));
    }

    @Test
    void theLoadSaysForHowLongATurnIsDue() {
        turns.ask(1, SECOND);
        timer.stall(Duration.ofSeconds(5));

        assertThat(turns.load()).isEqualTo(new WriterLoad(1, 0, 4 * SECOND));
    }

    @Test
    void askingTwiceGivesOneTurnAtTheEarlierTime() {
        turns.ask(1, SECOND);
        turns.ask(1, 1);
        turns.ask(1, 2 * SECOND);
        pass(1);
        assertThat(taken).containsExactly("1");
        pass(10 * SECOND);
        assertThat(taken).hasSize(1);
    }

    @Test
    void aTurnMayWantAnother() {
        next.put(1L, SECOND);
        turns.ask(1, 0);
        pass(3 * SECOND);
        assertThat(taken).hasSize(4);
    }

    @Test
    void whoAsksDuringItsTurnHasOneMoreAtItsTime() {
        meanwhile = () -> {
            meanwhile = () -> {};
            turns.ask(1, 2 * SECOND);
            turns.ask(1, SECOND);
            turns.ask(1, 3 * SECOND);
        };
        turns.ask(1, 0);
        pass(SECOND - 1);
        assertThat(taken).hasSize(1);
        pass(10 * SECOND);
        assertThat(taken).hasSize(2);
    }

    @Test
    void whoOnlyWantsAPlannedTurnDoesNotHurryIt() {
        turns.ask(1, SECOND);
        turns.askUnlessPlanned(1);
        turns.askUnlessPlanned(2);
        timer.run();
        assertThat(taken).containsExactly("2");
    }

    @Test
    void whatIsDroppedHasNoTurn() {
        turns.ask(1, SECOND);
        turns.ask(2, SECOND);
        turns.drop(regionId -> regionId == 1);
        pass(SECOND);
        assertThat(taken).containsExactly("2");
        turns.ask(1, 0);
        timer.run();
        assertThat(taken).containsExactly("2", "1");
    }

    @Test
    void whatIsDroppedInItsTurnHasNoOther() {
        next.put(1L, 0L);
        meanwhile = () -> {
            turns.ask(1, 0);
            turns.drop(regionId -> true);
        };
        turns.ask(1, 0);
        pass(SECOND);
        assertThat(taken).hasSize(1);
    }

    @Test
    void whatIsAskedForAfterADropHasATurn() {
        meanwhile = () -> {
            meanwhile = () -> {};
            turns.drop(regionId -> true);
            turns.ask(1, 0);
        };
        turns.ask(1, 0);
        pass(SECOND);
        assertThat(taken).hasSize(2);
    }

    @Test
    void aTurnThatDiesTakesNoOtherAlong() {
        meanwhile = () -> {
            meanwhile = () -> {};
            throw new AssertionError("a bug");
        };
        turns.ask(1, 0);
        turns.ask(2, 0);
        timer.run();
        turns.askUnlessPlanned(1);
        timer.run();
        assertThat(taken).containsExactly("1", "2", "1");
    }

    @Test
    void ofEachRegionOneAtATimeAndAsManyAsThereAreThreads() throws InterruptedException {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicIntegerArray ofRegion = new AtomicIntegerArray(10);
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger count = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(2_000);
        LongToIntFunction index = regionId -> (int) regionId;
        try (PoolTimer pool = new PoolTimer(3)) {
            RegionTurns all = new RegionTurns(pool, regionId -> {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                if (ofRegion.incrementAndGet(index.applyAsInt(regionId)) > 1) {
                    overlaps.incrementAndGet();
                }
                Thread.yield();
                ofRegion.decrementAndGet(index.applyAsInt(regionId));
                now.decrementAndGet();
                count.incrementAndGet();
                done.countDown();
                return count.get() % 3 == 0 ? RegionTurns.NO_MORE : 0;
            });
            while (done.getCount() > 0) {
                for (int regionId = 0; regionId < 10; regionId++) {
                    all.ask(regionId, 0);
                }
            }
            assertThat(all.close(Duration.ofSeconds(30))).isTrue();
            int atClose = count.get();
            all.ask(1, 0);
            assertThat(now).hasValue(0);
            assertThat(count).hasValue(atClose);
        }
        assertThat(overlaps).hasValue(0);
        assertThat(most.get()).isBetween(1, 3);
    }

    @Test
    void closingWaitsForTheTurnThatRuns() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ending = new CountDownLatch(1);
        AtomicInteger ended = new AtomicInteger();
        try (PoolTimer pool = new PoolTimer(1)) {
            RegionTurns one = new RegionTurns(pool, regionId -> {
                begun.countDown();
                awaitQuietly(ending);
                ended.incrementAndGet();
                return 0;
            });
            one.ask(1, 0);
            one.ask(2, 0);
            begun.await();
            assertThat(one.close(Duration.ofMillis(1)))
                    .as("it hangs, and is not waited for")
                    .isFalse();
            ending.countDown();
            assertThat(one.close(Duration.ofSeconds(30))).isTrue();
            assertThat(ended).hasValue(1);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
