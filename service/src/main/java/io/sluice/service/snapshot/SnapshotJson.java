package io.sluice.service.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.service.client.Json;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.snapshot.BlockInput.DamageException;
import io.sluice.service.snapshot.SnapshotHeader.Place;
import io.sluice.service.snapshot.SnapshotTotals.RowsDigest;
import io.sluice.topology.common.PartitionCounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/**
 * The blocks of a snapshot that are JSON. Fields that this version does not know are passed over, so that a later one may add some;
 * what would make this version read something wrong gets another format number. Stateless.
 */
final class SnapshotJson {
    private SnapshotJson() {}

    /** The file is a snapshot, and whole so far, but what follows is only known to another version. */
    static final class OtherFormatException extends Exception {
        private static final long serialVersionUID = 1L;

        private final long format;
        private final String createdBy;

        private OtherFormatException(long format, String createdBy) {
            super("format " + format);
            this.format = format;
            this.createdBy = createdBy;
        }

        long format() {
            return format;
        }

        /** Name and version of the program that wrote it. */
        String createdBy() {
            return createdBy;
        }
    }

    static byte[] header(SnapshotHeader header) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("format", SnapshotHeader.FORMAT);
        json.put("created_at", header.createdAt().toString());
        json.put("created_by", header.createdBy());
        json.put("generation", header.generation());
        ObjectNode counts = json.putObject("partition_counts");
        counts.put("flow", header.counts().flow());
        counts.put("flownode", header.counts().flownode());
        counts.put("region", header.counts().region());
        ArrayNode partitions = json.putArray("partitions");
        for (Place place : header.partitions()) {
            partitions
                    .addObject()
                    .put("position", place.partition().at(place.decision()).toString())
                    .put("command_offset", place.commandOffset())
                    .put("changelog_offset", place.changelogOffset());
        }
        return bytes(json);
    }

    static SnapshotHeader readHeader(byte[] plain) throws DamageException, OtherFormatException {
        JsonNode json = tree(plain, "header");
        long format = number(json, "format");
        if (format != SnapshotHeader.FORMAT) {
            throw new OtherFormatException(format, json.path("created_by").asText("an unknown version"));
        }
        JsonNode counts = json.path("partition_counts");
        try {
            List<Place> places = new ArrayList<>();
            for (JsonNode one : json.path("partitions")) {
                Position position = Position.parse(text(one, "position"));
                places.add(new Place(
                        FamilyPartitions.of(position),
                        position.decision(),
                        number(one, "command_offset"),
                        number(one, "changelog_offset")));
            }
            return new SnapshotHeader(
                    Instant.parse(text(json, "created_at")),
                    text(json, "created_by"),
                    number(json, "generation"),
                    new PartitionCounts(count(counts, "flow"), count(counts, "flownode"), count(counts, "region")),
                    places);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new DamageException("its header makes no sense: " + e.getMessage());
        }
    }

    static byte[] schemas(Collection<Schema> schemas) {
        ArrayNode json = Json.MAPPER.createArrayNode();
        schemas.forEach(schema -> json.add(schema.toString()));
        return bytes(json);
    }

    static List<Schema> readSchemas(byte[] plain) throws DamageException {
        List<Schema> schemas = new ArrayList<>();
        for (JsonNode one : tree(plain, "list of schemas")) {
            try {
                schemas.add(new Schema.Parser().parse(one.asText()));
            } catch (AvroRuntimeException e) {
                throw new DamageException("one of its schemas cannot be read: " + e.getMessage());
            }
        }
        return schemas;
    }

    static byte[] partition(FamilyPartition partition) {
        return bytes(Json.MAPPER.createObjectNode().put("partition", partition.toString()));
    }

    static FamilyPartition readPartition(byte[] plain) throws DamageException {
        return readPartition(tree(plain, "beginning of a partition"));
    }

    private static FamilyPartition readPartition(JsonNode json) throws DamageException {
        try {
            return FamilyPartitions.of(Position.parse(text(json, "partition") + "@0"));
        } catch (IllegalArgumentException e) {
            throw new DamageException("it names a partition that there is none of: " + e.getMessage());
        }
    }

    static byte[] totals(SnapshotTotals totals) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("sha256", totals.sha256());
        json.put("rows", totals.rows());
        json.put("largest_row_bytes", totals.largestRowBytes());
        ArrayNode partitions = json.putArray("partitions");
        totals.partitions()
                .forEach((partition, digest) -> partitions
                        .addObject()
                        .put("partition", partition.toString())
                        .put("rows", digest.rows())
                        .put("sha256", digest.sha256()));
        return bytes(json);
    }

    static SnapshotTotals readTotals(byte[] plain) throws DamageException {
        JsonNode json = tree(plain, "end");
        SortedMap<FamilyPartition, RowsDigest> partitions = new TreeMap<>();
        for (JsonNode one : json.path("partitions")) {
            partitions.put(readPartition(one), new RowsDigest(number(one, "rows"), text(one, "sha256")));
        }
        return new SnapshotTotals(text(json, "sha256"), number(json, "largest_row_bytes"), partitions);
    }

    private static JsonNode tree(byte[] plain, String what) throws DamageException {
        try {
            return Json.MAPPER.readTree(plain);
        } catch (IOException e) {
            throw new DamageException("its " + what + " is no JSON: " + e.getMessage());
        }
    }

    private static String text(JsonNode json, String field) throws DamageException {
        JsonNode value = json.path(field);
        if (!value.isTextual()) {
            throw new DamageException("field " + field + " is missing, or no text");
        }
        return value.textValue();
    }

    private static long number(JsonNode json, String field) throws DamageException {
        JsonNode value = json.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new DamageException("field " + field + " is missing, or no whole number");
        }
        return value.longValue();
    }

    private static int count(JsonNode json, String field) throws DamageException {
        long count = number(json, field);
        if (count != (int) count) {
            throw new DamageException("field " + field + " is " + count + ", which no partition count is");
        }
        return (int) count;
    }

    private static byte[] bytes(JsonNode json) {
        return Json.line(json).getBytes(StandardCharsets.UTF_8);
    }
}
