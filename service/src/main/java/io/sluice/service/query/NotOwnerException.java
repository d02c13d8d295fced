package io.sluice.service.query;

/** This instance does not hold the active copy of a partition. Another one does, or soon will. */
public final class NotOwnerException extends NotReadyException {
    private static final long serialVersionUID = 1L;

    NotOwnerException(String message) {
        super(message, null, null);
    }
}
