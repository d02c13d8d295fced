package io.sluice.service.json;

import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.Peer;

/**
 * The values of the rows beside a flow's info (docs/formats.md 4.2, 4.3, 4.8, 5.1). Stateless. Every method that reads throws {@link
 * JsonRefusedException}.
 */
public final class FlowRowJson {
    private static final String WHAT = "value";
    private static final String FLOW_ID = "flow_id";
    private static final String OLD_FLOW_ID = "flow_task_id";

    private FlowRowJson() {}

    /** The flow id in the value of a name row, of whichever release. */
    public static long readName(byte[] utf8) {
        JsonFields fields = JsonText.parseFile(utf8, WHAT).asObject();
        boolean isOld = !fields.has(FLOW_ID) && fields.has(OLD_FLOW_ID);
        return fields.required(isOld ? OLD_FLOW_ID : FLOW_ID).asU32();
    }

    /** Whether it is the value of a name row. */
    public static boolean isName(byte[] utf8) {
        try {
            readName(utf8);
            return true;
        } catch (JsonRefusedException e) {
            return false;
        }
    }

    public static byte[] writeName(long flowId) {
        return JsonLine.of(out -> {
            out.writeStartObject();
            out.writeNumberField(FLOW_ID, flowId);
            out.writeEndObject();
        });
    }

    /** The same, for readers of the oldest layout too. */
    public static byte[] writeOldName(long flowId) {
        return JsonLine.of(out -> {
            out.writeStartObject();
            out.writeNumberField(OLD_FLOW_ID, flowId);
            out.writeNumberField(FLOW_ID, flowId);
            out.writeEndObject();
        });
    }

    /** The value of a route, source_table or address row. */
    public static Peer readPeer(byte[] utf8) {
        JsonFields peer =
                JsonText.parseFile(utf8, WHAT).asObject().required("peer").asObject();
        return new Peer(peer.required("id").asU64(), peer.required("addr").asText());
    }

    public static byte[] writePeer(Peer peer) {
        return JsonLine.of(out -> {
            out.writeStartObject();
            out.writeObjectFieldStart("peer");
            JsonLine.u64(out, "id", peer.id());
            out.writeStringField("addr", peer.addr());
            out.writeEndObject();
            out.writeEndObject();
        });
    }

    /** Only looks whether it is the value of a state row. */
    public static void checkState(byte[] utf8) {
        JsonFields fields = JsonText.parseFile(utf8, WHAT).asObject();
        byFlow(fields.required("state_size"), JsonValue::asU64);
        byFlow(fields.required("last_exec_time_map"), JsonValue::asI64);
        JsonValue startTimes = fields.optional("start_time_map");
        if (startTimes != null) {
            byFlow(startTimes, JsonValue::asI64);
        }
    }

    private interface Check {
        long of(JsonValue value);
    }

    private static void byFlow(JsonValue map, Check check) {
        map.asMap().forEach((flowId, value) -> {
            Long id = U64.parseOrNull(flowId);
            if (id == null || !U32.fits(id)) {
                throw JsonRefusedException.invalid(
                        value.place() + " has a name that is no flow id: allowed are the digits" + " of 0 to " + U32.MAX
                                + " without leading zeros");
            }
            check.of(value);
        });
    }
}
