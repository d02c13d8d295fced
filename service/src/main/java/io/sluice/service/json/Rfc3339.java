package io.sluice.service.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as RFC 3339 text and as epoch nanoseconds. Written in UTC with {@code Z} and the shortest of 0, 3, 6 or 9
 * digits of fraction that is exact; read with any offset. Stateless.
 */
public final class Rfc3339 {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private static final Pattern FORM =
            Pattern.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})"
                    + "(?:\\.([0-9]{1,9}))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))");

    private Rfc3339() {}

    public static String format(long epochNanos) {
        Instant instant = Instant.ofEpochSecond(
                Math.floorDiv(epochNanos, NANOS_PER_SECOND), Math.floorMod(epochNanos, NANOS_PER_SECOND));
        return DateTimeFormatter.ISO_INSTANT.format(instant);
    }

    /** @throws IllegalArgumentException if the text is no such time, or one that 64-bit nanoseconds do not reach */
    public static long parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("no RFC 3339 time");
        }
        try {
            LocalDateTime local = LocalDateTime.of(
                    number(m, 1), number(m, 2), number(m, 3), number(m, 4), number(m, 5), number(m, 6));
            long secs = Math.subtractExact(local.toEpochSecond(ZoneOffset.UTC), offsetSecs(m));
            return nanos(secs, fractionNanos(m.group(7)));
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("no RFC 3339 time from 1677 to 2262", e);
        }
    }

    /** @throws ArithmeticException if the time is out of reach of 64-bit nanoseconds */
    static long nanos(Instant instant) {
        return nanos(instant.getEpochSecond(), instant.getNano());
    }

    private static long nanos(long secs, int fraction) {
        // Before the epoch the product alone may be out of reach although the sum is not.
        return secs >= 0
                ? Math.addExact(Math.multiplyExact(secs, NANOS_PER_SECOND), fraction)
                : Math.addExact(Math.multiplyExact(secs + 1, NANOS_PER_SECOND), fraction - NANOS_PER_SECOND);
    }

    private static int offsetSecs(Matcher m) {
        if (m.group(8) == null) {
            return 0;
        }
        int hours = number(m, 9);
        int minutes = number(m, 10);
        if (hours > 23 || minutes > 59) {
            throw new DateTimeException("offset out of range");
        }
        int secs = hours * 3_600 + minutes * 60;
        return m.group(8).equals("-") ? -secs : secs;
    }

    private static int fractionNanos(String digits) {
        return digits == null ? 0 : Integer.parseInt((digits + "00000000").substring(0, 9));
    }

    private static int number(Matcher m, int group) {
        return Integer.parseInt(m.group(group));
    }
}
