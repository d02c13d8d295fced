package io.sluice.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.Test;

/** Being sure of what one decides: only for a session timeout after a heartbeat that was answered (docs/kafka.md, K-22). */
class GroupLeaseTest {
    private final Map<MetricName, Metric> metrics = new HashMap<>();
    private final Map<String, Long> lastSentMs = new HashMap<>();
    private long nowMs = 1_000_000;
    private final GroupLease lease =
            new GroupLease(() -> metrics, Duration.ofSeconds(10), () -> TimeUnit.MILLISECONDS.toNanos(nowMs));

    /** The coordinator's metric of a consumer, as Kafka computes it: whole seconds since the last heartbeat was sent. */
    private void givenConsumer(String id) {
        MetricName name = new MetricName(
                "last-heartbeat-seconds-ago", "consumer-coordinator-metrics", "", Map.of("client-id", id));
        metrics.put(name, new Metric() {
            @Override
            public MetricName metricName() {
                return name;
            }

            @Override
            public Object metricValue() {
                Long sentMs = lastSentMs.get(id);
                return sentMs == null ? -1.0 : (double) ((nowMs - sentMs) / 1_000);
            }
        });
    }

    private void pass(long ms) {
        for (long passed = 0; passed < ms; passed += 100) {
            nowMs += 100;
            lease.look();
        }
    }

    /** Heartbeats every second, each answered before the next. */
    private void passWithHeartbeats(long ms, String... consumers) {
        for (long passed = 0; passed < ms; passed += 100) {
            nowMs += 100;
            if (passed % 1_000 == 0) {
                for (String consumer : consumers) {
                    lastSentMs.put(consumer, nowMs);
                }
            }
            lease.look();
        }
    }

    @Test
    void whoHasNotJoinedHoldsNothing() {
        givenConsumer("a");
        pass(1_000);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void joiningIsEnoughForAWhile() {
        lease.joined();
        assertThat(lease.isHeld()).isTrue();
        pass(9_000);
        assertThat(lease.isHeld()).isTrue();
        pass(1_000);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void heartbeatsKeepItForEver() {
        givenConsumer("a");
        lease.joined();
        for (int i = 0; i < 100; i++) {
            passWithHeartbeats(1_000, "a");
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void itEndsBeforeTheSessionDoesWhenHeartbeatsStop() {
        givenConsumer("a");
        lease.joined();
        passWithHeartbeats(30_000, "a");
        long lastSent = lastSentMs.get("a");
        // The last one may never have arrived: the one before may have begun the session that ends.
        long sessionMayEndMs = lastSent - 1_000 + 10_000;
        pass(5_000);
        assertThat(lease.isHeld()).isTrue();
        while (nowMs < sessionMayEndMs) {
            pass(100);
        }
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void whoWakesUpAfterALongPauseHoldsNothingAlsoOnceItHasSentAHeartbeat() {
        givenConsumer("a");
        lease.joined();
        passWithHeartbeats(30_000, "a");
        nowMs += 20_000;
        assertThat(lease.isHeld()).as("before anything looked").isFalse();
        lease.look();
        assertThat(lease.isHeld()).isFalse();
        lastSentMs.put("a", nowMs);
        pass(900);
        assertThat(lease.isHeld())
                .as("sent, and nobody knows what the answer is")
                .isFalse();
        passWithHeartbeats(3_000, "a");
        assertThat(lease.isHeld()).as("answered").isTrue();
    }

    @Test
    void everyConsumerHasToBeHeard() {
        givenConsumer("a");
        givenConsumer("b");
        lease.joined();
        passWithHeartbeats(30_000, "a", "b");
        assertThat(lease.isHeld()).isTrue();
        passWithHeartbeats(10_000, "a");
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aConsumerThatHasSentNothingYetIsNotWaitedFor() {
        givenConsumer("a");
        givenConsumer("new");
        lease.joined();
        passWithHeartbeats(30_000, "a");
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void joiningAgainEndsTheDoubt() {
        givenConsumer("a");
        lease.joined();
        passWithHeartbeats(5_000, "a");
        pass(20_000);
        assertThat(lease.isHeld()).isFalse();
        lease.joined();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void aLookThatFailsIsFollowedByOthers() {
        AtomicInteger looks = new AtomicInteger();
        try (GroupLease failing = GroupLease.of(
                () -> {
                    looks.incrementAndGet();
                    throw new ConcurrentModificationException("threads are changing");
                },
                Duration.ofSeconds(10))) {
            failing.start();
            await().until(() -> looks.get() >= 3);
        }
    }

    @Test
    void otherMetricsDoNotMatter() {
        MetricName other = new MetricName("last-heartbeat-seconds-ago", "another-group", "", Map.of());
        metrics.put(other, new Metric() {
            @Override
            public MetricName metricName() {
                return other;
            }

            @Override
            public Object metricValue() {
                return "text";
            }
        });
        lease.joined();
        pass(9_000);
        assertThat(lease.isHeld()).isTrue();
    }
}
