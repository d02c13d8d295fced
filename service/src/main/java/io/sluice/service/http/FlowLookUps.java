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
import io.sluice.service.runtime.FlowService;
import io.sluice.state.flow.FlowTextKeys;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The requests that look flows up. Thread-safe; every answer carries the positions it reflects. */
final class FlowQueryEndpoints {
    private static final int DEFAULT_LIMIT = 1000;

    private final FlowService flows;

    FlowQueryEndpoints(FlowService flows) {
        this.flows = flows;
    }

    Reply catalogs(Request request) {
        return found(queries().catalogs(), FlowAnswersJson::catalogs);
    }

    Reply list(Request request) {
        String prefix = request.query("prefix");
        Answer<Page> page = queries()
                .list(
                        request.catalog(),
                        prefix == null ? "" : prefix,
                        request.query("after"),
                        request.queryInt("limit", 0, Integer.MAX_VALUE - 1, DEFAULT_LIMIT));
        return found(page, value -> FlowAnswersJson.page(value.flows(), value.next()));
    }

    Reply flowByName(Request request) {
        String catalog = request.catalog();
        String name = request.path("name");
        return flow(queries().flow(catalog, name), () -> Texts.shortened(catalog + "." + name), FlowRecordJson::write);
    }

    Reply flowById(Request request) {
        String catalog = request.catalog();
        long flowId = request.pathU32("flow_id");
        return flow(queries().flow(catalog, flowId), () -> byId(catalog, flowId), FlowRecordJson::write);
    }

    Reply routes(Request request) {
        String catalog = request.catalog();
        long flowId = request.pathU32("flow_id");
        return flow(queries().routes(catalog, flowId), () -> byId(catalog, flowId), FlowAnswersJson::routes);
    }

    Reply flowsOfTable(Request request) {
        return found(
                queries().flowsOfTable(request.catalog(), request.pathU32("table_id")), FlowAnswersJson::flowsOfTable);
    }

    Reply flowsOfFlownodeInCatalog(Request request) {
        return found(
                queries().flowsOfFlownode(request.catalog(), request.pathU64("flownode_id")),
                FlowAnswersJson::flowsOfFlownode);
    }

    Reply flowsOfFlownode(Request request) {
        return found(queries().flowsOfFlownode(request.pathU64("flownode_id")), FlowAnswersJson::flowsOfFlownode);
    }

    Reply keys(Request request) {
        return found(queries().keys(request.catalog(), layout(request.query("layout"))), FlowAnswersJson::keys);
    }

    Reply outcome(Request request) {
        String commandId = request.path("command_id");
        if (!CommandKey.isCommandId(commandId)) {
            throw RefusedRequestException.invalid("path part command_id is \"" + Texts.shortened(commandId)
                    + "\": allowed is text that matches [A-Za-z0-9._:-]{1,128}");
        }
        String catalog = request.scope();
        if (catalog != null) {
            Answer<Outcome> answer = queries().outcome(catalog, commandId);
            if (answer.value() == null) {
                throw noOutcome(commandId, " of catalog \"" + Texts.shortened(catalog) + "\"", answer.positions());
            }
            return found(answer, OutcomeJson::write);
        }
        Answer<List<Outcome>> answer = queries().outcomes(commandId);
        if (answer.value().isEmpty()) {
            throw noOutcome(commandId, "", answer.positions());
        }
        if (answer.value().size() > 1) {
            throw new RefusedRequestException(
                    ErrorTable.of(OutcomeCode.INVALID_ARGUMENT),
                    "command \"" + commandId + "\" exists in several catalogs, "
                            + Texts.shortened(answer.value().stream()
                                    .map(Outcome::catalog)
                                    .sorted()
                                    .collect(Collectors.joining(", ")))
                            + ": say which with ?catalog=",
                    answer.positions());
        }
        return found(answer, outcomes -> OutcomeJson.write(outcomes.get(0)));
    }

    private FlowQueries queries() {
        return flows.queries();
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

    private static RefusedRequestException noOutcome(String commandId, String where, List<Position> positions) {
        return new RefusedRequestException(
                ErrorTable.OUTCOME_NOT_FOUND,
                "there is no outcome of command \"" + commandId + "\"" + where
                        + ": it was not sent, is not decided yet, or is older than outcomes are kept",
                positions);
    }
}
