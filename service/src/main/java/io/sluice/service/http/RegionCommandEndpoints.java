package io.sluice.service.http;

import static io.sluice.service.http.CommandSettler.ANONYMOUS;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.service.json.OutcomeJson;
import io.sluice.service.json.RegionCommandJson;
import java.util.concurrent.CompletableFuture;

/** The requests that change regions. Thread-safe. */
final class RegionCommandEndpoints {
    private final RegionCommandJson json;
    private final CommandSettler settler;

    RegionCommandEndpoints(RegionCommandJson json, CommandSettler settler) {
        this.json = json;
        this.settler = settler;
    }

    /** A body to the command that it is. */
    interface Reading {
        /** @param regionId of the path, the bits of a u64 */
        RegionCommand command(RegionCommandJson json, byte[] body, long regionId, String who);
    }

    CompletableFuture<Reply> create(Request request) {
        request.refuseExpectedRevision();
        return settler.settle(
                request, json.createRegion(request.body(), ANONYMOUS), RegionCommandEndpoints::createdOrDone);
    }

    /** The endpoint of a command to the region of the path. */
    Route.Endpoint of(Reading reading) {
        return request -> {
            request.refuseExpectedRevision();
            return settler.settle(request, reading.command(json, request.body(), request.pathRegion(), ANONYMOUS));
        };
    }

    private static Reply createdOrDone(Outcome outcome) {
        return outcome.applied()
                ? Reply.json(201, OutcomeJson.write(outcome))
                        .withHeader("Location", "/v1/regions/" + U64.text(outcome.regionId()))
                : CommandSettler.done(outcome);
    }
}
