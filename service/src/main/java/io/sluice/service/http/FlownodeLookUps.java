package io.sluice.service.http;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.service.json.FlownodeAnswersJson;
import io.sluice.service.query.Answer;
import io.sluice.service.query.Queries;

/** The requests that look something up about one flownode. Stateless; every answer carries the position it reflects. */
final class FlownodeLookUps {
    private FlownodeLookUps() {}

    static Reply address(Request request, Queries queries) {
        long flownodeId = request.pathFlownode();
        Answer<FlownodeAddress> answer = queries.flownodes().address(flownodeId);
        if (answer.value() == null) {
            throw new RefusedRequestException(
                    ErrorTable.FLOWNODE_NOT_FOUND,
                    "flownode " + U64.text(flownodeId) + " has never registered an address",
                    answer.positions());
        }
        return Reply.json(200, FlownodeAnswersJson.address(answer.value())).withPositions(answer.positions());
    }
}
