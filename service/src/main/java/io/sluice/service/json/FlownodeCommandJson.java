package io.sluice.service.json;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flownode.RegisterFlownode;
import io.sluice.schemas.flownode.ReportFlowState;
import java.time.InstantSource;

/**
 * Request bodies to flownode commands.
 *
 * <p>Thread-safe. Invariant: a field is either understood or refused by name, never dropped. Every method throws
 * {@link JsonRefusedException}.
 */
public final class FlownodeCommandJson {
    private static final String BODY = "body";

    private final EnvelopeJson envelopes;

    /** @param clock says when a command arrived, for those that do not say when they were issued */
    public FlownodeCommandJson(InstantSource clock) {
        this.envelopes = new EnvelopeJson(clock);
    }

    /**
     * @param flownodeId of the path
     * @param who the principal on whose behalf the command is sent
     */
    public RegisterFlownode registerFlownode(byte[] body, long flownodeId, String who) {
        JsonFields fields = JsonText.parse(body, BODY).asObject();
        CommandEnvelope envelope = envelopes.read(fields, U64.text(flownodeId), who);
        String addr = fields.required("addr").asText();
        long epoch = fields.required("epoch").asU64();
        fields.end();
        return new RegisterFlownode(envelope, flownodeId, addr, epoch);
    }

    /** @param flownodeId of the path */
    public ReportFlowState reportFlowState(byte[] body, long flownodeId, String who) {
        JsonFields fields = JsonText.parse(body, BODY).asObject();
        CommandEnvelope envelope = envelopes.read(fields, U64.text(flownodeId), who);
        ReportFlowState report = new ReportFlowState(envelope, flownodeId, FlowStateJson.read(fields));
        fields.end();
        return report;
    }
}
