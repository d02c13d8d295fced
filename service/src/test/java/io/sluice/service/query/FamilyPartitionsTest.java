package io.sluice.service.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.topology.common.PartitionCounts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FamilyPartitionsTest {
    private final FamilyPartitions partitions = FamilyPartitions.of(new PartitionCounts(2, 3, 5));

    private static FamilyPartition flow(int partition) {
        return new FamilyPartition(CommandFamily.FLOW, partition);
    }

    private static FamilyPartition region(int partition) {
        return new FamilyPartition(CommandFamily.REGION, partition);
    }

    private static FamilyPartition flownode(int partition) {
        return new FamilyPartition(CommandFamily.FLOWNODE, partition);
    }

    @ParameterizedTest
    @EnumSource(CommandFamily.class)
    void everyFamilyHasPartitions(CommandFamily family) {
        assertThat(partitions.of(family)).hasSize(partitions.count(family)).isNotEmpty();
    }

    @Test
    void allAreInTheOrderOfTheirFamiliesAndNumbers() {
        assertThat(partitions.all())
                .containsExactly(
                        flow(0),
                        flow(1),
                        flownode(0),
                        flownode(1),
                        flownode(2),
                        region(0),
                        region(1),
                        region(2),
                        region(3),
                        region(4));
        assertThat(partitions.of(CommandFamily.REGION, CommandFamily.FLOWNODE, CommandFamily.FLOW))
                .isEqualTo(partitions.all());
    }

    @Test
    void aPartitionIsThereOrNot() {
        assertThat(partitions.has(flow(1))).isTrue();
        assertThat(partitions.has(flow(2))).isFalse();
        assertThat(partitions.has(flownode(2))).isTrue();
        assertThat(partitions.has(flownode(3))).isFalse();
        assertThat(partitions.has(region(4))).isTrue();
        assertThat(partitions.has(region(5))).isFalse();
    }

    @Test
    void aCatalogIsInAPartitionOfFlows() {
        assertThat(partitions.ofCatalog("greptime")).isEqualTo(flow(Partitions.of("greptime", 2)));
    }

    @Test
    void aFlownodeIsInThePartitionOfItsUnsignedDecimalId() {
        assertThat(partitions.ofFlownode(-1)).isEqualTo(flownode(Partitions.of("18446744073709551615", 3)));
    }

    @Test
    void aRegionIsInThePartitionOfItsUnsignedDecimalId() {
        assertThat(partitions.ofRegion(-1)).isEqualTo(region(Partitions.of("18446744073709551615", 5)));
    }

    @Test
    void aPositionIsAboutAPartition() {
        assertThat(FamilyPartitions.of(new Position("flownode", 2, 17))).isEqualTo(flownode(2));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FamilyPartitions.of(new Position("table", 2, 17)))
                .withMessageContaining("table:2@17");
    }

    @Test
    void rangesAreSaidAsInPositions() {
        assertThat(partitions.ranges()).isEqualTo("flow:0 to flow:1, flownode:0 to flownode:2, region:0 to region:4");
    }
}
