package io.sluice.service.http;

import static io.sluice.service.http.CommandSettler.ANONYMOUS;

import io.sluice.service.json.FlownodeCommandJson;
import java.util.concurrent.CompletableFuture;

/** The requests by which flownodes say where they are and how their flows are. Thread-safe. */
final class FlownodeCommandEndpoints {
    private final FlownodeCommandJson json;
    private final CommandSettler settler;

    FlownodeCommandEndpoints(FlownodeCommandJson json, CommandSettler settler) {
        this.json = json;
        this.settler = settler;
    }

    CompletableFuture<Reply> register(Request request) {
        request.refuseExpectedRevision();
        return settler.settle(request, json.registerFlownode(request.body(), request.pathFlownode(), ANONYMOUS));
    }

    CompletableFuture<Reply> report(Request request) {
        request.refuseExpectedRevision();
        return settler.settle(request, json.reportFlowState(request.body(), request.pathFlownode(), ANONYMOUS));
    }
}
