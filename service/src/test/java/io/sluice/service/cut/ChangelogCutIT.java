package io.sluice.service.cut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.cut.CutException.Reason;
import io.sluice.state.common.CursorRow;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Cuts of a changelog with a partition for every way in which one can end, on a real broker. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ChangelogCutIT {
    private static final int NEVER_WRITTEN = 0;
    private static final int SOUND = 1;
    private static final int ROWS_AFTER_CURSOR = 2;
    private static final int ABORTED = 3;
    private static final int WITHOUT_CURSOR = 4;
    private static final int CURSOR_DELETED = 5;
    private static final int OPEN_TRANSACTION = 6;
    private static final int LONG_TAIL = 7;
    private static final int CURSOR_UNREADABLE = 8;
    private static final int PARTITIONS = 9;

    private static final int TAIL_ROWS = 6_000;
    private static final SingleObject SINGLE_OBJECT = new SingleObject(KnownSchemas.shipped());

    @TempDir
    static Path folder;

    private static final Map<String, String> QUICKLY_COMPACTED = Map.of(
            "cleanup.policy", "compact",
            "segment.ms", "300",
            "min.cleanable.dirty.ratio", "0.0001");

    private static EmbeddedBroker broker;
    /** The one that is written to. */
    private static String changelog = TopicNames.FLOW_CHANGELOG;

    private static Producer<byte[], byte[]> open;

    @BeforeAll
    static void writeChangelog() throws Exception {
        broker = EmbeddedBroker.builder(folder.resolve("kafka"))
                .property("log.cleaner.backoff.ms", "200")
                .start();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TopicNames.FLOW_CHANGELOG, PARTITIONS, (short) 1)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
        try (Producer<byte[], byte[]> decider = producer("decider");
                Producer<byte[], byte[]> foreign = producer(null)) {
            decider.initTransactions();
            for (int partition :
                    List.of(SOUND, ROWS_AFTER_CURSOR, ABORTED, CURSOR_DELETED, OPEN_TRANSACTION, LONG_TAIL)) {
                decide(decider, partition, 1, Map.of("a", "1", "b", "1", "c", "1"));
                decide(decider, partition, 2, Map.of("a", "2", "b", ""));
            }
            send(foreign, ROWS_AFTER_CURSOR, "a", "3");
            send(foreign, ROWS_AFTER_CURSOR, "c", "");
            decider.beginTransaction();
            send(decider, ABORTED, "a", "aborted");
            cursor(decider, ABORTED, 3);
            decider.abortTransaction();
            send(foreign, WITHOUT_CURSOR, "a", "1");
            foreign.send(new ProducerRecord<>(TopicNames.FLOW_CHANGELOG, CURSOR_DELETED, CursorRow.key(), null));
            foreign.send(new ProducerRecord<>(
                    TopicNames.FLOW_CHANGELOG, CURSOR_UNREADABLE, CursorRow.key(), bytes("nonsense")));
            for (int row = 0; row < TAIL_ROWS; row++) {
                send(foreign, LONG_TAIL, "tail-" + row, "1");
            }
            foreign.flush();
        }
        open = producer("open");
        open.initTransactions();
        open.beginTransaction();
        send(open, OPEN_TRANSACTION, "a", "open");
        cursor(open, OPEN_TRANSACTION, 3);
        open.flush();
    }

    @AfterAll
    static void closeBroker() {
        open.abortTransaction();
        open.close();
        broker.close();
    }

    @Test
    void foldsTheRowsOfAllDecisions() {
        try (ChangelogCut cut = take(CutAt.LAST_CURSOR)) {
            PartitionCut sound = partition(cut, SOUND);

            assertThat(rows(sound)).containsExactlyEntriesOf(sorted(Map.of("a", "2", "c", "1")));
            assertThat(sound.cursor()).isEqualTo(new Cursor(2, 20));
            assertThat(sound.position()).hasToString("flow:" + SOUND + "@2");
            assertThat(sound.damage()).isEmpty();
            assertThat(sound.records()).isEqualTo(7);
            assertThat(sound.recordsAfterCursor()).isZero();
            assertThat(sound.rows().get(CursorRow.key())).isEqualTo(new Cursor(2, 20).encode());
        }
    }

    @Test
    void endsBeforeTheMarkerThatFollowsTheLastCursor() {
        try (ChangelogCut cut = take(CutAt.LAST_CURSOR)) {
            assertThat(partition(cut, SOUND).offset())
                    .isEqualTo(partition(cut, SOUND).endOffset() - 1);
        }
    }

    @Test
    void aPartitionThatWasNeverWrittenIsEmptyAndSound() {
        try (ChangelogCut cut = take(CutAt.LAST_CURSOR)) {
            PartitionCut never = partition(cut, NEVER_WRITTEN);

            assertThat(rows(never)).isEmpty();
            assertThat(never.cursor()).isEqualTo(Cursor.START);
            assertThat(never.damage()).isEmpty();
        }
    }

    @Test
    void leavesOutRowsBehindTheLastCursor() {
        try (ChangelogCut cut = take(CutAt.LAST_CURSOR)) {
            PartitionCut partition = partition(cut, ROWS_AFTER_CURSOR);

            assertThat(rows(partition)).containsExactlyEntriesOf(sorted(Map.of("a", "2", "c", "1")));
            assertThat(partition.recordsAfterCursor()).isEqualTo(2);
        }
    }

    @Test
    void takesInRowsBehindTheLastCursorWhenItEndsAtTheEnd() {
        try (ChangelogCut cut = take(CutAt.END)) {
            PartitionCut partition = partition(cut, ROWS_AFTER_CURSOR);

            assertThat(rows(partition)).containsExactlyEntriesOf(sorted(Map.of("a", "3")));
            assertThat(partition.cursor()).isEqualTo(new Cursor(2, 20));
            assertThat(partition.recordsAfterCursor()).isEqualTo(2);
            assertThat(partition.offset()).isEqualTo(partition.endOffset());
        }
    }

    @Test
    void findsALastCursorThatIsFarFromTheEnd() {
        try (ChangelogCut cut = take(CutAt.LAST_CURSOR)) {
            PartitionCut tail = partition(cut, LONG_TAIL);

            assertThat(rows(tail)).containsExactlyEntriesOf(sorted(Map.of("a", "2", "c", "1")));
            assertThat(tail.cursor()).isEqualTo(new Cursor(2, 20));
            assertThat(tail.recordsAfterCursor()).isEqualTo(TAIL_ROWS);
        }
    }

    @Test
    void leavesOutWhatWasAborted() {
        try (ChangelogCut cut = take(CutAt.END)) {
            PartitionCut aborted = partition(cut, ABORTED);

            assertThat(rows(aborted)).containsExactlyEntriesOf(sorted(Map.of("a", "2", "c", "1")));
            assertThat(aborted.cursor()).isEqualTo(new Cursor(2, 20));
            assertThat(aborted.recordsAfterCursor()).isZero();
        }
    }

    @Test
    void leavesOutWhatIsNotCommittedYet() {
        try (ChangelogCut cut = take(CutAt.END)) {
            assertThat(rows(partition(cut, OPEN_TRANSACTION)))
                    .containsExactlyEntriesOf(sorted(Map.of("a", "2", "c", "1")));
        }
        assertThat(ChangelogEnds.of(kafka(), Set.of(CommandFamily.FLOW))
                        .get(new FamilyPartition(CommandFamily.FLOW, OPEN_TRANSACTION))
                        .isOpen())
                .isTrue();
    }

    @Test
    void saysOfAPartitionWithoutCursorThatItIsDamaged() {
        try (ChangelogCut cut = take(CutAt.LAST_CURSOR)) {
            assertThat(partition(cut, WITHOUT_CURSOR).damage())
                    .hasValueSatisfying(why -> assertThat(why).contains("no cursor row"));
            assertThat(rows(partition(cut, WITHOUT_CURSOR))).isEmpty();
        }
    }

    @Test
    void saysOfACursorThatWasDeletedOrCannotBeReadThatItIsDamaged() {
        try (ChangelogCut cut = take(CutAt.LAST_CURSOR)) {
            assertThat(partition(cut, CURSOR_DELETED).damage())
                    .hasValueSatisfying(why -> assertThat(why).contains("was deleted", "offset"));
            assertThat(partition(cut, CURSOR_UNREADABLE).damage())
                    .hasValueSatisfying(why -> assertThat(why).contains("cannot be read", "Avro"));
            assertThat(partition(cut, CURSOR_UNREADABLE).cursor()).isEqualTo(Cursor.START);
        }
    }

    @Test
    void tellsHowFarItIsUpToTheEnd() {
        AtomicLong last = new AtomicLong();
        AtomicLong total = new AtomicLong();
        try (ChangelogCut cut = ChangelogCut.take(
                settings().withProgress((done, all) -> {
                    assertThat(done).isGreaterThanOrEqualTo(last.getAndSet(done));
                    total.set(all);
                }),
                SINGLE_OBJECT)) {
            assertThat(total.get()).isGreaterThan(cut.records());
            assertThat(last.get()).isEqualTo(total.get());
        }
    }

    @Test
    void leavesNothingOnTheDisk() throws Exception {
        Path work = Files.createDirectory(folder.resolve("work"));
        ChangelogCut cut = ChangelogCut.take(settings().withFolder(work), SINGLE_OBJECT);
        assertThat(work).isNotEmptyDirectory();

        cut.close();

        assertThat(work).isEmptyDirectory();
    }

    @Test
    void deletesWhatAKilledProcessHasLeft() throws Exception {
        Path work = Files.createDirectory(folder.resolve("left"));
        Path left = Files.createDirectory(work.resolve("sluice-cut-left"));
        Files.writeString(left.resolve("lock"), "4711");
        Files.writeString(left.resolve("rows"), "many");

        try (ChangelogCut cut = ChangelogCut.take(settings().withFolder(work), SINGLE_OBJECT);
                ChangelogCut second = ChangelogCut.take(settings().withFolder(work), SINGLE_OBJECT)) {
            assertThat(left).doesNotExist();
            assertThat(rows(partition(cut, SOUND)))
                    .as("the second one has left the first alone")
                    .isEqualTo(rows(partition(second, SOUND)));
        }
    }

    @Test
    void saysWhichChangelogDoesNotExist() {
        CutSettings regions = settings().withFamilies(Set.of(CommandFamily.REGION));

        assertThatThrownBy(() -> ChangelogCut.take(regions, SINGLE_OBJECT))
                .isInstanceOfSatisfying(
                        CutException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MISSING))
                .hasMessageContaining(broker.bootstrapServers());
    }

    @Test
    void saysWhenNoBrokerAnswers() {
        CutSettings nowhere = CutSettings.of(Map.of("bootstrap.servers", "127.0.0.1:1"));

        assertThatThrownBy(() -> ChangelogCut.take(nowhere, SINGLE_OBJECT))
                .isInstanceOfSatisfying(
                        CutException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNREACHABLE))
                .hasMessageContaining("127.0.0.1:1");
    }

    /** What is written behind the end takes away what is in front of it, the cursor first. */
    @Test
    void compactionWhileItReadsTakesNothingAway() throws Exception {
        try (Admin admin = Admin.create(kafka());
                Producer<byte[], byte[]> decider = producer("compacted")) {
            admin.createTopics(List.of(
                            new NewTopic(TopicNames.FLOWNODE_CHANGELOG, 2, (short) 1).configs(QUICKLY_COMPACTED)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
            decider.initTransactions();
            changelog = TopicNames.FLOWNODE_CHANGELOG;
            Map<String, String> longer = new TreeMap<>();
            for (int row = 0; row < 100; row++) {
                longer.put("row-" + row, "1");
            }
            decide(decider, 0, 1, longer);
            decide(decider, 1, 1, Map.of("a", "1", "b", "1", "c", "1"));
            AtomicBoolean done = new AtomicBoolean();
            CutSettings oneByOne = new CutSettings(
                    kafka(),
                    Set.of(CommandFamily.FLOWNODE),
                    CutAt.LAST_CURSOR,
                    folder.resolve("cuts"),
                    1,
                    (reached, total) -> {
                        // The longer one was read, the end of the other one is captured.
                        if (!done.getAndSet(true)) {
                            decide(decider, 1, 2, Map.of("a", "2", "c", ""));
                            awaitGone(decider, 1, new Cursor(1, 10).encode());
                        }
                    });

            try (ChangelogCut cut = ChangelogCut.take(oneByOne, SINGLE_OBJECT)) {
                PartitionCut second = cut.partition(new FamilyPartition(CommandFamily.FLOWNODE, 1))
                        .orElseThrow();

                assertThat(second.damage()).isEmpty();
                assertThat(rows(second))
                        .containsEntry("a", "2")
                        .containsEntry("b", "1")
                        .doesNotContainKey("c");
                assertThat(second.cursor().decision()).isGreaterThanOrEqualTo(2);
                assertThat(second.recordsAfterCursor()).isZero();
            }
        } finally {
            changelog = TopicNames.FLOW_CHANGELOG;
        }
    }

    /** Decides on until the cleaner has taken a former cursor away: only segments that are closed are cleaned. */
    private static void awaitGone(Producer<byte[], byte[]> decider, int partition, byte[] cursor) {
        long[] decision = {2};
        long startNanos = System.nanoTime();
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(400))
                .until(() -> {
                    decision[0]++;
                    decide(decider, partition, decision[0], Map.of("filler", Long.toString(decision[0])));
                    return System.nanoTime() - startNanos > PartitionCutter.AT_ONCE.toNanos()
                            && values(partition).stream().noneMatch(value -> Arrays.equals(value, cursor));
                });
    }

    private static List<byte[]> values(int partition) {
        TopicPartition of = new TopicPartition(changelog, partition);
        List<byte[]> values = new ArrayList<>();
        try (PartitionReader reader = new PartitionReader(kafka())) {
            reader.read(of, 0, reader.committedEnd(of), record -> values.add(record.value()), reached -> {});
        }
        return values;
    }

    private static ChangelogCut take(CutAt at) {
        return ChangelogCut.take(settings().withEnd(at), SINGLE_OBJECT);
    }

    private static CutSettings settings() {
        return CutSettings.of(kafka()).withFamilies(Set.of(CommandFamily.FLOW)).withFolder(folder.resolve("cuts"));
    }

    private static Map<String, Object> kafka() {
        return Map.of("bootstrap.servers", broker.bootstrapServers());
    }

    private static PartitionCut partition(ChangelogCut cut, int partition) {
        return cut.partition(new FamilyPartition(CommandFamily.FLOW, partition)).orElseThrow();
    }

    /** The rows as text, without the cursor. */
    private static Map<String, String> rows(PartitionCut partition) {
        Map<String, String> rows = new TreeMap<>();
        List<String> order = new ArrayList<>();
        partition.scanAll((key, value) -> {
            if (key[0] != CursorRow.TAG) {
                rows.put(text(key), text(value));
                order.add(text(key));
            }
            return true;
        });
        assertThat(order).as("in key order").isSorted();
        return rows;
    }

    private static Map<String, String> sorted(Map<String, String> rows) {
        return new TreeMap<>(rows);
    }

    /** One decision in a transaction of its own; an empty value deletes. */
    private static void decide(Producer<byte[], byte[]> decider, int partition, long number, Map<String, String> rows) {
        decider.beginTransaction();
        rows.forEach((key, value) -> send(decider, partition, key, value));
        cursor(decider, partition, number);
        decider.commitTransaction();
    }

    private static void cursor(Producer<byte[], byte[]> producer, int partition, long decision) {
        producer.send(new ProducerRecord<>(
                changelog, partition, CursorRow.key(), new Cursor(decision, decision * 10).encode()));
    }

    private static void send(Producer<byte[], byte[]> producer, int partition, String key, String value) {
        producer.send(new ProducerRecord<>(changelog, partition, bytes(key), value.isEmpty() ? null : bytes(value)));
    }

    private static Producer<byte[], byte[]> producer(String transactionalId) {
        Map<String, Object> config = new HashMap<>(kafka());
        if (transactionalId != null) {
            config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        }
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
