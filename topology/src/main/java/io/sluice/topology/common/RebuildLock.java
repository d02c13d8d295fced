package io.sluice.topology.common;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.RebuildRecord;
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
 * Purpose: keeps instances from starting while the changelogs are being rebuilt: a record in {@link TopicNames#META}, which stays
 * when the rebuild is killed, since what it has written until then may not be all.
 *
 * <p>Threading: one thread at a time.
 *
 * <p>Invariants: the lock alone excludes nobody who is running already; a rebuild also wants the group to be empty after it has
 * taken the lock.
 */
public final class RebuildLock {
    private final MetaTopic meta;
    private final Map<String, Object> clientConfig;

    /** @param clientConfig Kafka client settings, at least {@code bootstrap.servers} */
    public RebuildLock(Map<String, Object> clientConfig) {
        this.clientConfig = Map.copyOf(clientConfig);
        this.meta = new MetaTopic(clientConfig);
    }

    /**
     * Who holds it; empty when nobody does.
     *
     * @throws TopicCreationException when that cannot be known in time
     */
    public Optional<RebuildRecord> holder(Duration within) {
        Optional<byte[]> value = meta.read(RebuildRecord.KEY, Deadline.in(within));
        try (SchemaTopic schemas = new SchemaTopic(clientConfig)) {
            SingleObject singleObject = new SingleObject(new KnownSchemas(schemas));
            return value.map(bytes -> RebuildRecord.decode(singleObject, bytes));
        } catch (UndecodableException | KafkaException e) {
            throw new TopicCreationException(
                    Reason.UNREADABLE,
                    "what topic " + TopicNames.META + " says under the key " + RebuildRecord.KEY + " cannot be read: "
                            + TopicCreator.describe(e)
                            + ". A rebuild by another version has been at work: end it with that version.",
                    e);
        }
    }

    /** Takes it, whoever held it. */
    public void take(RebuildRecord rebuild, Duration within) throws InterruptedException {
        meta.write(RebuildRecord.KEY, rebuild.encode(), Deadline.in(within));
    }

    /** Gives it up. */
    public void release(Duration within) throws InterruptedException {
        meta.write(RebuildRecord.KEY, null, Deadline.in(within));
    }

    /** @throws TopicCreationException when somebody holds it, or that cannot be known in time */
    public void requireFree(Duration within) {
        holder(within).ifPresent(rebuild -> {
            throw new TopicCreationException(
                    Reason.REBUILDING,
                    "the changelogs are being rebuilt by " + describe(rebuild)
                            + ". Wait until that has ended. If it was"
                            + " killed, run `sluice rebuild` again: it goes on where that one stopped, and gives the"
                            + " installation free at its end.",
                    null);
        });
    }

    /** For people. */
    public static String describe(RebuildRecord rebuild) {
        return rebuild.user() + " on " + rebuild.host() + " (process " + rebuild.processId() + ") since "
                + Instant.ofEpochMilli(rebuild.startedMs());
    }
}
