package io.sluice.schemas.common;

import io.sluice.avro.Maintenance;
import io.sluice.avro.MaintenanceKind;
import java.util.Objects;

/**
 * Work on the changelogs of a stopped installation that goes on, or was killed, as it is noted in {@link TopicNames#META}. Immutable.
 *
 * @param token tells it from every other one
 * @param host where it runs
 * @param processId of its process, there
 * @param processStartedMs epoch milliseconds; 0 if that is not known
 * @param user who started it
 * @param startedMs epoch milliseconds
 */
public record MaintenanceRecord(
        String token,
        MaintenanceTask task,
        String host,
        long processId,
        long processStartedMs,
        String user,
        long startedMs) {
    /** The record's key in the topic, in UTF-8. */
    public static final String KEY = "maintenance";

    public MaintenanceRecord {
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(task, "task");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(user, "user");
    }

    public byte[] encode() {
        String snapshot = task instanceof MaintenanceTask.Import imported ? imported.snapshot() : null;
        MaintenanceKind kind = snapshot == null ? MaintenanceKind.REBUILD : MaintenanceKind.IMPORT;
        return SingleObject.encode(
                new Maintenance(token, kind, snapshot, host, processId, processStartedMs, user, startedMs));
    }

    /** @throws UndecodableException if the bytes are no such record, or of a task that only later versions know */
    public static MaintenanceRecord decode(SingleObject singleObject, byte[] bytes) {
        Maintenance m = singleObject.decode(bytes, Maintenance.class);
        return new MaintenanceRecord(
                m.getToken(),
                task(m),
                m.getHost(),
                m.getProcessId(),
                m.getProcessStartedMs(),
                m.getUser(),
                m.getStartedMs());
    }

    private static MaintenanceTask task(Maintenance maintenance) {
        String snapshot = maintenance.getSnapshot();
        return switch (maintenance.getKind()) {
            case REBUILD -> new MaintenanceTask.Rebuild();
            case IMPORT -> {
                if (snapshot == null) {
                    throw new UndecodableException("an import that does not say of which snapshot");
                }
                yield new MaintenanceTask.Import(snapshot);
            }
            case UNKNOWN -> throw new UndecodableException("work of a kind that only later versions know");
        };
    }
}
