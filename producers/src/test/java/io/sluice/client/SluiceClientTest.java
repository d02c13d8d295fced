package io.sluice.client;

import static io.sluice.client.Futures.failureOf;
import static io.sluice.client.Futures.valueOf;
import static io.sluice.client.OutcomesTopic.ok;
import static io.sluice.client.OutcomesTopic.outcome;
import static io.sluice.client.OutcomesTopic.partitionOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.DropFlow;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.schemas.flownode.FlownodeCommandCodec;
import io.sluice.schemas.flownode.RegisterFlownode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sending and waiting, with the brokers played by the test. */
class SluiceClientTest {
    private static final ClientSettings SETTINGS =
            ClientSettings.of("localhost:9092").withOutcomeTimeout(Duration.ofMinutes(1));
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final int FLOWNODE_PARTITIONS = 7;

    private final OutcomesTopic topic = new OutcomesTopic();
    private final AtomicInteger schemaLookups = new AtomicInteger();
    private final OutcomeReader reader =
            new OutcomeReader(topic.consumer(), new SingleObject(new KnownSchemas(fingerprint -> {
                schemaLookups.incrementAndGet();
                return Optional.empty();
            })));
    private final TestProducer producer = new TestProducer();
    private SluiceClient client = client(SETTINGS);

    /** Acknowledges nothing until the test does; hooks see a record before {@code send} returns. */
    private static final class TestProducer extends MockProducer<byte[], byte[]> {
        private Consumer<ProducerRecord<byte[], byte[]>> whileSending = record -> {};
        private Exception toldWhileSending;

        TestProducer() {
            super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        // Not synchronized: it only adds what a real producer does before it hands the record on.
        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            if (toldWhileSending != null) {
                callback.onCompletion(null, toldWhileSending);
                return CompletableFuture.failedFuture(toldWhileSending);
            }
            Future<RecordMetadata> sent = super.send(record, callback);
            whileSending.accept(record);
            return sent;
        }
    }

    @AfterEach
    void close() {
        client.close();
    }

    // ---- what is sent

    @Test
    void theRecordIsKeyedByCatalogAndIdInThePartitionOfTheCatalogWithTheIdInItsHeader() {
        FlowCommand drop = drop("plant", "c1");

        client.send(drop);

        ProducerRecord<byte[], byte[]> record = producer.history().get(0);
        assertThat(producer.history()).hasSize(1);
        assertThat(record.topic()).isEqualTo(TopicNames.FLOW_COMMANDS);
        assertThat(record.partition()).isEqualTo(partitionOf("plant"));
        assertThat(record.key()).isEqualTo("plant/c1".getBytes(StandardCharsets.UTF_8));
        assertThat(record.value()).isEqualTo(FlowCommandCodec.encode(drop));
        assertThat(record.headers()).singleElement().satisfies(header -> {
            assertThat(header.key()).isEqualTo("sluice-command-id");
            assertThat(header.value()).isEqualTo("c1".getBytes(StandardCharsets.UTF_8));
        });
    }

    @Test
    void catalogsGoToPartitionsOfTheirOwn() {
        for (int i = 0; i < 20; i++) {
            client.send(drop("catalog" + i, "c1"));
        }

        assertThat(producer.history())
                .hasSize(20)
                .allSatisfy(record -> assertThat(record.partition())
                        .isEqualTo(partitionOf(CommandKey.decode(record.key()).partitionKey())));
        assertThat(producer.history().stream().map(ProducerRecord::partition).distinct())
                .as("the case needs several partitions")
                .hasSizeGreaterThan(1);
    }

    @Test
    void aFlownodeCommandGoesToTheTopicOfFlownodesByTheFlownodesId() {
        RegisterFlownode register = new RegisterFlownode(-1, "c1", 1, "kafka", "b:1", 5);
        client.send(register);

        ProducerRecord<byte[], byte[]> record = producer.history().get(0);
        assertThat(record.topic()).isEqualTo(TopicNames.FLOWNODE_COMMANDS);
        assertThat(record.partition()).isEqualTo(Partitions.of("18446744073709551615", FLOWNODE_PARTITIONS));
        assertThat(record.key()).isEqualTo("18446744073709551615/c1".getBytes(StandardCharsets.UTF_8));
        assertThat(record.value()).isEqualTo(FlownodeCommandCodec.encode(register));
    }

