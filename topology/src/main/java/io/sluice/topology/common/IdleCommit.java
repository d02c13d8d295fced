package io.sluice.topology.common;

import java.time.Duration;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/**
 * Commits as soon as a stream thread has nothing more to decide, and leaves commits under load to the commit interval.
 *
 * <p>Why: a lone command should not wait for the commit interval, while a commit per command collapses under load
 * (docs/kafka.md, E1 and E10). The first command a thread decides arms a punctuator of 1 ms; each tick compares how
 * much was decided since the last one. Nothing: the thread is idle, a commit is asked for (which commits all tasks of
 * the thread) and the punctuator is cancelled. So there is no tick, and no transaction, while nothing happens: a
 * punctuator that never rests would mark its task as needing a commit for ever.
 *
 * <p>Works together with {@link #POLL_MS} and {@link #COMMIT_INTERVAL_MS}, Kafka Streams' {@code poll.ms} and {@code
 * commit.interval.ms}: idle latency follows the first, and lowering one alone does nothing.
 *
 * <p>Threading: one instance is shared by all tasks of a topology; its state is per stream thread. Invariant: at most one
 * punctuator per thread, owned by the task that armed it; if that task leaves, the next command of any task arms a new one, and
 * meanwhile the commit interval holds.
 */
public final class IdleCommit {
    /** How long a stream thread waits for records, in milliseconds: what a lone command waits at most before it is read. */
    public static final int POLL_MS = 1;

    /** How long commits under load are grouped, in milliseconds. */
    public static final int COMMIT_INTERVAL_MS = 50;

    private static final Duration TICK = Duration.ofMillis(1);

    private final ThreadLocal<ThreadActivity> activity = ThreadLocal.withInitial(ThreadActivity::new);

    private static final class ThreadActivity {
        private long decided;
        private long decidedAtLastTick;
        private Cancellable punctuator;
        private Object owner;
    }

    /** To be called by a task's processor for every record it decides. */
    public void decided(ProcessingContext context, Object owner) {
        ThreadActivity thread = activity.get();
        thread.decided++;
        if (thread.punctuator == null) {
            thread.decidedAtLastTick = thread.decided;
            thread.owner = owner;
            thread.punctuator = context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, nowMs -> tick(thread, context));
        }
    }

    /** To be called when a task's processor closes, on its stream thread. */
    public void left(Object owner) {
        ThreadActivity thread = activity.get();
        if (thread.owner == owner) {
            rest(thread);
        }
    }

    private static void tick(ThreadActivity thread, ProcessingContext context) {
        if (thread.decided == thread.decidedAtLastTick) {
            context.commit();
            rest(thread);
        } else {
            thread.decidedAtLastTick = thread.decided;
        }
    }

    private static void rest(ThreadActivity thread) {
        if (thread.punctuator != null) {
            thread.punctuator.cancel();
        }
        thread.punctuator = null;
        thread.owner = null;
    }
}
