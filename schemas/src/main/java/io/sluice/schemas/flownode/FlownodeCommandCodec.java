package io.sluice.schemas.flownode;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;

/** Flownode commands to and from the bytes of their commands topic. Thread-safe. */
public final class FlownodeCommandCodec {
    private final SingleObject singleObject;

    public FlownodeCommandCodec(SingleObject singleObject) {
        this.singleObject = singleObject;
    }

    public static byte[] encode(FlownodeCommand command) {
        CommandEnvelope envelope = command.envelope();
        if (command instanceof RegisterFlownode register) {
            return SingleObject.encode(new io.sluice.avro.RegisterFlownode(
                    envelope.commandId(),
                    register.flownodeId(),
                    envelope.issuedAtNanos(),
                    envelope.who(),
                    register.addr(),
                    register.epoch()));
        }
        ReportFlowState report = (ReportFlowState) command;
        return SingleObject.encode(new io.sluice.avro.ReportFlowState(
                envelope.commandId(),
                report.flownodeId(),
                envelope.issuedAtNanos(),
                envelope.who(),
                FlownodeRecordCodec.toAvro(report.flows())));
    }

    /** @throws UndecodableException if the bytes are not a flownode command */
    public FlownodeCommand decode(byte[] bytes) {
        String kind = singleObject.writerSchema(bytes).getFullName();
        return switch (kind) {
            case "io.sluice.avro.RegisterFlownode" ->
                fromAvro(singleObject.decode(bytes, io.sluice.avro.RegisterFlownode.class));
            case "io.sluice.avro.ReportFlowState" ->
                fromAvro(singleObject.decode(bytes, io.sluice.avro.ReportFlowState.class));
            default ->
                throw new UndecodableException("value is a " + Texts.shortened(kind)
                        + ", which is no flownode command: expected RegisterFlownode or ReportFlowState");
        };
    }

    private static RegisterFlownode fromAvro(io.sluice.avro.RegisterFlownode c) {
        return new RegisterFlownode(
                envelope(c.getFlownodeId(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getFlownodeId(),
                c.getAddr(),
                c.getEpoch());
    }

    private static ReportFlowState fromAvro(io.sluice.avro.ReportFlowState c) {
        return new ReportFlowState(
                envelope(c.getFlownodeId(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getFlownodeId(),
                FlownodeRecordCodec.fromAvro(c.getFlows()));
    }

    private static CommandEnvelope envelope(long flownodeId, String commandId, long issuedAtNanos, String who) {
        return new CommandEnvelope(U64.text(flownodeId), commandId, issuedAtNanos, who);
    }
}
