package io.sluice.tests.harness;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/**
 * Keeps what Sluice's own classes log as an error while it is open: a stream thread that fails says so there.
 * Thread-safe.
 */
public final class LogWatch implements AutoCloseable {
    private final Logger sluice = (Logger) LoggerFactory.getLogger("io.sluice");
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
                errors.add(event.getFormattedMessage());
            }
        }
    };

    private LogWatch() {
        appender.setContext(sluice.getLoggerContext());
        appender.start();
        sluice.addAppender(appender);
    }

    public static LogWatch open() {
        return new LogWatch();
    }

    public List<String> errors() {
        return List.copyOf(errors);
    }

    @Override
    public void close() {
        sluice.detachAppender(appender);
        appender.stop();
    }
}
