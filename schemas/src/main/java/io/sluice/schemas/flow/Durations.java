package io.sluice.schemas.flow;

import io.sluice.schemas.common.Texts;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads durations of flow commands: seconds, or text of {@code <n> <unit>} parts added up (docs/behaviour.md G15).
 * Units are second, minute, hour, day and week with their usual short and plural forms, in any case. Stateless.
 */
public final class Durations {
    /** More seconds than this do not fit signed 64-bit milliseconds. */
    public static final long MAX_SECS = Long.MAX_VALUE / 1000;

    private static final Pattern PART = Pattern.compile("\\s*([0-9]+)\\s*([a-zA-Z]+)\\s*");

    private static final Map<String, Long> UNIT_SECS = Map.ofEntries(
            Map.entry("s", 1L),
            Map.entry("sec", 1L),
            Map.entry("secs", 1L),
            Map.entry("second", 1L),
            Map.entry("seconds", 1L),
            Map.entry("m", 60L),
            Map.entry("min", 60L),
            Map.entry("mins", 60L),
            Map.entry("minute", 60L),
            Map.entry("minutes", 60L),
            Map.entry("h", 3_600L),
            Map.entry("hr", 3_600L),
            Map.entry("hrs", 3_600L),
            Map.entry("hour", 3_600L),
            Map.entry("hours", 3_600L),
            Map.entry("d", 86_400L),
            Map.entry("day", 86_400L),
            Map.entry("days", 86_400L),
            Map.entry("w", 604_800L),
            Map.entry("week", 604_800L),
            Map.entry("weeks", 604_800L));

    private Durations() {}

    /**
     * @return seconds, 0 or more
     * @throws IllegalArgumentException saying the value and what is allowed
     */
    public static long toSeconds(DurationSpec duration) {
        if (duration instanceof DurationSpec.Seconds seconds) {
            return requireRange(seconds.value(), seconds.toString());
        }
        return parse(((DurationSpec.Text) duration).value());
    }

    private static long parse(String text) {
        Matcher matcher = PART.matcher(text);
        long total = 0;
        int end = 0;
        while (end < text.length()) {
            matcher.region(end, text.length());
            if (!matcher.lookingAt()) {
                throw notADuration(text);
            }
            Long unitSecs = UNIT_SECS.get(matcher.group(2).toLowerCase(Locale.ROOT));
            if (unitSecs == null) {
                throw new IllegalArgumentException("\"" + Texts.shortened(text) + "\" has the unit \""
                        + Texts.shortened(matcher.group(2))
                        + "\": allowed are second, minute, hour, day and week (months and years have no fixed length)");
            }
            try {
                total = Math.addExact(total, Math.multiplyExact(Long.parseLong(matcher.group(1)), unitSecs));
            } catch (ArithmeticException | NumberFormatException e) {
                throw tooLong(text);
            }
            end = matcher.end();
        }
        if (end == 0) {
            throw notADuration(text);
        }
        return requireRange(total, text);
    }

    private static long requireRange(long secs, String shown) {
        if (secs < 0) {
            throw new IllegalArgumentException(Texts.shortened(shown) + " is negative: allowed are 0 seconds or more");
        }
        if (secs > MAX_SECS) {
            throw tooLong(shown);
        }
        return secs;
    }

    private static IllegalArgumentException tooLong(String shown) {
        return new IllegalArgumentException("\"" + Texts.shortened(shown) + "\" is too long: allowed are at most "
                + MAX_SECS + " seconds (64-bit milliseconds)");
    }

    private static IllegalArgumentException notADuration(String text) {
        return new IllegalArgumentException(
                "\"" + Texts.shortened(text)
                        + "\" is no duration: expected seconds, or parts such as \"2 days 1h\" with the units second, minute, hour, day, week");
    }
}
