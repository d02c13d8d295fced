package io.sluice.topology.common;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.MaintenanceRecord;
import io.sluice.schemas.common.MaintenanceTask;
import io.sluice.schemas.common.MaintenanceTask.Import;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.topology.common.TopicCreationException.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;

/**
 * Purpose: keeps an installation from being run, and from other such work, while its changelogs are rebuilt or a snapshot is imported
 * into it: a record in {@link TopicNames#META}. It outlives its program, since work that was killed has left something half done: then
 * only the same work can take it over, and end it.
 *
 * <p>Threading: one thread at a time.
 *
 * <p>Invariants: of two that take it at the same moment one is refused. It is given back only by {@link #release}. It excludes nobody
 * who runs already: whoever takes it also wants the group of the instances to be empty afterwards.
 */
public final class MaintenanceLock {
    private final Map<String, Object> clientConfig;
    private final MaintenanceRecord mine;
    private final boolean takenOver;

    private MaintenanceLock(Map<String, Object> clientConfig, MaintenanceRecord mine, boolean takenOver) {
        this.clientConfig = clientConfig;
        this.mine = mine;
        this.takenOver = takenOver;
    }

    /**
     * Who has the lock of an installation whose topics exist; empty when nobody does.
     *
     * @param clientConfig Kafka client settings, at least {@code bootstrap.servers}
     * @throws TopicCreationException when that cannot be known in time
     */
    public static Optional<MaintenanceRecord> holder(Map<String, Object> clientConfig, Duration within) {
        return new MetaTopic(clientConfig)
                .read(MaintenanceRecord.KEY, Deadline.in(within))
                .map(value -> decode(clientConfig, value));
    }

    private static MaintenanceRecord decode(Map<String, Object> clientConfig, byte[] value) {
        try (SchemaTopic schemas = new SchemaTopic(clientConfig)) {
            return MaintenanceRecord.decode(new SingleObject(new KnownSchemas(schemas)), value);
        } catch (UndecodableException | KafkaException e) {
            throw new TopicCreationException(
                    Reason.UNREADABLE,
                    "somebody is at work on the changelogs, but who cannot be read in topic " + TopicNames.META
                            + " under the key " + MaintenanceRecord.KEY + ": " + TopicCreator.describe(e)
                            + ". It may be another version of Sluice: wait until it has ended, or end its work with that"
                            + " version.",
                    e);
        }
    }

    /**
     * Refuses to go on while somebody has it.
     *
     * @throws TopicCreationException saying who, since when, and what to do; or when that cannot be known in time
     */
    public static void requireFree(Map<String, Object> clientConfig, Duration within) {
        holder(clientConfig, within).ifPresent(holder -> {
            throw busy(holder);
        });
    }

    /**
     * Takes it, or takes it over from the same work that did not end: because its process is gone, or because somebody says so.
     *
     * @param clientConfig Kafka client settings, at least {@code bootstrap.servers}
     * @param takeOver whether the same work, if it has the lock, is known to be dead; of processes of this machine that is seen
     * @throws TopicCreationException if somebody else has it
     */
    public static MaintenanceLock take(
            Map<String, Object> clientConfig, MaintenanceTask task, boolean takeOver, Duration within) {
        MaintenanceRecord mine = ThisProcess.at(task);
        Optional<byte[]> before = new MetaTopic(clientConfig)
                .exchange(
                        MaintenanceRecord.KEY,
                        value -> {
                            value.ifPresent(held -> requireUnfinished(decode(clientConfig, held), task, takeOver));
                            return Optional.of(mine.encode());
                        },
                        Deadline.in(within));
        return new MaintenanceLock(clientConfig, mine, before.isPresent());
    }

    private static void requireUnfinished(MaintenanceRecord holder, MaintenanceTask task, boolean takeOver) {
        if (!holder.task().equals(task)) {
            throw busy(holder);
        }
        if (!takeOver && !ThisProcess.isGone(holder)) {
            throw refusal(describe(holder)
                    + ". Wait until that has ended. If you know that it was killed, run this again with --take-over.");
        }
    }

    /** Whether the same work had it before, and did not end. */
    public boolean isTakenOver() {
        return takenOver;
    }

    /**
     * To be asked as late as can be before something is written.
     *
     * @throws TopicCreationException if somebody else has taken it over, or that cannot be known in time
     */
    public void requireHeld(Duration within) {
        Optional<MaintenanceRecord> now = holder(clientConfig, within);
        if (!now.equals(Optional.of(mine))) {
            throw now.map(MaintenanceLock::busy)
                    .orElseGet(() -> refusal("another one has taken this work over, and has ended it already."));
        }
    }

    /** Gives it back, unless somebody else has taken it over: the work has ended, or has not begun. */
    public void release(Duration within) {
        new MetaTopic(clientConfig)
                .exchange(
                        MaintenanceRecord.KEY,
                        value ->
                                value.filter(held -> !decode(clientConfig, held).equals(mine)),
                        Deadline.in(within));
    }

    private static TopicCreationException busy(MaintenanceRecord holder) {
        return refusal(describe(holder) + ". Wait until that has ended. If it was killed, " + remedy(holder.task()));
    }

    private static TopicCreationException refusal(String message) {
        return new TopicCreationException(Reason.MAINTENANCE, message, null);
    }

    private static String describe(MaintenanceRecord holder) {
        String what = holder.task() instanceof Import imported
                ? "snapshot " + imported.snapshot() + " is being imported by "
                : "the changelogs are being rebuilt by ";
        return what + holder.user() + " on " + holder.host() + " (process " + holder.processId() + ") since "
                + Instant.ofEpochMilli(holder.startedMs());
    }

    private static String remedy(MaintenanceTask task) {
        return task instanceof Import
                ? "run `sluice import snapshot` with the same file again: it ends that import."
                : "run `sluice rebuild` again: it goes on where that one stopped, and gives the installation free at"
                        + " its end.";
    }
}
