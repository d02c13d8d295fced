package io.sluice.tests.harness;

import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.tests.harness.HttpApi.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Steady reads and writes of flows that exist, by clients that try again, while something happens to the instances; and what
 * was wrong with the answers.
 *
 * <p>Each catalog has one flow, whose comment is the number of the last write. A write counts the comment up, a read asks for
 * the flow by name: without a position, or with the position of the last write that was acknowledged.
 *
 * <p>Threading: threads of its own read and write; everything else may be called by any thread.
 */
public final class MixedLoad implements AutoCloseable {
    private static final int READERS = 5;
    private static final int WRITERS = 4;
    private static final String FLOW = "kept";

    private final List<String> urls;
    private final int partitionCount;
    private final List<String> catalogs;
    private final Map<String, Acknowledged> acknowledged = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicLong retried = new AtomicLong();
    private final AtomicLong longestReadNanos = new AtomicLong();
    private final AtomicLongArray longestWriteNanos;
    private final ExecutorService threads = Executors.newFixedThreadPool(READERS + WRITERS);
    private volatile boolean ending;

    /** The last write of a catalog that was acknowledged. */
    private record Acknowledged(int number, String position) {}

    private MixedLoad(List<String> urls, int partitionCount, int catalogCount) {
        this.urls = List.copyOf(urls);
        this.partitionCount = partitionCount;
        this.catalogs = new ArrayList<>();
        for (int i = 0; i < catalogCount; i++) {
            catalogs.add("load" + i);
        }
        this.longestWriteNanos = new AtomicLongArray(partitionCount);
    }

    /**
     * Makes the flows, and begins.
     *
     * @param catalogCount so many that every partition has some
     */
    public static MixedLoad start(
            List<String> urls, int partitionCount, int catalogCount, int readsPerSecond, int writesPerSecond)
            throws InterruptedException {
        MixedLoad load = new MixedLoad(urls, partitionCount, catalogCount);
        RetryingClient client = new RetryingClient(urls, 0);
        for (String catalog : load.catalogs) {
            load.create(client, catalog);
        }
        load.resetGaps();
        for (int i = 0; i < READERS; i++) {
            int number = i;
            load.threads.execute(() -> load.paced(number, READERS, readsPerSecond, load::read));
        }
        for (int i = 0; i < WRITERS; i++) {
            int number = i;
            load.threads.execute(() -> load.paced(number, WRITERS, writesPerSecond, load::write));
        }
        return load;
    }

    private interface Step {
        void run(RetryingClient client, int number) throws InterruptedException;
    }

    /** What was wrong so far. */
    public List<String> wrong() {
        return List.copyOf(wrong);
    }

    public int reads() {
        return reads.get();
    }

    public int writes() {
        return writes.get();
    }

    /** Begins to measure gaps anew. */
    public void resetGaps() {
        for (int partition = 0; partition < partitionCount; partition++) {
            longestWriteNanos.set(partition, 0);
        }
        longestReadNanos.set(0);
    }

    /** The longest that a write of a partition took, from the first attempt to its outcome, in seconds. */
    public double longestWriteGap(int partition) {
        return longestWriteNanos.get(partition) / 1e9;
    }

    /** The figures since {@link #resetGaps()}. */
    public String gaps() {
        StringBuilder text = new StringBuilder("longest write gap by partition");
        for (int partition = 0; partition < partitionCount; partition++) {
            text.append(String.format(" %d: %.2f s", partition, longestWriteGap(partition)));
        }
        return text.append(String.format(", longest read %.2f s", longestReadNanos.get() / 1e9))
                .toString();
    }

    public String figures() {
        return String.format(
                "%d reads, %d writes, %d tried again, %d wrong", reads(), writes(), retried.get(), wrong.size());
    }

    /** Ends the load, and looks at every flow a last time: what was acknowledged last is there. */
    public void end() throws InterruptedException {
        ending = true;
        threads.shutdown();
        if (!threads.awaitTermination(3, TimeUnit.MINUTES)) {
            wrong.add("the load did not end");
        }
        RetryingClient client = new RetryingClient(urls, 0);
        for (String catalog : catalogs) {
            check(client, catalog, acknowledged.get(catalog), "Sluice-At-Least", "latest");
        }
    }

