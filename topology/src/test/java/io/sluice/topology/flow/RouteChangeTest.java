package io.sluice.topology.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.FlownodeRoute;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What flownodes are told about a change of a flow. Texts: key, then {@code +} for a value and {@code -} for a tombstone. */
class RouteChangeTest {
    private final FlowRecordCodec codec = new FlowRecordCodec(new SingleObject(KnownSchemas.shipped()));

    @Test
    void aNewFlowIsAssignedPartitionByPartition() {
        FlowRecord flow = flow("0:1,1:2,2:1");

        List<RouteChange> changes = changes(null, flow);

        assertThat(texts(changes)).containsExactly("1/greptime/1024/0 +", "2/greptime/1024/1 +", "1/greptime/1024/2 +");
        FlownodeRoute second = codec.decodeRoute(changes.get(1).value());
        assertThat(second.partitionId()).isEqualTo(1);
        assertThat(second.peer()).isEqualTo(flow.routes().get(1L));
        assertThat(second.flow().rawSql()).isEqualTo(flow.rawSql());
        assertThat(second.flow().revision()).isEqualTo(flow.revision());
        assertThat(second.flow().commandId()).isEqualTo(flow.commandId());
        assertThat(second.flow().routes()).as("only its own partition").containsOnlyKeys(1L);
    }

    @Test
    void aChangedDefinitionUpdatesEveryPartitionAndDeletesNothing() {
        List<RouteChange> changes = between("0:1,1:2", "0:1,1:2");

        assertThat(texts(changes)).containsExactly("1/greptime/1024/0 +", "2/greptime/1024/1 +");
        assertThat(codec.decodeRoute(changes.get(0).value()).flow().revision()).isEqualTo(2);
    }

    @Test
    void aDroppedFlowIsRevokedEverywhere() {
        assertThat(texts(changes(flow("0:1,1:2"), null))).containsExactly("1/greptime/1024/0 -", "2/greptime/1024/1 -");
    }

    @Test
    void aPartitionThatMovesIsRevokedThereAndAssignedHere() {
        assertThat(texts(between("0:1,1:2", "0:1,1:3")))
                .containsExactly("2/greptime/1024/1 -", "1/greptime/1024/0 +", "3/greptime/1024/1 +");
    }

    @Test
    void aSwapOfFlownodesRevokesBothOldKeysAndAssignsBothNewOnes() {
        assertThat(texts(between("0:1,1:2", "0:2,1:1")))
                .containsExactly(
                        "1/greptime/1024/0 -", "2/greptime/1024/1 -", "2/greptime/1024/0 +", "1/greptime/1024/1 +");
    }

    @Test
    void aPartitionThatGoesIsRevokedAndTheOthersStay() {
        assertThat(texts(between("0:1,1:2,2:3", "0:1")))
                .containsExactly("2/greptime/1024/1 -", "3/greptime/1024/2 -", "1/greptime/1024/0 +");
    }

    @Test
    void aPartitionThatIsNewIsAssigned() {
        assertThat(texts(between("0:1", "0:1,5:1"))).containsExactly("1/greptime/1024/0 +", "1/greptime/1024/5 +");
    }

    @Test
    void anotherAddressOfTheSameFlownodeIsAnUpdate() {
        FlowRecord before = record(FlowCommands.create("f").route(1, "a:1"));
        FlowRecord after = record(FlowCommands.create("f").route(1, "b:1"));

        List<RouteChange> changes = changes(before, after);

        assertThat(texts(changes)).containsExactly("1/greptime/1024/0 +");
        assertThat(codec.decodeRoute(changes.get(0).value()).peer().addr()).isEqualTo("b:1");
    }

    @Test
    void aPendingFlowIsNobodys() {
        FlowRecord pending = record(
                FlowCommands.create("f").unresolved("greptime.public.late").deferOnMissingSource());

        assertThat(changes(null, pending)).isEmpty();
        assertThat(changes(pending, pending)).isEmpty();
        assertThat(changes(pending, null)).isEmpty();
    }

    @Test
    void flownodeIdsAreUnsigned() {
        assertThat(texts(changes(null, flow("0:18446744073709551615"))))
                .containsExactly("18446744073709551615/greptime/1024/0 +");
    }

    @Test
    void noKeyIsBothDeletedAndWritten() {
        String[] shapes = {"0:1", "0:2", "0:1,1:2", "0:2,1:1", "0:1,1:1,2:1", "1:1,2:2", "7:3"};
        for (String before : shapes) {
            for (String after : shapes) {
                List<RouteChange> changes = between(before, after);
                Set<String> deleted = keys(changes, false);
                Set<String> written = keys(changes, true);
                assertThat(deleted).as(before + " to " + after).doesNotContainAnyElementsOf(written);
                assertThat(deleted.size() + written.size()).as("each key once").isEqualTo(changes.size());
            }
        }
    }

    @Test
    void theSizeCountsKeyAndValue() {
        RouteChange assigned = changes(null, flow("0:1")).get(0);
        RouteChange revoked = changes(flow("0:1"), null).get(0);

        assertThat(revoked.sizeBytes()).isEqualTo("1/greptime/1024/0".length());
        assertThat(assigned.sizeBytes()).isEqualTo(revoked.sizeBytes() + assigned.value().length);
    }

    private static List<RouteChange> changes(FlowRecord before, FlowRecord after) {
        return RouteChange.between(before, after).toList();
    }

    private static List<RouteChange> between(String before, String after) {
        FlowRecord first = flow(before);
        FlowRecord second = flow(after).withComment("", 2, "c2", 2);
        return changes(first, second);
    }

    private static FlowRecord flow(String routes) {
        return record(FlowCommands.create("f").routes(routes));
    }

    /** The record that a create leads to. */
    private static FlowRecord record(FlowCommands create) {
        return new FlowScenario().given(create).flow("f");
    }

    private static List<String> texts(List<RouteChange> changes) {
        return changes.stream()
                .map(change -> change.key() + (change.value() == null ? " -" : " +"))
                .toList();
    }

    private static Set<String> keys(List<RouteChange> changes, boolean written) {
        return changes.stream()
                .filter(change -> (change.value() != null) == written)
                .map(change -> change.key().toString())
                .collect(Collectors.toSet());
    }
}
