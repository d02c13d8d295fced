package io.sluice.service.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Reply;
import io.sluice.service.client.ServiceClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The flows that are looked up: many catalogs, so that every partition has some, and a few flows in each. They are the same
 * in every run, and those that are there already are left alone: runs on the same cluster leave no more than one does.
 *
 * <p>Stateless.
 */
final class LookedUpFlows {
    private static final int CATALOGS = 64;
    private static final int FLOWS_PER_CATALOG = 2;
    /** Commands that come together are decided together. */
    private static final int CREATORS = 128;

    private LookedUpFlows() {}

    /** All of them; neighbours are of different catalogs. */
    static List<LookedUpFlow> all() {
        List<LookedUpFlow> all = new ArrayList<>();
        for (int flow = 0; flow < FLOWS_PER_CATALOG; flow++) {
            for (int catalog = 0; catalog < CATALOGS; catalog++) {
                // The name says the catalog too, so that an answer about another one is told from the right one.
                all.add(new LookedUpFlow("bench-reads-" + catalog, "bench-reads-" + catalog + ".flow-" + flow));
            }
        }
        return all;
    }

    /**
     * Creates those that are missing; each can be read at every instance when this returns.
     *
     * @throws BenchFailure if one is refused
     * @throws io.sluice.service.client.ServiceException if the service does not answer
     */
    static void create(ServiceClient service) throws InterruptedException {
        ExecutorService creators = Executors.newFixedThreadPool(CREATORS);
        try {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (LookedUpFlow flow : all()) {
                tasks.add(() -> create(service, flow));
            }
            for (Future<Void> created : creators.invokeAll(tasks)) {
                created.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
        } finally {
            creators.shutdownNow();
        }
    }

    private static Void create(ServiceClient service, LookedUpFlow flow) {
        Reply reply = service.send(
                "POST", ServiceClient.path("v1", "catalogs", flow.catalog(), "flows"), body(flow), Map.of());
        if (!reply.isOk()) {
            throw BenchFailure.failed(
                    "flow " + flow.flowName() + " cannot be created at " + service.url() + ": " + reply.code() + " "
                            + reply.message(),
                    null);
        }
        return null;
    }

    /** Two partitions and three source tables, as in {@link BenchFlows}. */
    private static ObjectNode body(LookedUpFlow flow) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("flow_name", flow.flowName());
        body.put("create_if_not_exists", true);
        ArrayNode sources = body.putArray("all_source_table_names");
        ArrayNode sourceIds = body.putArray("source_table_ids");
        List<String> tables = List.of("requests", "latencies", "errors");
        for (int source = 0; source < tables.size(); source++) {
            sourceIds.add(2048 + source);
            sources.add(table(flow.catalog(), tables.get(source)));
        }
        body.set("sink_table_name", table(flow.catalog(), "sink"));
        ArrayNode routes = body.putArray("flow_routes");
        for (int partition = 0; partition < 2; partition++) {
            routes.addObject()
                    .put("partition_id", partition)
                    .putObject("peer")
                    .put("id", partition + 1)
                    .put("addr", "10.1.0." + (partition + 1) + ":6800");
        }
        body.put(
                "raw_sql",
                "SELECT date_bin('1 minute', ts) AS minute, host, avg(latency_ms) FROM requests GROUP BY minute, host");
        return body;
    }

    private static ObjectNode table(String catalog, String name) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("catalog_name", catalog)
                .put("schema_name", "public")
                .put("table_name", name);
    }
}
