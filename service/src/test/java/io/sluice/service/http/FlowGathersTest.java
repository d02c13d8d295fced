package io.sluice.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.service.json.JsonText;
import io.sluice.service.query.FakeCopies;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Answers over all partitions. Of four, catalog {@code greptime} is in partition 2, {@code foo} in 0, {@code foo-x} in 3. */
class FlowGathersTest {
    private static final int PARTITIONS = 4;

    private final FakeCopies copies = new FakeCopies(PARTITIONS);

    /** What every partition says, as instances send it to each other. */
    private List<JsonNode> parts(Gather gather, Request request) {
        return IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> JsonText.tree(JsonText.write(
                        gather.part(request, copies.queries(), partition).value())))
                .toList();
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

    private void settled(int partition, String catalog, String commandId) {
        copies.recorded(
                partition,
                new Outcome(
                        commandId,
                        OutcomeCode.FLOW_NOT_FOUND,
                        "there is no flow f",
                        catalog,
                        null,
                        "f",
                        null,
                        false,
                        new Position("flow", partition, 7),
                        "kafka"));
    }

    private static Request outcomeRequest() {
        return TestRequests.get("/v1/outcomes/c-1");
    }

    @Test
    void eachPartSaysWhichDecisionItReflects() {
        copies.decided(3, 17);

        assertThat(Stream.of(
                        FlowGathers.CATALOGS.part(TestRequests.get("/v1/catalogs"), copies.queries(), 3),
                        FlowGathers.POSITIONS.part(TestRequests.get("/v1/positions"), copies.queries(), 3),
                        FlowGathers.OUTCOME.part(outcomeRequest(), copies.queries(), 3),
                        FlowGathers.FLOWS_OF_FLOWNODE.part(
                                TestRequests.get("/v1/flownodes/1/flows"), copies.queries(), 3)))
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
                List.of(
                        json("{\"flows\":[{\"catalog\":\"b\",\"flow_id\":9},{\"catalog\":\"b\",\"flow_id\":10}]}"),
                        json("{\"flows\":[]}"),
                        json("{\"flows\":[{\"catalog\":\"a\",\"flow_id\":30},{\"catalog\":\"c\",\"flow_id\":1}]}")));

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

        assertThat(body(whole(FlowGathers.POSITIONS, TestRequests.get("/v1/positions"))))
                .isEqualTo("{\"positions\":[\"flow:0@10\",\"flow:1@0\",\"flow:2@9\",\"flow:3@0\"]}");
    }

    @Test
    void theOneOutcomeOfACommandIsFoundWhereverItIs() {
        settled(3, "foo-x", "c-1");
        settled(3, "foo-x", "c-2");

        Reply reply = whole(FlowGathers.OUTCOME, outcomeRequest());

        assertThat(reply.status()).isEqualTo(200);
        assertThat(JsonText.tree(reply.body()).path("catalog").asText()).isEqualTo("foo-x");
        assertThat(JsonText.tree(reply.body()).path("command_id").asText()).isEqualTo("c-1");
    }

    @Test
    void anOutcomeThatIsNowhereIsNotFound() {
        settled(3, "foo-x", "c-2");

        assertThatThrownBy(() -> whole(FlowGathers.OUTCOME, outcomeRequest()))
                .isInstanceOfSatisfying(
                        RefusedRequestException.class,
                        refused -> assertThat(refused.row()).isEqualTo(ErrorTable.OUTCOME_NOT_FOUND))
                .hasMessageContaining("c-1");
    }

    @Test
    void anIdThatSeveralCatalogsKnowIsRefusedAndTheyAreNamed() {
        settled(3, "foo-x", "c-1");
        settled(0, "foo", "c-1");

        assertThatThrownBy(() -> whole(FlowGathers.OUTCOME, outcomeRequest()))
                .isInstanceOfSatisfying(
                        RefusedRequestException.class,
                        refused -> assertThat(refused.row().code()).isEqualTo("INVALID_ARGUMENT"))
                .hasMessageContaining("foo, foo-x")
                .hasMessageContaining("?catalog=");
    }

    @Test
    void severalCatalogsOfOnePartitionAreSeveralToo() {
        settled(3, "foo-x", "c-1");
        settled(3, "foo-y", "c-1");

        assertThatThrownBy(() -> whole(FlowGathers.OUTCOME, outcomeRequest())).hasMessageContaining("foo-x, foo-y");
    }
}
