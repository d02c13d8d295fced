package io.sluice.service.greptime;

/** A file that is no file of keys and values, or not a whole one. The message is for people. */
public final class BrokenFileException extends Exception {
    private static final long serialVersionUID = 1L;

    BrokenFileException(String message) {
        super(message);
    }

    BrokenFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
