package io.sluice.service.query;

import io.sluice.schemas.common.Position;

/** A partition cannot be read now: starting, rebalancing, or not yet at the position asked for. Trying again helps. */
public class NotReadyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Position reached;

    public NotReadyException(String message, Position reached, Throwable cause) {
        super(message, cause);
        this.reached = reached;
    }

    /** How far the partition has been decided, or null when that could not be read. */
    public Position reached() {
        return reached;
    }
}
