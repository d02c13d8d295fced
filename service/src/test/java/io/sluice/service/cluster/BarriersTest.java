package io.sluice.service.cluster;

import static io.sluice.service.cluster.Futures.in;
import static io.sluice.service.cluster.Futures.notReady;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.junit.jupiter.api.Test;

/** Barriers that cannot be written; those that can need brokers. */
class BarriersTest {
    private static Barriers withoutBrokers() {
        return new Barriers(
                Map.of(
                        CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
                        "127.0.0.1:" + FakePeer.nobody().port()),
                "sluice-1");
    }

    private static FamilyPartition flow(int partition) {
        return new FamilyPartition(CommandFamily.FLOW, partition);
    }

    @Test
    void aBarrierOfFlownodesGoesToTheirTopic() {
        try (Barriers barriers = withoutBrokers()) {
            assertThat(notReady(barriers.write(new FamilyPartition(CommandFamily.FLOWNODE, 3), in(Duration.ZERO))))
                    .hasMessageContaining("partition 3 of sluice.flownode.commands in time");
        }
    }

    @Test
    void aBarrierThatTheBrokersDoNotTakeIsNotReadyAndSaysWhere() {
        try (Barriers barriers = withoutBrokers()) {
            assertThat(notReady(barriers.write(flow(3))))
                    .hasMessageContaining("partition 3 of sluice.flow.commands")
                    .hasCauseInstanceOf(org.apache.kafka.common.errors.TimeoutException.class);
        }
    }

    @Test
    void closingEndsAllThatAreStillToBeWritten() {
        Barriers barriers = withoutBrokers();
        List<CompletableFuture<Long>> asked = IntStream.range(0, 50)
                .mapToObj(partition -> barriers.write(flow(partition)))
                .toList();

        barriers.close();

        assertThat(asked).allSatisfy(Futures::notReady);
    }

    @Test
    void whoAsksAfterTheCloseIsToldAtOnce() {
        Barriers barriers = withoutBrokers();
        barriers.close();

        assertThat(notReady(barriers.write(flow(3)))).hasMessageContaining("stopping");
    }

    @Test
    void whoSharesABarrierAndGivesUpTakesItFromNobody() {
        try (Barriers barriers = withoutBrokers()) {
            barriers.write(flow(0));
            CompletableFuture<Long> impatient = barriers.write(flow(3));
            CompletableFuture<Long> patient = barriers.write(flow(3));

            impatient.cancel(true);

            assertThat(notReady(patient)).hasMessageContaining("partition 3");
        }
    }
}
