package io.sluice.service.writer;

import io.sluice.schemas.region.ManifestWriteOrder;

/** Which order it is. Immutable. Numbers as in the order. */
record OrderKey(long regionId, long incarnation, String commandId, long version) {
    static OrderKey of(ManifestWriteOrder order) {
        return new OrderKey(order.regionId(), order.incarnation(), order.commandId(), order.version());
    }
}
