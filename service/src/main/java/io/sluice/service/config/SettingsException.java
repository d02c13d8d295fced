package io.sluice.service.config;

import java.util.List;

/**
 * Purpose: says everything that is wrong with the settings, one line for each problem: which setting, which value, where it
 * was given, what is allowed. The message is for people, as it is.
 *
 * <p>Threading: immutable.
 */
public final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param problems a line each */
    SettingsException(List<String> problems) {
        super(String.join("\n", problems));
    }

    SettingsException(String problem, Throwable cause) {
        super(problem, cause);
    }

    /** The lines of the message. */
    public List<String> problems() {
        return getMessage().lines().toList();
    }
}
