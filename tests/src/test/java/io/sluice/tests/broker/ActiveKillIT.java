package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.ClientSettings;
import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.TopicNames;
import io.sluice.tests.harness.Alone;
import io.sluice.tests.harness.BuildDirectory;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.Health;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.MixedLoad;
import io.sluice.tests.harness.ServeCluster;
import io.sluice.tests.harness.ServeProcess;
import io.sluice.tests.harness.TestSize;
import io.sluice.tests.harness.Topics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The instance that decides is killed while clients write (docs/kafka.md, K-26, K-27): everything that was acknowledged is
 * there, everything else gets its outcome by being sent again with its id, and nobody reads more than the tail of a changelog.
 */
@Alone
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class ActiveKillIT {
    private static final int PARTITIONS = 4;
    private static final int CATALOGS = 16;

    /** Each store then keeps 1 MiB that is not on disk: some 11,000 records of the changelog. */
    private static final Map<String, String> SMALL_BUFFERS =
            Map.of("rocksdb.write.buffer.bytes", "20971520", "session.timeout.ms", "6000");

    /** That buffer, and the one before it, which a busy disk may not have taken yet. */
    private static final long MOST_OF_A_TAIL = 24_000;

    private static final Pattern FOLLOWS =
            Pattern.compile(".*following store flow of partition (\\d+) as a standby, from offset (\\d+) .*");
    private static final Pattern RESTORES =
            Pattern.compile(".*restoring store flow of partition (\\d+): offsets (\\d+) to (\\d+) .*");

    @TempDir(factory = BuildDirectory.class)
    private Path directory;

    /** What an instance had to read of a partition's changelog when it got its copy. */
    private record Tail(int partition, long from, long end) {
        long records() {
            return end - from;
        }
    }

    @Test
    void whatWasAcknowledgedIsThereAndOnlyTheTailIsReadAgain() throws InterruptedException {
        int kills = TestSize.of(1, 4);
        try (ServeCluster cluster = ServeCluster.start(directory, 3, SMALL_BUFFERS)) {
            Topics topics = new Topics(cluster.broker().bootstrapServers());
            fill(cluster, TestSize.of(8_000, 20_000));
            try (MixedLoad load = MixedLoad.start(cluster.urls(), PARTITIONS, CATALOGS, 50, 100)) {
                for (int kill = 1; kill <= kills; kill++) {
                    TimeUnit.SECONDS.sleep(2);
                    ServeProcess victim = cluster.ownerOf(kill % PARTITIONS);
                    load.resetGaps();
                    int writesBefore = load.writes();
                    victim.kill();
                    awaitTakenOver(cluster, victim);
                    awaitWritesEverywhere(load);
                    System.out.printf(
                            "kill -9 of the active: %d of %d, %s: %s%n", kill, kills, victim.instanceId(), load.gaps());
                    assertThat(load.writes()).isGreaterThan(writesBefore);

                    Map<TopicPartition, Long> ends = topics.ends(TopicNames.FLOW_CHANGELOG);
                    victim.start().awaitReady();
                    if (kill < kills) {
                        cluster.awaitSpread();
                    } else {
                        // Who decides what is evened out a minute later at the soonest; nobody waits for that.
                        awaitACopy(victim, ends);
                    }
                    assertOnlyTails(victim, ends);
                }
                load.end();
                System.out.println("kill -9 of the active: " + load.figures());
                assertThat(load.wrong()).isEmpty();
            }
        }
    }

    /** So many flows that every partition's changelog is much longer than what a crash may cost. */
    private static void fill(ServeCluster cluster, int flows) {
        long startNanos = System.nanoTime();
        try (SluiceClient client =
                SluiceClient.connect(ClientSettings.of(cluster.broker().bootstrapServers()))) {
            List<CompletableFuture<Outcome>> sent = new ArrayList<>();
            for (int i = 0; i < flows; i++) {
                sent.add(client.send(Flows.create(
                        "fill" + i % 64, "c" + i, "f" + i, Flows.definition("S", 2, 1, Flows.tables(1, 3)))));
                if (sent.size() == 1_000) {
                    sent.forEach(LocalSluice::within);
                    sent.clear();
                }
            }
            sent.forEach(LocalSluice::within);
        }
        System.out.printf(
                "kill -9 of the active: filled with %d flows in %.1f s%n",
                flows, (System.nanoTime() - startNanos) / 1e9);
    }

    private static void awaitTakenOver(ServeCluster cluster, ServeProcess victim) throws InterruptedException {
        for (ServeProcess instance : cluster.instances()) {
            if (instance != victim) {
                Health.await(
                        instance,
                        health -> health.isReady()
                                && IntStream.range(0, PARTITIONS)
                                        .noneMatch(p -> victim.address().equals(health.owner(p))));
            }
        }
    }

    /** What a gap was is known once it is over. */
    private static void awaitWritesEverywhere(MixedLoad load) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + LocalSluice.WITHIN.toNanos();
        while (IntStream.range(0, PARTITIONS).anyMatch(p -> load.longestWriteGap(p) == 0)) {
            if (System.nanoTime() > deadlineNanos) {
                throw new AssertionError("a partition takes no writes: " + load.gaps());
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static void awaitACopy(ServeProcess restarted, Map<TopicPartition, Long> ends) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + LocalSluice.WITHIN.toNanos();
        while (tails(restarted, ends).stream().noneMatch(tail -> tail.from() > 0)) {
            if (System.nanoTime() > deadlineNanos) {
                throw new AssertionError("it got no copy that it had before: " + restarted.said());
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static void assertOnlyTails(ServeProcess restarted, Map<TopicPartition, Long> ends) {
        List<Tail> tails = tails(restarted, ends);
        assertThat(tails).as(String.join("\n", restarted.said())).isNotEmpty();
        for (Tail tail : tails) {
            long end = ends.get(new TopicPartition(TopicNames.FLOW_CHANGELOG, tail.partition()));
            System.out.printf(
                    "kill -9 of the active: %s reads %d of %d records of partition %d again%n",
                    restarted.instanceId(), tail.records(), end, tail.partition());
            // A copy that it did not have before is read from the beginning, and may be any of them.
            if (tail.from() > 0) {
                assertThat(tail.records()).isLessThan(MOST_OF_A_TAIL);
            }
        }
        assertThat(tails).as("copies that were kept").anyMatch(tail -> tail.from() > 0);
    }

    private static List<Tail> tails(ServeProcess restarted, Map<TopicPartition, Long> ends) {
        List<Tail> tails = new ArrayList<>();
        for (String line : restarted.said()) {
            Matcher follows = FOLLOWS.matcher(line);
            Matcher restores = RESTORES.matcher(line);
            if (follows.matches()) {
                int partition = Integer.parseInt(follows.group(1));
                long end = ends.get(new TopicPartition(TopicNames.FLOW_CHANGELOG, partition));
                tails.add(new Tail(partition, Long.parseLong(follows.group(2)), end));
            } else if (restores.matches()) {
                tails.add(new Tail(
                        Integer.parseInt(restores.group(1)),
                        Long.parseLong(restores.group(2)),
                        Long.parseLong(restores.group(3))));
            }
        }
        return tails;
    }
}
