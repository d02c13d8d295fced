package io.sluice.service.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flownode.AddressKey;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeRecordCodec;
import io.sluice.service.query.NotReadyException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an instance knows of the addresses of flownodes, and who is told when it knows more. */
class AddressImageTest {
    private static final int PARTITIONS = 4;
    private static final int PARTITION = 1;
    /** The first flownode of the partition, and the second. */
    private static final long ONE = flownodeOf(PARTITION, 0);

    private static final long TWO = flownodeOf(PARTITION, 1);
    private static final long RETENTION_MS = 100_000;
    private static final byte[] GARBAGE = {1, 2, 3};

    private final AddressesLog topic = new AddressesLog();
    private final AtomicLong clockMs = new AtomicLong(1_000_000);
    private final AddressImage image = image(new SingleObject(KnownSchemas.shipped()));
    private long decision;

    @AfterEach
    void close() {
        image.close();
    }

    // ---- what it shows

    @Test
    void nothingIsShownBeforeTheTopicWasRead() {
        assertThatExceptionOfType(NotReadyException.class)
                .isThrownBy(image::now)
                .withMessageContaining("not started")
                .satisfies(e -> assertThat(e.reached()).isNull());
        topic.holdBack(true);
        register(ONE, "a:1");
        image.start();
        await().until(() -> topic.sweeps() == 1);
        assertThatExceptionOfType(NotReadyException.class).isThrownBy(image::now);

        topic.holdBack(false);

        await().until(() -> image.behind().isEmpty());
        assertThat(image.now().find(ONE)).isEqualTo("a:1");
    }

    @Test
    void anEmptyTopicHasNoAddressesAndNoDecisions() {
        started();

        assertThat(image.now().find(ONE)).isNull();
        assertThat(image.now().position(PARTITION)).isEqualTo(at(0));
        assertThat(image.now().partitionOf(ONE)).isEqualTo(PARTITION);
    }

    @Test
    void theLastRecordOfAFlownodeCounts() {
        register(ONE, "a:1");
        started();
        long other = flownodeOf(2, 0);

        register(TWO, "b:1");
        register(ONE, "a:2");
        topic.append(2, AddressKey.of(other), address(other, "c:1"));
        topic.append(2, AddressKey.cursor(), new Cursor(9, 9).encode());

        await().until(() -> "c:1".equals(image.now().find(other)));
        reached(3);
        assertThat(image.now().find(ONE)).isEqualTo("a:2");
        assertThat(image.now().find(TWO)).isEqualTo("b:1");
        assertThat(image.now().position(PARTITION)).isEqualTo(at(3));
        assertThat(image.now().position(2)).isEqualTo(new Position("flownode", 2, 9));
        assertThat(image.now().position(0)).isEqualTo(new Position("flownode", 0, 0));
    }

    @Test
    void aSnapshotDoesNotChange() {
        register(ONE, "a:1");
        started();
        Addresses.Snapshot before = image.now();

        register(ONE, "a:2");
        topic.append(PARTITION, AddressKey.of(ONE), null);
        register(TWO, "b:1");
        reached(3);

        assertThat(before.find(ONE)).isEqualTo("a:1");
        assertThat(before.position(PARTITION)).isEqualTo(at(1));
        assertThat(image.now().find(ONE)).isNull();
    }

    @Test
    void aDecisionIsNotClaimedWithoutItsAddressHoweverTheRecordsArePolled() {
        topic.pollAtMost(1);
        started();
        for (int i = 1; i <= 200; i++) {
            int number = i;
            CompletableFuture<String> seen = image.await(at(i), in(20_000))
                    .thenApply(position -> image.now().find(ONE));
            register(ONE, "a:" + number);
            assertThat(valueOf(seen)).isEqualTo("a:" + number);
        }
    }

    @Test
    void whatCannotBeReadLeavesTheAddressOfBefore() {
        register(ONE, "a:1");
        started();

        topic.append(PARTITION, AddressKey.of(ONE), GARBAGE);
        topic.append(PARTITION, AddressKey.of(ONE), address(TWO, "b:1"));
        topic.append(PARTITION, AddressKey.of(flownodeOf(2, 0)), address(flownodeOf(2, 0), "wrong partition"));
        topic.append(PARTITION, "x".getBytes(StandardCharsets.UTF_8), GARBAGE);
        topic.append(PARTITION, "_else".getBytes(StandardCharsets.UTF_8), GARBAGE);
        topic.append(PARTITION, null, GARBAGE);
        topic.append(PARTITION, AddressKey.cursor(), GARBAGE);
        topic.append(PARTITION, AddressKey.cursor(), null);
        register(TWO, "b:2");
        reached(2);

        assertThat(image.now().find(ONE)).isEqualTo("a:1");
        assertThat(image.now().find(TWO)).isEqualTo("b:2");
        assertThat(image.now().find(flownodeOf(2, 0))).isNull();
    }

