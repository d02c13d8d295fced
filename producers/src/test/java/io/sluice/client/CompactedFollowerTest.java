package io.sluice.client;

import static io.sluice.client.Futures.failureOf;
import static io.sluice.client.Futures.valueOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a follower has read everything, when it is no longer sure, and what stops it. Time is the test's. */
class CompactedFollowerTest {
    private static final TopicPartition ONE = new TopicPartition("one", 3);
    private static final TopicPartition TWO = new TopicPartition("two", 3);
    private static final long RETENTION_MS = 100_000;
    private static final long HALF_MS = RETENTION_MS / 2;

    private final TopicLog topic = new TopicLog();
    private final AtomicLong clockMs = new AtomicLong(1_000_000);
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private CompactedFollower follower;

    /** Writes down what it is told. */
    private class Recorder implements CompactedListener {
        @Override
        public void sweepBegins() {
            told.add("sweep begins");
        }

        @Override
        public void record(ConsumerRecord<byte[], byte[]> record) {
            told.add(text(record));
        }

        @Override
        public void sweepCompleted(Map<TopicPartition, Long> positions) {
            told.add("sweep completed " + positions.get(ONE) + "/" + positions.get(TWO));
        }

        @Override
        public void reached(Map<TopicPartition, Long> positions) {
            told.add("reached " + positions.get(ONE) + "/" + positions.get(TWO));
        }

        @Override
        public void recordsLost(TopicPartition partition, long position, String found) {
            told.add("lost " + partition + "@" + position + ": " + found);
        }
    }

    @AfterEach
    void close() {
        if (follower != null) {
            follower.close();
        }
    }

    // ---- sweeps

    @Test
    void anEmptyTopicIsASweepWithoutRecords() {
        start();

        expect("sweep begins", "sweep completed 0/0");
        eventually(() -> follower.behind().isEmpty());
    }

    @Test
    void allThatIsThereIsTheSweepAndWhatComesLaterIsNot() {
        topic.append(ONE, "a", "1");
        topic.append(ONE, "b", null);
        topic.append(TWO, "c", "2");
        start();
        expect("sweep begins", "one@0 a=1", "one@1 b=null", "two@0 c=2", "sweep completed 2/1");

        topic.append(ONE, "d", "3");

        expect("one@2 d=3", "reached 3/1");
    }

    @Test
    void markersAndNothingBehindThemEndASweep() {
        topic.append(ONE, "a", "1");
        topic.appendMarker(ONE);
        topic.appendMarker(TWO);
        start();

        expect("sweep begins", "one@0 a=1", "sweep completed 2/1");
    }

    @Test
    void aMovingEndIsNotChased() {
        topic.pollAtMost(1);
        topic.append(ONE, "a", "1");
        topic.append(ONE, "b", "1");
        for (int i = 0; i < 10; i++) {
            int number = i;
            topic.beforePoll(() -> {
                topic.append(ONE, "more", "" + 2 * number);
                topic.append(ONE, "more", "" + (2 * number + 1));
            });
        }
        start();

        expect("sweep begins", "one@0 a=1", "one@1 b=1", "sweep completed 2/0", "one@2 more=0", "reached 3/0");
    }

    @Test
    void silenceIsNoEndOfASweepThatHasNotReachedItsEnds() throws InterruptedException {
        topic.append(ONE, "a", "1");
        topic.pollAtMost(0);
        start();
        expect("sweep begins");

        CountDownLatch silentPolls = new CountDownLatch(10);
        IntStream.range(0, 10).forEach(poll -> topic.beforePoll(silentPolls::countDown));
        assertThat(silentPolls.await(20, TimeUnit.SECONDS)).isTrue();

        assertThat(told).isEmpty();
        assertThat(follower.behind()).contains("reading, 0 of 1");
        clockMs.addAndGet(12_000);
        assertThat(follower.behind()).contains("reading, 0 of 1, no answer from the brokers for 12 s");
        topic.pollAtMost(1);
        expect("one@0 a=1", "sweep completed 1/0");
    }

    @Test
    void whoWasNotSurelyAtTheEndForHalfTheRetentionReadsAllAgain() {
        topic.append(ONE, "a", "1");
        start();
        expect("sweep begins", "one@0 a=1", "sweep completed 1/0");

        clockMs.addAndGet(HALF_MS - 2_000);
        atRest();
        assertThat(topic.sweeps()).isEqualTo(1);
        clockMs.addAndGet(HALF_MS + 1);

        expect("sweep begins", "one@0 a=1", "sweep completed 1/0");
    }

