package io.sluice.schemas.common;

import java.util.Objects;

/**
 * What every command of a catalog carries.
 *
 * @param catalog the tenant; also the partition key
 * @param commandId chosen by the caller, unique within the catalog
 * @param issuedAtNanos epoch nanoseconds; the only clock a decision knows
 * @param who the principal on whose behalf it was sent
 */
public record CommandEnvelope(String catalog, String commandId, long issuedAtNanos, String who) {
    /** The principal of a command that came by topic. */
    public static final String KAFKA = "kafka";

    public CommandEnvelope {
        Objects.requireNonNull(catalog, "catalog");
        Objects.requireNonNull(commandId, "commandId");
        Objects.requireNonNull(who, "who");
    }

    public CommandEnvelope(String catalog, String commandId, long issuedAtNanos) {
        this(catalog, commandId, issuedAtNanos, KAFKA);
    }
}
