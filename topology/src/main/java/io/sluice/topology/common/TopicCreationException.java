package io.sluice.topology.common;

import java.io.Serial;
import java.util.Objects;

/**
 * Purpose: topics could not be brought into the shape of the topic table, are no longer those that were pinned, or could lose
 * records. The message is for the operator: what, which value, what to do.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: the set of reasons is closed, so a caller can choose an exit code.
 */
public final class TopicCreationException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Why the topics are not usable. */
    public enum Reason {
        /** A topic exists with another number of partitions, or another number is wanted than the pinned one. */
        PARTITION_COUNT,
        /** A topic that is pinned does not exist any more. */
        TOPIC_MISSING,
        /** A topic that is pinned was deleted and created again. */
        TOPIC_REPLACED,
        /** A topic is set in a way that can lose records. */
        UNSAFE,
        /** What is pinned cannot be read by this version. */
        UNREADABLE,
        /** The changelogs are being rebuilt or a snapshot is being imported, or that was killed. */
        MAINTENANCE,
        /** The cluster said no: rights, policy, replication factor, name. */
        REFUSED,
        /** No broker answered before the deadline. */
        UNREACHABLE,
        /** The brokers answered, but some partitions had no leader at the deadline. */
        NOT_READY,
        /** The waiting thread was interrupted. */
        INTERRUPTED
    }

    private final Reason reason;

    public TopicCreationException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    public Reason reason() {
        return reason;
    }
}
