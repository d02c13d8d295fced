package io.sluice.service.common;

import java.util.Objects;

/**
 * Something that a look at what others wrote found: at a manifest directory, or at a file of keys and values (docs/behaviour.md,
 * section 7.2). Immutable.
 *
 * @param where path of the directory or file; the key, or where it stands
 * @param message for people; names versions, fields and values
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
        /** The unit is left out or refused: the file, row or flow it names, or the region. */
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
        EXPIRE_TEXT,
        MISSING_ROW,
        NAME_CONFLICT,
        NAME_WITHOUT_RECORD,
        NO_CHECKPOINT,
        NO_CONTEXT,
        NO_METADATA,
        NONCANONICAL_KEY,
        NULL_VALUE,
        ODD_NAME,
        ORPHAN_ROW,
        OUT_OF_RANGE,
        RECORD_WITHOUT_NAME,
        ROUTE_MISMATCH,
        STAGING_PRESENT,
        TARGET_UNAVAILABLE,
        UNDECODABLE_ROW,
        UNKNOWN_FILE,
        UNKNOWN_KEY,
        VERSION_GAP
    }

    public static Finding error(Code code, String where, String message) {
        return new Finding(Level.ERROR, code, where, message);
    }

    public static Finding warning(Code code, String where, String message) {
        return new Finding(Level.WARNING, code, where, message);
    }

    /** For people, on one line. */
    @Override
    public String toString() {
        return code + " in " + where + ": " + message;
    }
}
