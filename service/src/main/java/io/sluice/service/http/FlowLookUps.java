package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Texts;
import io.sluice.service.json.FlowAnswersJson;
import io.sluice.service.json.FlowRecordJson;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FlowQueries.Page;
import io.sluice.service.query.Queries;
import io.sluice.state.flow.FlowTextKeys;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The requests that look something up in one catalog. Stateless; every answer carries the position it reflects. */
final class FlowLookUps {
    private FlowLookUps() {}

    static Reply list(Request request, Queries queries) {
        String prefix = request.query("prefix");
        Answer<Page> page = queries.flows()
                .list(request.catalog(), prefix == null ? "" : prefix, request.query("after"), request.limit());
        return found(page, value -> FlowAnswersJson.page(value.flows(), value.next()));
    }

    static Reply flowByName(Request request, Queries queries) {
        String catalog = request.catalog();
        String name = request.path("name");
        return flow(
                queries.flows().flow(catalog, name),
                () -> Texts.shortened(catalog + "." + name),
                FlowRecordJson::write);
    }

    static Reply flowById(Request request, Queries queries) {
        String catalog = request.catalog();
        long flowId = request.pathU32("flow_id");
        return flow(queries.flows().flow(catalog, flowId), () -> byId(catalog, flowId), FlowRecordJson::write);
    }

    static Reply routes(Request request, Queries queries) {
        String catalog = request.catalog();
        long flowId = request.pathU32("flow_id");
        return flow(queries.flows().routes(catalog, flowId), () -> byId(catalog, flowId), FlowAnswersJson::routes);
    }

    static Reply flowsOfTable(Request request, Queries queries) {
        return found(
                queries.flows().flowsOfTable(request.catalog(), request.pathU32("table_id")),
                FlowAnswersJson::flowsOfTable);
    }

    static Reply flowsOfFlownode(Request request, Queries queries) {
        return found(
                queries.flows().flowsOfFlownode(request.catalog(), request.pathFlownode()),
                FlowAnswersJson::flowsOfFlownode);
    }

    static Reply keys(Request request, Queries queries) {
        return found(queries.flows().keys(request.catalog(), layout(request.query("layout"))), FlowAnswersJson::keys);
    }

    static Reply nextFlowId(Request request, Queries queries) {
        return found(queries.flows().nextFlowId(request.catalog()), FlowAnswersJson::nextFlowId);
    }

    private static FlowTextKeys.Layout layout(String label) {
        if (label == null) {
            return FlowTextKeys.Layout.FLOW;
        }
        return Stream.of(FlowTextKeys.Layout.values())
                .filter(layout -> layout.label().equals(label))
                .findFirst()
                .orElseThrow(() -> RefusedRequestException.invalid("query parameter layout is \""
                        + Texts.shortened(label) + "\": allowed are "
                        + Stream.of(FlowTextKeys.Layout.values())
                                .map(FlowTextKeys.Layout::label)
                                .collect(Collectors.joining(", "))));
    }

    private static <T> Reply flow(Answer<T> answer, Supplier<String> shown, Function<T, JsonNode> json) {
        if (answer.value() == null) {
            throw new RefusedRequestException(
                    ErrorTable.of(OutcomeCode.FLOW_NOT_FOUND), "there is no flow " + shown.get(), answer.positions());
        }
        return found(answer, json);
    }

    private static <T> Reply found(Answer<T> answer, Function<T, JsonNode> json) {
        return Reply.json(200, json.apply(answer.value())).withPositions(answer.positions());
    }

    private static String byId(String catalog, long flowId) {
        return "with id " + flowId + " in catalog " + Texts.shortened(catalog);
    }
}
