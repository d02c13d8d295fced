package io.sluice.service.bench;

import java.io.PrintWriter;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** A progress bar on a terminal, a line for every tenth elsewhere. Threading: one thread. */
final class Progress implements LongConsumer, AutoCloseable {
    private final String what;
    private final long total;
    private final PrintWriter lines;
    private final ProgressBar bar;
    private long tenthsShown;

    /** @param what the word before the numbers */
    Progress(String what, long total, PrintWriter lines) {
        this.what = what;
        this.total = total;
        this.lines = lines;
        this.bar = System.console() == null
                ? null
                : new ProgressBarBuilder()
                        .setTaskName(what)
                        .setInitialMax(total)
                        .build();
    }

    @Override
    public void accept(long done) {
        if (bar != null) {
            bar.stepTo(done);
            return;
        }
        long tenths = done * 10 / total;
        if (tenths > tenthsShown) {
            tenthsShown = tenths;
            lines.println(what + " " + done + " of " + total);
            lines.flush();
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
