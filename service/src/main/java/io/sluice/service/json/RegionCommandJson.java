package io.sluice.service.json;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.AlterRegion;
import io.sluice.schemas.region.CompactRegion;
import io.sluice.schemas.region.ConfirmDeleted;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.DiscardUnflushed;
import io.sluice.schemas.region.DropRegion;
import io.sluice.schemas.region.EditRegion;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.ImportRegion;
import io.sluice.schemas.region.PublishIndex;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.SetRegionRole;
import io.sluice.schemas.region.SstFormat;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.TruncateRegion;
import io.sluice.schemas.region.TruncateRegion.What;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Request bodies to region commands.
 *
 * <p>Thread-safe. Invariants: a field is either understood or refused by name, never dropped; what the path says too must be said
 * the same. Only shapes and widths are checked here; the rules are the decider's, so that they are the same for commands that come
 * by topic. Every method throws {@link JsonRefusedException}.
 */
public final class RegionCommandJson {
    private static final String BODY = "body";
    private static final String REGION_ID = "region_id";
    private static final String FILES_TO_REMOVE = "files_to_remove";
    private static final String TRUNCATED_ENTRY_ID = "truncated_entry_id";
    private static final String TRUNCATED_SEQUENCE = "truncated_sequence";
    private static final String TIME_RANGES = "time_ranges";

    private final EnvelopeJson envelopes;

    /** @param clock says when a command arrived, for those that do not say when they were issued */
    public RegionCommandJson(InstantSource clock) {
        this.envelopes = new EnvelopeJson(clock);
    }

    /** @param who the principal on whose behalf the command is sent, and so for all others */
    public CreateRegion createRegion(byte[] body, String who) {
        JsonFields fields = JsonText.parse(body, BODY).asObject();
        long regionId = fields.required(REGION_ID).asRegionId();
        CommandEnvelope envelope = envelope(fields, regionId, who);
        RegionMetadata metadata = RegionMetadataJson.read(fields.required("metadata"));
        SstFormat sstFormat = RegionManifestJson.sstFormatOrNull(fields);
        Boolean appendMode = RegionManifestJson.appendMode(fields);
        long flushedEntryId = fields.u64OrZero("flushed_entry_id");
        RegionRole role = roleOrLeader(fields);
        fields.end();
        return new CreateRegion(envelope, regionId, metadata, sstFormat, appendMode, flushedEntryId, role);
    }

    /** @param regionId of the path, and so for all others */
    public AlterRegion alterRegion(byte[] body, long regionId, String who) {
        JsonFields fields = fields(body, regionId);
        CommandEnvelope envelope = envelope(fields, regionId, who);
        RegionMetadata metadata = RegionMetadataJson.read(fields.required("metadata"));
        SstFormat sstFormat = RegionManifestJson.sstFormatOrNull(fields);
        Boolean appendMode = RegionManifestJson.appendMode(fields);
        fields.end();
        return new AlterRegion(envelope, regionId, metadata, sstFormat, appendMode);
    }

    public EditRegion editRegion(byte[] body, long regionId, String who) {
        Edited edited = editedWithoutMarks(body, regionId, who);
        return new EditRegion(edited.envelope(), regionId, edited.added(), edited.removed(), edited.window());
    }

    public CompactRegion compactRegion(byte[] body, long regionId, String who) {
        Edited edited = editedWithoutMarks(body, regionId, who);
        return new CompactRegion(edited.envelope(), regionId, edited.added(), edited.removed(), edited.window());
    }

    public FlushRegion flushRegion(byte[] body, long regionId, String who) {
        JsonFields fields = fields(body, regionId);
        Edited edited = edited(fields, regionId, who);
        Long flushedEntryId = fields.u64OrNull("flushed_entry_id");
        Long flushedSequence = fields.u64OrNull("flushed_sequence");
        Long committedSequence = fields.u64OrNull("committed_sequence");
        fields.end();
        return new FlushRegion(
                edited.envelope(),
                regionId,
                edited.added(),
                edited.removed(),
                edited.window(),
                flushedEntryId,
                flushedSequence,
                committedSequence);
    }

    public TruncateRegion truncateRegion(byte[] body, long regionId, String who) {
        JsonFields fields = fields(body, regionId);
        CommandEnvelope envelope = envelope(fields, regionId, who);
        What what = what(fields);
        fields.end();
        return new TruncateRegion(envelope, regionId, what);
    }

    public PublishIndex publishIndex(byte[] body, long regionId, String who) {
        JsonFields fields = fields(body, regionId);
        PublishIndex command = new PublishIndex(
                envelope(fields, regionId, who),
                regionId,
                FileMetaJson.readIdentified(fields.required("source")),
                fields.required("schema_version").asU64(),
                FileMetaJson.kinds(fields.optional("available_indexes")),
                FileMetaJson.indexes(fields.optional("indexes")),
                fields.u64OrZero("index_file_size"),
                fields.u64OrZero("index_version"));
        fields.end();
        return command;
    }

    public DiscardUnflushed discardUnflushed(byte[] body, long regionId, String who) {
        JsonFields fields = fields(body, regionId);
        DiscardUnflushed command = new DiscardUnflushed(
                envelope(fields, regionId, who),
                regionId,
                fields.required("flushed_entry_id").asU64(),
                fields.required("flushed_sequence").asU64());
        fields.end();
        return command;
    }

    public SetRegionRole setRegionRole(byte[] body, long regionId, String who) {
        JsonFields fields = fields(body, regionId);
        CommandEnvelope envelope = envelope(fields, regionId, who);
        RegionRole role = RegionRoleJson.read(fields.required("role"));
        fields.end();
        return new SetRegionRole(envelope, regionId, role);
    }

