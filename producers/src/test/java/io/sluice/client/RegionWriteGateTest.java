package io.sluice.client;

import static io.sluice.client.Futures.failureOf;
import static io.sluice.client.Futures.onItsOwnThread;
import static io.sluice.client.Futures.valueOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.Admission;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RegionStateKey;
import io.sluice.schemas.region.RegionStateRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a data node is answered, over a topic in memory. Time is the test's. */
class RegionWriteGateTest {
    private static final int PARTITIONS = 4;
    private static final int PARTITION = 2;
    private static final long REGION = regionOf(PARTITION, 0);
    private static final long OTHER = regionOf(PARTITION, 1);
    private static final long MAX_MS = 5_000;
    private static final long RETENTION_MS = 1_000_000;
    private static final byte[] GARBAGE = {1, 2, 3};
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final TopicLog topic = new TopicLog();
    private final AtomicLong clockMs = new AtomicLong(1_000_000);
    private final AtomicLong nanos = new AtomicLong();
    private final long[] decisions = new long[PARTITIONS];
    private RegionWriteGate gate;

    @AfterEach
    void close() {
        if (gate != null) {
            gate.close();
        }
    }

    // ---- what a state comes to

    @ParameterizedTest
    @EnumSource(RegionState.class)
    void theAnswerIsThatOfTheState(RegionState state) {
        append(REGION, state, 7);
        startFresh();

        assertThat(gate.admission(REGION))
                .isEqualTo(new RegionAdmission(state.admission(), state.name(), null, 7, 70, 700));
    }

