package io.sluice.service.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.flow.Peer;
import java.util.ArrayList;
import java.util.List;

/**
 * Flownodes as answers show them, {@code {"peer":{"id","addr"}}}: written with their stored addresses, and found again in a whole
 * answer, so that others can be laid over. Stateless.
 */
public final class PeerJson {
    private static final String PEER = "peer";
    private static final String ID = "id";
    private static final String ADDR = "addr";

    private PeerJson() {}

    /** Adds a peer to an element of a list. */
    static void write(ObjectNode element, Peer peer) {
        ObjectNode json = element.putObject(PEER);
        json.set(ID, JsonText.u64(peer.id()));
        json.put(ADDR, peer.addr());
    }

    /** The peers in the lists of an answer, in their order. */
    public static List<ObjectNode> shownIn(JsonNode answer) {
        List<ObjectNode> peers = new ArrayList<>();
        for (JsonNode list : answer) {
            if (list.isArray()) {
                list.forEach(element -> {
                    if (element.get(PEER) instanceof ObjectNode peer) {
                        peers.add(peer);
                    }
                });
            }
        }
        return peers;
    }

    /** The bits of a u64. */
    public static long id(ObjectNode peer) {
        return JsonText.u64(peer.path(ID));
    }

    /** Lays an address over the one that it shows. */
    public static void lay(String addr, ObjectNode peer) {
        peer.put(ADDR, addr);
    }
}
