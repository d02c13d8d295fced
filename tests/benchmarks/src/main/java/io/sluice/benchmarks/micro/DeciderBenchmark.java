package io.sluice.benchmarks.micro;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.state.common.RowBuffer;
import io.sluice.state.flow.FlowFact;
import io.sluice.topology.flow.Decision;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What one decision costs, and what it costs to make its facts true, without any broker or disk. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DeciderBenchmark {
    /** There are so many flows before the one that is decided about. */
    private static final int FLOWS = 10_000;

    private final SampleFlow sample = new SampleFlow();
    private final RowBuffer rows = SampleFlow.inMemory();
    private Decision created;
    private Decision moved;

    @Setup
    public void prepare() {
        for (int number = 0; number < FLOWS; number++) {
            FlowRecord flow = sample.create(number, rows);
            if (flow == null) {
                throw new IllegalStateException("flow " + number + " was not recorded");
            }
        }
        created = sample.decide(sample.flows.create(FLOWS), rows);
        moved = sample.decide(sample.flows.move(FLOWS / 2, 1), rows);
    }

    @Benchmark
    public Decision decideCreate() {
        return sample.decide(sample.flows.create(FLOWS), rows);
    }

    @Benchmark
    public Decision decideReplace() {
        return sample.decide(sample.flows.move(FLOWS / 2, 1), rows);
    }

    /** 12 rows of a new flow. */
    @Benchmark
    public RowBuffer applyCreate() {
        return apply(created);
    }

    /** What changes when both partitions of a flow move. */
    @Benchmark
    public RowBuffer applyReplace() {
        return apply(moved);
    }

    private RowBuffer apply(Decision decision) {
        RowBuffer buffer = new RowBuffer(rows);
        for (FlowFact fact : decision.facts()) {
            sample.state.apply(fact, buffer);
        }
        return buffer;
    }
}
