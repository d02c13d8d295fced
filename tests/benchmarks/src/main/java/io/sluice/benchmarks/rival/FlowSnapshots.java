package io.sluice.benchmarks.rival;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.service.bench.BenchFlows;
import io.sluice.service.common.NewFile;
import io.sluice.service.cut.TemporaryRows;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.snapshot.SnapshotHeader;
import io.sluice.service.snapshot.SnapshotHeader.Place;
import io.sluice.service.snapshot.SnapshotWriter;
import io.sluice.state.flow.FlowFact;
import io.sluice.state.flow.FlowState;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.Profile;
import io.sluice.topology.flow.FlowDecider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Snapshots of installations that never were: so many flows, decided and applied as the service does. Stateless. */
final class FlowSnapshots {
    private FlowSnapshots() {}

    /**
     * Writes one.
     *
     * @return how many rows it has
     */
    static long write(Path file, BenchFlows flows, long count) throws IOException {
        PartitionCounts counts = PartitionCounts.defaults(Profile.EMBEDDED);
        FamilyPartitions partitions = FamilyPartitions.of(counts);
        SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
        FlowState state = new FlowState(singleObject);
        FlowDecider decider = new FlowDecider();
        Map<FamilyPartition, TemporaryRows.Space> spaces = new HashMap<>();
        Map<FamilyPartition, Long> decisions = new HashMap<>();
        try (TemporaryRows rows = TemporaryRows.create(file.toAbsolutePath().getParent())) {
            for (FamilyPartition partition : partitions.of(CommandFamily.FLOW)) {
                spaces.put(partition, rows.space((byte) partition.partition()));
            }
            for (long number = 0; number < count; number++) {
                CreateFlow create = flows.create(number);
                FamilyPartition partition = partitions.ofCatalog(create.catalog());
                TemporaryRows.Space space = spaces.get(partition);
                for (FlowFact fact : decider.decide(state.view(space), create).facts()) {
                    state.apply(fact, space);
                }
                decisions.merge(partition, 1L, Long::sum);
            }
            List<Place> places = partitions.all().stream()
                    .map(partition -> {
                        long decided = decisions.getOrDefault(partition, 0L);
                        // Each decision was made of one command.
                        return new Place(partition, decided, decided - 1, decided);
                    })
                    .toList();
            return write(file, new SnapshotHeader(Instant.now(), "sluice benchmarks", 1, counts, places), spaces);
        }
    }

    private static long write(Path file, SnapshotHeader header, Map<FamilyPartition, TemporaryRows.Space> spaces)
            throws IOException {
        try (NewFile to = NewFile.at(file);
                SnapshotWriter writer = new SnapshotWriter(to.out(), header, KnownSchemas.CURRENT)) {
            for (Place place : header.partitions()) {
                writer.begin(place.partition());
                TemporaryRows.Space space = spaces.get(place.partition());
                if (space != null) {
                    space.scanAll((key, value) -> {
                        write(writer, key, value);
                        return true;
                    });
                }
            }
            long rows = writer.finish().rows();
            to.publish();
            return rows;
        }
    }

    private static void write(SnapshotWriter writer, byte[] key, byte[] value) {
        try {
            writer.row(key, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
