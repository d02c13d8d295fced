package io.sluice.service.http;

import java.util.List;
import java.util.Set;

/** Every path and method that is served. {@code openapi.json} describes the same ones. Stateless. */
final class Routes {
    private static final String V1_CATALOG = "/v1/catalogs/{catalog}";

    private Routes() {}

    static RouteTable table(FlowCommandEndpoints commands, FlowQueryEndpoints queries, ServiceEndpoints service) {
        String flow = V1_CATALOG + "/flows/{name}";
        return new RouteTable(List.of(
                Route.command("POST", V1_CATALOG + "/flows", Set.of(), commands::create),
                Route.command("PUT", flow, Set.of(), commands::replace),
                Route.command("PATCH", flow, Set.of(), commands::comment),
                Route.command("DELETE", flow, Set.of("if_exists"), commands::drop),
                Route.read("/v1/catalogs", Set.of(), queries::catalogs),
                Route.read(V1_CATALOG + "/flows", Set.of("prefix", "limit", "after"), queries::list),
                Route.read(flow, Set.of(), queries::flowByName),
                Route.read(V1_CATALOG + "/flow-ids/{flow_id}", Set.of(), queries::flowById),
                Route.read(V1_CATALOG + "/flow-ids/{flow_id}/routes", Set.of(), queries::routes),
                Route.read(V1_CATALOG + "/tables/{table_id}/flows", Set.of(), queries::flowsOfTable),
                Route.read(V1_CATALOG + "/flownodes/{flownode_id}/flows", Set.of(), queries::flowsOfFlownodeInCatalog),
                Route.read("/v1/flownodes/{flownode_id}/flows", Set.of(), queries::flowsOfFlownode),
                Route.read(V1_CATALOG + "/keys", Set.of("layout"), queries::keys),
                Route.read("/v1/outcomes/{command_id}", Set.of(Request.CATALOG), queries::outcome),
                Route.service("/health/live", service::live),
                Route.service("/health/ready", service::ready),
                Route.service("/version", service::version),
                Route.service("/openapi.json", service::openApi)));
    }
}
