package io.sluice.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.service.json.JsonText;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FakeCopies;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outcomes of commands. Of four partitions of flows, catalog {@code foo} is in 0, {@code foo-x} in 3. */
class OutcomeLookUpsTest {
    private static final String ANYWHERE = "/v1/outcomes/c-1";

    private final FakeCopies copies = new FakeCopies(4);

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

    private void settled(long flownodeId, String commandId) {
        copies.recorded(Outcome.ofFlownode(
                commandId,
                OutcomeCode.OK,
                "",
                flownodeId,
                5L,
                true,
                copies.partitions().ofFlownode(flownodeId).at(7),
                "kafka"));
    }

    private void settledOfRegion(long regionId, String commandId) {
        copies.recorded(Outcome.ofRegion(
                commandId,
                OutcomeCode.REGION_NOT_FOUND,
                "there is no region",
                regionId,
                null,
                false,
                copies.partitions().ofRegion(regionId).at(7),
                "kafka"));
    }

    private Reply anywhere() {
        Request request = TestRequests.get(ANYWHERE);
        Gather gather = OutcomeLookUps.ANYWHERE;
        SortedMap<FamilyPartition, JsonNode> parts = new TreeMap<>();
        for (FamilyPartition partition : gather.asks(request, copies.partitions())) {
            Answer<?> part = gather.part(request, copies.queries(), partition);
            assertThat(part.positions()).containsExactly(partition.at(0));
            parts.put(partition, JsonText.tree(JsonText.write((JsonNode) part.value())));
        }
        assertThat(parts).hasSize(4 + FakeCopies.FLOWNODE_PARTITIONS + FakeCopies.REGION_PARTITIONS);
        return gather.whole(request, parts);
    }

    private FamilyPartition where(String query) {
        return OutcomeLookUps.where(TestRequests.get(ANYWHERE + query), copies.partitions());
    }

    private Reply there(String query) {
        return OutcomeLookUps.there(TestRequests.get(ANYWHERE + query), copies.queries());
    }

    // ---- anywhere

    @Test
    void theOneOutcomeOfACommandIsFoundWhereverItIs() {
        settled(3, "foo-x", "c-1");
        settled(3, "foo-x", "c-2");
        settled(7, "c-2");

        Reply reply = anywhere();

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.json().path("catalog").asText()).isEqualTo("foo-x");
        assertThat(reply.json().path("command_id").asText()).isEqualTo("c-1");
    }

    @Test
    void thatOfAFlownodeCommandToo() {
        settled(7, "c-1");

        assertThat(anywhere().json().path("flownode_id").asInt()).isEqualTo(7);
    }

    @Test
    void thatOfARegionCommandToo() {
        settledOfRegion(7, "c-1");

        assertThat(anywhere().json().path("region_id").asInt()).isEqualTo(7);
    }

    @Test
    void anOutcomeThatIsNowhereIsNotFound() {
        settled(3, "foo-x", "c-2");

        assertThatThrownBy(this::anywhere)
                .isInstanceOfSatisfying(
                        RefusedRequestException.class,
                        refused -> assertThat(refused.row()).isEqualTo(ErrorTable.OUTCOME_NOT_FOUND))
                .hasMessageContaining("c-1");
    }

    @Test
    void anIdThatSeveralKnowIsRefusedAndTheyAreNamed() {
        settled(3, "foo-x", "c-1");
        settled(0, "foo", "c-1");
        settled(-1, "c-1");
        settledOfRegion(-1, "c-1");

        assertThatThrownBy(this::anywhere)
                .isInstanceOfSatisfying(
                        RefusedRequestException.class,
                        refused -> assertThat(refused.row().code()).isEqualTo("INVALID_ARGUMENT"))
                .hasMessageContaining(
                        "catalog foo, catalog foo-x, flownode 18446744073709551615, region 18446744073709551615")
                .hasMessageContaining("?catalog=, ?flownode= or ?region=");
    }

    @Test
    void severalCatalogsOfOnePartitionAreSeveralToo() {
        settled(3, "foo-x", "c-1");
        settled(3, "foo-y", "c-1");

        assertThatThrownBy(this::anywhere).hasMessageContaining("catalog foo-x, catalog foo-y");
    }

    // ---- where it is said

    @Test
    void aCatalogAFlownodeOrARegionSaysWhere() {
        assertThat(where("?catalog=foo")).isEqualTo(copies.partitions().ofCatalog("foo"));
        assertThat(where("?flownode=18446744073709551615"))
                .isEqualTo(copies.partitions().ofFlownode(-1));
        assertThat(where("?region=18446744073709551615"))
                .isEqualTo(copies.partitions().ofRegion(-1));
        assertThat(where("")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"?catalog=foo&flownode=7", "?flownode=7&region=7", "?catalog=foo&region=7"})
    void severalAreRefused(String query) {
        assertThatThrownBy(() -> where(query))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("catalog, flownode and region several are given");
    }

    @Test
    void aFlownodeThatIsNoneIsRefused() {
        assertThatThrownBy(() -> where("?flownode=07"))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("query parameter flownode is \"07\"");
    }

    @Test
    void anOutcomeIsThatOfItsRegion() {
        settledOfRegion(7, "c-1");
        settled(7, "c-1");

        assertThat(there("?region=7").json().path("region_id").asInt()).isEqualTo(7);
        assertThat(there("?region=7").positions())
                .containsExactly(copies.partitions().ofRegion(7).at(0));
        assertThatThrownBy(() -> there("?region=8")).hasMessageContaining("of region id \"8\"");
    }

    @Test
    void anOutcomeIsThatOfItsCatalogOrFlownode() {
        settled(0, "foo", "c-1");
        settled(7, "c-1");

        assertThat(there("?catalog=foo").json().path("catalog").asText()).isEqualTo("foo");
        assertThat(there("?flownode=7").json().path("flownode_id").asInt()).isEqualTo(7);
        assertThat(there("?flownode=7").positions())
                .containsExactly(copies.partitions().ofFlownode(7).at(0));
    }

    @Test
    void anOutcomeThatTheyHaveNotIsNotFoundAndSaysWhere() {
        settled(7, "c-1");

        assertThatThrownBy(() -> there("?catalog=foo")).hasMessageContaining("of catalog \"foo\"");
        assertThatThrownBy(() -> there("?flownode=8"))
                .isInstanceOfSatisfying(RefusedRequestException.class, refused -> {
                    assertThat(refused.row()).isEqualTo(ErrorTable.OUTCOME_NOT_FOUND);
                    assertThat(refused.positions())
                            .containsExactly(copies.partitions().ofFlownode(8).at(0));
                })
                .hasMessageContaining("of flownode id \"8\"");
    }
}
