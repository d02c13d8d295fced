package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.LogWatch;
import io.sluice.tests.harness.TestSize;
import io.sluice.tests.harness.Topics;
import io.sluice.topology.common.DeadLetters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Broken records of many kinds between good ones (docs/behaviour.md 2.1, B-F14; docs/kafka.md, K-30): each is answered
 * when its id can be read and is kept as a dead letter, every good one is decided, and the stream thread lives on.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PoisonIT {
    private static final String CATALOG = "plant";
    private static final int PARTITIONS = 4;
    private static final int PARTITION = Partitions.of(CATALOG, PARTITIONS);
    private static final int BROKEN_PER_GOOD = 10;

    /** Only every so many of the oversized records is oversized: they are a thousand times as large as the others. */
    private static final int OVERSIZED_EVERY = 20;

    private static final FlowCommandCodec CODEC = new FlowCommandCodec(new SingleObject(KnownSchemas.shipped()));

    @TempDir
    Path data;

    private final Random random = new Random(20_240_601);

    /**
     * A record that must not be decided.
     *
     * @param answeredId whom the answer names; null when nobody can be answered
     */
    private record Broken(ProducerRecord<byte[], byte[]> record, OutcomeCode code, String answeredId) {}

    /** Makes the broken record of a number. */
    private interface Kind {
        Broken make(int number);
    }

    @Test
    void everyBrokenRecordIsAnsweredAndKeptAndEveryGoodOneBetweenThemIsDecided() {
        int count = TestSize.of(1_000, 10_000);
        List<Kind> kinds = kinds();
        try (LocalSluice sluice = LocalSluice.on(data).start();
                LogWatch log = LogWatch.open()) {
            Set<Thread> threads = streamThreads();
            List<Broken> broken = new ArrayList<>();
            List<Future<RecordMetadata>> written = new ArrayList<>();
            List<FlowCommand> good = new ArrayList<>();
            try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
                for (int i = 0; i < count; i++) {
                    Broken one = kinds.get(i % kinds.size()).make(i);
                    broken.add(one);
                    written.add(producer.send(one.record()));
                    if (i % BROKEN_PER_GOOD == 0) {
                        FlowCommand command = good(i);
                        good.add(command);
                        producer.send(Topics.recordOf(command, PARTITIONS));
                    }
                }
            }
            awaitAllDecided(sluice);

            assertAnswered(sluice.topics().outcomes(), broken, written, good);
            assertKept(sluice.topics().read(TopicNames.DEAD_LETTERS), broken, written);
            assertThat(sluice.queries().list(CATALOG, "", null, 0).value().flows())
                    .hasSameSizeAs(good);
            assertThat(sluice.instance().broken()).isEmpty();
            assertThat(streamThreads()).as("no thread was replaced").isEqualTo(threads);
            assertThat(log.errors()).isEmpty();
            assertThat(sluice.settle(Flows.create(CATALOG, "last", "last", Flows.definition("S1")))
                            .isOk())
                    .isTrue();
        }
    }

    @Test
    void aRecordThatIsSmallOnlyWhileCompressedIsAnsweredAndItsBeginningIsKept() {
        FlowCommand huge = Flows.create(CATALOG, "bomb", "bomb", Flows.definition("S".repeat(6 * 1024 * 1024)));
        try (LocalSluice sluice = LocalSluice.on(data).start();
                LogWatch log = LogWatch.open()) {
            Set<Thread> threads = streamThreads();
            try (Producer<byte[], byte[]> producer = sluice.topics().compressingProducer()) {
                LocalSluice.within(producer.send(Topics.recordOf(huge, PARTITIONS)));
            }

            assertThat(sluice.settle(good(1)).isOk()).isTrue();

            assertThat(sluice.topics().outcomesOf(CATALOG, "bomb"))
                    .singleElement()
                    .satisfies(outcome -> assertThat(outcome.code()).isEqualTo(OutcomeCode.TOO_LARGE));
            byte[] sent = FlowCommandCodec.encode(huge);
            assertThat(sluice.topics().read(TopicNames.DEAD_LETTERS))
                    .singleElement()
                    .satisfies(letter -> {
                        assertThat(letter.value()).hasSizeLessThan(sent.length);
                        assertThat(Arrays.equals(letter.value(), Arrays.copyOf(sent, letter.value().length)))
                                .isTrue();
                        assertThat(Topics.header(letter, DeadLetters.ORIGINAL_VALUE_BYTES))
                                .isEqualTo(Integer.toString(sent.length));
                    });
            assertThat(streamThreads()).as("no thread was replaced").isEqualTo(threads);
            assertThat(log.errors()).isEmpty();
        }
    }

    private List<Kind> kinds() {
        return List.of(
                n -> broken(n, bytes(1 + random.nextInt(300))),
                n -> broken(n, truncated(encoded(n))),
                n -> broken(n, flipped(n)),
                n -> broken(n, new Cursor(n, n).encode()),
                n -> broken(n, new byte[0]),
                n -> broken(n, unknownFingerprint(encoded(n))),
                n -> {
                    ProducerRecord<byte[], byte[]> record = record(PARTITION, key(n), encoded(n));
                    record.headers().add(TopicNames.SLUICE_COMMAND_ID, text("header-" + n));
                    return new Broken(record, OutcomeCode.MALFORMED, "header-" + n);
                },
                n -> {
                    ProducerRecord<byte[], byte[]> record = record(PARTITION, text("no-slash"), encoded(n));
                    record.headers().add(TopicNames.SLUICE_COMMAND_ID, text(id(n)));
                    return new Broken(record, OutcomeCode.MALFORMED, id(n));
                },
                n -> {
                    byte[] notUtf8 = {(byte) 0xff, (byte) 0xfe, '/', 'a'};
                    return new Broken(record(PARTITION, notUtf8, encoded(n)), OutcomeCode.MALFORMED, null);
                },
                n -> new Broken(record(PARTITION, new byte[0], encoded(n)), OutcomeCode.MALFORMED, null),
                n -> {
                    byte[] key = text(CATALOG + "/no id " + n);
                    return new Broken(record(PARTITION, key, encoded(n)), OutcomeCode.MALFORMED, null);
                },
                n -> {
                    byte[] key = text(CATALOG + "/entity-" + n);
                    return new Broken(record(PARTITION, key, encoded(n)), OutcomeCode.MALFORMED, id(n));
                },
                n -> {
                    int elsewhere = (PARTITION + 1 + random.nextInt(PARTITIONS - 1)) % PARTITIONS;
                    return new Broken(record(elsewhere, key(n), encoded(n)), OutcomeCode.MISROUTED, id(n));
                },
                n -> {
                    if (n % OVERSIZED_EVERY != 0) {
                        return broken(n, bytes(40));
                    }
                    FlowCommand tooLarge =
                            Flows.create(CATALOG, id(n), "broken_" + n, Flows.definition("S".repeat(600 * 1024)));
                    byte[] value = FlowCommandCodec.encode(tooLarge);
                    return new Broken(record(PARTITION, key(n), value), OutcomeCode.TOO_LARGE, id(n));
                });
    }

    /** Offsets are committed with what was decided: once they have passed the ends, every answer is there. */
    private static void awaitAllDecided(LocalSluice sluice) {
        Map<TopicPartition, Long> ends = sluice.topics().ends(TopicNames.FLOW_COMMANDS);
        ends.values().removeIf(end -> end == 0);
        await().atMost(Duration.ofSeconds(TestSize.of(60, 240)))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> {
                    Map<TopicPartition, Long> committed = sluice.topics().committed(TopicNames.APPLICATION_ID);
                    assertThat(ends)
                            .allSatisfy((partition, end) -> assertThat(committed.get(partition))
                                    .as("%s", partition)
                                    .isGreaterThanOrEqualTo(end));
                });
    }

    private static void assertAnswered(
            List<Topics.Answered> outcomes,
            List<Broken> broken,
            List<Future<RecordMetadata>> written,
            List<FlowCommand> good) {
        Map<String, List<Topics.Answered>> byId = outcomes.stream()
                .collect(Collectors.groupingBy(answered -> answered.outcome().commandId()));
        int answers = 0;
        for (int i = 0; i < broken.size(); i++) {
            Broken one = broken.get(i);
            if (one.answeredId() == null) {
                continue;
            }
            answers++;
            RecordMetadata at = LocalSluice.within(written.get(i));
            assertThat(byId.get(one.answeredId()))
                    .as("answers to %s", one.answeredId())
                    .hasSize(1);
            Topics.Answered answer = byId.get(one.answeredId()).get(0);
            assertThat(answer.outcome().code()).as("%s", answer.outcome()).isEqualTo(one.code());
            assertThat(answer.outcome().message()).isNotEmpty();
            assertThat(answer.partition()).isEqualTo(at.partition());
            assertThat(answer.key()).isEqualTo(one.record().key());
        }
        for (FlowCommand command : good) {
            assertThat(byId.get(command.envelope().commandId()))
                    .as("%s", command.envelope().commandId())
                    .singleElement()
                    .satisfies(answered -> assertThat(answered.outcome().isOk()).isTrue());
        }
        assertThat(outcomes).hasSize(answers + good.size());
    }

    private static void assertKept(
            List<ConsumerRecord<byte[], byte[]>> letters, List<Broken> broken, List<Future<RecordMetadata>> written) {
        Map<String, ConsumerRecord<byte[], byte[]>> byKey = new HashMap<>();
        letters.forEach(letter -> byKey.put(new String(letter.key(), StandardCharsets.UTF_8), letter));
        assertThat(letters).as("each is kept once, and nothing else").hasSameSizeAs(broken);
        for (int i = 0; i < broken.size(); i++) {
            RecordMetadata at = LocalSluice.within(written.get(i));
            ConsumerRecord<byte[], byte[]> letter = byKey.get(at.topic() + "/" + at.partition() + "/" + at.offset());
            assertThat(letter).as("dead letter of %s", at).isNotNull();
            assertThat(Arrays.equals(letter.value(), broken.get(i).record().value()))
                    .as("value of %s is untouched", at)
                    .isTrue();
            assertThat(letter.headers().lastHeader(DeadLetters.ORIGINAL_KEY).value())
                    .isEqualTo(broken.get(i).record().key());
            assertThat(Topics.header(letter, DeadLetters.CODE))
                    .isEqualTo(broken.get(i).code().name());
            assertThat(Topics.header(letter, DeadLetters.REASON)).isNotBlank();
        }
    }

    private static Set<Thread> streamThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("-StreamThread-"))
                .filter(thread -> thread.getClass().getSimpleName().equals("StreamThread"))
                .collect(Collectors.toSet());
    }

    private static FlowCommand good(int number) {
        return Flows.create(CATALOG, "good-" + number, "good_" + number, Flows.definition("S1"));
    }

    private static Broken broken(int number, byte[] value) {
        return new Broken(record(PARTITION, key(number), value), OutcomeCode.MALFORMED, id(number));
    }

    private static ProducerRecord<byte[], byte[]> record(int partition, byte[] key, byte[] value) {
        return new ProducerRecord<>(TopicNames.FLOW_COMMANDS, partition, key, value);
    }

    private static byte[] encoded(int number) {
        return FlowCommandCodec.encode(Flows.create(CATALOG, id(number), "broken_" + number, Flows.definition("S1")));
    }

    private static String id(int number) {
        return "broken-" + number;
    }

    private static byte[] key(int number) {
        return new CommandKey(CATALOG, id(number)).encode();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] truncated(byte[] command) {
        return Arrays.copyOf(command, random.nextInt(command.length));
    }

    /** One flipped bit that makes the command unreadable; some only change a text and are fine. */
    private byte[] flipped(int number) {
        while (true) {
            byte[] bytes = encoded(number);
            int bit = random.nextInt(bytes.length * 8);
            bytes[bit / 8] ^= (byte) (1 << (bit % 8));
            try {
                CODEC.decode(bytes);
            } catch (UndecodableException e) {
                return bytes;
            }
        }
    }

    private byte[] unknownFingerprint(byte[] command) {
        byte[] fingerprint = bytes(8);
        System.arraycopy(fingerprint, 0, command, 2, fingerprint.length);
        return command;
    }
}
