package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.service.json.OutcomeJson;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.query.Queries;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The requests for what became of a command: of one catalog, flownode or region, or wherever its id is known. Stateless. */
final class OutcomeLookUps {
    /** The one outcome of a command id; ids are unique within their catalog, flownode or region only. */
    static final Gather ANYWHERE = new Gather() {
        private static final String OUTCOMES = "outcomes";

        @Override
        public List<FamilyPartition> asks(Request request, FamilyPartitions all) {
            return all.all();
        }

        @Override
        public Answer<ObjectNode> part(Request request, Queries queries, FamilyPartition partition) {
            Answer<List<Outcome>> answer = queries.outcomes(partition, commandId(request));
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            ArrayNode list = json.putArray(OUTCOMES);
            answer.value().forEach(outcome -> list.add(OutcomeJson.write(outcome)));
            return new Answer<>(json, answer.positions());
        }

        @Override
        public Reply whole(Request request, SortedMap<FamilyPartition, JsonNode> parts) {
            String commandId = commandId(request);
            List<JsonNode> found = new ArrayList<>();
            parts.values().forEach(part -> part.path(OUTCOMES).forEach(found::add));
            if (found.isEmpty()) {
                throw none(commandId, "", List.of());
            }
            if (found.size() > 1) {
                throw RefusedRequestException.invalid("command \"" + commandId + "\" exists several times, in "
                        + Texts.shortened(found.stream()
                                .map(OutcomeLookUps::scopeOf)
                                .sorted()
                                .collect(Collectors.joining(", ")))
                        + ": say which with ?catalog=, ?flownode= or ?region=");
            }
            return Reply.json(200, found.get(0));
        }
    };

    private OutcomeLookUps() {}

    /** The partition of the catalog, flownode or region that the query names; null when it names none. */
    static FamilyPartition where(Request request, FamilyPartitions all) {
        String catalog = request.queryCatalog();
        Long flownodeId = request.queryFlownode();
        Long regionId = request.queryRegion();
        if (Stream.of(catalog, flownodeId, regionId).filter(Objects::nonNull).count() > 1) {
            throw RefusedRequestException.invalid("of query parameters " + Request.CATALOG + ", " + Request.FLOWNODE
                    + " and " + Request.REGION + " several are given: allowed is one of them");
        }
        if (regionId != null) {
            return all.ofRegion(regionId);
        }
        return catalog != null ? all.ofCatalog(catalog) : flownodeId != null ? all.ofFlownode(flownodeId) : null;
    }

    static Reply there(Request request, Queries queries) {
        String catalog = request.queryCatalog();
        Long regionId = request.queryRegion();
        if (regionId != null) {
            return found(request, queries, CommandFamily.REGION, U64.text(regionId));
        }
        return catalog == null
                ? found(request, queries, CommandFamily.FLOWNODE, U64.text(request.queryFlownode()))
                : found(request, queries, CommandFamily.FLOW, catalog);
    }

    private static Reply found(Request request, Queries queries, CommandFamily family, String partitionKey) {
        String commandId = commandId(request);
        Answer<Outcome> answer = queries.outcome(family, new CommandKey(partitionKey, commandId));
        if (answer.value() == null) {
            throw none(
                    commandId,
                    " of " + family.partitionKey() + " \"" + Texts.shortened(partitionKey) + "\"",
                    answer.positions());
        }
        return Reply.json(200, OutcomeJson.write(answer.value())).withPositions(answer.positions());
    }

    private static String commandId(Request request) {
        String commandId = request.path("command_id");
        if (!CommandKey.isCommandId(commandId)) {
            throw RefusedRequestException.invalid("path part command_id is \"" + Texts.shortened(commandId)
                    + "\": allowed is text that matches [A-Za-z0-9._:-]{1,128}");
        }
        return commandId;
    }

    private static RefusedRequestException none(String commandId, String where, List<Position> positions) {
        return new RefusedRequestException(
                ErrorTable.OUTCOME_NOT_FOUND,
                "there is no outcome of command \"" + commandId + "\"" + where
                        + ": it was not sent, is not decided yet, or is older than outcomes are kept",
                positions);
    }

    private static String scopeOf(JsonNode outcome) {
        if (outcome.has("region_id")) {
            return "region " + outcome.get("region_id").asText();
        }
        return outcome.has("flownode_id")
                ? "flownode " + outcome.get("flownode_id").asText()
                : "catalog " + outcome.path("catalog").asText();
    }
}
