package io.sluice.benchmarks.micro;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.service.bench.BenchFlows;
import io.sluice.state.common.RowBuffer;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowStore;
import io.sluice.state.flow.FlowFact;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import io.sluice.state.flow.FlowState;
import io.sluice.topology.flow.Decision;
import io.sluice.topology.flow.FlowDecider;

/** The flows of the benchmarks, decided and applied as the service does. One thread. */
final class SampleFlow {
    final BenchFlows flows = new BenchFlows("micro");
    final FlowState state = new FlowState(new SingleObject(KnownSchemas.shipped()));
    final FlowDecider decider = new FlowDecider();

    /** Room for rows, so that what is measured above them is not RocksDB. */
    static RowBuffer inMemory() {
        return new RowBuffer(new RowScanner() {
            @Override
            public byte[] get(byte[] key) {
                return null;
            }

            @Override
            public void scan(byte[] from, byte[] toExclusive, RowVisitor visitor) {
                // There is nothing below.
            }
        });
    }

    /** Decides a command that must be accepted. */
    Decision decide(FlowCommand command, RowStore rows) {
        Decision decision = decider.decide(state.view(rows), command);
        if (decision.facts().isEmpty()) {
            throw new IllegalStateException("refused: " + decision.message());
        }
        return decision;
    }

    /** Creates a flow, and gives its record. */
    FlowRecord create(long number, RowStore rows) {
        FlowRecord created = null;
        for (FlowFact fact : decide(flows.create(number), rows).facts()) {
            state.apply(fact, rows);
            if (fact instanceof FlowRecorded recorded) {
                created = recorded.flow();
            }
        }
        return created;
    }
}
