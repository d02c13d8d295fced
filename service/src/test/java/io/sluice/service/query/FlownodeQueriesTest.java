package io.sluice.service.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.flownode.FlowStateEntry;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeReport;
import io.sluice.service.query.FakeCopies.Held;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlownodeQueriesTest {
    private final FakeCopies copies = new FakeCopies(4);
    private final FlownodeQueries queries = copies.queries().flownodes();

    private FamilyPartition partitionOf(long flownodeId) {
        return copies.partitions().ofFlownode(flownodeId);
    }

    private Outcome outcome(long flownodeId, String commandId) {
        return Outcome.ofFlownode(
                commandId,
                OutcomeCode.OK,
                "",
                flownodeId,
                5L,
                true,
                partitionOf(flownodeId).at(3),
                "kafka");
    }

    @Test
    void theRegisteredAddressOfAFlownodeIsFoundAndWithItsPosition() {
        copies.registered(-1, "b:1", 5);
        copies.decided(partitionOf(-1), 7);

        Answer<FlownodeAddress> answer = queries.address(-1);

        assertThat(answer.value()).isEqualTo(new FlownodeAddress(-1, "b:1", 5, "c"));
        assertThat(answer.positions()).containsExactly(partitionOf(-1).at(7));
    }

    @Test
    void aFlownodeThatHasNeverRegisteredHasNone() {
        copies.registered(10, "b:1", 5);

        assertThat(queries.address(1).value()).isNull();
        assertThat(queries.address(1).positions())
                .containsExactly(partitionOf(1).at(0));
    }

    @Test
    void theReportsOfAPartitionAreThoseOfItsFlownodes() {
        FlowStateEntry flow = new FlowStateEntry("greptime", 1024, 10, 100, null);
        copies.reported(1, flow);
        int partition = partitionOf(1).partition();

        assertThat(queries.reports(partition).value()).containsExactly(new FlownodeReport(1, List.of(flow), "c"));
        assertThat(queries.reports((partition + 1) % FakeCopies.FLOWNODE_PARTITIONS)
                        .value())
                .isEmpty();
        assertThat(queries.reports(partition).positions()).containsExactly(new Position("flownode", partition, 0));
    }

    @Test
    void anOutcomeIsThatOfItsFlownode() {
        Outcome outcome = outcome(1, "c-1");
        copies.recorded(outcome);

        assertThat(queries.outcome(1, "c-1").value()).isEqualTo(outcome);
        assertThat(queries.outcome(2, "c-1").value()).isNull();
        assertThat(queries.outcome(1, "c-2").value()).isNull();
        assertThat(queries.outcomes(partitionOf(1).partition(), "c-1").value()).containsExactly(outcome);
    }

    @Test
    void outcomesAreFoundByFamilyToo() {
        copies.recorded(outcome(-1, "c-1"));
        Queries all = copies.queries();

        assertThat(all.outcome(CommandFamily.FLOWNODE, new CommandKey("18446744073709551615", "c-1"))
                        .value())
                .isEqualTo(outcome(-1, "c-1"));
        assertThat(all.outcomes(partitionOf(-1), "c-1").value()).containsExactly(outcome(-1, "c-1"));
        assertThat(all.outcome(CommandFamily.FLOW, new CommandKey("18446744073709551615", "c-1"))
                        .value())
                .isNull();
    }

    @Test
    void aStandbyIsReadOnlyByWhoWouldTakeIt() {
        copies.registered(1, "b:1", 5);
        copies.hold(partitionOf(1), Held.STANDBY);

        assertThatThrownBy(() -> queries.address(1)).isInstanceOf(NotOwnerException.class);
        assertThat(queries.of(Copy.ANY).address(1).value().addr()).isEqualTo("b:1");
    }
}