    @Test
    void beingAtTheEndLaterDoesNotHideAGap() {
        start();
        expect("sweep begins", "sweep completed 0/0");

        // As a process that stood still: the first thing it does afterwards is to read what came meanwhile.
        topic.beforePoll(() -> {
            clockMs.addAndGet(HALF_MS + 1);
            topic.append(ONE, "a", "1");
        });

        expect("one@0 a=1", "reached 1/0", "sweep begins", "one@0 a=1", "sweep completed 1/0");
    }

    @Test
    void aClockThatWasPutBackFarLeavesNobodySure() {
        start();
        expect("sweep begins", "sweep completed 0/0");

        clockMs.addAndGet(-HALF_MS);

        expect("sweep begins", "sweep completed 0/0");
    }

    @Test
    void steadyWritesAreNoReasonToReadAllAgain() {
        start();
        expect("sweep begins", "sweep completed 0/0");
        topic.pollAtMost(1);
        // Never at the moving end, but always soon at the one that was asked for.
        topic.append(ONE, "k", "v");
        topic.append(ONE, "k", "v");
        for (int i = 0; i < 100; i++) {
            topic.beforePoll(() -> {
                clockMs.addAndGet(HALF_MS / 10);
                topic.append(ONE, "k", "v");
            });
        }

        eventually(() -> told.contains("reached 102/0"));

        assertThat(topic.sweeps()).isEqualTo(1);
    }

    @Test
    void aSweepThatTookTooLongIsNotTrustedAndMadeAgain() {
        topic.append(ONE, "a", "1");
        topic.beforePoll(() -> clockMs.addAndGet(HALF_MS + 1));
        start();

        expect("sweep begins", "one@0 a=1", "sweep begins", "one@0 a=1", "sweep completed 1/0");
    }

    @Test
    void aSweepIsVoidWhenTheBrokersStayAwayTooLong() {
        topic.pollAtMost(1);
        topic.append(ONE, "a", "1");
        topic.append(ONE, "b", "1");
        topic.beforePoll(() -> {});
        topic.beforePoll(() -> {
            topic.pollsFail(new TimeoutException("away"));
            clockMs.addAndGet(HALF_MS + 1);
        });
        start();
        expect("sweep begins", "one@0 a=1", "sweep begins");

        topic.pollsFail(null);

        expect("one@0 a=1", "one@1 b=1", "sweep completed 2/0");
    }

    // ---- what is known of the ends

    /** Writes down, too, what the brokers said and what was read of it. */
    private final class EndsRecorder extends Recorder {
        @Override
        public void endsKnown(long askedMs, Map<TopicPartition, Long> ends) {
            told.add("asked " + askedMs + ": " + ends.get(ONE) + "/" + ends.get(TWO));
        }

        @Override
        public void allRead(long askedMs) {
            told.add("all read " + askedMs);
        }
    }

    @Test
    void theEndsAreToldBeforeWhatIsReadOfThem() {
        topic.append(ONE, "a", "1");
        start(new EndsRecorder());
        expect("sweep begins", "asked 1000000: 1/0", "one@0 a=1", "sweep completed 1/0", "all read 1000000");
        expect("asked 1000000: 1/0", "all read 1000000");

        clockMs.addAndGet(1_000);

        expect("asked 1001000: 1/0", "all read 1001000");
    }

    @Test
    void allIsReadOnceTheEndsOfThenAreReachedAndNotBefore() {
        start(new EndsRecorder());
        expect("sweep begins", "asked 1000000: 0/0", "sweep completed 0/0", "all read 1000000");
        expect("asked 1000000: 0/0", "all read 1000000");
        topic.pollAtMost(1);
        topic.beforePoll(() -> {
            topic.append(ONE, "a", "1");
            topic.append(ONE, "b", "1");
            clockMs.addAndGet(1_000);
        });

        expect("one@0 a=1", "reached 1/0", "asked 1001000: 2/0", "one@1 b=1", "reached 2/0", "all read 1001000");
    }

    @Test
    void brokersThatDoNotAnswerMakeNothingKnown() {
        start(new EndsRecorder());
        expect("sweep begins", "asked 1000000: 0/0", "sweep completed 0/0", "all read 1000000");
        expect("asked 1000000: 0/0", "all read 1000000");
        int asked = topic.asked();
        topic.endsFail(new TimeoutException("nobody there"));
        clockMs.addAndGet(1_000);
        eventually(() -> topic.asked() > asked);
        topic.endsFail(null);
        clockMs.addAndGet(1_000);

        expect("asked 1002000: 0/0", "all read 1002000");
    }

