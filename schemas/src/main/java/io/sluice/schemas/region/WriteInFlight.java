package io.sluice.schemas.region;

import java.util.List;
import java.util.Objects;

/**
 * The manifest write of a region that was ordered and not reported yet. What is written is in the order, not here. Immutable.
 *
 * @param version that was ordered, the bits of a u64; of a drop, which writes none, the one that the region has
 * @param commands that get their outcomes from its report, by arrival; more than one only for merged edits
 */
public record WriteInFlight(long version, RegionWriteKind kind, List<Waiting> commands) {
    /**
     * A command whose write is in flight, as far as its outcome needs it.
     *
     * @param issuedAtNanos epoch nanoseconds
     */
    public record Waiting(String commandId, long issuedAtNanos, String who) {
        public Waiting {
            Objects.requireNonNull(commandId, "commandId");
            Objects.requireNonNull(who, "who");
        }
    }

    public WriteInFlight {
        Objects.requireNonNull(kind, "kind");
        commands = List.copyOf(commands);
        if (commands.isEmpty()) {
            throw new IllegalArgumentException("a write in flight belongs to no command");
        }
        if (commands.size() > 1 && kind != RegionWriteKind.EDIT) {
            throw new IllegalArgumentException(
                    commands.size() + " commands share a write of kind " + kind + ": only edits are merged");
        }
    }

    /** The first of its commands: order, report and transient state go by it. */
    public String commandId() {
        return commands.get(0).commandId();
    }
}
