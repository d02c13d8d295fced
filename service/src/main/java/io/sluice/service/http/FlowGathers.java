package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.service.json.FlowAnswersJson;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.query.Queries;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The requests that look something up in all catalogs, and so in all their partitions. Stateless. */
final class FlowGathers {
    /** Of all partitions, in the order of their names. A catalog is in one partition only. */
    static final Gather CATALOGS = new Lists("catalogs", Comparator.comparing(JsonNode::textValue)) {
        @Override
        public Answer<ObjectNode> part(Request request, Queries queries, FamilyPartition partition) {
            return shown(queries.flows().catalogs(partition.partition()), FlowAnswersJson::catalogs);
        }
    };

    /** By catalog, flow id and partition of the flow. */
    static final Gather FLOWS_OF_FLOWNODE =
            new Lists("flows", Comparator.comparing(flow -> flow.get("catalog").textValue())) {
                @Override
                public Answer<ObjectNode> part(Request request, Queries queries, FamilyPartition partition) {
                    return shown(
                            queries.flows().flowsOfFlownode(partition.partition(), request.pathFlownode()),
                            FlowAnswersJson::flowsOfFlownode);
                }
            };

    /** How far each partition is decided. */
    static final Gather POSITIONS = new Lists("positions", null) {
        @Override
        public List<FamilyPartition> asks(Request request, FamilyPartitions all) {
            return all.all();
        }

        @Override
        public Answer<ObjectNode> part(Request request, Queries queries, FamilyPartition partition) {
            Position position = queries.position(partition);
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.putArray("positions").add(position.toString());
            return new Answer<>(json, List.of(position));
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
        public List<FamilyPartition> asks(Request request, FamilyPartitions all) {
            return all.of(CommandFamily.FLOW);
        }

        @Override
        public Reply whole(Request request, SortedMap<FamilyPartition, JsonNode> parts) {
            List<JsonNode> elements = all(parts, name);
            if (order != null) {
                elements.sort(order);
            }
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.putArray(name).addAll(elements);
            return Reply.json(200, json);
        }
    }

    private static List<JsonNode> all(SortedMap<FamilyPartition, JsonNode> parts, String name) {
        return parts.values().stream()
                .flatMap(part -> StreamSupport.stream(part.path(name).spliterator(), false))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static <T> Answer<ObjectNode> shown(Answer<T> answer, Function<T, ObjectNode> json) {
        return new Answer<>(json.apply(answer.value()), answer.positions());
    }
}