    // ---- failures

    @Test
    void brokersThatAreAwayAreWaitedForAndTheFollowerSaysSo() {
        start();
        expect("sweep begins", "sweep completed 0/0");
        topic.endsFail(new TimeoutException("nobody there"));

        clockMs.addAndGet(12_000);

        eventually(() -> follower.behind()
                .orElse("")
                .matches("no answer from the brokers for 12 s: .*TimeoutException: nobody there"));
        topic.append(ONE, "a", "1");
        topic.endsFail(null);
        expect("one@0 a=1", "reached 1/0");
        clockMs.addAndGet(1_000);
        eventually(() -> follower.behind().isEmpty());
        assertThat(topic.sweeps()).isEqualTo(1);
    }

    @Test
    void brokersThatAreAwayTooLongAreReadFromTheBeginning() {
        start();
        expect("sweep begins", "sweep completed 0/0");
        topic.endsFail(new TimeoutException("nobody there"));

        clockMs.addAndGet(HALF_MS + 1);
        eventually(() -> topic.sweeps() > 2);
        assertThat(told).isEmpty();
        topic.endsFail(null);

        expect("sweep begins", "sweep completed 0/0");
    }

    @Test
    void whoMayNotReadAsksAgain() {
        topic.pollsFail(new TopicAuthorizationException("one"));
        topic.append(ONE, "a", "1");
        start();
        expect("sweep begins");

        topic.pollsFail(null);

        expect("one@0 a=1", "sweep completed 1/0");
    }

    @Test
    void retentionThatCannotBeAskedForYetIsAskedForAgain() {
        AtomicInteger asked = new AtomicInteger();

        start(new Recorder(), Map.of(), () -> {
            if (asked.incrementAndGet() < 3) {
                throw new TimeoutException("not now");
            }
            return Duration.ofMillis(RETENTION_MS);
        });

        expect("sweep begins", "sweep completed 0/0");
        assertThat(asked).hasValue(3);
    }

    @Test
    void aRecordThatCannotBeUnderstoodYetIsHandedOverAgainAndNothingBehindItBefore() {
        AtomicInteger attempts = new AtomicInteger();
        start(new Recorder() {
            @Override
            public void record(ConsumerRecord<byte[], byte[]> record) {
                if (record.offset() == 1 && attempts.incrementAndGet() < 3) {
                    TryAgainException.orTryAgain(() -> {
                        throw new TimeoutException("schemas are away");
                    });
                }
                super.record(record);
            }
        });
        expect("sweep begins", "sweep completed 0/0");

        topic.beforePoll(() -> IntStream.range(0, 3).forEach(i -> topic.append(ONE, "k" + i, "v")));

        expect("one@0 k0=v", "one@1 k1=v", "one@2 k2=v");
        assertThat(attempts).hasValue(3);
    }

    @Test
    void aListenerThatThrowsEndsTheFollowerAndNothingIsPassedOver() {
        IllegalStateException failure = new IllegalStateException("cannot run that");
        topic.append(ONE, "a", "1");
        topic.append(ONE, "b", "1");
        start(new Recorder() {
            @Override
            public void record(ConsumerRecord<byte[], byte[]> record) {
                super.record(record);
                throw failure;
            }
        });

        assertThat(failureOf(follower.ended())).isSameAs(failure);
        assertThat(told).containsExactly("sweep begins", "one@0 a=1");
        assertThat(follower.behind()).hasValueSatisfying(why -> assertThat(why).contains("cannot run that"));
        assertThat(topic.isClosed()).isTrue();
    }

    @Test
    void whatAListenerThrowsIsNotTakenForAFailureOfTheBrokers() {
        start(new Recorder() {
            @Override
            public void sweepCompleted(Map<TopicPartition, Long> positions) {
                throw new KafkaException("the listener's own producer");
            }
        });

        assertThat(failureOf(follower.ended())).hasMessage("the listener's own producer");
    }

    @Test
    void anErrorEndsTheFollowerToo() {
        start(new Recorder() {
            @Override
            public void sweepBegins() {
                throw new StackOverflowError();
            }
        });

        assertThat(failureOf(follower.ended())).isInstanceOf(StackOverflowError.class);
    }

    @Test
    void whoIsInterruptedEnds() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        topic.pollsFail(new KafkaException("so that it pauses"));
        start(new Recorder() {
            @Override
            public void sweepBegins() {
                thread.complete(Thread.currentThread());
            }
        });

        valueOf(thread).interrupt();

