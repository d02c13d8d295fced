package io.sluice.service.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.flow.DropFlow;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.RegisterFlownode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What answers say about flownodes. */
class FlownodeAnswersJsonTest {
    private static JsonNode tree(String json) {
        return JsonText.tree(json.getBytes(StandardCharsets.UTF_8));
    }

    private static Outcome outcome(String family, String catalog, Long flownodeId) {
        return new Outcome(
                "c-1",
                OutcomeCode.OK,
                "",
                catalog,
                flownodeId,
                null,
                null,
                null,
                -1L,
                true,
                new Position(family, 2, 7),
                "kafka");
    }

    @Test
    void anAddressHasItsFlownodeAndEpochAsU64() {
        assertThat(FlownodeAnswersJson.address(new FlownodeAddress(-1, "b:1", 5, "c")))
                .hasToString("{\"flownode_id\":\"18446744073709551615\",\"addr\":\"b:1\",\"epoch\":5}");
    }

    @Test
    void anOutcomeShowsTheCatalogOrTheFlownodeThatTheCommandIsAbout() {
        assertThat(OutcomeJson.write(outcome("flownode", null, 7L)))
                .hasToString(
                        "{\"command_id\":\"c-1\",\"code\":\"OK\",\"message\":\"\",\"flownode_id\":7,\"flow_id\":null,"
                                + "\"flow_name\":null,\"revision\":\"18446744073709551615\",\"applied\":true,"
                                + "\"position\":\"flownode:2@7\",\"who\":\"kafka\"}");
        assertThat(OutcomeJson.write(outcome("flow", "farm", null))
                        .get("catalog")
                        .textValue())
                .isEqualTo("farm");
        assertThat(OutcomeJson.write(outcome("flow", "farm", null)).has("flownode_id"))
                .isFalse();
    }

    @Test
    void whatItIsAboutMayNotBeKnown() {
        assertThat(OutcomeJson.write(outcome("flownode", null, null)).get("flownode_id"))
                .hasToString("null");
        assertThat(OutcomeJson.write(outcome("flow", null, null)).get("catalog"))
                .hasToString("null");
    }

    @Test
    void aCommandWhoseOutcomeIsNotKnownSaysWhatItIsAbout() {
        assertThat(AcceptedJson.write(new RegisterFlownode(-1, "c-1", 0, "me", "b:1", 5), "wait"))
                .hasToString("{\"command_id\":\"c-1\",\"flownode_id\":\"18446744073709551615\",\"message\":\"wait\"}");
        assertThat(AcceptedJson.write(
                        new DropFlow(new CommandEnvelope("farm", "c-2", 0), "f", null, null, true), "wait"))
                .hasToString("{\"command_id\":\"c-2\",\"catalog\":\"farm\",\"flow_name\":\"f\",\"message\":\"wait\"}");
    }

    @Test
    void peersAreFoundInTheListsOfAnAnswer() {
        JsonNode answer = tree("{\"source_table_ids\":[7],\"options\":{\"peer\":\"x\"},"
                + "\"flow_routes\":[{\"partition_id\":0,\"peer\":{\"id\":1,\"addr\":\"a:1\"}},"
                + "{\"partition_id\":1,\"peer\":{\"id\":\"18446744073709551615\",\"addr\":\"a:2\"}}]}");

        List<ObjectNode> peers = PeerJson.shownIn(answer);

        assertThat(peers).extracting(PeerJson::id).containsExactly(1L, -1L);
        PeerJson.lay("b:1", peers.get(1));
        assertThat(answer.get("flow_routes"))
                .hasToString("[{\"partition_id\":0,\"peer\":{\"id\":1,\"addr\":\"a:1\"}},"
                        + "{\"partition_id\":1,\"peer\":{\"id\":\"18446744073709551615\",\"addr\":\"b:1\"}}]");
    }

    @Test
    void anAnswerWithoutListsShowsNone() {
        assertThat(PeerJson.shownIn(tree("{\"peer\":{\"id\":1,\"addr\":\"a\"},\"lists\":{}}")))
                .isEmpty();
        assertThat(PeerJson.shownIn(tree("[[{\"peer\":null},7,{\"peer\":\"x\"}]]")))
                .isEmpty();
    }
}
