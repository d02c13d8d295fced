package io.sluice.service.snapshot;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.InstallationRecord;
import io.sluice.service.common.NewFile;
import io.sluice.service.cut.ChangelogCut;
import io.sluice.service.cut.PartitionCut;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.snapshot.SnapshotException.Reason;
import io.sluice.service.snapshot.SnapshotHeader.Place;
import io.sluice.state.common.CursorRow;
import io.sluice.topology.common.MaintenanceLock;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.PartitionFamily;
import io.sluice.topology.common.PinnedInstallation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.avro.Schema;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * Writes a cut as a snapshot file. Nothing that runs is disturbed.
 *
 * <p>Threading: one thread. Invariant: a file of this name is there whole or not at all, and was never another one.
 */
public final class SnapshotExport {
    private static final Duration PINNED_WITHIN = Duration.ofSeconds(15);

    private final InstallationRecord installation;
    private final Collection<Schema> schemas;
    private final String createdBy;

    private SnapshotExport(InstallationRecord installation, Collection<Schema> schemas, String createdBy) {
        this.installation = installation;
        this.schemas = List.copyOf(schemas);
        this.createdBy = createdBy;
    }

    /**
     * Of the installation at some brokers. To be made before the cut is taken.
     *
     * @param kafka client settings, at least {@code bootstrap.servers}
     * @param schemas all that readers of its rows need
     * @param createdBy name and version of the program
     * @throws SnapshotException if there is none
     * @throws io.sluice.topology.common.TopicCreationException if its changelogs are being rebuilt, or a snapshot is being imported:
     *     what they hold then is no state that was ever decided
     */
    public static SnapshotExport of(Map<String, Object> kafka, Collection<Schema> schemas, String createdBy) {
        InstallationRecord installation = PinnedInstallation.find(kafka, PINNED_WITHIN)
                .orElseThrow(() -> new SnapshotException(
                        Reason.REFUSED,
                        "Sluice was never started at " + kafka.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)
                                + ": nothing is pinned there. Check the brokers."));
        MaintenanceLock.requireFree(kafka, PINNED_WITHIN);
        return new SnapshotExport(installation, schemas, createdBy);
    }

    /** What was written. */
    public record Written(SnapshotHeader header, SnapshotTotals totals) {}

    /**
     * Writes the file.
     *
     * @param at when the cut was taken
     * @param progress sees now and then how many rows are written
     * @throws SnapshotException if the rows are not those of a sound installation, or the file cannot be written
     */
    public Written write(ChangelogCut cut, Instant at, Path file, LongConsumer progress) {
        List<PartitionCut> partitions = partitions(cut);
        SnapshotHeader header = new SnapshotHeader(
                at.truncatedTo(ChronoUnit.SECONDS),
                createdBy,
                installation.generation(),
                counts(),
                partitions.stream().map(SnapshotExport::place).toList());
        try (NewFile to = NewFile.at(file);
                SnapshotWriter writer = new SnapshotWriter(to.out(), header, schemas)) {
            long[] rows = {0};
            for (PartitionCut partition : partitions) {
                writer.begin(partition.partition());
                partition.scanAll((key, value) -> {
                    if (!Arrays.equals(key, CursorRow.key())) {
                        write(writer, key, value);
                        progress.accept(++rows[0]);
                    }
                    return true;
                });
            }
            SnapshotTotals totals = writer.finish();
            to.publish();
            return new Written(header, totals);
        } catch (FileAlreadyExistsException e) {
            throw new SnapshotException(
                    Reason.DISK,
                    "there is " + file + " already, which is left as it is. Name another file with -o.",
                    e);
        } catch (IOException | UncheckedIOException e) {
            throw new SnapshotException(
                    Reason.DISK,
                    file + " cannot be written: " + e.getMessage()
                            + ". Check that its folder is there, may be written to and has room. Nothing was left behind.",
                    e);
        }
    }

    private static void write(SnapshotWriter writer, byte[] key, byte[] value) {
        try {
            writer.row(key, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The partitions that are pinned. There may be more: somebody may have added some by mistake, which is when a snapshot is
     * needed, and nothing is decided there.
     */
    private List<PartitionCut> partitions(ChangelogCut cut) {
        List<PartitionCut> partitions = new ArrayList<>();
        for (FamilyPartition partition : FamilyPartitions.of(counts()).all()) {
            PartitionCut one = cut.partition(partition)
                    .orElseThrow(() -> new SnapshotException(
                            Reason.REFUSED,
                            "the changelog has no partition " + partition + ", and there have to be "
                                    + installation.partitionCounts() + ". Check what happened to the topic."));
            one.damage().ifPresent(why -> {
                throw new SnapshotException(
                        Reason.REFUSED,
                        "partition " + partition + " is no state that a decider has left: " + why
                                + ". `sluice verify` tells more, `sluice rebuild` mends it; export again then.");
            });
            partitions.add(one);
        }
        return partitions;
    }

    private PartitionCounts counts() {
        return new PartitionCounts(
                count(PartitionFamily.FLOW), count(PartitionFamily.FLOWNODE), count(PartitionFamily.REGION));
    }

    private int count(PartitionFamily family) {
        Integer count = installation.partitionCounts().get(family.label());
        if (count == null) {
            throw new SnapshotException(
                    Reason.REFUSED,
                    "this installation was never started by a version that knows the family " + family.label()
                            + ". Start this version once, and export again.");
        }
        return count;
    }

    private static Place place(PartitionCut cut) {
        return new Place(cut.partition(), cut.cursor().decision(), cut.cursor().commandOffset(), cut.offset());
    }
}
