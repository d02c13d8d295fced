package io.sluice.schemas.flownode;

import io.sluice.schemas.common.SingleObject;
import java.util.List;

/**
 * The values of the flownode store's rows, which are those of the addresses and states topics too, to and from bytes.
 * Thread-safe; equal values give equal bytes.
 */
public final class FlownodeRecordCodec {
    private final SingleObject singleObject;

    public FlownodeRecordCodec(SingleObject singleObject) {
        this.singleObject = singleObject;
    }

    public static byte[] encode(FlownodeAddress address) {
        return SingleObject.encode(new io.sluice.avro.FlownodeAddress(
                address.flownodeId(), address.addr(), address.epoch(), address.commandId()));
    }

    /** @throws io.sluice.schemas.common.UndecodableException if the bytes are not an address */
    public FlownodeAddress decodeAddress(byte[] bytes) {
        io.sluice.avro.FlownodeAddress a = singleObject.decode(bytes, io.sluice.avro.FlownodeAddress.class);
        return new FlownodeAddress(a.getFlownodeId(), a.getAddr(), a.getEpoch(), a.getCommandId());
    }

    public static byte[] encode(FlownodeReport report) {
        return SingleObject.encode(
                new io.sluice.avro.FlownodeReport(report.flownodeId(), toAvro(report.flows()), report.commandId()));
    }

    /** @throws io.sluice.schemas.common.UndecodableException if the bytes are not a report */
    public FlownodeReport decodeReport(byte[] bytes) {
        io.sluice.avro.FlownodeReport r = singleObject.decode(bytes, io.sluice.avro.FlownodeReport.class);
        return new FlownodeReport(r.getFlownodeId(), fromAvro(r.getFlows()), r.getCommandId());
    }

    static List<io.sluice.avro.FlowStateEntry> toAvro(List<FlowStateEntry> flows) {
        return flows.stream()
                .map(flow -> new io.sluice.avro.FlowStateEntry(
                        flow.catalog(),
                        flow.flowId(),
                        flow.stateSizeBytes(),
                        flow.lastExecTimeMs(),
                        flow.startTimeMs()))
                .toList();
    }

    static List<FlowStateEntry> fromAvro(List<io.sluice.avro.FlowStateEntry> flows) {
        return flows.stream()
                .map(flow -> new FlowStateEntry(
                        flow.getCatalog(),
                        flow.getFlowId(),
                        flow.getStateSize(),
                        flow.getLastExecTimeMs(),
                        flow.getStartTimeMs()))
                .toList();
    }
}
