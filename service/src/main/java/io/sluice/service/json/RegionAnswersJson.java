package io.sluice.service.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.sluice.schemas.region.Admission;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.WriteInFlight;
import io.sluice.service.query.FollowedManifest;
import io.sluice.service.query.FollowedManifest.Deltas;
import io.sluice.service.query.FollowedManifest.Snapshot;
import io.sluice.service.query.RegionQueries.Removed;
import java.io.IOException;
import java.util.List;

/**
 * What the look-ups about regions answer, in JSON. Stateless.
 *
 * <p>What a manifest consists of is written as in its files (docs/formats.md, sections 10 to 13), where a u64 is a number, however
 * large: its readers are those of the files, which take nothing else, and its times in nanoseconds are beyond 2^53 anyway. All
 * other numbers are as in any answer.
 */
public final class RegionAnswersJson {
    private static final String REGION_ID = "region_id";
    private static final String REGIONS = "regions";

    /**
     * About as long as the write of a manifest takes: the order's commit, a file with its sync, the report's commit. Whoever asks
     * again then mostly is admitted, and nobody asks a region that hangs more than ten times a second.
     */
    private static final int STALL_RETRY_AFTER_MS = 100;

    private RegionAnswersJson() {}

    /** State and summary of a region. */
    public static ObjectNode region(RegionRecord region) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set(REGION_ID, JsonText.u64(region.regionId()));
        json.put("role", RegionRoleJson.label(region.role()));
        json.put("state", region.state().name());
        json.set("manifest_version", JsonText.u64(region.manifestVersion()));
        json.set("schema_version", JsonText.u64(region.metadata().schemaVersion()));
        json.put("sst_format", region.sstFormat().label());
        json.put("append_mode", region.appendMode());
        json.set("flushed_entry_id", JsonText.u64(region.flushedEntryId()));
        json.set("flushed_sequence", JsonText.u64(region.flushedSequence()));
        json.set("truncated_entry_id", JsonText.nullableU64(region.truncatedEntryId()));
        json.set("committed_sequence", JsonText.nullableU64(region.committedSequence()));
        json.put(
                "compaction_time_window",
                region.compactionTimeWindow() == null ? null : HumanDuration.text(region.compactionTimeWindow()));
        json.put("file_count", region.fileCount());
        json.put("queued", region.queued());
        json.set("write_in_flight", region.writeInFlight() == null ? null : write(region.writeInFlight()));
        json.put("state_command_id", region.stateCommandId());
        json.put("epoch", region.epoch());
        json.put("incarnation", region.incarnation());
        return json;
    }

    /** One partition's part of a page. */
    public static ObjectNode regions(List<RegionRecord> regions) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode list = json.putArray(REGIONS);
        regions.forEach(region -> list.add(region(region)));
        return json;
    }

    /** The regions of what {@link #regions} made. */
    public static Iterable<JsonNode> regions(JsonNode written) {
        return written.path(REGIONS);
    }

    /** The id of one of them: the bits of a u64. */
    public static long regionId(JsonNode region) {
        return JsonText.u64(region.path(REGION_ID));
    }

    /**
     * A page.
     *
     * @param regions as {@link #region} made them
     * @param next the id after which the next page starts, the bits of a u64; or null
     */
    public static ObjectNode page(List<JsonNode> regions, Long next) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.putArray(REGIONS).addAll(regions);
        json.set("next", JsonText.nullableU64(next));
        return json;
    }

    /** @param region null when it is not known */
    public static ObjectNode admission(RegionRecord region) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        Admission admission = region == null ? Admission.REJECT : region.state().admission();
        json.put("admission", admission.name());
        json.put("state", region == null ? "UNKNOWN" : region.state().name());
        if (admission == Admission.STALL) {
            json.put("retry_after_ms", STALL_RETRY_AFTER_MS);
        }
        return json;
    }

    public static byte[] files(List<FileMeta> files) {
        return object(out -> JsonLine.array(out, "files", files, FileMetaJson::write));
    }

    public static byte[] manifest(FollowedManifest manifest) {
        return object(out -> {
            if (manifest instanceof Snapshot snapshot) {
                out.writeFieldName("snapshot");
                RegionManifestJson.write(out, snapshot.manifest());
            } else {
                JsonLine.array(out, "deltas", ((Deltas) manifest).deltas(), RegionAnswersJson::write);
            }
            shownU64(out, "manifest_version", manifest.version());
            out.writeNumberField("incarnation", manifest.incarnation());
        });
    }

    public static byte[] removed(Removed removed) {
        return object(out -> {
            RemovedFilesJson.writeList(out, "removed_files", removed.removed());
            RemovedFilesJson.writeList(out, "cleanup", removed.givenUp());
        });
    }

    private static ObjectNode write(WriteInFlight write) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("kind", write.kind().name());
        json.set("version", JsonText.u64(write.version()));
        json.put("command_id", write.commandId());
        return json;
    }

    private static void write(JsonGenerator out, ManifestDelta delta) throws IOException {
        out.writeStartObject();
        shownU64(out, "version", delta.version());
        JsonLine.array(out, "actions", delta.actions(), ManifestActionJson::write);
        out.writeEndObject();
    }

    private static byte[] object(JsonLine.Content content) {
        return JsonLine.of(out -> {
            out.writeStartObject();
            content.to(out);
            out.writeEndObject();
        });
    }

    private static void shownU64(JsonGenerator out, String name, long bits) throws IOException {
        ValueNode shown = JsonText.u64(bits);
        out.writeFieldName(name);
        if (shown.isTextual()) {
            out.writeString(shown.textValue());
        } else {
            out.writeNumber(bits);
        }
    }
}
