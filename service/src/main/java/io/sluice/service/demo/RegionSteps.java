package io.sluice.service.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.client.GateSettings;
import io.sluice.client.RegionAdmission;
import io.sluice.client.RegionWriteGate;
import io.sluice.schemas.region.Admission;
import io.sluice.service.client.Reply;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import io.sluice.service.manifest.ManifestOpening;
import io.sluice.service.manifest.ManifestReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;

/**
 * Purpose: the steps of the demo about a region: its manifest changes, a data node's write stalls while it is altered and passes then,
 * and its manifest lies in files.
 *
 * <p>Threading: one thread; the alter is sent on another.
 */
final class RegionSteps {
    private static final String REGION = "8796093022211";
    private static final String FIRST_FILE = "a0000000-0000-4000-8000-00000000000a";
    private static final String SECOND_FILE = "b0000000-0000-4000-8000-00000000000b";
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final long NANOS_PER_MS = 1_000_000;

    private final DemoReport report;
    private final Path manifests;

    /** @param manifests has a folder per region */
    RegionSteps(DemoReport report, Path manifests) {
        this.report = report;
        this.manifests = manifests;
    }

    /** Creates a region, flushes a file, and has it altered while somebody wants to write rows. */
    void alterUnderWrite(ServiceClient client, String bootstrapServers) {
        expect("create region " + REGION, "OK", client.send("POST", "/v1/regions", created(), Map.of()), 0);
        expect("flush a file", "OK", send(client, "flush", flush(FIRST_FILE, 1)), 1);
        try (RegionWriteGate gate = RegionWriteGate.open(GateSettings.of(bootstrapServers))) {
            RegionAdmission before = gate.await(Long.parseLong(REGION), WITHIN);
            report.check("the gate of a data node before the alter", Admission.ADMIT, before.admission());
            CompletableFuture<Reply> alter = CompletableFuture.supplyAsync(() -> send(client, "alter", altered()));
            RegionAdmission during = awaitState(gate, "ALTERING", alter);
            report.check("the gate while it is altered", Admission.STALL, during.admission());
            long stalledNanos = System.nanoTime();
            report.line("alter it: a data node that asks now is told to wait (" + during.admission() + ", "
                    + during.state() + ")");
            RegionAdmission after = gate.await(Long.parseLong(REGION), WITHIN);
            report.check("the gate after that", Admission.ADMIT, after.admission());
            report.check("the schema that the write then meets", 1L, after.schemaVersion());
            report.line("   its write passed after " + (System.nanoTime() - stalledNanos) / NANOS_PER_MS + " ms ("
                    + after.admission() + ", schema version " + after.schemaVersion() + ")");
            expect("the alter", "OK", alter.join(), 2);
        } catch (KafkaException | IllegalStateException | CompletionException e) {
            throw new DemoException("the region cannot be altered under write: " + e.getMessage(), e);
        }
        expect("flush another file", "OK", send(client, "flush", flush(SECOND_FILE, 2)), 3);
        expect("compact both files into one", "OK", send(client, "compact", compact()), 4);
    }

    /** What there is of it, over HTTP and in its directory. */
    void show(IndexReader reader) {
        String path = "/v1/regions/" + REGION;
        JsonNode region = reader.get(path);
        TextTable table = new TextTable("REGION", "STATE", "MANIFEST VERSION", "FILES", "FLUSHED ENTRY");
        table.row(
                REGION,
                region.path("state").asText(),
                region.path("manifest_version").asText(),
                region.path("file_count").asText(),
                region.path("flushed_entry_id").asText());
        report.table(table);
        report.check("the region's state", "WRITABLE", region.path("state").asText());
        report.check("its files", 1L, region.path("file_count").asLong());
        reader.get(path + "/files");
        reader.get(path + "/manifest");
        reader.get(path + "/admission");
        directory(region.path("manifest_version").asLong());
    }

