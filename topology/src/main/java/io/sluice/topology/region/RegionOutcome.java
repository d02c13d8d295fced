package io.sluice.topology.region;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.topology.common.CommandKind;
import java.util.Objects;

/**
 * The one answer to a region command. Immutable.
 *
 * @param kind what the command asked for
 * @param who the principal on whose behalf the command was sent
 * @param message why it was refused; empty when it was not
 * @param regionId the bits of a u64
 * @param revision the manifest version after the command, of a dropped region its last one; the bits of a u64; null when there is
 *     no region
 * @param applied whether anything changed
 */
public record RegionOutcome(
        String commandId,
        CommandKind kind,
        String who,
        OutcomeCode code,
        String message,
        long regionId,
        Long revision,
        boolean applied) {
    public RegionOutcome {
        Objects.requireNonNull(commandId, "commandId");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(who, "who");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(message, "message");
    }

    /** The outcome that callers see. */
    Outcome at(Position position) {
        return Outcome.ofRegion(commandId, code, message, regionId, revision, applied, position, who);
    }
}
