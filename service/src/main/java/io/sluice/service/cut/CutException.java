package io.sluice.service.cut;

import java.util.Objects;

/** Changelogs could not be read. The message is for the operator: what, which value, what to do. Immutable. */
public final class CutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why not. */
    public enum Reason {
        /** No broker answered in time. */
        UNREACHABLE,
        /** A changelog does not exist. */
        MISSING,
        /** The cluster said no. */
        REFUSED,
        /** Records were taken away while they were being read, or could not be read to their end in time. */
        UNREADABLE,
        /** The folder for what is read cannot be used. */
        NO_ROOM,
        /** The reading thread was interrupted. */
        INTERRUPTED
    }

    private final Reason reason;

    CutException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    public Reason reason() {
        return reason;
    }
}