    private void directory(long version) {
        Path folder = manifests.resolve(REGION);
        try (Stream<Path> files = Files.list(folder.resolve("manifest"))) {
            List<String> names =
                    files.map(file -> file.getFileName().toString()).sorted().toList();
            ManifestOpening opening = new ManifestReader(folder, new ManifestReader.Options(false, 0, null)).open();
            report.check(
                    "the version that " + folder + " holds",
                    version,
                    opening instanceof ManifestOpening.Opened opened
                            ? opened.manifest().manifestVersion()
                            : opening);
            report.line("as files: " + String.join(" ", names));
        } catch (IOException e) {
            throw new DemoException("the manifest in " + folder + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static RegionAdmission awaitState(RegionWriteGate gate, String state, CompletableFuture<Reply> alter) {
        RegionAdmission answer = gate.admission(Long.parseLong(REGION));
        while (!answer.state().equals(state) && !alter.isDone()) {
            Thread.onSpinWait();
            answer = gate.admission(Long.parseLong(REGION));
        }
        return answer;
    }

    private static Reply send(ServiceClient client, String action, ObjectNode body) {
        return client.send("POST", "/v1/regions/" + REGION + "/" + action, body, Map.of());
    }

    private void expect(String what, String code, Reply reply, long version) {
        report.check(
                "the outcome of: " + what,
                code + " version " + version,
                reply.code() + (reply.isOk() ? "" : " " + reply.message()) + " version "
                        + reply.body().path("revision").asText());
        report.line(what + ": " + reply.code() + ", manifest version "
                + reply.body().path("revision").asText());
    }

    private static ObjectNode created() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("region_id", REGION);
        body.set("metadata", metadata(0));
        return body;
    }

    private static ObjectNode altered() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.set("metadata", metadata(1));
        return body;
    }

    private static ObjectNode flush(String fileId, long entryId) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putArray("files_to_add").add(file(fileId));
        body.put("flushed_entry_id", entryId);
        body.put("flushed_sequence", entryId * 100);
        return body;
    }

    private static ObjectNode compact() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putArray("files_to_add").add(file("c0000000-0000-4000-8000-00000000000c"));
        body.putArray("files_to_remove").add(file(FIRST_FILE)).add(file(SECOND_FILE));
        return body;
    }

    private static ObjectNode file(String fileId) {
        ObjectNode file = JsonNodeFactory.instance.objectNode();
        file.put("region_id", Long.parseLong(REGION));
        file.put("file_id", fileId);
        ArrayNode range = file.putArray("time_range");
        range.addObject().put("value", 1_790_000_000_000L).put("unit", "Millisecond");
        range.addObject().put("value", 1_790_000_059_999L).put("unit", "Millisecond");
        file.put("file_size", 4096);
        file.put("num_rows", 60);
        return file;
    }

    private static ObjectNode metadata(long schemaVersion) {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        ArrayNode columns = metadata.putArray("column_metadatas");
        columns.add(column("at", "Timestamp", "Millisecond", 0));
        if (schemaVersion > 0) {
            columns.add(column("watts", "Float64", null, 1));
        }
        metadata.putArray("primary_key");
        metadata.put("region_id", Long.parseLong(REGION));
        metadata.put("schema_version", schemaVersion);
        return metadata;
    }

    private static ObjectNode column(String name, String type, String unit, long columnId) {
        ObjectNode column = JsonNodeFactory.instance.objectNode();
        ObjectNode schema = column.putObject("column_schema");
        schema.put("name", name);
        ObjectNode dataType = schema.putObject("data_type");
        if (unit == null) {
            dataType.putObject(type);
        } else {
            dataType.putObject(type).putNull(unit);
        }
        schema.put("is_nullable", unit == null);
        schema.put("is_time_index", unit != null);
        schema.putNull("default_constraint");
        schema.putObject("metadata");
        column.put("semantic_type", unit == null ? "Field" : "Timestamp");
        column.put("column_id", columnId);
        return column;
    }
}
