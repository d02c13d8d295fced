package io.sluice.client;

import static io.sluice.client.Futures.failureOf;
import static io.sluice.client.Futures.valueOf;
import static io.sluice.client.OutcomesTopic.PARTITIONS;
import static io.sluice.client.OutcomesTopic.ok;
import static io.sluice.client.OutcomesTopic.outcome;
import static io.sluice.client.OutcomesTopic.partitionOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who is answered by which record of the outcomes topic. */
class OutcomeReaderTest {
    private static final CommandKey KEY = new CommandKey("plant", "c1");
    private static final int OWN = partitionOf("plant");

    private final OutcomesTopic topic = new OutcomesTopic();
    private final OutcomeReader reader = new OutcomeReader(topic.consumer(), new SingleObject(KnownSchemas.shipped()));

    @AfterEach
    void close() {
        reader.close();
    }

    @Test
    void everyWaiterOfAnIdGetsTheOneOutcome() {
        CompletableFuture<Outcome> first = reader.await(CommandFamily.FLOW, KEY);
        CompletableFuture<Outcome> second = reader.await(CommandFamily.FLOW, KEY);

        topic.append(ok("plant", "c1"));

        assertThat(valueOf(first)).isEqualTo(ok("plant", "c1"));
        assertThat(valueOf(second)).isEqualTo(ok("plant", "c1"));
    }

    @Test
    void whoStopsWaitingTakesNothingFromTheOthers() {
        CompletableFuture<Outcome> gone = reader.await(CommandFamily.FLOW, KEY);
        CompletableFuture<Outcome> stays = reader.await(CommandFamily.FLOW, KEY);

        reader.forget(CommandFamily.FLOW, KEY, gone);
        topic.append(ok("plant", "c1"));

        assertThat(valueOf(stays)).isEqualTo(ok("plant", "c1"));
        topic.awaitRead(reader);
        assertThat(gone).isNotDone();
    }

    @Test
    void anOutcomeOfOneFamilySaysNothingToAnother() {
        CompletableFuture<Outcome> waiting = reader.await(CommandFamily.FLOWNODE, KEY);

        topic.append(ok("plant", "c1"));
        topic.awaitRead(reader);

        assertThat(waiting).isNotDone();
    }

    @Test
    void idsOfOneCatalogSayNothingAboutAnother() {
        CompletableFuture<Outcome> waiting = reader.await(CommandFamily.FLOW, KEY);

        topic.append(ok("retail", "c1"));
        topic.append(ok("plant", "c2"));
        topic.append(ok("plant", "c11"));
        topic.awaitRead(reader);

        assertThat(waiting).isNotDone();
    }

