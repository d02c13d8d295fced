package io.sluice.service.snapshot;

import java.util.Objects;

/** A snapshot could not be written, or must not be imported. The message is for the operator: what, which value, what to do. */
public final class SnapshotException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why not. */
    public enum Reason {
        /** The file is damaged, cut short, or no snapshot that this version reads. */
        BAD_FILE,
        /** The file cannot be read or written. */
        DISK,
        /** The installation is not one that a snapshot may be taken from, or imported into. */
        REFUSED,
        /** The brokers do not answer. */
        UNREACHABLE,
        /** What was written is not what is in the file. */
        DIFFERENT
    }

    private final Reason reason;

    SnapshotException(Reason reason, String message) {
        this(reason, message, null);
    }

    SnapshotException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    public Reason reason() {
        return reason;
    }
}
