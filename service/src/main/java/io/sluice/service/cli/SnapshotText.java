package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.service.snapshot.SnapshotHeader;
import io.sluice.service.snapshot.SnapshotTotals;
import java.nio.file.Path;

/** Purpose: a snapshot in the output of commands. Stateless. */
final class SnapshotText {
    private SnapshotText() {}

    static ObjectNode json(Path file, long sizeBytes, SnapshotHeader header, SnapshotTotals totals) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("file", file.toString());
        json.put("size_bytes", sizeBytes);
        json.put("snapshot", totals.sha256());
        json.put("created_at", header.createdAt().toString());
        json.put("rows", totals.rows());
        ObjectNode positions = json.putObject("positions");
        header.partitions()
                .forEach(place -> positions
                        .putObject(place.partition().toString())
                        .put("decision", place.decision())
                        .put("changelog_offset", place.changelogOffset())
                        .put("rows", totals.partitions().get(place.partition()).rows()));
        return json;
    }

    static String line(SnapshotHeader header, SnapshotTotals totals) {
        return "snapshot " + totals.sha256().substring(0, 12) + "  of " + header.createdAt() + "  " + totals.rows()
                + " rows  " + header.partitions().size() + " partitions";
    }
}
