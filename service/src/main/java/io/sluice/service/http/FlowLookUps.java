package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.Texts;
import io.sluice.service.json.FlowAnswersJson;
import io.sluice.service.json.FlowRecordJson;
import io.sluice.service.json.OutcomeJson;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FlowQueries;
import io.sluice.service.query.FlowQueries.Page;
import io.sluice.state.flow.FlowTextKeys;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The requests that look something up in one catalog. Stateless; every answer carries the position it reflects. */
final class FlowLookUps {
    private static final int DEFAULT_LIMIT = 1000;

    private FlowLookUps() {}

    static Reply list(Request request, FlowQueries queries) {
        String prefix = request.query("prefix");
        Answer<Page> page = queries.list(
                request.catalog(),
                prefix == null ? "" : prefix,
                request.query("after"),
                request.queryInt("limit", 0, Integer.MAX_VALUE - 1, DEFAULT_LIMIT));
        return found(page, value -> FlowAnswersJson.page(value.flows(), value.next()));
    }

    static Reply flowByName(Request request, FlowQueries queries) {
        String catalog = request.catalog();
        String name = request.path("name");
        return flow(queries.flow(catalog, name), () -> Texts.shortened(catalog + "." + name), FlowRecordJson::write);
    }

    static Reply flowById(Request request, FlowQueries queries) {
        String catalog = request.catalog();
        long flowId = request.pathU32("flow_id");
        return flow(queries.flow(catalog, flowId), () -> byId(catalog, flowId), FlowRecordJson::write);
    }

    static Reply routes(Request request, FlowQueries queries) {
        String catalog = request.catalog();
        long flowId = request.pathU32("flow_id");
        return flow(queries.routes(catalog, flowId), () -> byId(catalog, flowId), FlowAnswersJson::routes);
    }

    static Reply flowsOfTable(Request request, FlowQueries queries) {
        return found(
                queries.flowsOfTable(request.catalog(), request.pathU32("table_id")), FlowAnswersJson::flowsOfTable);
    }

    static Reply flowsOfFlownode(Request request, FlowQueries queries) {
        return found(
                queries.flowsOfFlownode(request.catalog(), request.pathU64("flownode_id")),
                FlowAnswersJson::flowsOfFlownode);
    }

    static Reply keys(Request request, FlowQueries queries) {
        return found(queries.keys(request.catalog(), layout(request.query("layout"))), FlowAnswersJson::keys);
    }

    static Reply outcome(Request request, FlowQueries queries) {
        String commandId = commandId(request);
        String catalog = request.scope();
        Answer<Outcome> answer = queries.outcome(catalog, commandId);
        if (answer.value() == null) {
            throw noOutcome(commandId, " of catalog \"" + Texts.shortened(catalog) + "\"", answer.positions());
        }
        return found(answer, OutcomeJson::write);
    }

    static String commandId(Request request) {
        String commandId = request.path("command_id");
        if (!CommandKey.isCommandId(commandId)) {
            throw RefusedRequestException.invalid("path part command_id is \"" + Texts.shortened(commandId)
                    + "\": allowed is text that matches [A-Za-z0-9._:-]{1,128}");
        }
        return commandId;
    }

    static RefusedRequestException noOutcome(String commandId, String where, List<Position> positions) {
        return new RefusedRequestException(
                ErrorTable.OUTCOME_NOT_FOUND,
                "there is no outcome of command \"" + commandId + "\"" + where
                        + ": it was not sent, is not decided yet, or is older than outcomes are kept",
                positions);
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
