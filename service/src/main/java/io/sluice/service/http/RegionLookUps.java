package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.service.json.DeletableJson;
import io.sluice.service.json.RegionAnswersJson;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.query.FollowedManifest;
import io.sluice.service.query.Queries;
import io.sluice.topology.region.FileDeletion.Deletable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;

/** The requests that look something up about regions. Stateless; every answer carries the position it reflects. */
final class RegionLookUps {
    /** The regions of all partitions, or those of a table, in unsigned order of their ids. */
    static final Gather LIST = new Gather() {
        @Override
        public List<FamilyPartition> asks(Request request, FamilyPartitions all) {
            return all.of(CommandFamily.REGION);
        }

        @Override
        public Answer<ObjectNode> part(Request request, Queries queries, FamilyPartition partition) {
            int limit = request.limit();
            Answer<List<RegionRecord>> answer = queries.regions()
                    .list(
                            partition.partition(),
                            request.queryU32("table_id"),
                            request.queryU64("after"),
                            // One more than asked for tells whether anything is left.
                            limit == 0 ? 0 : limit + 1);
            return new Answer<>(RegionAnswersJson.regions(answer.value()), answer.positions());
        }

        @Override
        public Reply whole(Request request, SortedMap<FamilyPartition, JsonNode> parts) {
            List<JsonNode> regions = new ArrayList<>();
            parts.values().forEach(part -> RegionAnswersJson.regions(part).forEach(regions::add));
            regions.sort(Comparator.comparing(RegionAnswersJson::regionId, Long::compareUnsigned));
            int limit = request.limit();
            boolean isAll = limit == 0 || regions.size() <= limit;
            List<JsonNode> page = isAll ? regions : regions.subList(0, limit);
            Long next = isAll ? null : RegionAnswersJson.regionId(page.get(limit - 1));
            return Reply.json(200, RegionAnswersJson.page(page, next));
        }
    };

    private static final String FROM = "from";
    private static final String INCARNATION = "incarnation";

    private RegionLookUps() {}

    static Reply region(Request request, Queries queries) {
        Answer<RegionRecord> answer = found(request, queries.regions().region(request.pathRegion()));
        return Reply.json(200, RegionAnswersJson.region(answer.value())).withPositions(answer.positions());
    }

    static Reply files(Request request, Queries queries) {
        var answer = found(request, queries.regions().files(request.pathRegion()));
        return Reply.json(RegionAnswersJson.files(answer.value())).withPositions(answer.positions());
    }

    /** A region that is not known is an answer, and no error: whoever asks is told not to write. */
    static Reply admission(Request request, Queries queries) {
        Answer<RegionRecord> answer = queries.regions().region(request.pathRegion());
        return Reply.json(200, RegionAnswersJson.admission(answer.value())).withPositions(answer.positions());
    }

    static Reply manifest(Request request, Queries queries) {
        long regionId = request.pathRegion();
        Long from = request.queryU64(FROM);
        Long incarnation = request.queryU64(INCARNATION);
        if (from == null && incarnation != null) {
            throw RefusedRequestException.invalid("query parameter " + INCARNATION + " is given without " + FROM
                    + ": it says which region the version " + FROM + " is of");
        }
        Answer<FollowedManifest> answer = found(
                request,
                from == null
                        ? queries.regions().manifest(regionId)
                        : queries.regions().manifest(regionId, from, incarnation));
        return Reply.json(RegionAnswersJson.manifest(answer.value())).withPositions(answer.positions());
    }

    static Reply removed(Request request, Queries queries) {
        var answer = queries.regions().removed(request.pathRegion());
        return Reply.json(RegionAnswersJson.removed(answer.value())).withPositions(answer.positions());
    }

    static Reply deletable(Request request, Queries queries) {
        DeletableJson.Question question = DeletableJson.read(request.question());
        Answer<Deletable> answer =
                queries.regions().deletable(request.pathRegion(), question.manifestVersion(), question.references());
        Deletable deletable = answer.value();
        if (deletable.code() != OutcomeCode.OK) {
            throw new RefusedRequestException(ErrorTable.of(deletable.code()), deletable.message(), answer.positions());
        }
        return Reply.json(200, DeletableJson.write(deletable)).withPositions(answer.positions());
    }

    private static <T> Answer<T> found(Request request, Answer<T> answer) {
        if (answer.value() == null) {
            throw new RefusedRequestException(
                    ErrorTable.of(OutcomeCode.REGION_NOT_FOUND),
                    "there is no region " + U64.text(request.pathRegion()),
                    answer.positions());
        }
        return answer;
    }
}
