package io.sluice.schemas.common;

import java.util.Objects;

/**
 * What every command carries.
 *
 * @param partitionKey what is decided in one order: a catalog, or a flownode id in decimal
 * @param commandId chosen by the caller, unique within the partition key
 * @param issuedAtNanos epoch nanoseconds; the only clock a decision knows
 * @param who the principal on whose behalf it was sent
 */
public record CommandEnvelope(String partitionKey, String commandId, long issuedAtNanos, String who) {
    /** The principal of a command that came by topic. */
    public static final String KAFKA = "kafka";

    public CommandEnvelope {
        Objects.requireNonNull(partitionKey, "partitionKey");
        Objects.requireNonNull(commandId, "commandId");
        Objects.requireNonNull(who, "who");
    }

    public CommandEnvelope(String partitionKey, String commandId, long issuedAtNanos) {
        this(partitionKey, commandId, issuedAtNanos, KAFKA);
    }
}
