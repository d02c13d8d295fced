package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.Partitions;
import io.sluice.tests.harness.Alone;
import io.sluice.tests.harness.BuildDirectory;
import io.sluice.tests.harness.Health;
import io.sluice.tests.harness.HttpApi;
import io.sluice.tests.harness.HttpApi.Answer;
import io.sluice.tests.harness.Parallel;
import io.sluice.tests.harness.RetryingClient;
import io.sluice.tests.harness.ServeCluster;
import io.sluice.tests.harness.ServeProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An instance that decides is paused for so long that another one takes over, and wakes up believing that it still does
 * (docs/kafka.md, K-22): it must not call missing what was made meanwhile.
 */
@Alone
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PausedOwnerIT {
    private static final int PARTITIONS = 4;
    private static final int FLOWS = 40;
    private static final int READERS = 8;

    @TempDir(factory = BuildDirectory.class)
    private Path directory;

    @Test
    void whoWakesUpDoesNotCallMissingWhatWasMadeMeanwhile() throws Exception {
        try (ServeCluster cluster = ServeCluster.start(directory, 2, Map.of("session.timeout.ms", "6000"))) {
            ServeProcess sleeper = cluster.ownerOf(0);
            ServeProcess other = cluster.instances().stream()
                    .filter(instance -> instance != sleeper)
                    .findFirst()
                    .orElseThrow();
            String catalog = catalogIn(0);
            String flows = "/v1/catalogs/" + catalog + "/flows";
            RetryingClient client = new RetryingClient(List.of(other.url()), 0);
            assertThat(create(client, flows, "before").status()).isEqualTo(201);

            sleeper.jvm().pause();
            Health.await(other, health -> health.isReady() && other.address().equals(health.owner(0)));
            for (int i = 0; i < FLOWS; i++) {
                assertThat(create(client, flows, "f" + i).status()).isEqualTo(201);
            }
            // Whoever asks while it sleeps is answered, or not, when it wakes up.
            List<List<Answer>> answers = Parallel.run(READERS + 1, thread -> {
                List<Answer> got = new ArrayList<>();
                if (thread == READERS) {
                    TimeUnit.MILLISECONDS.sleep(300);
                    sleeper.jvm().resume();
                    return got;
                }
                HttpApi api = new HttpApi(sleeper.url());
                for (int i = 0; i < 200; i++) {
                    got.add(api.get(flows + "/f" + (i * READERS + thread) % FLOWS + "?wait=0"));
                }
                return got;
            });
            List<Answer> all = answers.stream().flatMap(List::stream).toList();
            System.out.printf(
                    "paused owner: %d reads at the one that woke up: %d found, %d not ready%n",
                    all.size(),
                    all.stream().filter(answer -> answer.status() == 200).count(),
                    all.stream().filter(Answer::mayTryAgain).count());
            assertThat(all).noneMatch(answer -> answer.status() != 200 && !answer.mayTryAgain());
            // In the end it knows again, and answers as everybody does.
            RetryingClient patient = new RetryingClient(List.of(sleeper.url()), 0);
            for (int i = 0; i < FLOWS; i++) {
                assertThat(patient.get(flows + "/f" + i).status()).isEqualTo(200);
            }
        }
    }

    private static Answer create(RetryingClient client, String flows, String name) throws InterruptedException {
        return client.command(
                "POST",
                flows,
                "{\"flow_name\":\"" + name + "\",\"command_id\":\"make-" + name
                        + "\",\"source_table_ids\":[1],\"flownode_ids\":{\"0\":1},\"raw_sql\":\"SELECT 1\","
                        + "\"sink_table_name\":{\"catalog_name\":\"c\",\"schema_name\":\"s\",\"table_name\":\"out\"}}");
    }

    private static String catalogIn(int partition) {
        String catalog = "paused";
        for (int i = 0; Partitions.of(catalog, PARTITIONS) != partition; i++) {
            catalog = "paused" + i;
        }
        return catalog;
    }
}
