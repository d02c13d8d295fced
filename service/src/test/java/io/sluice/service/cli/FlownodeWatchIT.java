package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.local.LocalSluice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice flownode watch --once} on a real broker: what it prints is what the flownode holds. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class FlownodeWatchIT {
    @TempDir
    private Path data;

    @Test
    void onceIsToldOnlyWhatTheFlownodeHoldsNow() throws Exception {
        try (LocalSluice sluice = LocalSluice.start(data, 0, 0)) {
            ServiceClient client = ServiceClient.of(sluice.url());
            create(client, "stays", 7);
            create(client, "moves", 7);
            create(client, "goes", 7);
            send(client, "PUT", "moves", 8);
            client.send("DELETE", ServiceClient.path("v1", "catalogs", "farm", "flows", "goes"), null, Map.of());

            Cli.Result seven = watch(sluice, "7", "--json");
            assertThat(seven.exitCode()).as(seven.err()).isZero();
            assertThat(seven.outLines())
                    .containsExactly(
                            "{\"event\":\"assigned\",\"catalog\":\"farm\",\"flow_id\":1024,\"flow_name\":\"stays\","
                                    + "\"partition_id\":0,\"revision\":1}");
            assertThat(seven.err()).contains("caught up: flownode 7 holds 1 partitions");
            assertThat(watch(sluice, "8").outLines())
                    .containsExactly("assigned  farm.moves  id 1025  partition 0  revision 2");
            Cli.Result nobody = watch(sluice, "9", "--json");
            assertThat(nobody.exitCode()).isZero();
            assertThat(nobody.out()).isEmpty();
        }
    }

    private static Cli.Result watch(LocalSluice sluice, String id, String... more) {
        List<String> args =
                new ArrayList<>(List.of("flownode", "watch", id, "--once", "--bootstrap", sluice.bootstrapServers()));
        args.addAll(List.of(more));
        return Cli.run(args.toArray(String[]::new));
    }

    private static void create(ServiceClient client, String name, long flownodeId) throws Exception {
        JsonNode body = body(flownodeId);
        assertThat(client.send(
                                "POST",
                                ServiceClient.path("v1", "catalogs", "farm", "flows"),
                                ((ObjectNode) body).put("flow_name", name),
                                Map.of())
                        .isOk())
                .isTrue();
    }

    private static void send(ServiceClient client, String method, String name, long flownodeId) throws Exception {
        assertThat(client.send(
                                method,
                                ServiceClient.path("v1", "catalogs", "farm", "flows", name),
                                (ObjectNode) body(flownodeId),
                                Map.of())
                        .isOk())
                .isTrue();
    }

    private static JsonNode body(long flownodeId) throws Exception {
        return Json.MAPPER.readTree("""
                {"source_table_ids":[],"flownode_ids":{"0":%d},"raw_sql":"S1",
                 "sink_table_name":{"catalog_name":"farm","schema_name":"public","table_name":"out"}}""".formatted(flownodeId));
    }
}
