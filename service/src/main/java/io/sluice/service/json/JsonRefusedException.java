package io.sluice.service.json;

import io.sluice.schemas.common.OutcomeCode;

/**
 * Text that is no JSON (MALFORMED), or JSON that is not what was asked for (INVALID_ARGUMENT). The message is for
 * callers.
 */
public final class JsonRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final OutcomeCode code;

    private JsonRefusedException(OutcomeCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    static JsonRefusedException malformed(String message, Throwable cause) {
        return new JsonRefusedException(OutcomeCode.MALFORMED, message, cause);
    }

    static JsonRefusedException invalid(String message) {
        return new JsonRefusedException(OutcomeCode.INVALID_ARGUMENT, message, null);
    }

    /** MALFORMED or INVALID_ARGUMENT. */
    public OutcomeCode code() {
        return code;
    }
}
