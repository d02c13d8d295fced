package io.sluice.service.query;

import io.sluice.schemas.common.Position;
import java.util.List;

/**
 * What a look-up found, and the decisions it reflects.
 *
 * @param value null when there is none
 * @param positions one per partition that was read
 */
public record Answer<T>(T value, List<Position> positions) {
    public Answer {
        positions = List.copyOf(positions);
    }
}
