package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FlowQueries;
import java.util.List;

/** A look-up that asks every partition and makes one answer of theirs. Thread-safe. */
interface Gather {
    /**
     * What one partition says; instances send each other this.
     *
     * @throws io.sluice.service.query.NotReadyException if the partition cannot be read now
     */
    Answer<ObjectNode> part(Request request, FlowQueries queries, int partition);

    /**
     * The answer of all.
     *
     * @param parts one for each partition, in their order
     */
    Reply whole(Request request, List<JsonNode> parts);
}
