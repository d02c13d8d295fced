package io.sluice.service.writer;

import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.ManifestReport;
import io.sluice.schemas.region.ManifestReport.ManifestWriteFailed;
import io.sluice.schemas.region.ManifestReport.ManifestWritten;
import io.sluice.schemas.region.ManifestWriteKind;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionState;
import io.sluice.service.query.NotOwnerException;
import io.sluice.service.query.NotReadyException;
import io.sluice.service.writer.WriteOutcome.Done;
import io.sluice.service.writer.WriteOutcome.HeldElsewhere;
import io.sluice.service.writer.WriteOutcome.NotDone;
import io.sluice.state.region.ManifestBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the orders of the regions that are decided here. What the topic says is only a hint that there is something to do: what
 * is done is what the store says is open. So it does not matter whether an order was seen, how often, or when.
 *
 * <pre>
 *  region's turn:  look at the store -+- an open order ---- write it -+- done ------ report, checkpoint if due
 *                                     |                               +- failed ---- again after a pause; at last report it
 *                                     |                               +- unknown --- again after a pause, for ever
 *                                     +- not yet the order that the topic has ------ look again soon
 *                                     +- no region, and an order to clear it away -- clear it away
 *                                     +- reported as written, and not real all the same -- take it away
 *                                     +- nothing open, or reported just now -------- nothing
 * </pre>
 *
 * <p>Threading: thread-safe; of one region one turn at a time ({@link RegionTurns}). Invariants: a report follows what its own attempt
 * found, never a guess; only what the store said was open in this turn is written.
 */
final class RegionWrites {
    private static final Logger LOG = LoggerFactory.getLogger(RegionWrites.class);

