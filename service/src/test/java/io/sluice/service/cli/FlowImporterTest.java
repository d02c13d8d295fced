package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.service.cli.FakeService.Answer;
import io.sluice.service.cli.FakeService.Asked;
import io.sluice.service.cli.FlowImporter.Result;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.json.FlowInfoJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the sender of an import does when the service goes away, and when the user has enough. */
@Timeout(60)
class FlowImporterTest {
    private static final int FLOWS = 200;
    private static final Answer CREATED = new Answer(200, "{\"code\":\"OK\",\"revision\":1,\"applied\":true}");
    private static final Answer BROKEN = new Answer(200, null);

    /** The ids of the commands that came for each flow. */
    private final ConcurrentMap<Long, Set<String>> commands = new ConcurrentHashMap<>();

    private final AtomicInteger asked = new AtomicInteger();
    private volatile FakeService restarted;

    @AfterEach
    void close() {
        if (restarted != null) {
            restarted.close();
        }
    }

    @Test
    void aServiceThatStartsAgainIsWaitedForAndGetsTheSameCommandsAgain() throws Exception {
        CountDownLatch down = new CountDownLatch(1);
        FakeService first = new FakeService();
        first.answer(request -> {
            keep(request);
            if (asked.incrementAndGet() <= 50) {
                return CREATED;
            }
            // Decided, and nobody hears of it.
            down.countDown();
            return BROKEN;
        });
        int port = first.port();
        Thread restart = new Thread(() -> startAgain(first, port, down));
        restart.start();

        Result result = importFlows(first.url(), Duration.ofSeconds(40), () -> false);

        restart.join();
        assertThat(result).isEqualTo(new Result(FLOWS, 0, 0, 0, 0, List.of(), 0, true));
        assertThat(commands)
                .hasSize(FLOWS)
                .allSatisfy((flowId, ids) ->
                        assertThat(ids).as("commands for flow %s", flowId).hasSize(1));
    }

    @Test
    void aServiceThatStaysAwayEndsTheImportAndEveryFlowIsAccountedFor() throws Exception {
        FakeService service = new FakeService();
        service.answer(request -> {
            if (asked.incrementAndGet() == 20) {
                new Thread(service::close).start();
            }
            return CREATED;
        });

        Result result = importFlows(service.url(), Duration.ofSeconds(2), () -> false);

        assertThat(result.reachable()).isFalse();
        assertThat(result.created()).isGreaterThanOrEqualTo(1);
        assertThat(result.leftOut())
                .isNotEmpty()
                .allSatisfy(one -> assertThat(one.reason()).isEqualTo("TARGET_UNAVAILABLE"));
        assertThat(result.notSent()).isGreaterThan(FLOWS / 4);
        assertThat(result.created() + result.leftOut().size() + result.notSent())
                .isEqualTo(FLOWS);
    }

    @Test
    void aServiceThatIsNeverReadyEndsTheImport() throws Exception {
        try (FakeService service = new FakeService()) {
            service.answer(503, "{\"code\":\"NOT_READY\",\"detail\":\"partition 0 is restoring\"}");

            Result result = importFlows(service.url(), Duration.ofSeconds(2), () -> false);

            assertThat(result.reachable()).isFalse();
            assertThat(result.leftOut().get(0).reason()).isEqualTo("TARGET_UNAVAILABLE");
            assertThat(result.leftOut().get(0).message()).contains("partition 0 is restoring");
            assertThat(result.leftOut().size() + result.notSent()).isEqualTo(FLOWS);
        }
    }

    @Test
    void whoeverStopsAnImportKnowsHowFarItCame() throws Exception {
        try (FakeService service = new FakeService()) {
            service.answer(request -> {
                asked.incrementAndGet();
                return CREATED;
            });

            Result result = importFlows(service.url(), Duration.ofSeconds(40), () -> asked.get() >= 30);

            assertThat(result.created()).isEqualTo(asked.get()).isBetween(30L, FLOWS - 1L);
            assertThat(result.leftOut()).isEmpty();
            assertThat(result.notSent()).isEqualTo(FLOWS - result.created());
        }
    }

    private Result importFlows(String url, Duration patience, BooleanSupplier stopped) {
        try (FlowImporter importer = new FlowImporter(ServiceClient.of(url), false, patience, stopped, done -> {})) {
            for (int i = 0; i < FLOWS; i++) {
                importer.flow(flow(i));
            }
            return importer.finish();
        }
    }

    private void startAgain(FakeService first, int port, CountDownLatch down) {
        try {
            down.await();
            first.close();
            // Longer than between two tries, so that some find nobody there.
            Thread.sleep(2_500);
            restarted = new FakeService(port);
            restarted.answer(request -> {
                keep(request);
                return CREATED;
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void keep(Asked request) {
        try {
            JsonNode body = Json.MAPPER.readTree(request.body());
            commands.computeIfAbsent(
                            body.path("flow").path("flow_id").asLong(), flowId -> ConcurrentHashMap.newKeySet())
                    .add(body.path("command_id").asText());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FlowRecord flow(int number) {
        String info =
                "{'sink_table_name':{'catalog_name':'c','schema_name':'s','table_name':'t'},'flownode_ids':{'0':1},"
                        + "'catalog_name':'c','flow_name':'f" + number + "','raw_sql':'S','comment':'','options':{}}";
        return FlowInfoJson.read(info.replace('\'', '"').getBytes(StandardCharsets.UTF_8), number)
                .flow();
    }
}
