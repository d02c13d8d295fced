package io.sluice.service.writer;

import io.sluice.schemas.common.U64;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives regions their turn: of each region one at a time, of all together as many as there are threads.
 *
 * <pre>
 *            ask                    its time has come
 *   (none) -------> planned at t ----------------------> running ---> (none), or planned again: since its turn said so,
 *                     |    ^ ask: not later than then       |         or because it was asked for meanwhile
 *                     +----+                                +-- drop: not planned again
 * </pre>
 *
 * <p>Threading: thread-safe, guarded by this object; turns run on the timer's threads, outside of it. Invariant: a region that was
 * asked for has a turn that begins after that, unless it is dropped or this is closed.
 */
final class RegionTurns {
    /** To be told by a turn that the region needs none for now. */
    static final long NO_MORE = -1;

    private static final Logger LOG = LoggerFactory.getLogger(RegionTurns.class);

    private final Timer timer;
    private final Turn turn;
    private final Map<Long, Plan> plans = new HashMap<>();
    private int running;
    private boolean closed;

    /** What is done when it is a region's turn. */
    @FunctionalInterface
    interface Turn {
        /** @return after how many nanoseconds it wants the next turn, or {@link #NO_MORE} */
        long take(long regionId);
    }

    /** Of one region; there is one only while it is planned or running. */
    private static final class Plan {
        private boolean planned;
        private boolean running;
        private boolean dropped;
        private long dueNanos;
        private long runningSinceNanos;
        /** Of what was asked for while it is running. */
        private boolean asked;

        private long askedDueNanos;
        /** Tells the task that counts from those for times that were changed. */
        private Object task;
    }

    RegionTurns(Timer timer, Turn turn) {
        this.timer = timer;
        this.turn = turn;
    }

    /** A turn after so many nanoseconds at the latest; if it is the region's turn right now, then one more. */
    synchronized void ask(long regionId, long nanos) {
        if (closed) {
            return;
        }
        Plan plan = plans.computeIfAbsent(regionId, id -> new Plan());
        long dueNanos = timer.nanoTime() + nanos;
        if (!plan.running) {
            plan(regionId, plan, dueNanos);
        } else if (!plan.asked || dueNanos - plan.askedDueNanos < 0) {
            plan.asked = true;
            plan.askedDueNanos = dueNanos;
        }
    }

    /** A turn now, if it has none and none is planned. */
    synchronized void askUnlessPlanned(long regionId) {
        Plan plan = plans.get(regionId);
        // One that runs and was dropped will not be planned again by itself.
        if (plan == null || plan.running && plan.dropped) {
            ask(regionId, 0);
        }
    }

    private void plan(long regionId, Plan plan, long dueNanos) {
        if (plan.planned && plan.dueNanos - dueNanos <= 0) {
            return;
        }
        Object task = new Object();
        plan.planned = true;
        plan.dueNanos = dueNanos;
        plan.task = task;
        timer.after(Math.max(0, dueNanos - timer.nanoTime()), () -> run(regionId, plan, task));
    }

    private void run(long regionId, Plan plan, Object task) {
        synchronized (this) {
            if (closed || !plan.planned || plan.task != task) {
                return;
            }
            plan.planned = false;
            plan.running = true;
            plan.runningSinceNanos = timer.nanoTime();
            running++;
        }
        long next = NO_MORE;
        try {
            next = turn.take(regionId);
        } catch (Throwable e) {
            // Whatever it is, the region is looked at again with all that have open orders.
            LOG.error("writing the manifest of region {} failed, it is tried again later", U64.text(regionId), e);
        } finally {
            end(regionId, plan, next);
        }
    }

    private synchronized void end(long regionId, Plan plan, long next) {
        running--;
        plan.running = false;
        boolean dropped = plan.dropped;
        boolean asked = plan.asked;
        plan.dropped = false;
        plan.asked = false;
        if (closed) {
            notifyAll();
        } else {
            if (asked) {
                plan(regionId, plan, plan.askedDueNanos);
            }
            if (next >= 0 && !dropped) {
                plan(regionId, plan, timer.nanoTime() + next);
            }
        }
        if (!plan.planned) {
            plans.remove(regionId);
        }
    }

    /** Takes back what was asked for these regions; a turn that runs ends by itself. */
    synchronized void drop(LongPredicate regions) {
        plans.entrySet().removeIf(entry -> {
            Plan plan = entry.getValue();
            if (!regions.test(entry.getKey())) {
                return false;
            }
            plan.planned = false;
            plan.asked = false;
            plan.dropped = true;
            return !plan.running;
        });
    }

    /** How many regions wait for a turn or have it, and for how long one of them should have ended it by now. */
    synchronized WriterLoad load() {
        long nowNanos = timer.nanoTime();
        long oldestNanos = 0;
        for (Plan plan : plans.values()) {
            long sinceNanos = plan.running ? plan.runningSinceNanos : plan.dueNanos;
            oldestNanos = Math.max(oldestNanos, nowNanos - sinceNanos);
        }
        return new WriterLoad(plans.size() - running, running, oldestNanos);
    }

    /** No turn begins any more. Waits for those that run, but not for longer than that; returns whether all ended. */
    synchronized boolean close(Duration within) {
        closed = true;
        plans.values().forEach(plan -> plan.planned = false);
        long deadlineNanos = System.nanoTime() + within.toNanos();
        try {
            while (running > 0) {
                long leftNanos = deadlineNanos - System.nanoTime();
                if (leftNanos <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return running == 0;
    }
}