    @Test
    void aRegionThatDoesNotExistIsRejected() {
        startFresh();

        assertThat(gate.admission(REGION)).isEqualTo(RegionAdmission.UNKNOWN);
        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.REJECT);
        assertThat(gate.admission(REGION).state()).isEqualTo("UNKNOWN");
    }

    @Test
    void eachChangeIsAnswered() {
        startFresh();

        for (RegionState state :
                List.of(RegionState.WRITABLE, RegionState.ALTERING, RegionState.WRITABLE, RegionState.READ_ONLY)) {
            append(REGION, state, ++decisions[PARTITION]);
            eventually(REGION, answer -> answer.epoch() == decisions[PARTITION]);
            assertThat(gate.admission(REGION).admission()).isEqualTo(state.admission());
        }
    }

    @Test
    void whatOnlyALaterVersionKnowsIsToldAsItIs() {
        topic.append(
                states(PARTITION),
                RegionStateKey.of(REGION),
                RegionRecordCodec.encode(new RegionStateRecord(REGION, "MERGING", Admission.STALL, 3, 1, 1)));
        topic.append(states(PARTITION), "_later", "anything");
        startFresh();

        assertThat(gate.admission(REGION)).isEqualTo(new RegionAdmission(Admission.STALL, "MERGING", null, 3, 1, 1));
    }

    @Test
    void manyRegionsOfAllPartitionsAreHeld() {
        List<Long> regions = LongStream.range(-1_000, 1_000).boxed().toList();
        regions.forEach(region ->
                append(region, region % 2 == 0 ? RegionState.WRITABLE : RegionState.READ_ONLY, 1 + (region & 0xffff)));
        startFresh();

        assertThat(regions).allSatisfy(region -> {
            RegionAdmission answer = gate.admission(region);
            assertThat(answer.admission()).isEqualTo(region % 2 == 0 ? Admission.ADMIT : Admission.REJECT);
            assertThat(answer.epoch()).isEqualTo(1 + (region & 0xffff));
        });
    }

    // ---- dropped, created, out of order

    @Test
    void aDroppedRegionIsRejectedAndOneCreatedAgainIsAnswered() {
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();
        drop(REGION);
        eventually(REGION, RegionAdmission.UNKNOWN::equals);

        append(REGION, RegionState.WRITABLE, 5);

        eventually(REGION, answer -> answer.admission() == Admission.ADMIT && answer.epoch() == 5);
    }

    @Test
    void aRecordOfAnOlderEpochIsNeverTaken() {
        append(REGION, RegionState.READ_ONLY, 5);
        startFresh();

        append(REGION, RegionState.WRITABLE, 4);
        caughtUp();

        assertThat(gate.admission(REGION)).isEqualTo(answer(RegionState.READ_ONLY, 5));
    }

    @Test
    void aRecordOfAnOlderEpochIsNotTakenAfterTheRegionIsGone() {
        append(REGION, RegionState.WRITABLE, 5);
        startFresh();

        drop(REGION);
        append(REGION, RegionState.WRITABLE, 5);
        caughtUp();

        assertThat(gate.admission(REGION)).isEqualTo(RegionAdmission.UNKNOWN);
    }

    @Test
    void anOlderEpochThatTakesNoWritesEndsTheAdmission() {
        append(REGION, RegionState.WRITABLE, 5);
        append(OTHER, RegionState.WRITABLE, 6);
        startFresh();

        // As after a loss of decisions: the numbers begin again below those known here.
        append(REGION, RegionState.READ_ONLY, 4);
        append(OTHER, RegionState.WRITABLE, 4);
        caughtUp();

        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);
        assertThat(gate.admission(REGION).why()).contains("READ_ONLY as of epoch 4", "WRITABLE as of epoch 5");
        assertThat(gate.admission(OTHER)).isEqualTo(answer(RegionState.WRITABLE, 6));
        append(REGION, RegionState.WRITABLE, 7);
        eventually(REGION, answer(RegionState.WRITABLE, 7)::equals);
    }

    @Test
    void aRecordThatCannotBeReadStallsItsRegionUntilTheNext() {
        append(REGION, RegionState.WRITABLE, 3);
        append(OTHER, RegionState.WRITABLE, 3);
        startFresh();

        topic.append(states(PARTITION), RegionStateKey.of(REGION), GARBAGE);
        eventually(REGION, answer -> answer.admission() == Admission.STALL);

        assertThat(gate.admission(REGION).why()).contains("sluice.region.states-2@3 cannot be read");
        assertThat(gate.admission(REGION).state()).isEqualTo("WRITABLE");
        assertThat(gate.admission(OTHER)).isEqualTo(answer(RegionState.WRITABLE, 3));
        append(REGION, RegionState.WRITABLE, 4);
        eventually(REGION, answer(RegionState.WRITABLE, 4)::equals);
    }

    @Test
    void aRecordOfAnotherRegionThanItsKeyIsAsUnreadable() {
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();

        topic.append(states(PARTITION), RegionStateKey.of(REGION), state(OTHER, RegionState.WRITABLE, 9));

        eventually(REGION, answer -> answer.admission() == Admission.STALL);
        assertThat(gate.admission(REGION).why()).contains("it says it is of region " + U64.text(OTHER));
    }

    @Test
    void whatBelongsToNobodyHereIsSkipped() {
        long elsewhere = regionOf(1, 0);
        topic.append(states(PARTITION), (byte[]) null, GARBAGE);
        topic.append(states(PARTITION), "x", "y");
        topic.append(states(PARTITION), RegionStateKey.of(elsewhere), state(elsewhere, RegionState.WRITABLE, 1));
        topic.append(states(PARTITION), RegionStateKey.heartbeat(), GARBAGE);
        topic.append(states(PARTITION), RegionStateKey.heartbeat(), null);
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();

        assertThat(gate.admission(REGION)).isEqualTo(answer(RegionState.WRITABLE, 3));
        assertThat(gate.admission(elsewhere)).isEqualTo(RegionAdmission.UNKNOWN);
    }

    @Test
    void aSchemaThatCannotBeLookedUpNowIsWaitedFor() {
        AtomicBoolean away = new AtomicBoolean(true);
        AtomicInteger lookUps = new AtomicInteger();
        SingleObject lookingUp = new SingleObject(new KnownSchemas(fingerprint -> {
            lookUps.incrementAndGet();
            if (away.get()) {
                throw new TimeoutException("schemas are away");
            }
            return Optional.empty();
        }));
        byte[] unknownSchema = state(OTHER, RegionState.WRITABLE, 2);
        unknownSchema[2]++;
        topic.append(states(PARTITION), RegionStateKey.of(OTHER), unknownSchema);
        append(REGION, RegionState.WRITABLE, 3);
        start(lookingUp);
        eventually(() -> lookUps.get() > 2);
        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);

        away.set(false);
        caughtUp();
        heartbeats();

        eventually(REGION, answer(RegionState.WRITABLE, 3)::equals);
        assertThat(gate.admission(OTHER).why()).contains("sluice.region.states-2@0 cannot be read");
    }

    // ---- stale

    @Test
    void nothingIsAdmittedOrRejectedBeforeEverythingWasRead() {
        append(REGION, RegionState.WRITABLE, 3);
        topic.pollAtMost(0);
        start();
        eventually(() -> topic.sweeps() == 1);

        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);
        assertThat(gate.admission(OTHER).admission()).isEqualTo(Admission.STALL);
        assertThat(gate.admission(OTHER).why()).startsWith("the states of regions are not known yet: ");

        topic.pollAtMost(Integer.MAX_VALUE);
        caughtUp();
        heartbeats();
        eventually(REGION, answer(RegionState.WRITABLE, 3)::equals);
    }

    @Test
    void nothingIsAdmittedBeforeWhoeverDecidesWasHeardOf() {
        append(REGION, RegionState.WRITABLE, 3);
        start();
        caughtUp();

        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);
        assertThat(gate.admission(REGION).why())
                .isEqualTo("whoever decides partition region:2 has not been heard of yet");
        assertThat(gate.admission(REGION).state()).isEqualTo("WRITABLE");
        assertThat(gate.admission(OTHER).admission()).isEqualTo(Admission.STALL);
    }

    @Test
    void aHeartbeatThatLayThereAtTheStartProvesNothing() {
        append(REGION, RegionState.WRITABLE, 3);
        heartbeats();
        start();
        caughtUp();

        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);
    }

    @Test
    void aRegionThatNobodyDecidesStalls() {
        append(REGION, RegionState.WRITABLE, 3);
        append(OTHER, RegionState.READ_ONLY, 3);
        startFresh();

        passAtTheEnd(MAX_MS + 1_000);

        assertThat(gate.behind()).isEmpty();
        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);
        assertThat(gate.admission(REGION).why()).startsWith("whoever decides partition region:2 was last heard of ");
        assertThat(gate.admission(OTHER).admission()).isEqualTo(Admission.STALL);
    }

    @Test
    void heartbeatsKeepItAdmitting() {
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();

        for (int second = 0; second < 30; second++) {
            passAtTheEnd(1_000);
            heartbeats();
            caughtUp();
            assertThat(gate.admission(REGION)).isEqualTo(answer(RegionState.WRITABLE, 3));
        }
    }

    @Test
    void heartbeatsOfAnotherPartitionDoNotHelp() {
        long elsewhere = regionOf(1, 0);
        append(REGION, RegionState.WRITABLE, 3);
        append(elsewhere, RegionState.WRITABLE, 3);
        startFresh();

        passAtTheEnd(MAX_MS);
        heartbeat(1);
        passAtTheEnd(1_000);

        eventually(elsewhere, answer(RegionState.WRITABLE, 3)::equals);
        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);
    }

    @Test
    void aHeartbeatThatCountsFewerDecisionsProvesNothing() {
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();
        decisions[PARTITION] = 9;
        heartbeats();
        caughtUp();
        passAtTheEnd(MAX_MS);

        decisions[PARTITION] = 8;
        heartbeats();
        passAtTheEnd(1_000);
        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);

        decisions[PARTITION] = 9;
        heartbeats();
        eventually(REGION, answer(RegionState.WRITABLE, 3)::equals);
    }

    @Test
    void aGateThatIsCutOffStallsWithinTheBound() {
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();

        topic.endsFail(new TimeoutException("nobody there"));
        pass(MAX_MS + 1);

        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);
        eventually(REGION, answer -> answer.why().contains("nobody there"));
        assertThat(gate.admission(REGION).why()).startsWith("the states of regions are known as of 5001 ms ago: ");
    }

    @Test
    void heartbeatsWithoutAKnownEndDoNotHelp() {
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();
        topic.pollAtMost(1);
        for (int i = 0; i < 20; i++) {
            heartbeat(PARTITION);
        }

        // Each poll gives one, and takes long: what lies behind them is not known.
        AtomicInteger left = new AtomicInteger(10);
        for (int i = 0; i < 10; i++) {
            topic.beforePoll(() -> {
                pass(1_000);
                left.decrementAndGet();
            });
        }
        eventually(() -> left.get() == 0);

        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);
    }

    @Test
    void aDowngradeBehindABacklogOfHeartbeatsIsNeverAdmitted() {
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();
        topic.endsFail(new TimeoutException("cut off"));
        pass(MAX_MS + 1);
        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);
        for (int i = 0; i < 100; i++) {
            heartbeat(PARTITION);
        }
        append(REGION, RegionState.READ_ONLY, 4);
        AtomicBoolean admitted = new AtomicBoolean();
        topic.pollAtMost(1);
        for (int i = 0; i < 100; i++) {
            topic.beforePoll(
                    () -> admitted.compareAndSet(false, gate.admission(REGION).admission() == Admission.ADMIT));
        }

        topic.endsFail(null);
        caughtUpWith(() -> gate.admission(REGION).epoch() == 4);
        heartbeats();

        eventually(REGION, answer(RegionState.READ_ONLY, 4)::equals);
        assertThat(admitted).isFalse();
    }

    @Test
    void aProcessThatStoodStillAdmitsNothingOnTheStrengthOfABacklog() {
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();
        AtomicReference<RegionAdmission> seen = new AtomicReference<>();
        topic.pollAtMost(50);

        topic.beforePoll(() -> {
            pass(60_000);
            for (int i = 0; i < 60; i++) {
                heartbeat(PARTITION);
            }
            append(REGION, RegionState.READ_ONLY, 4);
        });
        // After the first 50 heartbeats, before the downgrade.
        topic.beforePoll(() -> seen.set(gate.admission(REGION)));
        eventually(() -> gate.admission(REGION).epoch() == 4);

        assertThat(seen.get().admission()).isEqualTo(Admission.STALL);
    }

    @Test
    void lostRecordsStallTheirPartitionForGood() {
        long elsewhere = regionOf(1, 0);
        append(REGION, RegionState.WRITABLE, 3);
        append(elsewhere, RegionState.WRITABLE, 3);
        startFresh();

        topic.cutOff(states(PARTITION), 0);
        eventually(REGION, answer -> answer.admission() == Admission.STALL);
        append(REGION, RegionState.WRITABLE, 3);
        caughtUpWith(() -> topic.sweeps() > 1);
        heartbeats();
        eventually(elsewhere, answer(RegionState.WRITABLE, 3)::equals);

        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);
        assertThat(gate.admission(REGION).why()).startsWith("sluice.region.states-2 lost records: ");
        assertThat(gate.admission(OTHER).admission()).isEqualTo(Admission.STALL);
    }

    // ---- read anew

    @Test
    void afterALongAbsenceWhatIsNotThereAnyMoreIsGone() {
        append(REGION, RegionState.WRITABLE, 3);
        long offset = append(OTHER, RegionState.WRITABLE, 4);
        startFresh();

        topic.clean(states(PARTITION), offset);
        readAnew();

        eventually(REGION, answer(RegionState.WRITABLE, 3)::equals);
        assertThat(gate.admission(OTHER)).isEqualTo(RegionAdmission.UNKNOWN);
        append(OTHER, RegionState.WRITABLE, 4);
        caughtUp();
        assertThat(gate.admission(OTHER)).as("of the epoch that is gone").isEqualTo(RegionAdmission.UNKNOWN);
    }

    @Test
    void readingAnewAnswersFromBeforeUntilItIsDoneAndThenGoesBackToNothingOlder() {
        append(REGION, RegionState.WRITABLE, 3);
        long offset = append(REGION, RegionState.READ_ONLY, 4);
        startFresh();

        topic.clean(states(PARTITION), offset);
        readAnew();

        eventually(REGION, answer(RegionState.READ_ONLY, 4)::equals);
    }

    @Test
    void recordsThatWereSupersededLeaveNoTraceInASweep() {
        append(REGION, RegionState.READ_ONLY, 1);
        append(REGION, RegionState.WRITABLE, 2);
        append(OTHER, RegionState.WRITABLE, 1);
        drop(OTHER);
        append(OTHER, RegionState.WRITABLE, 3);
        startFresh();
        readAnew();

        eventually(REGION, answer(RegionState.WRITABLE, 2)::equals);
        assertThat(gate.admission(OTHER)).isEqualTo(answer(RegionState.WRITABLE, 3));
    }

    @Test
    void aRegionWhoseRecordCannotBeReadAnyMoreIsNotGone() {
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();
        topic.append(states(PARTITION), RegionStateKey.of(REGION), GARBAGE);
        topic.clean(states(PARTITION), 0);
        readAnew();
        heartbeats();

        eventually(OTHER, RegionAdmission.UNKNOWN::equals);
        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);
        assertThat(gate.admission(REGION).epoch()).isEqualTo(3);
    }

    // ---- as of a decision

    @Test
    void aDecisionIsReflectedOnceAHeartbeatCountsIt() {
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();
        RegionAdmission before = gate.admission(REGION, at(8));
        assertThat(before.admission()).isEqualTo(Admission.STALL);
        assertThat(before.why()).isEqualTo("it is known as of region:2@3, asked for was at least 8");
        CompletableFuture<RegionAdmission> waiting = onItsOwnThread(() -> gate.await(REGION, at(8), LONG));

        decisions[PARTITION] = 8;
        heartbeats();

        assertThat(valueOf(waiting)).isEqualTo(answer(RegionState.WRITABLE, 3));
        assertThat(gate.admission(OTHER, at(8))).isEqualTo(RegionAdmission.UNKNOWN);
    }

    @Test
    void theStateThatADecisionMadeReflectsIt() {
        append(REGION, RegionState.ALTERING, 3);
        startFresh();

        append(REGION, RegionState.WRITABLE, 8);

        assertThat(gate.await(REGION, at(8), LONG)).isEqualTo(answer(RegionState.WRITABLE, 8));
        assertThat(gate.admission(OTHER, at(8)).admission())
                .as("another region may still lack it")
                .isEqualTo(Admission.STALL);
    }

    @Test
    void aPositionOfSomethingElseIsRefused() {
        startFresh();
        for (Position wrong : List.of(new Position("flow", PARTITION, 1), new Position("region", 1, 1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> gate.admission(REGION, wrong))
                    .withMessage("position " + wrong + " is not one of region " + U64.text(REGION)
                            + ", which is decided in partition region:2");
        }
    }

    // ---- waiting

    @Test
    void whoWaitsGetsTheFirstAnswerThatIsNoStall() {
        append(REGION, RegionState.ALTERING, 3);
        append(OTHER, RegionState.TRUNCATING, 4);
        startFresh();
        CompletableFuture<RegionAdmission> one = onItsOwnThread(() -> gate.await(REGION, LONG));
        CompletableFuture<RegionAdmission> other = onItsOwnThread(() -> gate.await(OTHER, LONG));

        append(OTHER, RegionState.READ_ONLY, 5);
        assertThat(valueOf(other)).isEqualTo(answer(RegionState.READ_ONLY, 5));
        assertThat(one).isNotDone();

        append(REGION, RegionState.WRITABLE, 6);
        assertThat(valueOf(one)).isEqualTo(answer(RegionState.WRITABLE, 6));
    }

    @Test
    void whoWaitsForADroppedRegionIsRejected() {
        append(REGION, RegionState.EDITING, 3);
        startFresh();
        CompletableFuture<RegionAdmission> waiting = onItsOwnThread(() -> gate.await(REGION, LONG));

        drop(REGION);

        assertThat(valueOf(waiting)).isEqualTo(RegionAdmission.UNKNOWN);
    }

    @Test
    void whoWaitsAtTheStartIsAnsweredOnceItIsFresh() {
        append(REGION, RegionState.WRITABLE, 3);
        start();
        CompletableFuture<RegionAdmission> waiting = onItsOwnThread(() -> gate.await(REGION, LONG));
        caughtUp();

        heartbeats();

        assertThat(valueOf(waiting)).isEqualTo(answer(RegionState.WRITABLE, 3));
    }

    @Test
    void stalenessThatEndsWithoutARecordEndsTheWait() {
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();
        topic.endsFail(new TimeoutException("cut off"));
        pass(3_000);
        clockMs.addAndGet(MAX_MS);
        CompletableFuture<RegionAdmission> waiting = onItsOwnThread(() -> gate.await(REGION, LONG));
        topic.endsFail(null);
        caughtUp();
        assertThat(waiting).isNotDone();

        heartbeats();

        assertThat(valueOf(waiting)).isEqualTo(answer(RegionState.WRITABLE, 3));
    }

    @Test
    void whenTheTimeIsOverTheStallIsTheAnswer() {
        append(REGION, RegionState.ALTERING, 3);
        startFresh();

        assertThat(gate.await(REGION, SHORT)).isEqualTo(answer(RegionState.ALTERING, 3));
        assertThat(gate.await(REGION, Duration.ZERO)).isEqualTo(answer(RegionState.ALTERING, 3));
        assertThat(gate.await(REGION, Duration.ofSeconds(-1))).isEqualTo(answer(RegionState.ALTERING, 3));
    }

    @Test
    void whatIsNoStallIsAnsweredAtOnce() {
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();

        assertThat(gate.await(REGION, Duration.ZERO)).isEqualTo(answer(RegionState.WRITABLE, 3));
        assertThat(gate.await(OTHER, LONG)).isEqualTo(RegionAdmission.UNKNOWN);
    }

    @Test
    void aGateThatIsClosedStallsAndLetsNobodyWait() {
        append(REGION, RegionState.WRITABLE, 3);
        append(OTHER, RegionState.ALTERING, 3);
        startFresh();
        CompletableFuture<RegionAdmission> waiting = onItsOwnThread(() -> gate.await(OTHER, LONG));

        gate.close();

        assertThat(valueOf(waiting).admission()).isEqualTo(Admission.STALL);
        valueOf(gate.ended());
        assertThat(gate.await(REGION, LONG))
                .isEqualTo(new RegionAdmission(
                        Admission.STALL, "WRITABLE", "the states of regions are followed no more: closed", 3, 30, 300));
    }

    @Test
    void aGateThatFailsStalls() {
        append(REGION, RegionState.WRITABLE, 3);
        startFresh();

        topic.beforePoll(() -> {
            throw new InterruptException("stop");
        });

        assertThat(failureOf(gate.ended())).isInstanceOf(InterruptException.class);
        assertThat(gate.admission(REGION).admission()).isEqualTo(Admission.STALL);
    }

    @Test
    void whoIsInterruptedWaitsNoLonger() throws InterruptedException {
        append(REGION, RegionState.ALTERING, 3);
        startFresh();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1);
        Thread waiter = new Thread(() -> {
            begun.countDown();
            try {
                gate.await(REGION, LONG);
                thrown.complete(null);
            } catch (KafkaException e) {
                thrown.complete(e);
            }
        });
        waiter.start();
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();

        waiter.interrupt();

        assertThat(valueOf(thrown)).isInstanceOf(InterruptException.class);
    }

    @Test
    void answersNeverGoBackWhileStatesChange() {
        append(REGION, RegionState.WRITABLE, 1);
        startFresh();
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Long> reader = onItsOwnThread(() -> {
            long epoch = 0;
            while (!done.get()) {
                RegionAdmission answer = gate.admission(REGION);
                assertThat(answer.epoch()).isGreaterThanOrEqualTo(epoch);
                assertThat(answer.admission()).isEqualTo(answer.epoch() % 2 == 1 ? Admission.ADMIT : Admission.REJECT);
                epoch = answer.epoch();
            }
            return epoch;
        });

        for (int epoch = 2; epoch <= 2_000; epoch++) {
            append(REGION, epoch % 2 == 1 ? RegionState.WRITABLE : RegionState.READ_ONLY, epoch);
        }
        eventually(REGION, answer -> answer.epoch() == 2_000);
        done.set(true);

        valueOf(reader);
    }

    // ---- the topic

    private static TopicPartition states(int partition) {
        return new TopicPartition(TopicNames.REGION_STATES, partition);
    }

    private static long regionOf(int partition, int number) {
        return LongStream.iterate(8796093022208L, id -> id + 1)
                .filter(id -> Partitions.of(U64.text(id), PARTITIONS) == partition)
                .skip(number)
                .findFirst()
                .orElseThrow();
    }

    private static byte[] state(long region, RegionState state, long epoch) {
        return RegionRecordCodec.encode(
                new RegionStateRecord(region, state.name(), state.admission(), epoch, 10 * epoch, 100 * epoch));
    }

    private static RegionAdmission answer(RegionState state, long epoch) {
        return new RegionAdmission(state.admission(), state.name(), null, epoch, 10 * epoch, 100 * epoch);
    }

    private static Position at(long decision) {
        return new Position("region", PARTITION, decision);
    }

    private long append(long region, RegionState state, long epoch) {
        return topic.append(
                states(Partitions.of(U64.text(region), PARTITIONS)),
                RegionStateKey.of(region),
                state(region, state, epoch));
    }

    private void drop(long region) {
        topic.append(states(Partitions.of(U64.text(region), PARTITIONS)), RegionStateKey.of(region), null);
    }

    private void heartbeats() {
        IntStream.range(0, PARTITIONS).forEach(this::heartbeat);
    }

    private void heartbeat(int partition) {
        topic.append(
                states(partition),
                RegionStateKey.heartbeat(),
                new Cursor(decisions[partition], decisions[partition]).encode());
    }

    // ---- the gate

    private void start() {
        start(new SingleObject(KnownSchemas.shipped()));
    }

    private void start(SingleObject singleObject) {
        gate = new RegionWriteGate(
                PARTITIONS,
                Duration.ofMillis(MAX_MS),
                topic,
                singleObject,
                null,
                () -> Duration.ofMillis(RETENTION_MS),
                clockMs::get,
                nanos::get);
        gate.start();
    }

    /** Everything was read, and all partitions were heard of. */
    private void startFresh() {
        start();
        caughtUp();
        heartbeats();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            long region = regionOf(partition, 0);
            eventually(region, answer -> answer.why() == null);
        }
    }

    private void pass(long ms) {
        clockMs.addAndGet(ms);
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    /** In steps in which the follower asks for the end. */
    private void passAtTheEnd(long ms) {
        for (long passed = 0; passed < ms; passed += 1_000) {
            int asked = topic.asked();
            pass(1_000);
            eventually(() -> topic.asked() > asked);
        }
    }

    /** The gate has read all that is in the topic now, and knows it: else it would not ask for the second time. */
    private void caughtUp() {
        passAtTheEnd(2_000);
    }

    private void caughtUpWith(BooleanSupplier condition) {
        eventually(condition);
        caughtUp();
    }

    /** Longer away than the follower trusts itself, and then a sweep. */
    private void readAnew() {
        int sweeps = topic.sweeps();
        pass(RETENTION_MS / 2 + 2_000);
        eventually(() -> topic.sweeps() > sweeps);
        caughtUp();
        heartbeats();
    }

    private void eventually(long region, Predicate<RegionAdmission> condition) {
        eventually(() -> condition.test(gate.admission(region)));
    }

    private void eventually(BooleanSupplier condition) {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("deadline, at %s", gate.admission(REGION))
                    .isLessThan(deadlineNanos);
            Thread.onSpinWait();
        }
    }
}
