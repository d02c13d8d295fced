package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.ClientSettings;
import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.TopicNames;
import io.sluice.service.broker.FreePorts;
import io.sluice.service.http.HttpServer;
import io.sluice.service.http.HttpSettings;
import io.sluice.service.runtime.HealthReport.Here;
import io.sluice.service.runtime.InstanceSettings;
import io.sluice.service.runtime.SluiceInstance;
import io.sluice.tests.harness.Alone;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.HttpApi;
import io.sluice.tests.harness.HttpApi.Answer;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.StalledCommits;
import io.sluice.tests.harness.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A command that is decided and not committed is seen by nobody, whichever of two instances is asked and whoever they ask
 * (docs/kafka.md, K-20).
 */
@Alone
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StalledCommitIT {
    private static final int COMMIT_INTERVAL_MS = 4_000;
    private static final int PARTITIONS = 4;

    @TempDir
    private Path data;

    /** An instance with its door; its transactions stay open for the whole commit interval. */
    private record Stalled(SluiceInstance instance, HttpServer http) implements AutoCloseable {
        static Stalled start(String bootstrapServers, Path stateDir, String id) {
            int port = FreePorts.one();
            SluiceInstance instance = SluiceInstance.open(InstanceSettings.embedded(
                            bootstrapServers, stateDir, stateDir.resolveSibling("manifests"), "127.0.0.1:" + port)
                    .withInstance(id, 1)
                    .withStreams(Map.of(
                            StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                            COMMIT_INTERVAL_MS,
                            StreamsConfig.PROCESSOR_WRAPPER_CLASS_CONFIG,
                            StalledCommits.class)));
            HttpServer http = HttpServer.start(HttpSettings.local(port), instance.service(), instance.health());
            instance.join();
            return new Stalled(instance, http);
        }

        HttpApi api() {
            return new HttpApi("http://127.0.0.1:" + http.port());
        }

        boolean holds(Here here, int partition) {
            return instance.health().report().partitions().get(partition).here() == here;
        }

        @Override
        public void close() {
            instance.leave();
            http.close();
            instance.close();
        }
    }

    @Test
    void aCommandThatIsNotCommittedIsSeenByNobody() throws InterruptedException {
        try (LocalSluice broker = LocalSluice.on(data).startBroker();
                Stalled first = Stalled.start(broker.bootstrapServers(), data.resolve("first"), "first");
                Stalled second = Stalled.start(broker.bootstrapServers(), data.resolve("second"), "second")) {
            first.instance().awaitReady(Duration.ofSeconds(60));
            second.instance().awaitReady(Duration.ofSeconds(60));
            int partition = partitionOf(first, second);
            String catalog = catalogIn(partition);
            String flows = "/v1/catalogs/" + catalog + "/flows";
            Topics topics = broker.topics();
            int uncommitted = 0;
            try (SluiceClient client = SluiceClient.connect(ClientSettings.of(broker.bootstrapServers()))) {
                for (int i = 0; i < 3; i++) {
                    CompletableFuture<Outcome> outcome =
                            client.send(Flows.create(catalog, "c" + i, "f" + i, Flows.definition("S")));
                    int written = i + 1;
                    topics.awaitWritten(TopicNames.FLOW_OUTCOMES, written);
                    // Decided and written, and its transaction is open: nobody may see it.
                    while (!isShown(askAll(first, second, flows), written)) {
                        uncommitted++;
                    }
                    assertThat(topics.outcomesOf(catalog, "c" + i))
                            .as("whoever saw it saw something that was committed")
                            .hasSize(1);
                    LocalSluice.within(outcome);
                    String position = outcome.join().position().toString();
                    for (Stalled one : List.of(first, second)) {
                        Answer seen = one.api().get(flows, "Sluice-At-Least", position);
                        assertThat(seen.json().get("flows")).as(seen.toString()).hasSize(written);
                    }
                }
            }
            System.out.printf(
                    "stalled commit: asked %d times while a transaction was open, nothing of it was seen%n",
                    uncommitted);
            assertThat(uncommitted).as("looks at an open transaction").isGreaterThan(5);
        }
    }

    private static boolean isShown(List<Answer> answers, int written) {
        return answers.stream().anyMatch(answer -> {
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            return answer.json().get("flows").size() == written;
        });
    }

    private static List<Answer> askAll(Stalled first, Stalled second, String path) {
        List<Answer> answers = new ArrayList<>();
        for (Stalled one : List.of(first, second)) {
            answers.add(one.api().get(path));
            answers.add(one.api().get(path, "Prefer", "stale"));
        }
        return answers;
    }

    /** One that the first decides and the second follows. */
    private static int partitionOf(Stalled first, Stalled second) throws InterruptedException {
        for (int attempt = 0; attempt < 600; attempt++) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                if (first.holds(Here.ACTIVE, partition) && second.holds(Here.STANDBY, partition)) {
                    return partition;
                }
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new AssertionError("no partition with an owner and a standby: "
                + first.instance().health().report()
                + second.instance().health().report());
    }

    private static String catalogIn(int partition) {
        String catalog = "stalled";
        for (int i = 0; Partitions.of(catalog, PARTITIONS) != partition; i++) {
            catalog = "stalled" + i;
        }
        return catalog;
    }
}
