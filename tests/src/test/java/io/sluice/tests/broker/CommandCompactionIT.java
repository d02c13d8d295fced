package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.ForcedCleaning;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.Topics;
import io.sluice.topology.common.DeadLetters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compaction never removes a command that is not yet decided, and removes those that are (docs/kafka.md, K-1). A canary
 * key that is written twice proves each time that the cleaner was there: its first record is gone.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class CommandCompactionIT {
    private static final List<String> CATALOGS = List.of("greptime", "plant", "retail");
    private static final int PARTITIONS = 4;

    @TempDir
    Path data;

    private LocalSluice sluice;

    @BeforeEach
    void start() {
        sluice = LocalSluice.on(data)
                .withBroker(broker -> broker.property(ForcedCleaning.BACKOFF_SETTING, ForcedCleaning.BACKOFF_MS))
                .withInstance(settings -> settings.withTopicOverrides(ForcedCleaning.TOPIC_OVERRIDES))
                .start();
    }

    @AfterEach
    void stop() {
        sluice.close();
    }

    @Test
    void everyUndecidedCommandOutlivesTheCleanerIsDecidedOnceInOrderAndIsCleanedAwayAfterwards() {
        sluice.stopInstance();
        List<FlowCommand> waiting = new ArrayList<>();
        for (String catalog : CATALOGS) {
            waiting.add(canary(catalog));
            waiting.add(Flows.create(catalog, "c1", "f", Flows.definition("S1")));
            waiting.add(Flows.create(catalog, "other", "g", Flows.definition("S1")));
            waiting.add(Flows.replace(catalog, "c2", "f", Flows.definition("S2")));
            waiting.add(Flows.drop(catalog, "c3", "f"));
            waiting.add(Flows.create(catalog, "c4", "f", Flows.definition("S4")));
            waiting.add(canary(catalog));
        }
        Map<CommandKey, List<Long>> offsets = append(waiting);

        List<ConsumerRecord<byte[], byte[]>> cleaned = cleaning()
                .until(
                        "the first record of every canary is cleaned away",
                        records -> CATALOGS.stream()
                                .allMatch(catalog ->
                                        offsetsOf(records, canaryKey(catalog)).size() == 1));
        offsets.forEach((key, written) -> assertThat(offsetsOf(cleaned, key))
                .as("%s while nobody has decided it", key)
                .containsExactly(written.get(written.size() - 1)));

        sluice.startInstance();
        await().atMost(LocalSluice.WITHIN)
                .untilAsserted(() -> assertThat(sluice.topics().outcomes()).hasSize(6 * CATALOGS.size()));
        for (String catalog : CATALOGS) {
            assertThat(outcomesIn(catalog))
                    .as("one outcome per command id, in the order of the commands")
                    .extracting(Outcome::commandId, Outcome::code, Outcome::flowId, Outcome::revision)
                    .containsExactly(
                            tuple("c1", OutcomeCode.OK, 1024L, 1L),
                            tuple("other", OutcomeCode.OK, 1025L, 1L),
                            tuple("c2", OutcomeCode.OK, 1024L, 2L),
                            tuple("c3", OutcomeCode.OK, 1024L, 2L),
                            tuple("c4", OutcomeCode.OK, 1026L, 1L),
                            tuple("canary", OutcomeCode.OK, null, null));
            assertThat(sluice.queries().flow(catalog, "f").value().rawSql()).isEqualTo("S4");
        }

        // Another canary would have to be decided as well: here the settled commands are the canary.
        assertThat(cleaning()
                        .until(
                                "all settled commands are cleaned away",
                                records -> records.stream().allMatch(record -> record.value() == null)
                                        && records.size() <= PARTITIONS))
                .as("at most a last tombstone is left in a partition")
                .hasSizeLessThanOrEqualTo(PARTITIONS);
        assertThat(sluice.queries().flow("plant", "f").value().flowId())
                .as("facts do not live in commands")
                .isEqualTo(1026);
    }

    @Test
    void recordsKeyedByEntityAreRefusedAnsweredUnderTheirIdAndKeptAsDeadLetters() {
        List<FlowCommand> commands = List.of(
                Flows.create("plant", "e1", "f", Flows.definition("S1")),
                Flows.replace("plant", "e2", "f", Flows.definition("S2")),
                Flows.drop("plant", "e3", "f"));
        List<RecordMetadata> written = new ArrayList<>();
        try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
            for (String entityKey : List.of("f", "plant/f")) {
                for (FlowCommand command : commands) {
                    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                            TopicNames.FLOW_COMMANDS,
                            Partitions.of("plant", PARTITIONS),
                            entityKey.getBytes(StandardCharsets.UTF_8),
                            FlowCommandCodec.encode(command));
                    record.headers()
                            .add(
                                    TopicNames.SLUICE_COMMAND_ID,
                                    command.envelope().commandId().getBytes(StandardCharsets.UTF_8));
                    written.add(LocalSluice.within(producer.send(record)));
                }
            }
        }
        Outcome good = sluice.settle(Flows.create("plant", "good", "g", Flows.definition("S1")));

        assertThat(good.isOk()).isTrue();
        assertThat(good.flowId()).as("no id was used up").isEqualTo(1024);
        assertThat(sluice.queries().flow("plant", "f").value()).isNull();
        assertThat(sluice.topics().outcomes().stream()
                        .map(Topics.Answered::outcome)
                        .filter(outcome -> outcome.code() == OutcomeCode.MALFORMED)
                        .map(Outcome::commandId))
                .containsExactly("e1", "e2", "e3", "e1", "e2", "e3");
        List<ConsumerRecord<byte[], byte[]>> letters = sluice.topics().read(TopicNames.DEAD_LETTERS);
        assertThat(letters).hasSameSizeAs(written);
        for (int i = 0; i < letters.size(); i++) {
            RecordMetadata at = written.get(i);
            assertThat(new String(letters.get(i).key(), StandardCharsets.UTF_8))
                    .isEqualTo(at.topic() + "/" + at.partition() + "/" + at.offset());
            assertThat(Topics.header(letters.get(i), DeadLetters.CODE)).isEqualTo("MALFORMED");
            assertThat(Topics.header(letters.get(i), DeadLetters.REASON)).contains("<catalog>/<command id>");
        }
    }

    private static FlowCommand canary(String catalog) {
        return Flows.dropIfExists(catalog, "canary", "nobody");
    }

    private static CommandKey canaryKey(String catalog) {
        return new CommandKey(catalog, "canary");
    }

    private ForcedCleaning cleaning() {
        TreeSet<Integer> partitions = new TreeSet<>();
        CATALOGS.forEach(catalog -> partitions.add(Partitions.of(catalog, PARTITIONS)));
        return new ForcedCleaning(sluice.topics(), partitions);
    }

    private Map<CommandKey, List<Long>> append(List<FlowCommand> commands) {
        try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
            return commands.stream()
                    .collect(Collectors.groupingBy(
                            command -> new CommandKey(
                                    command.catalog(), command.envelope().commandId()),
                            Collectors.mapping(
                                    command -> LocalSluice.within(producer.send(Topics.recordOf(command, PARTITIONS)))
                                            .offset(),
                                    Collectors.toList())));
        }
    }

    private static List<Long> offsetsOf(List<ConsumerRecord<byte[], byte[]>> records, CommandKey key) {
        return records.stream()
                .filter(record -> record.value() != null && Arrays.equals(record.key(), key.encode()))
                .map(ConsumerRecord::offset)
                .toList();
    }

    private List<Outcome> outcomesIn(String catalog) {
        return sluice.topics().outcomes().stream()
                .map(Topics.Answered::outcome)
                .filter(outcome -> catalog.equals(outcome.catalog()))
                .toList();
    }
}
