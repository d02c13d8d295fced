package io.sluice.service.json;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.flow.CommentFlow;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.DropFlow;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.ImportFlow;
import io.sluice.schemas.flow.ImportFlowIds;
import io.sluice.schemas.flow.ReplaceFlow;
import java.time.InstantSource;

/**
 * Request bodies to flow commands.
 *
 * <p>Thread-safe. Invariants: a field is either understood or refused by name, never dropped; what the path says too
 * must be said the same. Every method throws {@link JsonRefusedException}.
 */
public final class FlowCommandJson {
    private static final String BODY = "body";

    private final EnvelopeJson envelopes;

    /** @param clock says when a command arrived, for those that do not say when they were issued */
    public FlowCommandJson(InstantSource clock) {
        this.envelopes = new EnvelopeJson(clock);
    }

    /**
     * @param catalog of the path
     * @param who the principal on whose behalf the command is sent
     */
    public CreateFlow createFlow(byte[] body, String catalog, String who) {
        JsonFields fields = JsonText.parse(body, BODY).asObject();
        CommandEnvelope envelope = envelope(fields, catalog, who);
        String flowName = fields.required("flow_name").asText();
        Long flowId = flowId(fields);
        boolean orReplace = flag(fields, "or_replace");
        boolean createIfNotExists = flag(fields, "create_if_not_exists");
        FlowDefinition definition = FlowDefinitionJson.read(fields);
        fields.end();
        return new CreateFlow(envelope, flowName, flowId, orReplace, createIfNotExists, definition);
    }

    /**
     * @param catalog of the path
     * @param flowName of the path
     * @param expectedRevision u64, or null for any
     */
    public ReplaceFlow replaceFlow(byte[] body, String catalog, String flowName, Long expectedRevision, String who) {
        JsonFields fields = JsonText.parse(body, BODY).asObject();
        CommandEnvelope envelope = envelope(fields, catalog, who);
        requireSame(fields, "flow_name", flowName);
        Long flowId = flowId(fields);
        FlowDefinition definition = FlowDefinitionJson.read(fields);
        fields.end();
        return new ReplaceFlow(envelope, flowName, flowId, expectedRevision, definition);
    }

    /**
     * @param catalog of the path
     * @param flowName of the path
     */
    public CommentFlow commentFlow(byte[] body, String catalog, String flowName, String who) {
        JsonFields fields = JsonText.parse(body, BODY).asObject();
        CommandEnvelope envelope = envelope(fields, catalog, who);
        requireSame(fields, "flow_name", flowName);
        JsonValue comment = fields.required("comment");
        fields.end();
        return new CommentFlow(envelope, flowName, comment.isNull() ? null : comment.asText());
    }

    /**
     * @param body may be empty
     * @param catalog of the path
     * @param flowName of the path
     * @param expectedRevision u64, or null for any
     */
    public DropFlow dropFlow(
            byte[] body, String catalog, String flowName, Long expectedRevision, boolean ifExists, String who) {
        JsonFields fields = JsonText.parse(body.length == 0 ? new byte[] {'{', '}'} : body, BODY)
                .asObject();
        CommandEnvelope envelope = envelope(fields, catalog, who);
        requireSame(fields, "flow_name", flowName);
        Long flowId = flowId(fields);
        fields.end();
        return new DropFlow(envelope, flowName, flowId, expectedRevision, ifExists);
    }

    /** @param catalog of the path */
    public ImportFlow importFlow(byte[] body, String catalog, String who) {
        JsonFields fields = JsonText.parse(body, BODY).asObject();
        CommandEnvelope envelope = envelope(fields, catalog, who);
        FlowRecord flow = FlowRecordJson.read(fields.required("flow"));
        boolean orReplace = flag(fields, "or_replace");
        fields.end();
        return new ImportFlow(envelope, flow, orReplace);
    }

    /** @param catalog of the path */
    public ImportFlowIds importFlowIds(byte[] body, String catalog, String who) {
        JsonFields fields = JsonText.parse(body, BODY).asObject();
        CommandEnvelope envelope = envelope(fields, catalog, who);
        long nextFlowId = fields.required("next_flow_id").asUpTo(U32.MAX + 1);
        fields.end();
        return new ImportFlowIds(envelope, nextFlowId);
    }

    private CommandEnvelope envelope(JsonFields fields, String catalog, String who) {
        requireSame(fields, "catalog_name", catalog);
        return envelopes.read(fields, catalog, who);
    }

    private static Long flowId(JsonFields fields) {
        JsonValue value = fields.optional("flow_id");
        return value == null ? null : value.asU32();
    }

    private static boolean flag(JsonFields fields, String name) {
        JsonValue value = fields.optional(name);
        return value != null && value.asBoolean();
    }

    private static void requireSame(JsonFields fields, String name, String inPath) {
        JsonValue value = fields.optional(name);
        if (value != null && !value.asText().equals(inPath)) {
            throw value.refused("what the path says, \"" + Texts.shortened(inPath) + "\", or leave it out");
        }
    }
}
