package io.sluice.topology.common;

/**
 * Purpose: the record sizes that follow from the one limit an operator sets, the largest encoded command L. The door
 * takes at most half of the smallest limit downstream, so that what was accepted can always be written on (K-31).
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: every derived size fits a broker's default request limit (socket.request.max.bytes, 100 MiB).
 *
 * @param commandBytes L, the largest encoded command in bytes
 */
public record Limits(int commandBytes) {
    /** L unless configured: 512 KiB. */
    public static final int DEFAULT_COMMAND_BYTES = 512 * 1024;

    /** Smallest L: 4 KiB, below which an outcome with a long key and message might not fit its topic. */
    public static final int MIN_COMMAND_BYTES = 4 * 1024;

    /** Largest L: 16 MiB; a dead letter (6 L) must still fit into one produce request. */
    public static final int MAX_COMMAND_BYTES = 16 * 1024 * 1024;

    public Limits {
        if (commandBytes < MIN_COMMAND_BYTES || commandBytes > MAX_COMMAND_BYTES) {
            throw new IllegalArgumentException("the command limit is " + commandBytes + " bytes, it must be between "
                    + MIN_COMMAND_BYTES + " and " + MAX_COMMAND_BYTES);
        }
    }

    /** The limits of an installation that configures none. */
    public static Limits defaults() {
        return new Limits(DEFAULT_COMMAND_BYTES);
    }

    /** max.message.bytes of command topics in bytes: 2 L, room for key, headers and batch around a command. */
    public int commandTopicBytes() {
        return 2 * commandBytes;
    }

    /** max.message.bytes of topics that carry facts and outcomes, in bytes: 4 L. */
    public int factTopicBytes() {
        return 4 * commandBytes;
    }

    /** max.message.bytes of the dead letters in bytes: 6 L, the largest record of any other topic plus headers. */
    public int deadLetterTopicBytes() {
        return 6 * commandBytes;
    }
}
