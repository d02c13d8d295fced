package io.sluice.schemas.common;

/** Text as it is shown in messages, and whether it can be written at all. Stateless. */
public final class Texts {
    private static final int SHOWN_CHARS = 200;

    private Texts() {}

    /** At most 200 characters of a text that may be of any length: messages travel in records of limited size. */
    public static String shortened(String text) {
        if (text.length() <= SHOWN_CHARS) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(SHOWN_CHARS - 1)) ? SHOWN_CHARS - 1 : SHOWN_CHARS;
        return text.substring(0, end) + "... (" + text.length() + " characters)";
    }

    /** Whether the text has no half of a surrogate pair, which UTF-8 cannot carry: it would become a question mark. */
    public static boolean isUnicode(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
