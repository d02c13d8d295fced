package io.sluice.service.snapshot;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.snapshot.SnapshotFile.Content;
import io.sluice.service.snapshot.SnapshotHeader.Place;
import io.sluice.topology.common.PartitionCounts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/** Small snapshots for tests of the file. Stateless. */
final class TestSnapshots {
    static final FamilyPartition FLOW_0 = new FamilyPartition(CommandFamily.FLOW, 0);
    static final FamilyPartition FLOW_1 = new FamilyPartition(CommandFamily.FLOW, 1);
    static final FamilyPartition FLOWNODE_0 = new FamilyPartition(CommandFamily.FLOWNODE, 0);
    static final FamilyPartition REGION_0 = new FamilyPartition(CommandFamily.REGION, 0);

    static final SnapshotHeader HEADER = new SnapshotHeader(
            Instant.parse("2026-05-04T03:02:01Z"),
            "sluice 0.1.0",
            3,
            new PartitionCounts(2, 1, 1),
            List.of(
                    new Place(FLOW_0, 17, 21, 190),
                    new Place(FLOW_1, 0, -1, 0),
                    new Place(FLOWNODE_0, 2, 5, 9),
                    new Place(REGION_0, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE)));

    static final List<Schema> SCHEMAS = List.of(Schema.createRecord(
            "A", null, "test", false, List.of(new Schema.Field("n", Schema.create(Schema.Type.LONG)))));

    private TestSnapshots() {}

    /** A row, in text. */
    record Row(FamilyPartition partition, String key, String value) {}

    /** Rows with empty values and values of all bytes, and a partition without any. */
    static List<Row> rows() {
        StringBuilder allBytes = new StringBuilder();
        for (int i = 0; i < 256; i++) {
            allBytes.append((char) i);
        }
        return List.of(
                new Row(FLOW_0, "\u0001a", "one"),
                new Row(FLOW_0, "\u0001b", ""),
                new Row(FLOW_0, "\u00fe", allBytes.toString()),
                new Row(FLOWNODE_0, "\u0001", "node"),
                new Row(REGION_0, "\u0001r", "region"),
                new Row(REGION_0, "\u000br", "delta"));
    }

    static byte[] write(SnapshotHeader header, List<Row> rows) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (SnapshotWriter writer = new SnapshotWriter(out, header, SCHEMAS)) {
            for (Place place : header.partitions()) {
                writer.begin(place.partition());
                for (Row row : rows) {
                    if (row.partition().equals(place.partition())) {
                        writer.row(bytes(row.key()), bytes(row.value()));
                    }
                }
            }
            writer.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Reads a file, and keeps what it shows. */
    static Content read(Path file, List<Row> into) {
        try (SnapshotFile snapshot = SnapshotFile.open(file)) {
            return snapshot.read(
                    (partition, key, value) -> into.add(new Row(partition, text(key), text(value))), at -> {});
        }
    }

    static List<Row> read(Path file) {
        List<Row> rows = new ArrayList<>();
        read(file, rows);
        return rows;
    }

    static Path put(Path folder, byte[] bytes) {
        try {
            return Files.write(folder.resolve("snapshot"), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
