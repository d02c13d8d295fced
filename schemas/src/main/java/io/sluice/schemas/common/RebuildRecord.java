package io.sluice.schemas.common;

import java.util.Objects;

/**
 * A rebuild that is at work on an installation, or was killed at it, as it is noted in {@link TopicNames#META}. Immutable.
 *
 * @param id tells it from every other rebuild
 * @param host where it runs
 * @param processId of its process, there
 * @param processStartedMs epoch milliseconds; 0 if that is not known
 * @param user who started it
 * @param startedMs epoch milliseconds
 */
public record RebuildRecord(
        String id, String host, long processId, long processStartedMs, String user, long startedMs) {
    /** The record's key in the topic, in UTF-8. */
    public static final String KEY = "rebuild";

    public RebuildRecord {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(user, "user");
    }

    public byte[] encode() {
        return SingleObject.encode(new io.sluice.avro.Rebuild(id, host, processId, processStartedMs, user, startedMs));
    }

    /** @throws UndecodableException if the bytes are no rebuild */
    public static RebuildRecord decode(SingleObject singleObject, byte[] bytes) {
        io.sluice.avro.Rebuild r = singleObject.decode(bytes, io.sluice.avro.Rebuild.class);
        return new RebuildRecord(
                r.getId(), r.getHost(), r.getProcessId(), r.getProcessStartedMs(), r.getUser(), r.getStartedMs());
    }
}
