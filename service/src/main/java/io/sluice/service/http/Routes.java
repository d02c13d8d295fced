package io.sluice.service.http;

import java.util.List;
import java.util.Set;

/** Every path and method that is served. {@code openapi.json} describes the same ones. Stateless. */
final class Routes {
    private static final String V1_CATALOG = "/v1/catalogs/{catalog}";

    private Routes() {}

    static RouteTable table(FlowCommandEndpoints commands, ServiceEndpoints service) {
        String flow = V1_CATALOG + "/flows/{name}";
        return new RouteTable(List.of(
                Route.command("POST", V1_CATALOG + "/flows", Set.of(), commands::create),
                Route.command("PUT", flow, Set.of(), commands::replace),
                Route.command("PATCH", flow, Set.of(), commands::comment),
                Route.command("DELETE", flow, Set.of("if_exists"), commands::drop),
                Route.gather("/v1/catalogs", FlowGathers.CATALOGS),
                Route.read(V1_CATALOG + "/flows", Set.of("prefix", "limit", "after"), FlowLookUps::list),
                Route.read(flow, Set.of(), FlowLookUps::flowByName),
                Route.read(V1_CATALOG + "/flow-ids/{flow_id}", Set.of(), FlowLookUps::flowById),
                Route.read(V1_CATALOG + "/flow-ids/{flow_id}/routes", Set.of(), FlowLookUps::routes),
                Route.read(V1_CATALOG + "/tables/{table_id}/flows", Set.of(), FlowLookUps::flowsOfTable),
                Route.read(V1_CATALOG + "/flownodes/{flownode_id}/flows", Set.of(), FlowLookUps::flowsOfFlownode),
                Route.gather("/v1/flownodes/{flownode_id}/flows", FlowGathers.FLOWS_OF_FLOWNODE),
                Route.read(V1_CATALOG + "/keys", Set.of("layout"), FlowLookUps::keys),
                Route.readOrGather("/v1/outcomes/{command_id}", FlowLookUps::outcome, FlowGathers.OUTCOME),
                Route.gather("/v1/positions", FlowGathers.POSITIONS),
                Route.service("/health/live", service::live),
                Route.service("/health/ready", service::ready),
                Route.service("/version", service::version),
                Route.service("/openapi.json", service::openApi)));
    }
}
