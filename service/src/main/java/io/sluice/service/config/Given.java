package io.sluice.service.config;

/**
 * Purpose: a setting as somebody gave it.
 *
 * <p>Threading: immutable.
 *
 * @param key the setting's name; of a variable that stands for none, the variable's
 * @param value without blanks around it
 * @param where it was given, as "in ..." or "on ..."
 */
record Given(String key, String value, String where) {
    private static final int SHOWN_LENGTH = 100;

    Given {
        value = value.strip();
    }

    /** Name, value and where it comes from, on one line. Not for settings that may hold a secret. */
    String shown() {
        String oneLine = value.replaceAll("\\p{Cntrl}", "?");
        String cut = oneLine.length() <= SHOWN_LENGTH ? oneLine : oneLine.substring(0, SHOWN_LENGTH) + "...";
        return key + " is \"" + cut + "\" " + where;
    }
}
