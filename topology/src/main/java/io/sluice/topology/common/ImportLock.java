package io.sluice.topology.common;

import io.sluice.schemas.common.TopicNames;
import io.sluice.topology.common.TopicCreationException.Reason;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Purpose: keeps an installation from being run while a snapshot is imported into it: a record in {@link TopicNames#META}, under which
 * no instance starts. It outlives its program, since an import that was killed has left something half done: then only an import of
 * the same snapshot can take it over, and end it.
 *
 * <p>Threading: one thread.
 *
 * <p>Invariants: whoever has taken it has read its own record back. It is given back only by {@link #release}. It excludes nobody who
 * runs already: an import also wants the group to be empty after it has taken it.
 */
public final class ImportLock {
    /** The record's key in the topic. */
    static final String KEY = "import";

    /** Two that take it at the same moment see each other's record after this time. */
    private static final long SETTLE_MS = 500;

    private final Map<String, Object> clientConfig;
    private final Holder holder;
    private final boolean takenOver;

    private ImportLock(Map<String, Object> clientConfig, Holder holder, boolean takenOver) {
        this.clientConfig = clientConfig;
        this.holder = holder;
        this.takenOver = takenOver;
    }

    /**
     * Who has the lock.
     *
     * @param token tells it from another one with the same work
     * @param snapshot which one is imported
     */
    public record Holder(String token, String snapshot, String host, long pid, Instant since) {
        public Holder {
            Objects.requireNonNull(token, "token");
            Objects.requireNonNull(snapshot, "snapshot");
            Objects.requireNonNull(host, "host");
            Objects.requireNonNull(since, "since");
        }

        private byte[] encode() {
            return String.join("\n", token, snapshot, host, Long.toString(pid), since.toString())
                    .getBytes(StandardCharsets.UTF_8);
        }

        private static Holder decode(byte[] value) {
            String text = new String(value, StandardCharsets.UTF_8);
            List<String> lines = List.of(text.split("\n", -1));
            try {
                return new Holder(
                        lines.get(0),
                        lines.get(1),
                        lines.get(2),
                        Long.parseLong(lines.get(3)),
                        Instant.parse(lines.get(4)));
            } catch (RuntimeException e) {
                // A later version may say it in other words; locked is locked.
                return new Holder("", "unknown", "unknown", 0, Instant.EPOCH);
            }
        }

        /** For people: {@code snapshot 1a2b, by process 17 on host db-1 since 2026-05-04T03:02:01Z}. */
        @Override
        public String toString() {
            return "snapshot " + snapshot + ", by process " + pid + " on host " + host + " since " + since;
        }

        private boolean isAlive() {
            return host.equals(hostName())
                    && pid != ProcessHandle.current().pid()
                    && ProcessHandle.of(pid).isPresent();
        }
    }

    /**
     * Who has the lock of an installation whose topics exist.
     *
     * @param clientConfig Kafka client settings, at least {@code bootstrap.servers}
     * @throws TopicCreationException when that cannot be known in time
     */
    public static Optional<Holder> find(Map<String, Object> clientConfig, Duration within) {
        return find(clientConfig, Deadline.in(within));
    }

    private static Optional<Holder> find(Map<String, Object> clientConfig, Deadline deadline) {
        try {
            return new MetaTopic(clientConfig).read(KEY, deadline).map(Holder::decode);
        } catch (InterruptException e) {
            throw interrupted(e);
        }
    }

    /**
     * Refuses to go on while somebody has it.
     *
     * @throws TopicCreationException saying who, and what to do
     */
    public static void requireFree(Map<String, Object> clientConfig, Duration within) {
        find(clientConfig, within).ifPresent(holder -> {
            throw new TopicCreationException(
                    Reason.REFUSED,
                    "a snapshot is being imported: " + holder
                            + ". Wait until that has ended. If it was killed, run `sluice"
                            + " import snapshot` with the same file again: it ends that import.",
                    null);
        });
    }

    /**
     * Takes it, or takes it over from a former import of the same snapshot.
     *
     * @param clientConfig Kafka client settings, at least {@code bootstrap.servers}
     * @param snapshot names it
     * @throws TopicCreationException if somebody else has it
     */
    public static ImportLock take(Map<String, Object> clientConfig, String snapshot, Duration within) {
        Deadline deadline = Deadline.in(within);
        Optional<Holder> before = find(clientConfig, deadline);
        before.filter(holder -> !holder.snapshot().equals(snapshot) || holder.isAlive())
                .ifPresent(holder -> {
                    throw heldBy(holder);
                });
        Holder mine = new Holder(
                UUID.randomUUID().toString(),
                snapshot,
                hostName(),
                ProcessHandle.current().pid(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS));
        try {
            new MetaTopic(clientConfig).write(KEY, mine.encode(), deadline);
            Thread.sleep(SETTLE_MS);
        } catch (InterruptedException | InterruptException e) {
            throw interrupted(e);
        }
        Optional<Holder> now = find(clientConfig, deadline);
        if (!now.equals(Optional.of(mine))) {
            throw heldBy(now.orElse(mine));
        }
        return new ImportLock(clientConfig, mine, before.isPresent());
    }

    /** Whether a former import of the same snapshot had it, and did not end. */
    public boolean isTakenOver() {
        return takenOver;
    }

    /** Gives it back: the import has ended, or has not begun. */
    public void release(Duration within) {
        Deadline deadline = Deadline.in(within);
        Optional<Holder> now = find(clientConfig, deadline);
        if (!now.equals(Optional.of(holder))) {
            return;
        }
        try {
            new MetaTopic(clientConfig).write(KEY, null, deadline);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static TopicCreationException heldBy(Holder holder) {
        return new TopicCreationException(
                Reason.REFUSED,
                "another import has begun: " + holder
                        + ". Wait until that has ended. If it was killed, import that same snapshot"
                        + " again, which ends it; only then, or into other brokers, another one can be imported.",
                null);
    }

    private static TopicCreationException interrupted(Exception e) {
        Thread.currentThread().interrupt();
        return new TopicCreationException(
                Reason.INTERRUPTED, "interrupted while the lock in " + TopicNames.META + " was looked at", e);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
