package io.sluice.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.service.json.JsonText;
import io.sluice.service.query.FakeCopies;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Answers over all partitions. Of four, catalog {@code greptime} is in partition 2, {@code foo} in 0, {@code foo-x} in 3. */
class FlowGathersTest {
    private static final int PARTITIONS = 4;

    private final FakeCopies copies = new FakeCopies(PARTITIONS);

    /** What every partition says, as instances send it to each other. */
    private SortedMap<FamilyPartition, JsonNode> parts(Gather gather, Request request) {
        SortedMap<FamilyPartition, JsonNode> parts = new TreeMap<>();
        gather.asks(request, copies.partitions())
                .forEach(partition -> parts.put(
                        partition,
                        JsonText.tree(JsonText.write(gather.part(request, copies.queries(), partition)
                                .value()))));
        return parts;
    }

    private static FamilyPartition flow(int partition) {
        return new FamilyPartition(CommandFamily.FLOW, partition);
    }

    private Reply whole(Gather gather, Request request) {
        return gather.whole(request, parts(gather, request));
    }

    private static JsonNode json(String text) {
        return JsonText.tree(text.getBytes(UTF_8));
    }

    private static String body(Reply reply) {
        return new String(reply.body(), UTF_8);
    }

    @Test
    void eachPartSaysWhichDecisionItReflects() {
        copies.decided(3, 17);

        assertThat(Stream.of(
                        FlowGathers.CATALOGS.part(TestRequests.get("/v1/catalogs"), copies.queries(), flow(3)),
                        FlowGathers.POSITIONS.part(TestRequests.get("/v1/positions"), copies.queries(), flow(3)),
                        FlowGathers.FLOWS_OF_FLOWNODE.part(
                                TestRequests.get("/v1/flownodes/1/flows"), copies.queries(), flow(3))))
                .allSatisfy(part -> assertThat(part.positions()).containsExactly(new Position("flow", 3, 17)));
    }

    @Test
    void theCatalogsOfAllPartitionsAreSorted() {
        copies.recorded("greptime", 1024, "f");
        copies.recorded("foo", 1024, "f");
        copies.recorded("foo-x", 1024, "f");

        assertThat(body(whole(FlowGathers.CATALOGS, TestRequests.get("/v1/catalogs"))))
                .isEqualTo("{\"catalogs\":[\"foo\",\"foo-x\",\"greptime\"]}");
    }

    @Test
    void noCatalogAtAllIsAnEmptyList() {
        assertThat(body(whole(FlowGathers.CATALOGS, TestRequests.get("/v1/catalogs"))))
                .isEqualTo("{\"catalogs\":[]}");
    }

    @Test
    void theFlowsOfAFlownodeAreSortedByCatalogAndStayInOrderWithinIt() {
        Reply reply = FlowGathers.FLOWS_OF_FLOWNODE.whole(
                TestRequests.get("/v1/flownodes/1/flows"),
                new TreeMap<>(Map.of(
                        flow(0),
                        json("{\"flows\":[{\"catalog\":\"b\",\"flow_id\":9},{\"catalog\":\"b\",\"flow_id\":10}]}"),
                        flow(1),
                        json("{\"flows\":[]}"),
                        flow(2),
                        json("{\"flows\":[{\"catalog\":\"a\",\"flow_id\":30},{\"catalog\":\"c\",\"flow_id\":1}]}"))));

        assertThat(body(reply))
                .isEqualTo("{\"flows\":[{\"catalog\":\"a\",\"flow_id\":30},{\"catalog\":\"b\",\"flow_id\":9},"
                        + "{\"catalog\":\"b\",\"flow_id\":10},{\"catalog\":\"c\",\"flow_id\":1}]}");
    }

    @Test
    void theFlowsOfAFlownodeComeFromEveryPartition() {
        copies.recorded("greptime", 1024, "f");
        copies.recorded("foo", 1025, "g");

        assertThat(body(whole(FlowGathers.FLOWS_OF_FLOWNODE, TestRequests.get("/v1/flownodes/1/flows"))))
                .isEqualTo("{\"flows\":[{\"catalog\":\"foo\",\"flow_id\":1025,\"partition_id\":0},"
                        + "{\"catalog\":\"greptime\",\"flow_id\":1024,\"partition_id\":0}]}");
    }

    @Test
    void thePositionsAreInTheOrderOfThePartitions() {
        copies.decided(0, 10);
        copies.decided(2, 9);
        copies.decided(new FamilyPartition(CommandFamily.FLOWNODE, 1), 4);

        assertThat(body(whole(FlowGathers.POSITIONS, TestRequests.get("/v1/positions"))))
                .isEqualTo(
                        "{\"positions\":[\"flow:0@10\",\"flow:1@0\",\"flow:2@9\",\"flow:3@0\",\"flownode:0@0\",\"flownode:1@4\",\"flownode:2@0\",\"region:0@0\",\"region:1@0\"]}");
    }
}
