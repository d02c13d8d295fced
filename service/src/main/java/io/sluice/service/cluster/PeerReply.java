package io.sluice.service.cluster;

import io.sluice.schemas.common.Position;
import java.util.List;
import java.util.Map;

/**
 * What another instance answered. Immutable; the body is not copied, nobody changes it.
 *
 * @param headers those that matter to whoever asked, content type included
 * @param positions which decisions it reflects
 */
public record PeerReply(int status, Map<String, String> headers, List<Position> positions, byte[] body) {
    public PeerReply {
        headers = Map.copyOf(headers);
        positions = List.copyOf(positions);
    }
}
