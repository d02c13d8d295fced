package io.sluice.tests.harness;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.query.FlowQueries;
import io.sluice.service.query.NotReadyException;
import io.sluice.service.query.StoreReader;
import io.sluice.service.runtime.InstanceSettings;
import io.sluice.state.common.CursorRow;
import io.sluice.state.flow.FlowTextKeys;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.SluiceTopology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.query.KeyQuery;
import org.apache.kafka.streams.query.StateQueryRequest;
import org.awaitility.Awaitility;

/**
 * A process of its own that reads flows on many threads while stream threads come and go, which closes their stores: if
 * a read meets a close unguarded, the process dies in native code (seen here in one of three runs of 100 closes, with
 * the guard taken out). Prints one line of figures; exit status 0 means no wrong answer.
 *
 * <p>Arguments: bootstrap servers, state directory, closes wanted, flows per catalog.
 */
public final class ReadersAgainstClosesMain {
    public static final List<String> CATALOGS = List.of("greptime", "plant", "retail");

    private static final int READERS = 8;
    private static final int CHECKING_READERS = 2;
    private static final long ANSWERS_PER_STEP = 200;
    private static final PartitionCounts COUNTS = new PartitionCounts(24, 4, 4);
    /** Its number is as fixed as its name (docs/kafka.md, K-37). */
    private static final int FLOW_SUBTOPOLOGY = 0;

    private static final Duration STEP_WITHIN = LocalSluice.WITHIN;

    private final StoreReader reader;
    private final FlowQueries queries;
    private final KafkaStreams streams;
    private final int partitionCount;
    private final int flowsPerCatalog;
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong rawReads = new AtomicLong();
    private final AtomicLong notReady = new AtomicLong();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean done = new AtomicBoolean();

    private ReadersAgainstClosesMain(InstanceSettings settings, int flowsPerCatalog) {
        SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
        Properties properties = new Properties();
        properties.putAll(settings.withStreamThreads(2).streamsSettings().toConfig());
        this.streams =
                new KafkaStreams(SluiceTopology.build(singleObject, settings.decisionLimits(), COUNTS), properties);
        this.partitionCount = COUNTS.flow();
        this.reader = StoreReader.over(streams, () -> true, singleObject, FamilyPartitions.of(COUNTS));
        this.queries = new FlowQueries(reader, singleObject);
        this.flowsPerCatalog = flowsPerCatalog;
    }

    public static void main(String[] args) throws InterruptedException {
        Path state = Path.of(args[1]);
        InstanceSettings settings = withManyPartitions(
                InstanceSettings.embedded(args[0], state, state.resolveSibling("manifests"), "127.0.0.1:0"));
        int status = new ReadersAgainstClosesMain(settings, Integer.parseInt(args[3])).run(Integer.parseInt(args[2]));
        System.exit(status);
    }

    /** Each stream thread that goes closes a dozen stores. */
    public static InstanceSettings withManyPartitions(InstanceSettings settings) {
        return settings.withCounts(COUNTS);
    }

