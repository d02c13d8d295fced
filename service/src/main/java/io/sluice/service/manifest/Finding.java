package io.sluice.service.manifest;

import java.util.Objects;

/**
 * Something that a look at a manifest directory found (docs/behaviour.md, section 7.2). Immutable.
 *
 * @param where path of the directory or file
 * @param message for people; names versions and fields
 */
public record Finding(Level level, Code code, String where, String message) {
    public Finding {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(where, "where");
        Objects.requireNonNull(message, "message");
    }

    /** How bad it is. */
    public enum Level {
        /** The unit is left out or refused: the file it names, or the region. */
        ERROR,
        /** The unit works. */
        WARNING
    }

    /** What it is. */
    public enum Code {
        BAD_POINTER,
        CHECKPOINT_MISSING,
        CHECKSUM_MISMATCH,
        DUPLICATE_VERSION,
        NO_CHECKPOINT,
        NO_METADATA,
        NONCANONICAL_KEY,
        STAGING_PRESENT,
        TARGET_UNAVAILABLE,
        UNDECODABLE_ROW,
        UNKNOWN_FILE,
        VERSION_GAP
    }

    static Finding error(Code code, String where, String message) {
        return new Finding(Level.ERROR, code, where, message);
    }

    static Finding warning(Code code, String where, String message) {
        return new Finding(Level.WARNING, code, where, message);
    }

    /** For people, on one line. */
    @Override
    public String toString() {
        return code + " in " + where + ": " + message;
    }
}