    @Test
    void whatIsNoCommandKeyIsRefusedAndNothingIsSent() {
        List<FlowCommand> wrong = List.of(
                drop("", "c1"),
                drop("a\0b", "c1"),
                drop("half \ud800", "c1"),
                drop("plant", ""),
                drop("plant", "no id"),
                drop("plant", "a/b"),
                drop("plant", "x".repeat(129)));
        for (FlowCommand command : wrong) {
            assertThatThrownBy(() -> client.submit(command))
                    .as("%s", command)
                    .isInstanceOf(IllegalArgumentException.class);
        }

        assertThat(producer.history()).isEmpty();
        assertThat(client.inFlight()).isZero();
    }

    // ---- outcomes

    @Test
    void anOutcomeThatComesBeforeSendReturnsIsNotMissed() {
        producer.whileSending = record -> {
            topic.append(ok("plant", "c1"));
            topic.awaitRead(reader);
        };

        CompletableFuture<Outcome> sent = client.send(drop("plant", "c1"));

        assertThat(sent).isDone();
        assertThat(valueOf(sent)).isEqualTo(ok("plant", "c1"));
        assertThat(client.inFlight()).isZero();
    }

    @Test
    void aRefusalIsAnOutcomeAndNoFailure() {
        Submission submission = client.submit(drop("plant", "c1"));
        producer.completeNext();
        topic.append(outcome("plant", "c1", OutcomeCode.FLOW_NOT_FOUND));

        assertThat(submission.appended()).isCompleted();
        assertThat(valueOf(submission.outcome()).code()).isEqualTo(OutcomeCode.FLOW_NOT_FOUND);
    }

    @Test
    void appendedAndOutcomeEndEachByItself() {
        Submission acknowledged = client.submit(drop("plant", "c1"));
        producer.completeNext();
        assertThat(acknowledged.appended()).isCompleted();
        assertThat(acknowledged.outcome()).isNotDone();

        Submission decided = client.submit(drop("plant", "c2"));
        topic.append(ok("plant", "c2"));
        assertThat(valueOf(decided.outcome())).isEqualTo(ok("plant", "c2"));
        assertThat(decided.appended()).isNotDone();
    }

    @Test
    void severalWaitForOneId() {
        List<CompletableFuture<Outcome>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(client.send(drop("plant", "c1")));
        }
        assertThat(client.inFlight()).isEqualTo(3);

        topic.append(ok("plant", "c1"));