    private int run(int closesWanted) throws InterruptedException {
        streams.start();
        Map<String, String> threadOfTask = awaitTasks();
        Thread[] readers = new Thread[READERS];
        for (int i = 0; i < READERS; i++) {
            Random random = new Random(i);
            boolean raw = i >= CHECKING_READERS;
            readers[i] = new Thread(() -> read(random, raw), "reader-" + i);
            readers[i].start();
        }
        int closes = 0;
        boolean add = false;
        while (closes < closesWanted) {
            if (add) {
                streams.addStreamThread();
            } else {
                streams.removeStreamThread();
            }
            add = !add;
            Map<String, String> now = awaitTasks();
            // A task that changed its thread was closed by one and opened by the other.
            for (Map.Entry<String, String> task : now.entrySet()) {
                closes += task.getValue().equals(threadOfTask.get(task.getKey())) ? 0 : 1;
            }
            threadOfTask = now;
            long answersBefore = answers.get();
            Awaitility.await()
                    .atMost(STEP_WITHIN)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> answers.get() >= answersBefore + ANSWERS_PER_STEP || !wrong.isEmpty());
        }
        done.set(true);
        for (Thread reader : readers) {
            reader.join();
        }
        streams.close(STEP_WITHIN);
        System.out.println("answers=" + answers + " rawReads=" + rawReads + " notReady=" + notReady + " closes="
                + closes + " wrong=" + wrong.size());
        wrong.stream().limit(10).forEach(System.out::println);
        return wrong.isEmpty() ? 0 : 1;
    }

    /** The thread of each task of flows, once all run. */
    private Map<String, String> awaitTasks() {
        Map<String, String> threadOfTask = new HashMap<>();
        Awaitility.await()
                .atMost(STEP_WITHIN)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    threadOfTask.clear();
                    for (ThreadMetadata thread : streams.metadataForLocalThreads()) {
                        thread.activeTasks().stream()
                                .filter(task -> task.taskId().subtopology() == FLOW_SUBTOPOLOGY)
                                .forEach(task -> threadOfTask.put(task.taskId().toString(), thread.threadName()));
                    }
                    return streams.state() == KafkaStreams.State.RUNNING && threadOfTask.size() == partitionCount;
                });
        return threadOfTask;
    }

    private void read(Random random, boolean raw) {
        while (!done.get()) {
            try {
                String catalog = CATALOGS.get(random.nextInt(CATALOGS.size()));
                if (raw) {
                    readRaw(random.nextInt(partitionCount));
                    continue;
                }
                String problem = switch (random.nextInt(8)) {
                    case 0, 1 -> keys(catalog);
                    case 2 -> nodes(catalog);
                    case 3 -> absent(catalog);
                    case 4 -> present(catalog, random.nextInt(flowsPerCatalog));
                    default -> cursor(random.nextInt(partitionCount));
                };
                if (problem != null) {
                    wrong.add(problem);
                }
                answers.incrementAndGet();
            } catch (NotReadyException e) {
                notReady.incrementAndGet();
                LockSupport.parkNanos(100_000);
            } catch (RuntimeException e) {
                wrong.add(stackOf(e));
            }
        }
    }

    private String cursor(int partition) {
        long decisions = reader.position(new FamilyPartition(CommandFamily.FLOW, partition))
                .decision();
        long decided = CATALOGS.stream()
                        .filter(catalog -> queries.partitionOf(catalog) == partition)
                        .count()
                * flowsPerCatalog;
        return decisions == decided ? null : "partition " + partition + " is at " + decisions;
    }

    /**
     * The cursor row, of whatever task has it: those that ask for the active one are refused from a moment before the
     * close on, so they seldom meet it.
     */
    private void readRaw(int partition) {
        StateQueryRequest<byte[]> request = StateQueryRequest.inStore(TopicNames.FLOW_STORE)
                .withQuery(KeyQuery.<Bytes, byte[]>withKey(Bytes.wrap(CursorRow.key())))
                .withPartitions(Set.of(partition))
                .withIsolationLevel(IsolationLevel.READ_COMMITTED);
        try {
            streams.query(request);
            rawReads.incrementAndGet();
        } catch (InvalidStateStoreException | ConcurrentModificationException | NullPointerException e) {
            // The last two: Kafka Streams walks its list of threads without a lock while one comes or goes.
            notReady.incrementAndGet();
        }
    }

    private String present(String catalog, int number) {
        FlowRecord flow = queries.flow(catalog, "flow_" + number).value();
        return flow != null && flow.flowId() == 1024 + number && flow.rawSql().equals("S" + number)
                ? null
                : catalog + " flow_" + number + ": " + flow;
    }

    private String absent(String catalog) {
        FlowRecord flow = queries.flow(catalog, "nobody").value();
        return flow == null ? null : catalog + " has a flow that nobody made: " + flow;
    }

    private String keys(String catalog) {
        int keys = queries.keys(catalog, FlowTextKeys.Layout.FLOW).value().size();
        return keys == 5 * flowsPerCatalog ? null : catalog + " has " + keys + " keys";
    }

    private String nodes(String catalog) {
        int flows = queries.flowsOfFlownode(catalog, 1).value().size();
        return flows == flowsPerCatalog ? null : catalog + " has " + flows + " flows on flownode 1";
    }

    private static String stackOf(RuntimeException e) {
        StringBuilder text = new StringBuilder(e.toString());
        for (StackTraceElement element : e.getStackTrace()) {
            text.append("\n    at ").append(element);
        }
        return text.toString();
    }
}
