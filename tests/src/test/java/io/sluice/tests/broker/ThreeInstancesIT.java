package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.common.Partitions;
import io.sluice.service.broker.FreePorts;
import io.sluice.tests.harness.Alone;
import io.sluice.tests.harness.BuildDirectory;
import io.sluice.tests.harness.Health;
import io.sluice.tests.harness.HttpApi;
import io.sluice.tests.harness.HttpApi.Answer;
import io.sluice.tests.harness.Parallel;
import io.sluice.tests.harness.ServeCluster;
import io.sluice.tests.harness.ServeProcess;
import io.sluice.tests.harness.TestSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three {@code sluice serve} on one broker: whichever is asked, the answer is the same (docs/kafka.md, K-21, K-22, K-23). */
@Alone
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ThreeInstancesIT {
    private static final int THREADS = 8;
    private static final int PARTITIONS = 4;

    @TempDir(factory = BuildDirectory.class)
    private static Path directory;

    private static ServeCluster cluster;

    @BeforeAll
    static void start() throws InterruptedException {
        cluster = ServeCluster.start(directory, 3, Map.of());
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static HttpApi at(int instance) {
        return new HttpApi(cluster.urls().get(instance));
    }

    @Test
    void whatOneAcknowledgesIsReadAtOnceAtTheOthersByAllFiveLookUps() {
        int flows = TestSize.of(400, 2_000);
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        AtomicInteger reads = new AtomicInteger();
        long startNanos = System.nanoTime();
        Parallel.run(THREADS, thread -> {
            for (int i = thread; i < flows; i += THREADS) {
                Answer created = create(at(0), catalog(i), "f" + i, 10_000 + i, 100 + i);
                if (created.status() != 201) {
                    wrong.add("create: " + created);
                    continue;
                }
                for (int instance = 1; instance <= 2; instance++) {
                    long flowId = created.json().get("flow_id").longValue();
                    lookUps(at(instance), catalog(i), "f" + i, flowId, i, "Sluice-At-Least", created.position())
                            .forEach(wrong::add);
                    reads.addAndGet(5);
                }
            }
            return null;
        });
        System.out.printf(
                "three instances: %d flows created, %d reads with a position at the other two, %d wrong, %.1f s%n",
                flows, reads.get(), wrong.size(), (System.nanoTime() - startNanos) / 1e9);
        assertThat(wrong).isEmpty();
    }

    @Test
    void whatWasAcknowledgedIsSeenEverywhereAlsoWithoutAPosition() {
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Answer created = create(at(i % 3), "plain", "f" + i, 1, 1);
            assertThat(created.status()).as(created.toString()).isEqualTo(201);
            for (int instance = 0; instance < 3; instance++) {
                Answer read = at(instance).get("/v1/catalogs/plain/flows/f" + i);
                if (read.status() != 200) {
                    wrong.add(read.toString());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void latestShowsWhatACommandByTopicWasToldAtEveryInstance() {
        for (int i = 0; i < 10; i++) {
            create(at(i % 3), "latest", "f" + i, 1, 1);
            Answer listed = at((i + 1) % 3).get("/v1/catalogs/latest/flows", "Sluice-At-Least", "latest");
            assertThat(listed.status()).as(listed.toString()).isEqualTo(200);
            assertThat(listed.json().get("flows")).hasSize(i + 1);
        }
    }

    @Test
    void aLookUpOverAllPartitionsIsTheSameAtEveryInstance() {
        for (int i = 0; i < 12; i++) {
            assertThat(create(at(0), "all" + i, "f", 1, 777_777).status()).isEqualTo(201);
        }
        List<JsonNode> answers = new ArrayList<>();
        for (int instance = 0; instance < 3; instance++) {
            Answer answer = at(instance).get("/v1/flownodes/777777/flows", "Sluice-At-Least", "latest");
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(answer.position().split(",")).hasSize(PARTITIONS);
            answers.add(answer.json());
        }
        assertThat(answers.get(0).get("flows")).hasSize(12);
        assertThat(answers).allMatch(answers.get(0)::equals);
    }

    @Test
    void anOutcomeIsFoundAtEveryInstanceWithAndWithoutItsCatalog() {
        Answer created = create(at(0), "outcomes", "f", 1, 1);
        for (int instance = 0; instance < 3; instance++) {
            String path = "/v1/outcomes/" + created.text("command_id");
            assertThat(at(instance).get(path + "?catalog=outcomes").json()).isEqualTo(created.json());
            assertThat(at(instance).get(path).json()).isEqualTo(created.json());
            Answer none = at(instance).get("/v1/outcomes/none-such");
            assertThat(none.status()).isEqualTo(404);
            assertThat(none.text("code")).isEqualTo("OUTCOME_NOT_FOUND");
        }
    }

    @Test
    void anAddressIsShownAtOnceWhereItWasRegisteredAndWithItsPositionEverywhere() {
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String catalog = "addresses" + i % 8;
            long flownodeId = 500 + i % 5;
            Answer created = create(at(0), catalog, "f" + i, 1, flownodeId);
            String address = "node" + i + ":1";
            Answer registered = at(i % 3)
                    .send(
                            "PUT",
                            "/v1/flownodes/" + flownodeId + "/address",
                            "{\"addr\":\"" + address + "\",\"epoch\":" + (i + 1) + "}");
            assertThat(registered.status()).as(registered.toString()).isEqualTo(200);
            String path = "/v1/catalogs/" + catalog + "/flow-ids/" + created.text("flow_id") + "/routes";
            // Whoever decides the catalog may be any of the three: the one that is asked knows the address.
            List<Answer> read = new ArrayList<>(List.of(at(i % 3).get(path)));
            for (int instance = 0; instance < 3; instance++) {
                read.add(at(instance).get(path, "Sluice-At-Least", registered.position()));
                read.add(at(instance).get(path, "Sluice-At-Least", "latest"));
            }
            read.stream()
                    .filter(answer -> answer.status() != 200
                            || !answer.json().at("/routes/0/peer/addr").asText().equals(address))
                    .forEach(answer -> wrong.add(address + ": " + answer));
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void aRefusalSaysWhereThePartitionStandsAtEveryInstance() {
        Answer created = create(at(0), "refusals", "f", 1, 1);
        for (int instance = 0; instance < 3; instance++) {
            Answer refused = at(instance).get("/v1/catalogs/refusals/flow-ids/none");
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.position()).isEqualTo(created.position());
        }
    }

    @Test
    void everyInstanceSaysWhoDecidesAndWhoFollows() {
        for (ServeProcess instance : cluster.instances()) {
            Health health = Health.of(instance);
            for (int partition = 0; partition < PARTITIONS; partition++) {
                ServeProcess owner = cluster.ownerOf(partition);
                assertThat(health.owner(partition)).isEqualTo(owner.address());
                assertThat(health.here(partition).equals("active")).isEqualTo(instance == owner);
            }
        }
    }

    @Test
    void anInstanceThatDoesNotHoldAPartitionSaysSoToTheOthers() {
        int partition = Partitions.of("outcomes", PARTITIONS);
        String owner = cluster.ownerOf(partition).address();
        for (ServeProcess instance : cluster.instances()) {
            Answer answer = new HttpApi(instance.url())
                    .get("/v1/catalogs/outcomes/flows", "Sluice-Partition", "flow:" + partition);
            if (instance.address().equals(owner)) {
                assertThat(answer.status()).isEqualTo(200);
            } else {
                assertThat(answer.status()).isEqualTo(421);
                assertThat(answer.text("code")).isEqualTo("NOT_OWNER");
            }
        }
    }

    @Test
    void aStandbyAnswersWhoPrefersItAndSaysItsLagButNeverThatThereIsNothing() throws InterruptedException {
        Answer created = create(at(0), "stale", "f", 1, 1);
        int partition = Partitions.of("stale", PARTITIONS);
        ServeProcess standby = cluster.instances().stream()
                .filter(instance -> "standby".equals(Health.of(instance).here(partition)))
                .findFirst()
                .orElseThrow();
        Answer read = new HttpApi(standby.url())
                .get(
                        "/v1/catalogs/stale/flows/f",
                        "Prefer",
                        "stale",
                        "Sluice-At-Least",
                        created.position(),
                        "Sluice-Partition",
                        "flow:" + partition);
        assertThat(read.status()).as(read.toString()).isEqualTo(200);
        assertThat(read.lag()).isNotNull();
        Answer nothing = new HttpApi(standby.url()).get("/v1/catalogs/stale/flows/none", "Prefer", "stale");
        assertThat(nothing.status()).isEqualTo(404);
        assertThat(nothing.lag()).as("said by the one that decides").isNull();
    }

    @Test
    void anAddressThatIsAnothersIsRefusedBeforeItTakesPart() throws Exception {
        ServeProcess first = cluster.instances().get(0);
        int port = Integer.parseInt(first.address().substring(first.address().indexOf(':') + 1));
        try (ServeProcess second = ServeProcess.of(
                        directory,
                        "impostor",
                        port,
                        cluster.broker().bootstrapServers(),
                        Map.of("http.port", "" + FreePorts.one()))
                .start()) {
            assertThat(second.jvm().awaitEnd()).isEqualTo(1);
            assertThat(String.join("\n", second.said()))
                    .contains("application.server is " + first.address())
                    .contains("there answers instance s1");
        }
        assertThat(Health.of(first).isReady()).isTrue();
    }

    private static String catalog(int flow) {
        return "c" + flow % 40;
    }

    private static Answer create(HttpApi api, String catalog, String name, long tableId, long flownodeId) {
        String body = """
                {"flow_name":"%s","source_table_ids":[%d],"flownode_ids":{"0":%d},"raw_sql":"SELECT 1",
                 "sink_table_name":{"catalog_name":"c","schema_name":"s","table_name":"out"}}
                """.formatted(name, tableId, flownodeId);
        return api.send("POST", "/v1/catalogs/" + catalog + "/flows", body);
    }

    /** What is wrong with the five look-ups of a flow that exists. */
    private static List<String> lookUps(
            HttpApi api, String catalog, String name, long flowId, int flow, String... headers) {
        String base = "/v1/catalogs/" + catalog;
        List<String> wrong = new ArrayList<>();
        check(
                wrong,
                api.get(base + "/flows/" + name, headers),
                json -> json.path("flow_id").asLong() == flowId);
        check(
                wrong,
                api.get(base + "/flow-ids/" + flowId, headers),
                json -> json.path("flow_name").asText().equals(name));
        check(
                wrong,
                api.get(base + "/flow-ids/" + flowId + "/routes", headers),
                json -> json.path("routes").size() == 1);
        check(
                wrong,
                api.get(base + "/tables/" + (10_000 + flow) + "/flows", headers),
                json -> json.at("/flows/0/flow_id").asLong() == flowId);
        check(
                wrong,
                api.get(base + "/flownodes/" + (100 + flow) + "/flows", headers),
                json -> json.at("/flows/0/flow_id").asLong() == flowId);
        return wrong;
    }

    private static void check(List<String> wrong, Answer answer, Predicate<JsonNode> right) {
        if (answer.status() != 200 || !right.test(answer.json())) {
            wrong.add(answer.toString());
        }
    }
}
