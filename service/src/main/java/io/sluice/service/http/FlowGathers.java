package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.Texts;
import io.sluice.service.json.FlowAnswersJson;
import io.sluice.service.json.OutcomeJson;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FlowQueries;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The requests that look something up in all catalogs, and so in all partitions. Stateless. */
final class FlowGathers {
    /** Of all partitions, in the order of their names. A catalog is in one partition only. */
    static final Gather CATALOGS = new Lists("catalogs", Comparator.comparing(JsonNode::textValue)) {
        @Override
        public Answer<ObjectNode> part(Request request, FlowQueries queries, int partition) {
            return shown(queries.catalogs(partition), FlowAnswersJson::catalogs);
        }
    };

    /** By catalog, flow id and partition of the flow. */
    static final Gather FLOWS_OF_FLOWNODE =
            new Lists("flows", Comparator.comparing(flow -> flow.get("catalog").textValue())) {
                @Override
                public Answer<ObjectNode> part(Request request, FlowQueries queries, int partition) {
                    return shown(
                            queries.flowsOfFlownode(partition, request.pathU64("flownode_id")),
                            FlowAnswersJson::flowsOfFlownode);
                }
            };

    /** How far each partition is decided. */
    static final Gather POSITIONS = new Lists("positions", null) {
        @Override
        public Answer<ObjectNode> part(Request request, FlowQueries queries, int partition) {
            Position position = queries.position(partition);
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.putArray("positions").add(position.toString());
            return new Answer<>(json, List.of(position));
        }
    };

    /** The one outcome of a command id; ids are unique within their catalog only. */
    static final Gather OUTCOME = new Gather() {
        private static final String OUTCOMES = "outcomes";

        @Override
        public Answer<ObjectNode> part(Request request, FlowQueries queries, int partition) {
            return shown(queries.outcomes(partition, FlowLookUps.commandId(request)), outcomes -> {
                ObjectNode json = JsonNodeFactory.instance.objectNode();
                ArrayNode list = json.putArray(OUTCOMES);
                outcomes.forEach(outcome -> list.add(OutcomeJson.write(outcome)));
                return json;
            });
        }

        @Override
        public Reply whole(Request request, List<JsonNode> parts) {
            String commandId = FlowLookUps.commandId(request);
            List<JsonNode> found = all(parts, OUTCOMES);
            if (found.isEmpty()) {
                throw FlowLookUps.noOutcome(commandId, "", List.of());
            }
            if (found.size() > 1) {
                throw RefusedRequestException.invalid("command \"" + commandId + "\" exists in several catalogs, "
                        + Texts.shortened(found.stream()
                                .map(outcome -> outcome.path("catalog").asText())
                                .sorted()
                                .collect(Collectors.joining(", ")))
                        + ": say which with ?catalog=");
            }
            return Reply.json(200, found.get(0));
        }
    };

    private FlowGathers() {}

    /** One list of a name, made of the lists of that name. */
    private abstract static class Lists implements Gather {
        private final String name;
        private final Comparator<JsonNode> order;

        /** @param order null for that of the partitions; elements that it holds to be equal stay as they are */
        Lists(String name, Comparator<JsonNode> order) {
            this.name = name;
            this.order = order;
        }

        @Override
        public Reply whole(Request request, List<JsonNode> parts) {
            List<JsonNode> elements = all(parts, name);
            if (order != null) {
                elements.sort(order);
            }
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.putArray(name).addAll(elements);
            return Reply.json(200, json);
        }
    }

    private static List<JsonNode> all(List<JsonNode> parts, String name) {
        return parts.stream()
                .flatMap(part -> StreamSupport.stream(part.path(name).spliterator(), false))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static <T> Answer<ObjectNode> shown(Answer<T> answer, Function<T, ObjectNode> json) {
        return new Answer<>(json.apply(answer.value()), answer.positions());
    }
}
