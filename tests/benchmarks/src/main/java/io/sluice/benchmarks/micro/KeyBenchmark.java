package io.sluice.benchmarks.micro;

import io.sluice.state.flow.FlowInfoIndex;
import io.sluice.state.flow.FlowNameIndex;
import io.sluice.state.flow.FlowTextKeys;
import io.sluice.state.flow.FlowTextKeys.Layout;
import io.sluice.state.flow.SourceTableIndex;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Keys of rows: to bytes, back, and to text. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyBenchmark {
    private static final String CATALOG = "greptime";

    private final byte[] sourceTableKey = SourceTableIndex.key(CATALOG, 2048, 7, 1030, 1);
    private long flowId = 1024;

    @Benchmark
    public byte[] encodeInfoKey() {
        return FlowInfoIndex.key(CATALOG, flowId++);
    }

    @Benchmark
    public byte[] encodeNameKey() {
        return FlowNameIndex.key(CATALOG, "requests_per_minute");
    }

    @Benchmark
    public byte[] encodeSourceTableKey() {
        return SourceTableIndex.key(CATALOG, 2048, 7, flowId++, 1);
    }

    @Benchmark
    public SourceTableIndex.Key decodeSourceTableKey() {
        return SourceTableIndex.decodeKey(sourceTableKey);
    }

    @Benchmark
    public String textOfSourceTableKey() {
        return FlowTextKeys.ofRow(sourceTableKey, Layout.FLOW).orElseThrow();
    }
}