    @Test
    void whatCannotBeReadYetIsWaitedFor() {
        AtomicInteger lookUps = new AtomicInteger();
        AddressesLog other = new AddressesLog();
        byte[] unknownSchema = address(ONE, "a:1");
        unknownSchema[2]++;
        other.append(PARTITION, AddressKey.of(ONE), unknownSchema);
        other.append(PARTITION, AddressKey.of(TWO), address(TWO, "b:1"));
        SingleObject away = new SingleObject(new KnownSchemas(fingerprint -> {
            if (lookUps.incrementAndGet() < 3) {
                throw new TimeoutException("schemas are away");
            }
            return Optional.empty();
        }));
        try (AddressImage waiting =
                new AddressImage(other, away, PARTITIONS, () -> Duration.ofMillis(RETENTION_MS), clockMs::get)) {
            waiting.start();
            await().until(() -> waiting.behind().isEmpty());

            assertThat(lookUps).hasValue(3);
            assertThat(waiting.now().find(ONE)).isNull();
            assertThat(waiting.now().find(TWO)).isEqualTo("b:1");
        }
    }

    // ---- reading the topic again

    @Test
    void anAddressWhoseDeleteWasMissedIsGoneAfterALongSilence() {
        register(ONE, "a:1");
        register(TWO, "b:1");
        started();
        topic.append(PARTITION, AddressKey.of(TWO), GARBAGE);
        awaitSweepAfter(() -> {
            topic.clean(PARTITION, 0);
            topic.clean(PARTITION, 2);
        });

        assertThat(image.now().find(ONE)).isNull();
        assertThat(image.now().find(TWO))
                .as("it is registered, nobody can read where")
                .isEqualTo("b:1");
        assertThat(image.now().position(PARTITION)).isEqualTo(at(2));
    }

    @Test
    void aTopicThatLostRecordsTakesNothingAway() {
        register(ONE, "a:1");
        register(TWO, "b:1");
        started();

        awaitSweepAfter(() -> topic.cutOff(PARTITION, 1));

        assertThat(image.now().find(TWO)).isEqualTo("b:1");
        assertThat(image.now().position(PARTITION)).as("never back").isEqualTo(at(2));
    }

    @Test
    void whileTheBrokersAreAwayWhatIsKnownIsShown() {
        register(ONE, "a:1");
        started();
        topic.endsFail(new TimeoutException("away"));

        clockMs.addAndGet(12_000);

        await().until(() -> image.behind().orElse("").contains("no answer from the brokers for 12 s"));
        assertThat(image.now().find(ONE)).isEqualTo("a:1");
    }

    // ---- waiting

    @Test
    void whoWaitsIsToldWhenItsDecisionIsShown() {
        started();
        CompletableFuture<Position> second = image.await(at(2), in(20_000));
        CompletableFuture<Position> settled = image.awaitSettled(PARTITION, 19, in(20_000));
        CompletableFuture<Position> elsewhere = image.await(new Position("flownode", 2, 1), in(20_000));

        register(ONE, "a:1");
        reached(1);
        assertThat(second).isNotDone();
        register(ONE, "a:2");

        assertThat(valueOf(second)).isEqualTo(at(2));
        assertThat(valueOf(settled)).isEqualTo(at(2));
        assertThat(elsewhere).isNotDone();
        assertThat(image.await(at(1), in(20_000))).as("at once").isCompletedWithValue(at(2));
        assertThat(image.awaitSettled(PARTITION, 20, in(-1)))
                .as("late, but there")
                .isCompletedWithValue(at(2));
    }

    @Test
    void aBarrierThatWasPassedSettlesWithoutADecision() {
        register(ONE, "a:1");
        started();
        CompletableFuture<Position> settled = image.awaitSettled(PARTITION, 50, in(20_000));

        topic.append(PARTITION, AddressKey.cursor(), new Cursor(1, 50).encode());

        assertThat(valueOf(settled)).isEqualTo(at(1));
    }

