package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.flownode.FlowStateEntry;
import io.sluice.schemas.flownode.FlownodeReport;
import io.sluice.service.json.FlowAnswersJson;
import io.sluice.service.json.FlowStateJson;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.query.FlowStates;
import io.sluice.service.query.Queries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * What all flownodes say about the flows that exist. Reports are asked of every partition of flownodes, and which flows exist of the
 * partitions of flows: all, or the one of the catalog in the query.
 *
 * <p>Stateless.
 */
final class FlowStateGather implements Gather {
    @Override
    public List<FamilyPartition> asks(Request request, FamilyPartitions all) {
        String catalog = request.queryCatalog();
        List<FamilyPartition> asked = new ArrayList<>(all.of(CommandFamily.FLOWNODE));
        if (catalog == null) {
            asked.addAll(all.of(CommandFamily.FLOW));
        } else {
            asked.add(all.ofCatalog(catalog));
        }
        return asked;
    }

    @Override
    public Answer<ObjectNode> part(Request request, Queries queries, FamilyPartition partition) {
        String catalog = request.queryCatalog();
        return switch (partition.family()) {
            case FLOW -> flows(queries, partition, catalog);
            case FLOWNODE -> reports(queries, partition, catalog);
            case REGION -> throw new IllegalArgumentException(partition + " was not asked for: it knows of no flows");
        };
    }

    private static Answer<ObjectNode> flows(Queries queries, FamilyPartition partition, String catalog) {
        Answer<SortedMap<String, List<Long>>> ids = catalog == null
                ? queries.flows().flowIds(partition.partition())
                : queries.flows().flowIds(catalog);
        return new Answer<>(FlowAnswersJson.flowIds(ids.value()), ids.positions());
    }

    private static Answer<ObjectNode> reports(Queries queries, FamilyPartition partition, String catalog) {
        Answer<List<FlownodeReport>> reports = queries.flownodes().reports(partition.partition());
        FlowStates states = new FlowStates();
        reports.value().forEach(report -> report.flows().forEach(states::add));
        List<FlowStateEntry> wanted =
                states.of(flow -> catalog == null || flow.catalog().equals(catalog));
        return new Answer<>(FlowStateJson.write(wanted), reports.positions());
    }

    @Override
    public Reply whole(Request request, SortedMap<FamilyPartition, JsonNode> parts) {
        Map<String, Set<Long>> existing = new HashMap<>();
        FlowStates states = new FlowStates();
        parts.forEach((partition, part) -> {
            switch (partition.family()) {
                case FLOW ->
                    FlowAnswersJson.eachFlowId(
                            part,
                            (catalog, flowId) -> existing.computeIfAbsent(catalog, name -> new HashSet<>())
                                    .add(flowId));
                case FLOWNODE -> FlowStateJson.entries(part).forEach(states::add);
            }
        });
        return Reply.json(
                200,
                FlowStateJson.write(states.of(
                        flow -> existing.getOrDefault(flow.catalog(), Set.of()).contains(flow.flowId()))));
    }
}