    @Override
    public void close() {
        ending = true;
        threads.shutdownNow();
    }

    private void create(RetryingClient client, String catalog) throws InterruptedException {
        Answer created = client.command("POST", "/v1/catalogs/" + catalog + "/flows", """
                        {"flow_name":"%s","source_table_ids":[1],"flownode_ids":{"0":1},"raw_sql":"SELECT 1","comment":"0",
                         "sink_table_name":{"catalog_name":"c","schema_name":"s","table_name":"out"},"command_id":"made"}
                        """.formatted(FLOW));
        if (created.status() != 201 && created.status() != 200) {
            throw new AssertionError("cannot make the flow of " + catalog + ": " + created);
        }
        acknowledged.put(catalog, new Acknowledged(0, created.position()));
    }

    private void paced(int number, int threadCount, int perSecond, Step step) {
        RetryingClient client = new RetryingClient(urls, number);
        long everyNanos = TimeUnit.SECONDS.toNanos(1) * threadCount / perSecond;
        long nextNanos = System.nanoTime() + everyNanos * number / threadCount;
        try {
            for (int i = number; !ending; i += threadCount) {
                long waitNanos = nextNanos - System.nanoTime();
                if (waitNanos > 0) {
                    TimeUnit.NANOSECONDS.sleep(waitNanos);
                }
                // After an outage the pace goes on from now: what was missed is not made up for in a burst.
                nextNanos = Math.max(nextNanos + everyNanos, System.nanoTime() - everyNanos);
                step.run(client, i);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | AssertionError e) {
            wrong.add("the load failed: " + e);
        }
        retried.addAndGet(client.retried());
    }

    private void read(RetryingClient client, int number) throws InterruptedException {
        String catalog = catalogs.get(number % catalogs.size());
        Acknowledged least = acknowledged.get(catalog);
        long startNanos = System.nanoTime();
        if (number / catalogs.size() % 2 == 0) {
            check(client, catalog, new Acknowledged(0, null));
        } else {
            check(client, catalog, least, "Sluice-At-Least", least.position());
        }
        reads.incrementAndGet();
        long tookNanos = System.nanoTime() - startNanos;
        longestReadNanos.accumulateAndGet(tookNanos, Math::max);
    }

    private void check(RetryingClient client, String catalog, Acknowledged least, String... headers)
            throws InterruptedException {
        Answer answer = client.get("/v1/catalogs/" + catalog + "/flows/" + FLOW, headers);
        if (answer.status() != 200) {
            wrong.add("a flow that exists was answered with " + answer);
        } else if (Integer.parseInt(answer.text("comment")) < least.number()) {
            wrong.add("asked for write " + least + ", answered was " + answer);
        }
    }

    /** Each catalog has one writer, so the numbers of its writes are in order. */
    private void write(RetryingClient client, int number) throws InterruptedException {
        String catalog = catalogs.get(number % catalogs.size());
        int next = acknowledged.get(catalog).number() + 1;
        long startNanos = System.nanoTime();
        Answer answer = client.command(
                "PATCH",
                "/v1/catalogs/" + catalog + "/flows/" + FLOW,
                "{\"comment\":\"" + next + "\",\"command_id\":\"write-" + next + "\"}");
        if (answer.status() != 200 || !answer.text("code").equals("OK")) {
            wrong.add("write " + next + " of " + catalog + " was answered with " + answer);
            return;
        }
        acknowledged.put(catalog, new Acknowledged(next, answer.position()));
        writes.incrementAndGet();
        int partition = Position.parse(answer.position()).partition();
        if (partition != Partitions.of(catalog, partitionCount)) {
            wrong.add("write " + next + " of " + catalog + " was decided in partition " + partition);
        }
        longestWriteNanos.accumulateAndGet(partition, System.nanoTime() - startNanos, Math::max);
    }
}
