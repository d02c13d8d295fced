package io.sluice.service.greptime;

/** An export that would not be right. The message is for people: what, which value, what to do. */
public final class ExportRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    ExportRefusedException(String message) {
        super(message);
    }
}