    /** @param body may be empty */
    public DropRegion dropRegion(byte[] body, long regionId, String who) {
        JsonFields fields = fields(body.length == 0 ? new byte[] {'{', '}'} : body, regionId);
        CommandEnvelope envelope = envelope(fields, regionId, who);
        fields.end();
        return new DropRegion(envelope, regionId);
    }

    public ConfirmDeleted confirmDeleted(byte[] body, long regionId, String who) {
        JsonFields fields = fields(body, regionId);
        ConfirmDeleted command = new ConfirmDeleted(
                envelope(fields, regionId, who), regionId, RemovedFilesJson.entries(fields.required("files")));
        fields.end();
        return command;
    }

    public ImportRegion importRegion(byte[] body, long regionId, String who) {
        JsonFields fields = fields(body, regionId);
        CommandEnvelope envelope = envelope(fields, regionId, who);
        RegionManifest manifest = RegionManifestJson.read(fields.required("manifest"));
        RegionRole role = roleOrLeader(fields);
        JsonValue orReplace = fields.optional("or_replace");
        fields.end();
        return new ImportRegion(envelope, regionId, manifest, role, orReplace != null && orReplace.asBoolean());
    }

    private CommandEnvelope envelope(JsonFields fields, long regionId, String who) {
        return envelopes.read(fields, U64.text(regionId), who);
    }

    private static JsonFields fields(byte[] body, long regionId) {
        JsonFields fields = JsonText.parse(body, BODY).asObject();
        JsonValue given = fields.optional(REGION_ID);
        if (given != null && given.asRegionId() != regionId) {
            throw given.refused("what the path says, " + U64.text(regionId) + ", or leave it out");
        }
        return fields;
    }

    /** What an edit, a flush and a compaction have in common. */
    private record Edited(CommandEnvelope envelope, List<FileMeta> added, List<FileMeta> removed, Duration window) {}

    private Edited edited(JsonFields fields, long regionId, String who) {
        return new Edited(
                issued(fields, envelope(fields, regionId, who)),
                files(fields.optional("files_to_add")),
                files(fields.optional(FILES_TO_REMOVE)),
                RegionManifestJson.window(fields.nullable("compaction_time_window")));
    }

    /** All times of a command come from the one at which it was issued (behaviour.md, G3), so an edit's own is taken for that. */
    private static CommandEnvelope issued(JsonFields fields, CommandEnvelope envelope) {
        JsonValue timestampMs = fields.nullable("timestamp_ms");
        if (timestampMs == null) {
            return envelope;
        }
        if (fields.has("issued_at")) {
            throw timestampMs.refused("null, or leave it out, where issued_at says the time");
        }
        try {
            return new CommandEnvelope(
                    envelope.partitionKey(),
                    envelope.commandId(),
                    Math.multiplyExact(timestampMs.asI64(), 1_000_000L),
                    envelope.who());
        } catch (ArithmeticException e) {
            throw timestampMs.refused("a time between 1677-09-22 and 2262-04-11, in milliseconds");
        }
    }

    /** What an edit and a compaction say: of a manifest's edit all but what only a flush says. */
    private Edited editedWithoutMarks(byte[] body, long regionId, String who) {
        JsonFields fields = fields(body, regionId);
        Edited edited = edited(fields, regionId, who);
        for (String mark : List.of("flushed_entry_id", "flushed_sequence", "committed_sequence")) {
            JsonValue given = fields.nullable(mark);
            if (given != null) {
                throw given.refused("null, or leave it out: only a flush says it");
            }
        }
        fields.end();
        return edited;
    }

    private static List<FileMeta> files(JsonValue json) {
        return json == null ? List.of() : json.asList(FileMetaJson::readIdentified);
    }

    private static What what(JsonFields fields) {
        JsonValue entryId = fields.optional(TRUNCATED_ENTRY_ID);
        JsonValue sequence = fields.optional(TRUNCATED_SEQUENCE);
        JsonValue files = fields.optional(FILES_TO_REMOVE);
        JsonValue ranges = fields.optional(TIME_RANGES);
        boolean all = entryId != null || sequence != null;
        if ((all ? 1 : 0) + (files != null ? 1 : 0) + (ranges != null ? 1 : 0) != 1) {
            throw JsonRefusedException.invalid("what is truncated is "
                    + (all || files != null ? "said in several ways" : "not said") + ": allowed is one of "
                    + TRUNCATED_ENTRY_ID + " with " + TRUNCATED_SEQUENCE + ", " + FILES_TO_REMOVE + " and "
                    + TIME_RANGES);
        }
        if (files != null) {
            return new What.Files(files(files).stream().map(FileMeta::fileId).toList());
        }
        return ranges == null
                ? new What.All(
                        fields.required(TRUNCATED_ENTRY_ID).asU64(),
                        fields.required(TRUNCATED_SEQUENCE).asU64())
                : new What.TimeRanges(ranges.asList(RegionCommandJson::timeRange));
    }

    private static TimeRange timeRange(JsonValue json) {
        JsonFields fields = json.asObject();
        TimeRange range = new TimeRange(
                FileMetaJson.timestamp(fields.required("start")), FileMetaJson.timestamp(fields.required("end")));
        fields.end();
        return range;
    }

    private static RegionRole roleOrLeader(JsonFields fields) {
        JsonValue role = fields.optional("role");
        return role == null ? RegionRole.LEADER : RegionRoleJson.read(role);
    }
}
