package io.sluice.schemas.flow;

import java.util.Objects;

/**
 * A flownode and the address it had when the record was written.
 *
 * <p>Immutable. Readers lay the registered address over {@code addr}.
 *
 * @param id flownode id, the bits of a u64
 * @param addr host and port; empty when unknown
 */
public record Peer(long id, String addr) {
    public Peer {
        Objects.requireNonNull(addr, "addr");
    }
}
