package io.sluice.schemas.region;

import java.util.Objects;

/**
 * A command that waits for its turn: row {@code queue} of the region store, under the number of its arrival. Immutable.
 *
 * @param commandOffset of the command's record in the commands topic
 */
public record QueuedCommand(RegionCommand command, long commandOffset) {
    public QueuedCommand {
        Objects.requireNonNull(command, "command");
        if (commandOffset < 0) {
            throw new IllegalArgumentException("command offset is " + commandOffset);
        }
    }
}
