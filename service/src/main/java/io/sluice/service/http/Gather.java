package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.query.Queries;
import java.util.List;
import java.util.SortedMap;

/** A look-up that asks several partitions and makes one answer of theirs. Thread-safe. */
interface Gather {
    /**
     * Whom it asks.
     *
     * @param all there are
     * @throws RefusedRequestException if the request does not say it right
     */
    List<FamilyPartition> asks(Request request, FamilyPartitions all);

    /**
     * What one partition says; instances send each other this.
     *
     * @throws io.sluice.service.query.NotReadyException if the partition cannot be read now
     */
    Answer<ObjectNode> part(Request request, Queries queries, FamilyPartition partition);

    /**
     * The answer of all.
     *
     * @param parts of every partition that was asked, by family and number
     */
    Reply whole(Request request, SortedMap<FamilyPartition, JsonNode> parts);
}