        assertThat(failureOf(follower.ended())).isInstanceOf(InterruptException.class);
        Thread.interrupted(); // InterruptException sets the flag of whoever makes one
    }

    // ---- lost records

    @Test
    void aPartitionThatEndsBeforeWhereItWasReadHasLostRecords() {
        topic.append(ONE, "a", "1");

        start(new Recorder(), Map.of(ONE, 5L), () -> Duration.ofMillis(RETENTION_MS));

        expect("lost one-3@5: it ends at 1", "sweep begins", "one@0 a=1", "sweep completed 1/0");
    }

    @Test
    void aPartitionThatIsCutOffWhileItIsFollowedHasLostRecords() {
        topic.append(ONE, "a", "1");
        topic.append(ONE, "b", "1");
        start();
        expect("sweep begins", "one@0 a=1", "one@1 b=1", "sweep completed 2/0");

        topic.cutOff(ONE, 1);

        assertThat(next()).startsWith("lost one-3@2: ");
        eventually(() -> told.contains("sweep completed 1/0"));
    }

    @Test
    void aPartitionThatWasCutOffAndWrittenAnewHasLostRecords() {
        start();
        expect("sweep begins", "sweep completed 0/0");

        topic.beforePoll(() -> {
            throw new LogTruncationException(Map.of(ONE, 7L), Map.of());
        });

        expect("lost one-3@7: it was cut off and written anew before that", "sweep begins", "sweep completed 0/0");
    }

    // ---- closing

    @Test
    void closingEndsItNormally() {
        start();
        expect("sweep begins", "sweep completed 0/0");

        follower.close();

        assertThat(follower.ended()).isCompleted();
        assertThat(follower.behind()).contains("closed");
        assertThat(topic.isClosed()).isTrue();
    }

    @Test
    void aListenerMayClose() {
        start(new Recorder() {
            @Override
            public void sweepCompleted(Map<TopicPartition, Long> positions) {
                follower.close();
            }
        });

        valueOf(follower.ended());
        assertThat(topic.isClosed()).isTrue();
    }

    @Test
    void whatWasNeverStartedCanBeClosed() {
        follower = newFollower(new Recorder(), Map.of(), () -> Duration.ofMillis(RETENTION_MS));
        assertThat(follower.behind()).contains("not started");

        follower.close();
        follower.start();

        assertThat(follower.ended()).isCompleted();
        assertThat(topic.isClosed()).isTrue();
    }

    @Test
    void recordsAreNoPartOfABatchThatWasClosedInto() {
        IntStream.range(0, 10).forEach(i -> topic.append(ONE, "k" + i, "v"));
        start(new Recorder() {
            @Override
            public void record(ConsumerRecord<byte[], byte[]> record) {
                super.record(record);
                if (record.offset() == 4) {
                    follower.close();
                }
            }
        });

        valueOf(follower.ended());
        assertThat(told).endsWith("one@4 k4=v");
    }

    private void start() {
        start(new Recorder());
    }

    private void start(CompactedListener listener) {
        start(listener, Map.of(), () -> Duration.ofMillis(RETENTION_MS));
    }

    private void start(CompactedListener listener, Map<TopicPartition, Long> reached, Supplier<Duration> retention) {
        follower = newFollower(listener, reached, retention);
        follower.start();
    }

    private CompactedFollower newFollower(
            CompactedListener listener, Map<TopicPartition, Long> reached, Supplier<Duration> retention) {
        return new CompactedFollower(
                "follower-test",
                topic,
                new CompactedFollower.Source(List.of(ONE, TWO), reached, retention),
                clockMs::get,
                listener);
    }

    /** Returns when the follower asked for the ends twice more, and so has dealt with what was there. */
    private void atRest() {
        for (int i = 0; i < 2; i++) {
            int asked = topic.asked();
            clockMs.addAndGet(1_000);
            eventually(() -> topic.asked() > asked);
        }
    }

    private void expect(String... events) {
        for (String event : events) {
            assertThat(next()).isEqualTo(event);
        }
    }

    private String next() {
        try {
            String next = told.poll(20, TimeUnit.SECONDS);
            assertThat(next).as("nothing was told: %s", follower.behind()).isNotNull();
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void eventually(BooleanSupplier condition) {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadlineNanos);
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    private static String text(ConsumerRecord<byte[], byte[]> record) {
        return record.topic() + "@" + record.offset() + " " + text(record.key()) + "=" + text(record.value());
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "null" : new String(bytes, StandardCharsets.UTF_8);
    }
}