        assertThat(waiting).allSatisfy(one -> assertThat(valueOf(one)).isEqualTo(ok("plant", "c1")));
        assertThat(client.inFlight()).isZero();
    }

    @Test
    void aMisroutedCopyOfSomebodyElseAnswersNobody() {
        CompletableFuture<Outcome> waiting = client.send(drop("plant", "c1"));

        topic.append(
                (partitionOf("plant") + 1) % OutcomesTopic.PARTITIONS,
                new CommandKey("plant", "c1").encode(),
                OutcomeCodec.encode(outcome("plant", "c1", OutcomeCode.MISROUTED)),
                "c1");
        topic.awaitRead(reader);
        assertThat(waiting).isNotDone();

        topic.append(ok("plant", "c1"));
        assertThat(valueOf(waiting).code()).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void anOutcomeThatCannotBeReadIsUnknown() {
        CompletableFuture<Outcome> waiting = client.send(drop("plant", "c1"));

        topic.append(partitionOf("plant"), new CommandKey("plant", "c1").encode(), new byte[] {1, 2, 3}, "c1");

        assertUnknown(waiting, "plant", "c1");
        assertThat(client.inFlight()).isZero();
    }

    // ---- no outcome

    @Test
    void aTimeoutIsUnknownNamesTheCommandAndIsForgotten() {
        client = client(SETTINGS.withOutcomeTimeout(SHORT));
        Submission submission = client.submit(drop("plant", "c1"));
        producer.completeNext();

        assertUnknown(submission.outcome(), "plant", "c1").hasMessageContaining("50 ms");
        assertThat(submission.appended()).as("it was appended nevertheless").isCompleted();
        assertThat(client.inFlight()).isZero();

        // An outcome is decoded, and its schema looked up, only if somebody waits for it.
        byte[] ofUnknownSchema = OutcomeCodec.encode(ok("plant", "c1"));
        ofUnknownSchema[2] ^= 1;
        topic.append(partitionOf("plant"), new CommandKey("plant", "c1").encode(), ofUnknownSchema, "c1");
        topic.awaitRead(reader);
        assertThat(schemaLookups).as("nobody waits any more").hasValue(0);

        CompletableFuture<Outcome> again = reader.await(CommandFamily.FLOW, new CommandKey("plant", "c1"));
        topic.append(partitionOf("plant"), new CommandKey("plant", "c1").encode(), ofUnknownSchema, "c1");
        failureOf(again);
        assertThat(schemaLookups).as("while somebody waits").hasValue(1);
    }

    @Test
    void aFailureToldWhileSendingMeansNotSent() {
        for (Exception told : List.of(
                new TimeoutException("Topic not present in metadata after 5000 ms."),
                new RecordTooLargeException("The message is 2000000 bytes"))) {
            producer.toldWhileSending = told;

            Submission submission = client.submit(drop("plant", "c1"));

            assertNotSent(submission, "plant", "c1", told.getMessage());
            assertThat(client.inFlight()).isZero();
        }
    }

    @Test
    void aProducerThatThrowsHasNotSent() {
        for (RuntimeException thrown : List.of(
                new SerializationException("no bytes"),
                new IllegalStateException("Cannot perform operation after producer has been closed"),
                new KafkaException())) {
            producer.sendException = thrown;

            Submission submission = client.submit(drop("plant", "c1"));

            assertNotSent(
                    submission, "plant", "c1", thrown.getMessage() == null ? "KafkaException" : thrown.getMessage());
            assertThat(client.inFlight()).isZero();
        }
    }

    @Test
    void aFailureToldLaterByTheSenderThreadIsUnknown() throws InterruptedException {
        Submission submission = client.submit(drop("plant", "c1"));

        onAnotherThread(() -> producer.errorNext(new TimeoutException("Expiring 1 record(s)")));

        assertUnknown(submission.outcome(), "plant", "c1").hasMessageContaining("Expiring 1 record(s)");
        assertUnknown(submission.appended(), "plant", "c1");
        assertThat(client.inFlight()).isZero();
    }

    @Test
    void aFailureOfACommandThatTheSenderThreadItselfSentIsUnknownToo() throws InterruptedException {
        List<Submission> chained = new ArrayList<>();
        Submission first = client.submit(drop("plant", "c1"));
        first.appended().thenRun(() -> chained.add(client.submit(drop("plant", "c2"))));

        onAnotherThread(() -> {
            producer.completeNext();
            producer.errorNext(new TimeoutException("Expiring 1 record(s)"));
        });

        assertThat(chained).hasSize(1);
        assertUnknown(chained.get(0).outcome(), "plant", "c2");
        assertUnknown(chained.get(0).appended(), "plant", "c2");
    }

    @Test
    void aRecordThatTheBrokersFindTooLargeWasNotAppended() throws InterruptedException {
        Submission submission = client.submit(drop("plant", "c1"));

        onAnotherThread(() -> producer.errorNext(new RecordTooLargeException("larger than max.message.bytes")));

        assertNotSent(submission, "plant", "c1", "max.message.bytes");
        assertThat(client.inFlight()).isZero();
    }

    @Test
    void aFailureTakesNothingFromOthersWhoWaitForTheSameId() {
        CompletableFuture<Outcome> sent = client.send(drop("plant", "c1"));
        producer.toldWhileSending = new TimeoutException("no metadata");

        assertThat(failureOf(client.send(drop("plant", "c1")))).isInstanceOf(CommandNotSentException.class);

        assertThat(sent).isNotDone();
        topic.append(ok("plant", "c1"));
        assertThat(valueOf(sent)).isEqualTo(ok("plant", "c1"));
    }

    // ---- how many

    @Test
    void oneMoreThanMayBeInFlightIsRefusedAndNotSent() {
        client = client(limitedTo(2));
        CompletableFuture<Outcome> first = client.send(drop("plant", "c1"));
        client.send(drop("retail", "c2"));

        Submission refused = client.submit(drop("plant", "c3"));

        assertNotSent(refused, "plant", "c3", "2 commands are in flight already");
        assertThat(producer.history()).hasSize(2);
        assertThat(client.inFlight()).isEqualTo(2);

        topic.append(ok("plant", "c1"));
        valueOf(first);
        CompletableFuture<Outcome> admitted = client.send(drop("plant", "c3"));
        topic.append(ok("plant", "c3"));
        assertThat(valueOf(admitted)).isEqualTo(ok("plant", "c3"));
    }

    @Test
    void everyWaitForTheSameIdCounts() {
        client = client(limitedTo(2));
        CompletableFuture<Outcome> first = client.send(drop("plant", "c1"));
        CompletableFuture<Outcome> second = client.send(drop("plant", "c1"));

        assertNotSent(client.submit(drop("plant", "c1")), "plant", "c1", "in flight");

        topic.append(ok("plant", "c1"));
        valueOf(first);
        valueOf(second);
        assertThat(client.inFlight()).isZero();
    }

    @Test
    void aTimeoutMakesRoom() {
        client = client(limitedTo(1).withOutcomeTimeout(SHORT));
        assertUnknown(client.send(drop("plant", "c1")), "plant", "c1");

        CompletableFuture<Outcome> next = client.send(drop("plant", "c2"));

        assertThat(producer.history()).hasSize(2);
        assertUnknown(next, "plant", "c2");
    }

    @Test
    void closingEndsWhatWaitsAndSendsNothingMore() {
        Submission submission = client.submit(drop("plant", "c1"));

        client.close();

        assertUnknown(submission.outcome(), "plant", "c1").hasMessageContaining("closed");
        assertThat(client.inFlight()).isZero();
        assertThat(producer.closed()).isTrue();
        assertNotSent(client.submit(drop("plant", "c2")), "plant", "c2", "closed");
        assertThat(client.inFlight()).isZero();
    }

    private SluiceClient client(ClientSettings settings) {
        return new SluiceClient(
                settings,
                producer,
                reader,
                new SchemaTopic(settings.kafka()),
                Map.of(CommandFamily.FLOW, OutcomesTopic.PARTITIONS, CommandFamily.FLOWNODE, FLOWNODE_PARTITIONS));
    }

    private static ClientSettings limitedTo(int maxInFlight) {
        return new ClientSettings(SETTINGS.kafka(), SETTINGS.outcomeTimeout(), maxInFlight, SETTINGS.commandMaxBytes());
    }

    private static FlowCommand drop(String catalog, String commandId) {
        return new DropFlow(new CommandEnvelope(catalog, commandId, 1), "f", null, null, false);
    }

    private static void onAnotherThread(Runnable work) throws InterruptedException {
        Thread thread = new Thread(work, "test-sender");
        thread.start();
        thread.join();
    }

    private static AbstractThrowableAssert<?, ?> assertUnknown(
            CompletableFuture<?> future, String catalog, String commandId) {
        return assertThat(failureOf(future))
                .isInstanceOfSatisfying(
                        OutcomeUnknownException.class,
                        unknown -> assertThat(unknown.key()).isEqualTo(new CommandKey(catalog, commandId)))
                .hasMessageContaining('"' + catalog + '"')
                .hasMessageContaining('"' + commandId + '"');
    }

    private static void assertNotSent(Submission submission, String catalog, String commandId, String why) {
        for (CompletableFuture<?> future : List.of(submission.appended(), submission.outcome())) {
            assertThat(failureOf(future))
                    .isInstanceOf(CommandNotSentException.class)
                    .hasMessageContaining('"' + catalog + '"')
                    .hasMessageContaining('"' + commandId + '"')
                    .hasMessageContaining(why);
        }
    }
}
