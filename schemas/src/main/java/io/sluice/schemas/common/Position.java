package io.sluice.schemas.common;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A point in the decisions of one partition, written {@code family:partition@n}. Opaque to callers; comparable within one
 * family and partition only.
 *
 * <p>Immutable. One position, one text.
 *
 * @param family {@code flow}; lower-case letters
 * @param partition 0 or more
 * @param decision number of the decision; 0 before the first
 */
public record Position(String family, int partition, long decision) {
    private static final Pattern FORM = Pattern.compile("([a-z]+):(0|[1-9][0-9]*)@(0|[1-9][0-9]*)");

    public Position {
        Objects.requireNonNull(family, "family");
        if (partition < 0 || decision < 0) {
            throw new IllegalArgumentException(
                    "position " + family + ":" + partition + "@" + decision + " has a negative number");
        }
    }

    @Override
    public String toString() {
        return family + ":" + partition + "@" + decision;
    }

    /**
     * Reads {@code family:partition@n}.
     *
     * @throws IllegalArgumentException naming the text and the form that is expected
     */
    public static Position parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw malformed(text);
        }
        try {
            return new Position(matcher.group(1), Integer.parseInt(matcher.group(2)), Long.parseLong(matcher.group(3)));
        } catch (NumberFormatException e) {
            throw malformed(text);
        }
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "position \"" + Texts.shortened(text) + "\" is not of the form family:partition@number");
    }
}