    // The store shows an order a moment after the topic; usually after a few milliseconds.
    private static final Backoff LOOK_AGAIN = new Backoff(Duration.ofMillis(1), Duration.ofMillis(50), 0);
    private static final long STORE_LAGS_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long NOT_READY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** In all about three seconds: a passing fault heals, a lasting one is told soon. */
    private static final Backoff AFTER_FAILURE = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2), 6);
    /** In all ten seconds: an instance that lost the partition lets go of its directories when it notices. */
    private static final Backoff WHILE_HELD = new Backoff(Duration.ofMillis(250), Duration.ofMillis(250), 40);
    /** Nothing may be concluded, so there is no last attempt. */
    private static final Backoff WHILE_UNKNOWN = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), 0);

    private static final Backoff FOR_LEFTOVERS = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), 10);

    /** A report is decided on within that time, if all is well. */
    private static final long REPORT_SETTLES_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long REPORT_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SAY_EVERY_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Decisions, and so incarnations, have numbers from 1. */
    private static final long BEFORE_ALL = -1;

    private final RegionStates states;
    private final ManifestStorage storage;
    private final ReportSink reports;
    private final Timer timer;
    private final RegionTurns turns;
    // By region. Each of them is only used in the region's turn, but for being put there or taken away as a whole.
    private final Map<Long, Hint> hints = new ConcurrentHashMap<>();
    private final Map<Long, Attempts> attempts = new ConcurrentHashMap<>();
    private final Map<Long, Reported> reported = new ConcurrentHashMap<>();

    /** The newest order of a region that the topic has, as long as the store was not seen to have it. */
    private static final class Hint {
        private final ManifestWriteOrder order;
        private final long sinceNanos;
        private int looks;
        private int failures;

        Hint(ManifestWriteOrder order, long sinceNanos) {
            this.order = order;
            this.sinceNanos = sinceNanos;
        }
    }

    /** Attempts at an order that did not get it done. */
    private static final class Attempts {
        private final OrderKey order;
        private final long sinceNanos;
        private int failed;
        private int held;
        private int unknown;
        private long saidNanos;

        Attempts(OrderKey order, long sinceNanos) {
            this.order = order;
            this.sinceNanos = sinceNanos;
        }

        int all() {
            return failed + held + unknown;
        }
    }

    private record Reported(OrderKey order, ManifestWriteKind kind, boolean written, long atNanos) {}

    /** An order was closed while it was being worked on. */
    private static final class ClosedMeanwhileException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    RegionWrites(RegionStates states, ManifestStorage storage, ReportSink reports, Timer timer) {
        this.states = states;
        this.storage = storage;
        this.reports = reports;
        this.timer = timer;
        this.turns = new RegionTurns(timer, this::turn);
    }

    /** The topic has this order. */
    void ordered(ManifestWriteOrder order) {
        hints.put(order.regionId(), new Hint(order, timer.nanoTime()));
        turns.ask(order.regionId(), 0);
    }

    /** The store has this order. */
    void found(ManifestWriteOrder order) {
        turns.askUnlessPlanned(order.regionId());
    }

    /** The removal of this region's directory was begun and not finished: if there is no such region any more, it is. */
    void foundUnfinishedDrop(long regionId) {
        clearAfter(regionId, BEFORE_ALL);
    }

    private void clearAfter(long regionId, long incarnation) {
        ordered(new ManifestWriteOrder(regionId, incarnation, "", 0, ManifestWriteKind.DROP, List.of()));
    }

    /** Goes on with these regions only; a write that runs ends by itself. */
    void retain(LongPredicate regions) {
        LongPredicate others = regions.negate();
        turns.drop(others);
        hints.keySet().removeIf(others::test);
        attempts.keySet().removeIf(others::test);
        storage.retain(regions);
    }

    /** Looks once more at what was reported and must be decided on by now, and forgets it. */
    void forgetReports() {
        reported.forEach((regionId, report) -> {
            if (isSettled(report)) {
                if (report.written()) {
                    turns.ask(regionId, 0);
                } else {
                    reported.remove(regionId, report);
                }
            }
        });
    }

    /** How much there is to do. */
    WriterLoad load() {
        WriterLoad turnsNow = turns.load();
        long nowNanos = timer.nanoTime();
        long oldestNanos = turnsNow.oldestNanos();
        for (Attempts tried : attempts.values()) {
            oldestNanos = Math.max(oldestNanos, nowNanos - tried.sinceNanos);
        }
        return new WriterLoad(turnsNow.waiting(), turnsNow.running(), oldestNanos);
    }

    /** Begins nothing any more, waits a while for the writes that run, and lets go of everything. */
    void close(Duration within) {
        if (!turns.close(within)) {
            LOG.warn(
                    "a manifest write was still running {} ms after it was asked to end: it is not waited for, and whoever"
                            + " decides the region next makes it again",
                    within.toMillis());
        }
        storage.close();
    }

    // A turn.

    long turn(long regionId) {
        try {
            return lookAndWrite(regionId);
        } catch (NotOwnerException e) {
            LOG.debug("region {} is not decided here now: {}", U64.text(regionId), e.getMessage());
            return RegionTurns.NO_MORE;
        } catch (NotReadyException e) {
            return NOT_READY_PAUSE_NANOS;
        } catch (ClosedMeanwhileException e) {
            return 0;
        }
    }

    private long lookAndWrite(long regionId) {
        // In this order: a hint that comes after the look brings a turn of its own.
        Hint hint = hints.get(regionId);
        RegionSituation now = states.look(regionId);
        ManifestWriteOrder order = now.openOrder();
        if (order != null && !isReported(order)) {
            if (hint != null && OrderKey.of(hint.order).equals(OrderKey.of(order))) {
                hints.remove(regionId, hint);
            }
            long pause = attempt(order, now.lastCommandId());
            return pause == RegionTurns.NO_MORE && hints.containsKey(regionId) ? 0 : pause;
        }
        attempts.remove(regionId);
        proveReported(regionId, now);
        return hint == null ? RegionTurns.NO_MORE : follow(hint, now);
    }

    /**
     * Takes away what was written and is not real: another writer had given the same order up, and its report came first. Who got that
     * answer may delete the files that this version names.
     */
    private void proveReported(long regionId, RegionSituation now) {
        Reported last = reported.get(regionId);
        if (last == null || !isSettled(last)) {
            return;
        }
        reported.remove(regionId, last);
        if (!last.written() || now.hasCome(last.order(), last.kind())) {
            return;
        }
        LOG.warn(
                "version {} of region {} (command {}) was written here after it had failed elsewhere: it is taken away",
                U64.text(last.order().version()),
                U64.text(regionId),
                last.order().commandId());
        if (now.region() == null) {
            storage.clear(regionId, () -> isGone(regionId));
        } else {
            storage.restore(regionId, () -> restedManifest(regionId));
        }
    }

    private boolean isGone(long regionId) {
        RegionSituation now = states.look(regionId);
        return now.region() == null && now.order() == null;
    }

    /** Null while a write is in flight, which makes the directory what it has to be. */
    private RegionManifest restedManifest(long regionId) {
        RegionSituation now = states.lookWithManifest(regionId);
        return now.order() == null ? now.manifest() : null;
    }

    private boolean isSettled(Reported report) {
        return timer.nanoTime() - report.atNanos() >= REPORT_SETTLES_NANOS;
    }

    /** What a hint means that is not about the open order. */
    private long follow(Hint hint, RegionSituation now) {
        ManifestWriteOrder order = hint.order;
        long regionId = order.regionId();
        if (order.kind() == ManifestWriteKind.DROP && now.region() == null && now.order() == null) {
            return clear(hint);
        }
        if (now.isPast(order) || isReported(order)) {
            hints.remove(regionId, hint);
            return RegionTurns.NO_MORE;
        }
        if (timer.nanoTime() - hint.sinceNanos >= STORE_LAGS_NANOS) {
            LOG.debug("order {} is not open in the store, it counts as closed", OrderKey.of(order));
            hints.remove(regionId, hint);
            return RegionTurns.NO_MORE;
        }
        hint.looks++;
        return LOOK_AGAIN.pauseNanos(hint.looks);
    }

    /** Nobody waits for it: what cannot be removed stays. */
    private long clear(Hint hint) {
        long regionId = hint.order.regionId();
        WriteOutcome outcome = storage.clear(regionId, () -> isGone(regionId));
        String leftover = outcome instanceof Done done ? done.leftover() : reason(outcome);
        hint.failures++;
        if (leftover == null || FOR_LEFTOVERS.isOver(hint.failures)) {
            hints.remove(regionId, hint);
            if (!hint.order.commandId().isEmpty()) {
                // Nobody waits for it, but the order is closed in the topic by it.
                report(hint.order, new ManifestWritten(regionId, hint.order.commandId(), hint.order.version()));
            }
            if (leftover != null) {
                LOG.warn("what is left of region {}, which is gone, stays: {}", U64.text(regionId), leftover);
            }
            return RegionTurns.NO_MORE;
        }
        return FOR_LEFTOVERS.pauseNanos(hint.failures);
    }

    private long attempt(ManifestWriteOrder order, String lastCommandId) {
        long regionId = order.regionId();
        WriteOutcome outcome;
        try {
            outcome = storage.write(new OpenOrder(order, lastCommandId, manifestBefore(order)));
        } catch (RuntimeException e) {
            attempts.remove(regionId);
            throw e;
        }
        if (outcome instanceof Done done) {
            done(order, done.leftover());
            return RegionTurns.NO_MORE;
        }
        OrderKey key = OrderKey.of(order);
        Attempts before = attempts.compute(
                regionId,
                (id, known) -> known != null && known.order.equals(key) ? known : new Attempts(key, timer.nanoTime()));
        return failed(order, before, outcome);
    }

    private Supplier<RegionManifest> manifestBefore(ManifestWriteOrder order) {
        return () -> {
            RegionSituation now = states.lookWithManifest(order.regionId());
            if (!now.isOpen(OrderKey.of(order))) {
                throw new ClosedMeanwhileException();
            }
            return now.manifest();
        };
    }

    private void done(ManifestWriteOrder order, String leftover) {
        long regionId = order.regionId();
        Attempts before = attempts.remove(regionId);
        if (before != null) {
            LOG.info("{} is done, after {} attempts that failed", shown(order), before.all());
        }
        report(order, new ManifestWritten(regionId, order.commandId(), order.version()));
        if (order.kind() != ManifestWriteKind.DROP) {
            // After the report: nobody has to wait for it.
            storage.checkpointIfDue(order, () -> stateToCheckpoint(order));
        } else if (leftover != null) {
            clearAfter(regionId, order.incarnation());
        }
    }

    /**
     * The manifest as of a version that was just written, whether or not the store has decided on its report by now; null when there
     * must be no checkpoint.
     */
    private RegionManifest stateToCheckpoint(ManifestWriteOrder written) {
        RegionSituation now;
        try {
            now = states.lookWithManifest(written.regionId());
        } catch (NotReadyException e) {
            return null;
        }
        RegionRecord region = now.region();
        RegionManifest manifest = now.manifest();
        if (region == null
                || manifest == null
                || region.incarnation() != written.incarnation()
                || region.state() == RegionState.DOWNGRADING) {
            return null;
        }
        if (manifest.manifestVersion() == written.version()) {
            return manifest;
        }
        return manifest.manifestVersion() + 1 == written.version()
                ? ManifestBuilder.from(manifest)
                        .apply(new ManifestDelta(written.version(), written.actions()), 0)
                        .build()
                : null;
    }

    /** @return the pause before the next attempt; or none, if it was the last */
    private long failed(ManifestWriteOrder order, Attempts before, WriteOutcome outcome) {
        String reason = reason(outcome);
        long pause;
        if (outcome instanceof NotDone failure) {
            before.failed++;
            if (failure.lasting() || AFTER_FAILURE.isOver(before.failed)) {
                return giveUp(order, reason);
            }
            pause = AFTER_FAILURE.pauseNanos(before.failed);
        } else if (outcome instanceof HeldElsewhere) {
            before.held++;
            if (WHILE_HELD.isOver(before.held)) {
                return giveUp(order, reason);
            }
            pause = WHILE_HELD.pauseNanos(before.held);
        } else {
            before.unknown++;
            pause = WHILE_UNKNOWN.pauseNanos(before.unknown);
        }
        say(order, before, reason);
        return pause;
    }

    private void say(ManifestWriteOrder order, Attempts before, String reason) {
        long nowNanos = timer.nanoTime();
        if (before.all() == 1 || nowNanos - before.saidNanos >= SAY_EVERY_NANOS) {
            before.saidNanos = nowNanos;
            LOG.warn("{} is not done, it is tried again: {}", shown(order), reason);
        }
    }

    private long giveUp(ManifestWriteOrder order, String reason) {
        attempts.remove(order.regionId());
        LOG.error("{} failed, and is reported so: {}", shown(order), reason);
        report(
                order,
                new ManifestWriteFailed(order.regionId(), order.commandId(), order.version(), Texts.shortened(reason)));
        return RegionTurns.NO_MORE;
    }

    private void report(ManifestWriteOrder order, ManifestReport report) {
        long regionId = order.regionId();
        Reported now =
                new Reported(OrderKey.of(order), order.kind(), report instanceof ManifestWritten, timer.nanoTime());
        reported.put(regionId, now);
        reports.send(report, failure -> {
            LOG.warn("the report about {} may be lost, it is sent again: {}", shown(order), failure.toString());
            reported.remove(regionId, now);
            turns.ask(regionId, REPORT_AGAIN_NANOS);
        });
    }

    /** Whether the report about it is on its way, so that the store still shows it as open. */
    private boolean isReported(ManifestWriteOrder order) {
        Reported last = reported.get(order.regionId());
        return last != null && last.order().equals(OrderKey.of(order)) && !isSettled(last);
    }

    private static String reason(WriteOutcome outcome) {
        if (outcome instanceof NotDone failure) {
            return failure.reason();
        }
        return outcome instanceof HeldElsewhere held ? held.reason() : ((WriteOutcome.Unknown) outcome).reason();
    }

    private static String shown(ManifestWriteOrder order) {
        String what =
                order.kind() == ManifestWriteKind.DROP ? "dropping" : "version " + U64.text(order.version()) + " of";
        return what + " region " + U64.text(order.regionId()) + " (command " + order.commandId() + ")";
    }
}
