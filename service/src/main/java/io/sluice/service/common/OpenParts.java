package io.sluice.service.common;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of something that is being started or runs. Closing closes them, last opened first; one that does not close
 * properly keeps none of the others from it.
 *
 * <p>Threading: used by one thread.
 */
public final class OpenParts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenParts.class);

    private final String whole;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** @param whole what they are parts of, for the log */
    public OpenParts(String whole) {
        this.whole = whole;
    }

    /** Remembers a part, and gives it back. */
    public <T extends AutoCloseable> T add(T part) {
        open.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                LOG.warn("a part of {} did not stop properly, going on with the others", whole, e);
            }
        }
    }
}
