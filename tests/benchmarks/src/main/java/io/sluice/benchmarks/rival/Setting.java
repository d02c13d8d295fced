package io.sluice.benchmarks.rival;

import io.sluice.benchmarks.process.Programs;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What is compared, and how safe each keeps what it has acknowledged. */
public enum Setting {
    SLUICE("one copy, in the memory of the system (no fsync)", null),
    SLUICE_3("3 brokers, at least 2 of 3 copies, in the memory of the systems (no fsync)", null),
    ETCD("one copy, on the disk (fsync)", SLUICE),
    ETCD_NOSYNC("one copy, in the memory of the system (no fsync)", SLUICE),
    ETCD_3("3 members, at least 2 of 3 copies, on the disks (fsync)", SLUICE_3),
    ETCD_3_NOSYNC("3 members, at least 2 of 3 copies, in the memory of the systems (no fsync)", SLUICE_3),
    POSTGRES("one copy, on the disk (fsync)", SLUICE),
    POSTGRES_NOSYNC("one copy, in the memory of the system (no fsync)", SLUICE),
    POSTGRES_2_NOSYNC("2 copies, in the memory of the systems (no fsync, remote_write)", SLUICE_3);

    private static final int CLUSTER = 3;

    private final String durability;
    private final Setting against;

    Setting(String durability, Setting against) {
        this.durability = durability;
        this.against = against;
    }

    /** Its name in tables and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The one with a label. */
    public static Optional<Setting> ofLabel(String label) {
        return Stream.of(values()).filter(one -> one.label().equals(label)).findFirst();
    }

    /** When a write is acknowledged. */
    public String durability() {
        return durability;
    }

    /** The setting of Sluice with as many copies; empty for Sluice itself. */
    public Optional<Setting> against() {
        return Optional.ofNullable(against);
    }

    /** Whether it is worth restoring: one for each rival, all with the writes that it has by default. */
    public boolean isRestored() {
        return this == SLUICE || this == ETCD || this == POSTGRES;
    }

    /** Why it cannot run on this machine; empty when it can. */
    public Optional<String> missing() {
        return switch (this) {
            case SLUICE, SLUICE_3 -> Optional.empty();
            case ETCD, ETCD_NOSYNC, ETCD_3, ETCD_3_NOSYNC ->
                Programs.find("etcd").isPresent() && Programs.find("etcdctl").isPresent()
                        ? Optional.empty()
                        : Optional.of("no etcd or no etcdctl: apt-get install etcd-server etcd-client");
            case POSTGRES, POSTGRES_NOSYNC, POSTGRES_2_NOSYNC ->
                Programs.findPostgres("initdb").isPresent()
                        ? Optional.empty()
                        : Optional.of("no initdb: apt-get install postgresql-15");
        };
    }

    /** @param folder for its data, empty */
    public Rival rival(Path folder) {
        return switch (this) {
            case SLUICE -> new SluiceRival(folder, 1);
            case SLUICE_3 -> new SluiceRival(folder, CLUSTER);
            case ETCD -> new EtcdRival(folder, 1, true);
            case ETCD_NOSYNC -> new EtcdRival(folder, 1, false);
            case ETCD_3 -> new EtcdRival(folder, CLUSTER, true);
            case ETCD_3_NOSYNC -> new EtcdRival(folder, CLUSTER, false);
            case POSTGRES -> new PostgresRival(folder, true, false);
            case POSTGRES_NOSYNC -> new PostgresRival(folder, false, false);
            case POSTGRES_2_NOSYNC -> new PostgresRival(folder, false, true);
        };
    }
}
