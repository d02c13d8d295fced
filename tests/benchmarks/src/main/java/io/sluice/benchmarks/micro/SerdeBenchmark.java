package io.sluice.benchmarks.micro;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Commands and records to bytes and back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SerdeBenchmark {
    private final SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
    private final FlowCommandCodec commands = new FlowCommandCodec(singleObject);
    private final FlowRecordCodec records = new FlowRecordCodec(singleObject);
    private CreateFlow command;
    private FlowRecord record;
    private byte[] commandBytes;
    private byte[] recordBytes;

    @Setup
    public void prepare() {
        SampleFlow sample = new SampleFlow();
        command = sample.flows.create(0);
        record = sample.create(0, SampleFlow.inMemory());
        commandBytes = FlowCommandCodec.encode(command);
        recordBytes = FlowRecordCodec.encode(record);
    }

    @Benchmark
    public byte[] encodeCreateFlow() {
        return FlowCommandCodec.encode(command);
    }

    @Benchmark
    public FlowCommand decodeCreateFlow() {
        return commands.decode(commandBytes);
    }

    @Benchmark
    public byte[] encodeFlowRecord() {
        return FlowRecordCodec.encode(record);
    }

    @Benchmark
    public FlowRecord decodeFlowRecord() {
        return records.decodeRecord(recordBytes);
    }
}
