package io.sluice.client;

/**
 * The topics are not those, or no longer those, that a checkpoint or a running follower knows: another flownode, another
 * topic, fewer records. What is missing in them proves nothing, so nothing was revoked. The message says both values and what
 * to do.
 */
public final class CheckpointRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CheckpointRefusedException(String message) {
        super(message);
    }
}
