package io.sluice.service.http;

import static io.sluice.service.http.Route.Partition.OF_CATALOG;
import static io.sluice.service.http.Route.Partition.OF_FLOWNODE;

import java.util.List;
import java.util.Set;

/** Every path and method that is served. {@code openapi.json} describes the same ones. Stateless. */
final class Routes {
    private static final String V1_CATALOG = "/v1/catalogs/{catalog}";
    private static final String V1_FLOWNODE = "/v1/flownodes/{flownode_id}";

    private Routes() {}

    static RouteTable table(FlowCommandEndpoints flows, FlownodeCommandEndpoints flownodes, ServiceEndpoints service) {
        String flow = V1_CATALOG + "/flows/{name}";
        return new RouteTable(List.of(
                Route.command("POST", V1_CATALOG + "/flows", Set.of(), OF_CATALOG, flows::create),
                Route.command("PUT", flow, Set.of(), OF_CATALOG, flows::replace),
                Route.command("PATCH", flow, Set.of(), OF_CATALOG, flows::comment),
                Route.command("DELETE", flow, Set.of("if_exists"), OF_CATALOG, flows::drop),
                Route.gather("/v1/catalogs", Set.of(), FlowGathers.CATALOGS),
                Route.read(V1_CATALOG + "/flows", Set.of("prefix", "limit", "after"), OF_CATALOG, FlowLookUps::list),
                Route.read(flow, Set.of(), OF_CATALOG, FlowLookUps::flowByName).showingPeers(),
                Route.read(V1_CATALOG + "/flow-ids/{flow_id}", Set.of(), OF_CATALOG, FlowLookUps::flowById)
                        .showingPeers(),
                Route.read(V1_CATALOG + "/flow-ids/{flow_id}/routes", Set.of(), OF_CATALOG, FlowLookUps::routes)
                        .showingPeers(),
                Route.read(V1_CATALOG + "/tables/{table_id}/flows", Set.of(), OF_CATALOG, FlowLookUps::flowsOfTable)
                        .showingPeers(),
                Route.read(
                        V1_CATALOG + "/flownodes/{flownode_id}/flows",
                        Set.of(),
                        OF_CATALOG,
                        FlowLookUps::flowsOfFlownode),
                Route.gather(V1_FLOWNODE + "/flows", Set.of(), FlowGathers.FLOWS_OF_FLOWNODE),
                Route.read(V1_CATALOG + "/keys", Set.of("layout"), OF_CATALOG, FlowLookUps::keys),
                Route.command("PUT", V1_FLOWNODE + "/address", Set.of(), OF_FLOWNODE, flownodes::register),
                Route.read(V1_FLOWNODE + "/address", Set.of(), OF_FLOWNODE, FlownodeLookUps::address),
                Route.command("PUT", V1_FLOWNODE + "/state", Set.of(), OF_FLOWNODE, flownodes::report),
                Route.gather("/v1/flow-state", Set.of(Request.CATALOG), new FlowStateGather()),
                Route.readOrGather(
                        "/v1/outcomes/{command_id}",
                        Set.of(Request.CATALOG, Request.FLOWNODE),
                        OutcomeLookUps::where,
                        OutcomeLookUps::there,
                        OutcomeLookUps.ANYWHERE),
                Route.gather("/v1/positions", Set.of(), FlowGathers.POSITIONS),
                Route.service("/health/live", service::live),
                Route.service("/health/ready", service::ready),
                Route.service("/version", service::version),
                Route.service("/openapi.json", service::openApi)));
    }
}
