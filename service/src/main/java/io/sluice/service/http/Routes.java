package io.sluice.service.http;

import static io.sluice.service.http.Route.Partition.OF_CATALOG;
import static io.sluice.service.http.Route.Partition.OF_FLOWNODE;
import static io.sluice.service.http.Route.Partition.OF_REGION;
import static io.sluice.service.http.Route.Partitions.OF_REGIONS;

import io.sluice.service.json.RegionCommandJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Every path and method that is served. {@code openapi.json} describes the same ones. Stateless. */
final class Routes {
    private static final String V1_CATALOG = "/v1/catalogs/{catalog}";
    private static final String V1_FLOWNODE = "/v1/flownodes/{flownode_id}";
    private static final String V1_REGIONS = "/v1/regions";
    private static final String V1_REGION = V1_REGIONS + "/{region_id}";

    private Routes() {}

    static RouteTable table(
            FlowCommandEndpoints flows,
            FlownodeCommandEndpoints flownodes,
            RegionCommandEndpoints regions,
            ServiceEndpoints service) {
        List<Route> all = new ArrayList<>(ofFlows(flows));
        all.addAll(ofFlownodes(flownodes));
        all.addAll(ofRegions(regions));
        all.addAll(List.of(
                Route.readOrGather(
                        "/v1/outcomes/{command_id}",
                        Set.of(Request.CATALOG, Request.FLOWNODE, Request.REGION),
                        OutcomeLookUps::where,
                        OutcomeLookUps::there,
                        OutcomeLookUps.ANYWHERE),
                Route.gather("/v1/positions", Set.of(), FlowGathers.POSITIONS),
                Route.service("/health/live", service::live),
                Route.service("/health/ready", service::ready),
                Route.service("/metrics", service::metrics),
                Route.service("/version", service::version),
                Route.service("/installation", service::installation),
                Route.service("/openapi.json", service::openApi)));
        return new RouteTable(all);
    }

    private static List<Route> ofFlows(FlowCommandEndpoints flows) {
        String flow = V1_CATALOG + "/flows/{name}";
        return List.of(
                Route.command("POST", V1_CATALOG + "/flows", Set.of(), OF_CATALOG, flows::create),
                Route.command("PUT", flow, Set.of(), OF_CATALOG, flows::replace),
                Route.command("PATCH", flow, Set.of(), OF_CATALOG, flows::comment),
                Route.command("DELETE", flow, Set.of("if_exists"), OF_CATALOG, flows::drop),
                Route.command("POST", V1_CATALOG + "/import", Set.of(), OF_CATALOG, flows::importFlow),
                Route.command("PUT", V1_CATALOG + "/next-flow-id", Set.of(), OF_CATALOG, flows::importFlowIds),
                Route.read(V1_CATALOG + "/next-flow-id", Set.of(), OF_CATALOG, FlowLookUps::nextFlowId),
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
                Route.read(V1_CATALOG + "/keys", Set.of("layout"), OF_CATALOG, FlowLookUps::keys));
    }

    private static List<Route> ofFlownodes(FlownodeCommandEndpoints flownodes) {
        return List.of(
                Route.command("PUT", V1_FLOWNODE + "/address", Set.of(), OF_FLOWNODE, flownodes::register),
                Route.read(V1_FLOWNODE + "/address", Set.of(), OF_FLOWNODE, FlownodeLookUps::address),
                Route.command("PUT", V1_FLOWNODE + "/state", Set.of(), OF_FLOWNODE, flownodes::report),
                Route.gather("/v1/flow-state", Set.of(Request.CATALOG), new FlowStateGather()));
    }

    private static List<Route> ofRegions(RegionCommandEndpoints regions) {
        return List.of(
                Route.commandToOneOf("POST", V1_REGIONS, Set.of(), OF_REGIONS, regions::create),
                Route.gather(V1_REGIONS, Set.of("table_id", "limit", "after"), RegionLookUps.LIST),
                Route.read(V1_REGION, Set.of(), OF_REGION, RegionLookUps::region),
                Route.command("DELETE", V1_REGION, Set.of(), OF_REGION, regions.of(RegionCommandJson::dropRegion)),
                ofRegion("/alter", regions.of(RegionCommandJson::alterRegion)),
                ofRegion("/edit", regions.of(RegionCommandJson::editRegion)),
                ofRegion("/flush", regions.of(RegionCommandJson::flushRegion)),
                ofRegion("/compact", regions.of(RegionCommandJson::compactRegion)),
                ofRegion("/truncate", regions.of(RegionCommandJson::truncateRegion)),
                ofRegion("/index", regions.of(RegionCommandJson::publishIndex)),
                ofRegion("/discard", regions.of(RegionCommandJson::discardUnflushed)),
                ofRegion("/role", regions.of(RegionCommandJson::setRegionRole)),
                ofRegion("/import", regions.of(RegionCommandJson::importRegion)),
                ofRegion("/deleted", regions.of(RegionCommandJson::confirmDeleted)),
                Route.readWithBody(V1_REGION + "/deletable", OF_REGION, RegionLookUps::deletable),
                Route.read(V1_REGION + "/removed", Set.of(), OF_REGION, RegionLookUps::removed),
                Route.read(V1_REGION + "/files", Set.of(), OF_REGION, RegionLookUps::files),
                Route.read(V1_REGION + "/manifest", Set.of("from", "incarnation"), OF_REGION, RegionLookUps::manifest),
                Route.read(V1_REGION + "/admission", Set.of(), OF_REGION, RegionLookUps::admission));
    }

    private static Route ofRegion(String name, Route.Endpoint endpoint) {
        return Route.command("POST", V1_REGION + name, Set.of(), OF_REGION, endpoint);
    }
}
