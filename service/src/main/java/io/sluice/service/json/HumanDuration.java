package io.sluice.service.json;

import io.sluice.schemas.common.Texts;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as manifests write them, {@code 1month 13h 26m 24s} (docs/formats.md, section 1.2). Stateless.
 *
 * <p>Not {@link io.sluice.schemas.flow.Durations}, which reads what people write in commands: there case is ignored and months are
 * refused; here {@code m} is a minute and {@code M} a month.
 */
final class HumanDuration {
    private static final long DAY = 86_400;
    private static final long MONTH = 2_630_016;
    private static final long YEAR = 31_557_600;

    private static final Pattern PART = Pattern.compile("\\s*([0-9]+)\\s*([a-zA-Z\u00b5]+)\\s*");

    private static final Map<String, Duration> UNITS = Map.ofEntries(
            Map.entry("ns", Duration.ofNanos(1)),
            Map.entry("nsec", Duration.ofNanos(1)),
            Map.entry("nanos", Duration.ofNanos(1)),
            Map.entry("us", Duration.ofNanos(1_000)),
            Map.entry("\u00b5s", Duration.ofNanos(1_000)),
            Map.entry("usec", Duration.ofNanos(1_000)),
            Map.entry("micros", Duration.ofNanos(1_000)),
            Map.entry("ms", Duration.ofMillis(1)),
            Map.entry("msec", Duration.ofMillis(1)),
            Map.entry("millis", Duration.ofMillis(1)),
            Map.entry("s", Duration.ofSeconds(1)),
            Map.entry("sec", Duration.ofSeconds(1)),
            Map.entry("secs", Duration.ofSeconds(1)),
            Map.entry("second", Duration.ofSeconds(1)),
            Map.entry("seconds", Duration.ofSeconds(1)),
            Map.entry("m", Duration.ofMinutes(1)),
            Map.entry("min", Duration.ofMinutes(1)),
            Map.entry("mins", Duration.ofMinutes(1)),
            Map.entry("minute", Duration.ofMinutes(1)),
            Map.entry("minutes", Duration.ofMinutes(1)),
            Map.entry("h", Duration.ofHours(1)),
            Map.entry("hr", Duration.ofHours(1)),
            Map.entry("hrs", Duration.ofHours(1)),
            Map.entry("hour", Duration.ofHours(1)),
            Map.entry("hours", Duration.ofHours(1)),
            Map.entry("d", Duration.ofSeconds(DAY)),
            Map.entry("day", Duration.ofSeconds(DAY)),
            Map.entry("days", Duration.ofSeconds(DAY)),
            Map.entry("w", Duration.ofSeconds(7 * DAY)),
            Map.entry("wk", Duration.ofSeconds(7 * DAY)),
            Map.entry("wks", Duration.ofSeconds(7 * DAY)),
            Map.entry("week", Duration.ofSeconds(7 * DAY)),
            Map.entry("weeks", Duration.ofSeconds(7 * DAY)),
            Map.entry("M", Duration.ofSeconds(MONTH)),
            Map.entry("month", Duration.ofSeconds(MONTH)),
            Map.entry("months", Duration.ofSeconds(MONTH)),
            Map.entry("y", Duration.ofSeconds(YEAR)),
            Map.entry("yr", Duration.ofSeconds(YEAR)),
            Map.entry("yrs", Duration.ofSeconds(YEAR)),
            Map.entry("year", Duration.ofSeconds(YEAR)),
            Map.entry("years", Duration.ofSeconds(YEAR)));

    private HumanDuration() {}

    /** @param duration not negative */
    static String text(Duration duration) {
        long secs = duration.getSeconds();
        int nanos = duration.getNano();
        StringBuilder text = new StringBuilder();
        add(text, secs / YEAR, "year", true);
        long inYear = secs % YEAR;
        add(text, inYear / MONTH, "month", true);
        long inMonth = inYear % MONTH;
        add(text, inMonth / DAY, "day", true);
        long inDay = inMonth % DAY;
        add(text, inDay / 3_600, "h", false);
        add(text, inDay % 3_600 / 60, "m", false);
        add(text, inDay % 60, "s", false);
        add(text, nanos / 1_000_000, "ms", false);
        add(text, nanos / 1_000 % 1_000, "us", false);
        add(text, nanos % 1_000, "ns", false);
        return text.isEmpty() ? "0s" : text.toString();
    }

    /** @throws IllegalArgumentException saying the text and what is allowed */
    static Duration parse(String text) {
        Matcher matcher = PART.matcher(text);
        Duration total = Duration.ZERO;
        int end = 0;
        while (end < text.length()) {
            matcher.region(end, text.length());
            Duration unit = matcher.lookingAt() ? UNITS.get(matcher.group(2)) : null;
            if (unit == null) {
                throw refused(text, null);
            }
            try {
                total = total.plus(unit.multipliedBy(Long.parseLong(matcher.group(1))));
            } catch (ArithmeticException | NumberFormatException e) {
                throw refused(text, e);
            }
            end = matcher.end();
        }
        if (end == 0) {
            throw refused(text, null);
        }
        return total;
    }

    private static void add(StringBuilder text, long count, String unit, boolean plural) {
        if (count == 0) {
            return;
        }
        if (!text.isEmpty()) {
            text.append(' ');
        }
        text.append(count).append(unit);
        if (plural && count > 1) {
            text.append('s');
        }
    }

    private static IllegalArgumentException refused(String text, RuntimeException cause) {
        return new IllegalArgumentException(
                "\"" + Texts.shortened(text)
                        + "\" is no duration: allowed are parts such as \"1day 2h 30m\" of the units "
                        + "year, month, week, day, h, m, s, ms, us, ns",
                cause);
    }
}
