package io.sluice.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.service.cluster.Headers;
import io.sluice.service.query.FamilyPartitions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AtLeastTest {
    private static final FamilyPartitions PARTITIONS =
            new FamilyPartitions(Map.of(CommandFamily.FLOW, 4, CommandFamily.FLOWNODE, 2, CommandFamily.REGION, 3));

    private static AtLeast of(String header) {
        return AtLeast.of(TestRequests.get("/v1/catalogs", Headers.AT_LEAST, header), PARTITIONS);
    }

    private static Position at(int partition, long decision) {
        return new Position("flow", partition, decision);
    }

    private static FamilyPartition flow(int partition) {
        return new FamilyPartition(CommandFamily.FLOW, partition);
    }

    private static FamilyPartition flownode(int partition) {
        return new FamilyPartition(CommandFamily.FLOWNODE, partition);
    }

    private static Reply showing(Position... positions) {
        return Reply.json(200, JsonNodeFactory.instance.objectNode()).withPositions(List.of(positions));
    }

    @Test
    void withoutTheHeaderAnythingIsEnough() {
        AtLeast none = AtLeast.of(TestRequests.get("/v1/catalogs"), PARTITIONS);

        assertThat(none).isEqualTo(new AtLeast(false, Map.of()));
        assertThat(none.isReachedBy(showing(), flow(0))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"latest", " latest", "latest "})
    void latestStandsForWhateverIsTheLast(String header) {
        assertThat(of(header)).isEqualTo(new AtLeast(true, Map.of()));
    }

    @Test
    void aPositionIsWantedOfItsPartition() {
        assertThat(of("flow:1@17")).isEqualTo(new AtLeast(false, Map.of(flow(1), at(1, 17))));
    }

    @Test
    void severalAreSeparatedByCommasWithOrWithoutBlanks() {
        assertThat(of("flow:1@17, flow:0@3,flow:3@0").wanted())
                .isEqualTo(Map.of(flow(1), at(1, 17), flow(0), at(0, 3), flow(3), at(3, 0)));
    }

    @Test
    void severalHeadersAreOneList() {
        AtLeast both = AtLeast.of(
                TestRequests.get("/v1/catalogs", Headers.AT_LEAST, "flow:1@17", Headers.AT_LEAST, "flow:0@3"),
                PARTITIONS);

        assertThat(both.wanted()).containsOnlyKeys(flow(0), flow(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"flow:1@17,flow:1@9", "flow:1@9,flow:1@17", "flow:1@17,flow:1@17"})
    void theHighestOfAPartitionCounts(String header) {
        assertThat(of(header).wanted()).isEqualTo(Map.of(flow(1), at(1, 17)));
    }

    @Test
    void positionsOfRegionsAreWantedToo() {
        assertThat(of("region:2@5,flow:2@4").wanted())
                .isEqualTo(Map.of(
                        flow(2), at(2, 4), new FamilyPartition(CommandFamily.REGION, 2), new Position("region", 2, 5)));
    }

    @Test
    void partitionsOfOneNumberAndDifferentFamiliesAreDifferent() {
        AtLeast both = of("flownode:1@9,flow:1@4");

        assertThat(both.wanted()).isEqualTo(Map.of(flow(1), at(1, 4), flownode(1), new Position("flownode", 1, 9)));
        assertThat(both.isReachedBy(showing(at(1, 9)), flownode(1))).isFalse();
        assertThat(both.isReachedBy(showing(at(1, 4)), flow(1))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "flow",
                "flow:1",
                "flow:1@",
                "flow:-1@2",
                "flow:1@-2",
                "flow:01@2",
                "Flow:1@2",
                "flow:1@2,",
                ",flow:1@2",
                "flow:1@2;flow:2@3",
                "flow:1@9223372036854775808",
                "flow:2147483648@1",
                "LATEST"
            })
    void whatCanBeNoPositionIsRefusedAndTold(String header) {
        assertThatThrownBy(() -> of(header))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining(Headers.AT_LEAST)
                .hasMessageContaining("flow:0@17");
    }

    @ParameterizedTest
    @ValueSource(strings = {"latest,flow:1@2", "flow:1@2,latest", "latest,latest"})
    void latestStandsAlone(String header) {
        assertThatThrownBy(() -> of(header))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("latest stands alone");
    }

    @Test
    void anUnknownFamilyIsRefused() {
        assertThatThrownBy(() -> of("flow:1@2,table:1@2"))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("table:1@2")
                .hasMessageContaining("flow, flownode and region");
    }

    @Test
    void aPartitionThatThereIsNotIsRefused() {
        assertThatThrownBy(() -> of("flow:4@0"))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("flow:4@0")
                .hasMessageContaining("flow:0 to flow:3");
        assertThatThrownBy(() -> of("flownode:2@0"))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("flownode:0 to flownode:1");
        assertThatThrownBy(() -> of("region:3@0"))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("region:0 to region:2");
    }

    @Test
    void anAnswerReachesWhatItShowsAndWhatIsBelow() {
        AtLeast wanted = of("flow:1@17");

        assertThat(wanted.isReachedBy(showing(at(1, 17)), flow(1))).isTrue();
        assertThat(wanted.isReachedBy(showing(at(1, 18)), flow(1))).isTrue();
        assertThat(wanted.isReachedBy(showing(at(1, 16)), flow(1))).isFalse();
    }

    @Test
    void anotherPartitionsPositionReachesNothing() {
        AtLeast wanted = of("flow:1@17");

        assertThat(wanted.isReachedBy(showing(at(0, 99)), flow(1))).isFalse();
        assertThat(wanted.isReachedBy(showing(), flow(1))).isFalse();
        assertThat(wanted.isReachedBy(showing(at(0, 99), at(1, 17)), flow(1))).isTrue();
    }

    @Test
    void aPartitionOfWhichNothingIsWantedIsReachedByAnyAnswer() {
        assertThat(of("flow:1@17").isReachedBy(showing(at(0, 0)), flow(0))).isTrue();
    }
}