    @Test
    void theAnswerToACopyInAForeignPartitionIsIgnored() {
        CompletableFuture<Outcome> waiting = reader.await(CommandFamily.FLOW, KEY);
        Outcome misrouted = outcome("plant", "c1", OutcomeCode.MISROUTED);

        for (int partition = 0; partition < PARTITIONS; partition++) {
            if (partition != OWN) {
                topic.append(partition, KEY.encode(), OutcomeCodec.encode(misrouted), "c1");
            }
        }
        topic.awaitRead(reader);
        assertThat(waiting).isNotDone();

        topic.append(ok("plant", "c1"));
        assertThat(valueOf(waiting).code()).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void theAnswerToARecordWhoseKeyAndHeaderDifferIsNobodysOutcome() {
        byte[] malformed = OutcomeCodec.encode(outcome("plant", "c1", OutcomeCode.MALFORMED));
        CompletableFuture<Outcome> waiting = reader.await(CommandFamily.FLOW, KEY);

        topic.append(OWN, new CommandKey("plant", "f").encode(), malformed, "c1");
        topic.append(OWN, KEY.encode(), malformed, "c2");
        topic.awaitRead(reader);
        assertThat(waiting).isNotDone();

        topic.append(ok("plant", "c1"));
        assertThat(valueOf(waiting).code()).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void withoutAHeaderTheKeyTellsWhoseOutcomeItIs() {
        CompletableFuture<Outcome> waiting = reader.await(CommandFamily.FLOW, KEY);

        topic.append(OWN, KEY.encode(), OutcomeCodec.encode(ok("plant", "c1")), null);

        assertThat(valueOf(waiting)).isEqualTo(ok("plant", "c1"));
    }

    @Test
    void recordsThatCannotBeReadStopNoDelivery() {
        CompletableFuture<Outcome> before = reader.await(CommandFamily.FLOW, new CommandKey("plant", "before"));
        CompletableFuture<Outcome> after = reader.await(CommandFamily.FLOW, new CommandKey("plant", "after"));
        byte[] good = OutcomeCodec.encode(ok("plant", "x"));

        topic.append(ok("plant", "before"));
        topic.append(OWN, null, good, "after");
        topic.append(OWN, null, null, null);
        topic.append(OWN, new byte[0], good, null);
        topic.append(OWN, new byte[] {(byte) 0xff, '/', 'a'}, good, "after");
        topic.append(OWN, "no slash".getBytes(StandardCharsets.UTF_8), good, "after");
        topic.append(OWN, "plant/no id".getBytes(StandardCharsets.UTF_8), good, "no id");
        topic.append(OWN, new CommandKey("plant", "after").encode(), good, "no id");
        topic.append(OWN, new CommandKey("plant", "after").encode(), null, "after");
        topic.append(OWN, new CommandKey("plant", "nobody").encode(), new byte[] {1, 2, 3}, "nobody");
        topic.append(ok("plant", "after"));

        assertThat(valueOf(before)).isEqualTo(ok("plant", "before"));
        assertThat(valueOf(after)).isEqualTo(ok("plant", "after"));
    }

    @Test
    void whoWaitsForAnOutcomeThatCannotBeReadIsToldAndTheNextIsDelivered() {
        CompletableFuture<Outcome> broken = reader.await(CommandFamily.FLOW, KEY);
        CompletableFuture<Outcome> next = reader.await(CommandFamily.FLOW, new CommandKey("plant", "c2"));

        topic.append(OWN, KEY.encode(), new byte[] {1, 2, 3}, "c1");
        topic.append(ok("plant", "c2"));

        assertThat(failureOf(broken)).isInstanceOf(UndecodableException.class);
        assertThat(valueOf(next)).isEqualTo(ok("plant", "c2"));
    }

    @Test
    void aSchemaThatCannotBeLookedUpStopsNoDelivery() {
        OutcomesTopic other = new OutcomesTopic();
        KnownSchemas unreachable = new KnownSchemas(fingerprint -> {
            throw new TimeoutException("the schemas cannot be read");
        });
        byte[] ofUnknownSchema = OutcomeCodec.encode(ok("plant", "c1"));
        ofUnknownSchema[2] ^= 1;
        try (OutcomeReader looking = new OutcomeReader(other.consumer(), new SingleObject(unreachable))) {
            CompletableFuture<Outcome> broken = looking.await(CommandFamily.FLOW, KEY);
            CompletableFuture<Outcome> next = looking.await(CommandFamily.FLOW, new CommandKey("plant", "c2"));

            other.append(OWN, KEY.encode(), ofUnknownSchema, "c1");
            other.append(ok("plant", "c2"));

            assertThat(failureOf(broken)).isInstanceOf(TimeoutException.class);
            assertThat(valueOf(next)).isEqualTo(ok("plant", "c2"));
        }
    }

    @Test
    void aFailingPollIsTriedAgain() {
        CompletableFuture<Outcome> waiting = reader.await(CommandFamily.FLOW, KEY);

        topic.consumer().setPollException(new KafkaException("no broker"));
        topic.append(ok("plant", "c1"));

        assertThat(valueOf(waiting)).isEqualTo(ok("plant", "c1"));
    }

    @Test
    void whatACallerChainsToAnOutcomeCannotStopTheReader() {
        CompletableFuture<Outcome> first = reader.await(CommandFamily.FLOW, KEY);
        CompletableFuture<Outcome> second = reader.await(CommandFamily.FLOW, KEY);
        CompletableFuture<Object> chained = first.thenApply(outcome -> {
            throw new IllegalStateException("the caller's own");
        });

        topic.append(ok("plant", "c1"));

        assertThat(failureOf(chained)).hasMessage("the caller's own");
        assertThat(valueOf(second)).isEqualTo(ok("plant", "c1"));
        topic.awaitRead(reader);
    }

    @Test
    void closingEndsWhatWaits() {
        CompletableFuture<Outcome> first = reader.await(CommandFamily.FLOW, KEY);
        CompletableFuture<Outcome> second = reader.await(CommandFamily.FLOW, KEY);

        reader.close();

        for (CompletableFuture<Outcome> waiting : List.of(first, second)) {
            assertThat(failureOf(waiting))
                    .isInstanceOfSatisfying(
                            OutcomeUnknownException.class,
                            unknown -> assertThat(unknown.key()).isEqualTo(KEY))
                    .hasMessageContaining("closed");
        }
        assertThat(topic.consumer().closed()).isTrue();
    }
}
