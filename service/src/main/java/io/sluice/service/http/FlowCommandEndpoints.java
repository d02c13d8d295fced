package io.sluice.service.http;

import static io.sluice.service.http.CommandSettler.ANONYMOUS;

import io.sluice.schemas.common.Outcome;
import io.sluice.service.json.FlowCommandJson;
import io.sluice.service.json.OutcomeJson;
import java.util.concurrent.CompletableFuture;

/** The requests that change flows. Thread-safe. */
final class FlowCommandEndpoints {
    private static final int MAX_LOCATION_CHARS = 8 * 1024;

    private final FlowCommandJson json;
    private final CommandSettler settler;

    FlowCommandEndpoints(FlowCommandJson json, CommandSettler settler) {
        this.json = json;
        this.settler = settler;
    }

    CompletableFuture<Reply> create(Request request) {
        request.refuseExpectedRevision();
        return settler.settle(
                request,
                json.createFlow(request.body(), request.catalog(), ANONYMOUS),
                FlowCommandEndpoints::createdOrDone);
    }

    CompletableFuture<Reply> replace(Request request) {
        return settler.settle(
                request,
                json.replaceFlow(
                        request.body(),
                        request.catalog(),
                        request.path("name"),
                        request.expectedRevision(),
                        ANONYMOUS));
    }

    CompletableFuture<Reply> comment(Request request) {
        request.refuseExpectedRevision();
        return settler.settle(
                request, json.commentFlow(request.body(), request.catalog(), request.path("name"), ANONYMOUS));
    }

    CompletableFuture<Reply> drop(Request request) {
        return settler.settle(
                request,
                json.dropFlow(
                        request.body(),
                        request.catalog(),
                        request.path("name"),
                        request.expectedRevision(),
                        request.queryFlag("if_exists"),
                        ANONYMOUS));
    }

    CompletableFuture<Reply> importFlow(Request request) {
        request.refuseExpectedRevision();
        return settler.settle(request, json.importFlow(request.body(), request.catalog(), ANONYMOUS));
    }

    CompletableFuture<Reply> importFlowIds(Request request) {
        request.refuseExpectedRevision();
        return settler.settle(request, json.importFlowIds(request.body(), request.catalog(), ANONYMOUS));
    }

    private static Reply createdOrDone(Outcome outcome) {
        boolean created = outcome.applied() && Long.valueOf(1).equals(outcome.revision());
        return created ? created(outcome) : CommandSettler.done(outcome);
    }

    private static Reply created(Outcome outcome) {
        Reply reply = Reply.json(201, OutcomeJson.write(outcome));
        String path = "/v1/catalogs/" + UriText.encodeSegment(outcome.catalog()) + "/flows/"
                + UriText.encodeSegment(outcome.flowName());
        // Names have no length limit, paths and headers do.
        return path.length() <= MAX_LOCATION_CHARS ? reply.withHeader("Location", path) : reply;
    }
}
