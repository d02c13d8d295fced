package io.sluice.service.config;

/**
 * Purpose: numbers of bytes and milliseconds in words that people can read.
 *
 * <p>Threading: functions only.
 */
final class Units {
    private static final String[] SIZE_LABELS = {"B", "KiB", "MiB", "GiB"};
    private static final long[] DURATION_MS = {86_400_000L, 3_600_000L, 60_000L, 1_000L};
    private static final String[] DURATION_LABELS = {"d", "h", "min", "s"};

    private Units() {}

    /** A size in its largest whole binary unit: "512 KiB", "2 MiB", "1000 B". */
    static String size(long bytes) {
        int unit = 0;
        long count = bytes;
        while (unit < SIZE_LABELS.length - 1 && count != 0 && count % 1024 == 0) {
            count /= 1024;
            unit++;
        }
        return count + " " + SIZE_LABELS[unit];
    }

    /** A duration in its largest whole unit: "7 d", "10 s", "1500 ms", "0". */
    static String duration(long ms) {
        if (ms == 0) {
            return "0";
        }
        for (int i = 0; i < DURATION_MS.length; i++) {
            if (ms % DURATION_MS[i] == 0) {
                return ms / DURATION_MS[i] + " " + DURATION_LABELS[i];
            }
        }
        return ms + " ms";
    }
}
