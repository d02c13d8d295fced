package io.sluice.service.common;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * How far something long is, with its rate and the time it still takes: a bar on a terminal, a line for every tenth elsewhere, but
 * at most one in two seconds.
 *
 * <p>Threading: one thread at a time.
 */
public final class RateProgress implements AutoCloseable {
    private static final long LINE_EVERY_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int BAR_EVERY_MS = 200;

    private final String what;
    private final String unit;
    private final PrintWriter lines;
    private final long startNanos = System.nanoTime();
    private ProgressBar bar;
    private boolean isEnded;
    private long tenths;
    private long saidNanos = startNanos;

    /**
     * @param what the word before the numbers
     * @param unit of what is counted, in the plural
     */
    public RateProgress(String what, String unit, PrintWriter lines) {
        this.what = what;
        this.unit = unit;
        this.lines = lines;
    }

    /** Shows that so much is done of a total that is known by now. */
    public void reached(long done, long total) {
        if (System.console() != null) {
            if (bar == null) {
                bar = new ProgressBarBuilder()
                        .setTaskName(what)
                        .setUnit(" " + unit, 1)
                        .setInitialMax(total)
                        .setUpdateIntervalMillis(BAR_EVERY_MS)
                        .showSpeed()
                        .build();
            }
            bar.stepTo(done);
            if (done >= total) {
                // Others may write to the terminal now.
                close();
            }
            return;
        }
        long now = System.nanoTime();
        long reached = total == 0 ? 0 : done * 10 / total;
        if (reached > tenths && now - saidNanos >= LINE_EVERY_NANOS) {
            tenths = reached;
            saidNanos = now;
            lines.println(line(what, unit, done, total, Duration.ofNanos(now - startNanos)));
            lines.flush();
        }
    }

    /** For people. */
    static String line(String what, String unit, long done, long total, Duration since) {
        long perSecond = done * 1_000 / Math.max(1, since.toMillis());
        long secondsLeft = (total - done) / Math.max(1, perSecond);
        return String.format(
                Locale.ROOT, "%s %,d of %,d %s, %,d/s, %d s left", what, done, total, unit, perSecond, secondsLeft);
    }

    @Override
    public void close() {
        if (bar != null && !isEnded) {
            isEnded = true;
            bar.close();
        }
    }
}