    @Test
    void theFirstSnapshotTellsWhoWaitedForIt() {
        register(ONE, "a:1");
        CompletableFuture<Position> waiting = image.await(at(1), in(20_000));
        CompletableFuture<Position> any = image.await(at(0), in(20_000));
        assertThat(any).as("nothing is shown yet").isNotDone();

        started();

        assertThat(valueOf(waiting)).isEqualTo(at(1));
        assertThat(valueOf(any)).isEqualTo(at(1));
    }

    @Test
    void whoWaitsInVainIsToldWhatWasAskedForAndWhatWasReached() {
        register(ONE, "a:1");
        started();

        NotReadyException decision = notReady(image.await(at(7), in(30)));
        assertThat(decision).hasMessageContaining("flownode:1@1").hasMessageContaining("decision 7");
        assertThat(decision.reached()).isEqualTo(at(1));
        assertThat(notReady(image.await(at(7), in(-1)))).hasMessageContaining("decision 7");
        assertThat(notReady(image.awaitSettled(PARTITION, 99, in(30)))).hasMessageContaining("offset 99");
    }

    @Test
    void whoWaitsInVainForTheFirstSnapshotIsToldSo() {
        assertThat(notReady(image.await(at(0), in(30)))).hasMessageContaining("not started");
    }

    @Test
    void positionsOfOthersAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> image.await(new Position("flow", 1, 1), in(30)));
        assertThatIllegalArgumentException().isThrownBy(() -> image.await(new Position("flownode", 4, 1), in(30)));
        assertThatIllegalArgumentException().isThrownBy(() -> image.awaitSettled(-1, 1, in(30)));
    }

    @Test
    void closingTellsWhoWaitsAndWhoAsksLater() {
        started();
        CompletableFuture<Position> waiting = image.await(at(7), in(20_000));

        image.close();

        assertThat(notReady(waiting)).hasMessageContaining("no more");
        assertThat(notReady(image.await(at(0), in(20_000)).thenApply(position -> position)))
                .hasMessageContaining("no more");
        assertThatExceptionOfType(NotReadyException.class).isThrownBy(image::now);
    }

    private AddressImage image(SingleObject singleObject) {
        return new AddressImage(topic, singleObject, PARTITIONS, () -> Duration.ofMillis(RETENTION_MS), clockMs::get);
    }

    private void started() {
        image.start();
        await().until(() -> image.behind().isEmpty());
    }

    private void awaitSweepAfter(Runnable change) {
        topic.endsFail(new TimeoutException("away"));
        change.run();
        int sweeps = topic.sweeps();
        clockMs.addAndGet(RETENTION_MS);
        await().until(() -> topic.sweeps() > sweeps);
        topic.endsFail(null);
        await().until(() -> image.behind().isEmpty());
    }

    /** As a decision does: address, then cursor; its command has ten times its number as offset. */
    private void register(long flownodeId, String addr) {
        topic.append(PARTITION, AddressKey.of(flownodeId), address(flownodeId, addr));
        decision++;
        topic.append(PARTITION, AddressKey.cursor(), new Cursor(decision, 10 * decision).encode());
    }

    private void reached(long number) {
        assertThat(valueOf(image.await(at(number), in(20_000)))).isEqualTo(at(number));
    }

    private static byte[] address(long flownodeId, String addr) {
        return FlownodeRecordCodec.encode(new FlownodeAddress(flownodeId, addr, 1, "r1"));
    }

    private static Position at(long decision) {
        return new Position("flownode", PARTITION, decision);
    }

    private static long in(long ms) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    }

    private static long flownodeOf(int partition, int number) {
        return LongStream.range(0, 1_000)
                .filter(id -> Partitions.of(U64.text(id), PARTITIONS) == partition)
                .skip(number)
                .findFirst()
                .orElseThrow();
    }

    private static <T> T valueOf(CompletableFuture<T> future) {
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("the future did not end well", e);
        }
    }

    private static NotReadyException notReady(CompletableFuture<?> future) {
        try {
            throw new AssertionError("expected a failure, not " + future.get(20, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(NotReadyException.class);
            return (NotReadyException) e.getCause();
        } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
            throw new AssertionError("the future did not end", e);
        }
    }
}
