package io.sluice.benchmarks.micro;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.service.common.Folders;
import io.sluice.service.cut.TemporaryRows;
import io.sluice.state.flow.FlowNameIndex;
import io.sluice.state.flow.FlowRouteIndex;
import io.sluice.state.flow.SourceTableIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Look-ups and prefix scans in RocksDB, as the number of flows grows. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ScanBenchmark {
    private static final int PAGE = 100;

    /** How many flows there are. */
    @Param({"1000", "100000"})
    public int flows;

    private final SampleFlow sample = new SampleFlow();
    private Path folder;
    private TemporaryRows open;
    private TemporaryRows.Space rows;
    private FlowRecord one;

    @Setup
    public void prepare() throws IOException {
        folder = Files.createTempDirectory("sluice-scan");
        open = TemporaryRows.create(folder);
        rows = open.space((byte) 1);
        for (int number = 0; number < flows; number++) {
            FlowRecord flow = sample.create(number, rows);
            if (number == flows / 2) {
                one = flow;
            }
        }
    }

    @TearDown
    public void clear() throws IOException {
        open.close();
        Folders.delete(folder);
    }

    @Benchmark
    public FlowRecord flowByName() {
        Long flowId = sample.state.names().find(rows, one.catalog(), one.flowName());
        return sample.state.info().find(rows, one.catalog(), flowId);
    }

    @Benchmark
    public List<FlowRouteIndex.Entry> routesOfFlow() {
        return sample.state.routes().routesOf(rows, one.catalog(), one.flowId());
    }

    /** Grows with the flows that read a table: there are always as many tables. */
    @Benchmark
    public List<SourceTableIndex.Entry> flowsOfTable() {
        return sample.state
                .sourceTables()
                .flowsOf(rows, one.catalog(), one.sourceTableIds().get(0));
    }

    @Benchmark
    public List<FlowNameIndex.Entry> pageOfNames() {
        return sample.state.names().list(rows, one.catalog(), "", null, PAGE);
    }
}
