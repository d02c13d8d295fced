package io.sluice.schemas.region;

import io.sluice.avro.TruncateMarks;
import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** Region commands to and from the bytes of their commands topic. Thread-safe. */
public final class RegionCommandCodec {
    private final SingleObject singleObject;

    public RegionCommandCodec(SingleObject singleObject) {
        this.singleObject = singleObject;
    }

    public static byte[] encode(RegionCommand command) {
        CommandEnvelope e = command.envelope();
        if (command instanceof CreateRegion c) {
            return SingleObject.encode(new io.sluice.avro.CreateRegion(
                    e.commandId(),
                    c.regionId(),
                    e.issuedAtNanos(),
                    e.who(),
                    RegionAvro.toAvro(c.metadata()),
                    RegionAvro.toAvro(c.sstFormat()),
                    c.appendMode(),
                    c.flushedEntryId(),
                    RegionAvro.toAvro(c.role())));
        }
        if (command instanceof AlterRegion c) {
            return SingleObject.encode(new io.sluice.avro.AlterRegion(
                    e.commandId(),
                    c.regionId(),
                    e.issuedAtNanos(),
                    e.who(),
                    RegionAvro.toAvro(c.metadata()),
                    RegionAvro.toAvro(c.sstFormat()),
                    c.appendMode()));
        }
        if (command instanceof EditRegion c) {
            return SingleObject.encode(new io.sluice.avro.EditRegion(
                    e.commandId(),
                    c.regionId(),
                    e.issuedAtNanos(),
                    e.who(),
                    RegionAvro.filesToAvro(c.filesToAdd()),
                    RegionAvro.filesToAvro(c.filesToRemove()),
                    RegionAvro.toAvro(c.compactionTimeWindow())));
        }
        if (command instanceof FlushRegion c) {
            return SingleObject.encode(new io.sluice.avro.FlushRegion(
                    e.commandId(),
                    c.regionId(),
                    e.issuedAtNanos(),
                    e.who(),
                    RegionAvro.filesToAvro(c.filesToAdd()),
                    RegionAvro.filesToAvro(c.filesToRemove()),
                    RegionAvro.toAvro(c.compactionTimeWindow()),
                    c.flushedEntryId(),
                    c.flushedSequence(),
                    c.committedSequence()));
        }
        if (command instanceof CompactRegion c) {
            return SingleObject.encode(new io.sluice.avro.CompactRegion(
                    e.commandId(),
                    c.regionId(),
                    e.issuedAtNanos(),
                    e.who(),
                    RegionAvro.filesToAvro(c.filesToAdd()),
                    RegionAvro.filesToAvro(c.filesToRemove()),
                    RegionAvro.toAvro(c.compactionTimeWindow())));
        }
        return encodeRest(command, e);
    }

    private static byte[] encodeRest(RegionCommand command, CommandEnvelope e) {
        if (command instanceof TruncateRegion c) {
            return SingleObject.encode(toAvro(c, e));
        }
        if (command instanceof DropRegion c) {
            return SingleObject.encode(
                    new io.sluice.avro.DropRegion(e.commandId(), c.regionId(), e.issuedAtNanos(), e.who()));
        }
        if (command instanceof SetRegionRole c) {
            return SingleObject.encode(new io.sluice.avro.SetRegionRole(
                    e.commandId(), c.regionId(), e.issuedAtNanos(), e.who(), RegionAvro.toAvro(c.role())));
        }
        if (command instanceof PublishIndex c) {
            return SingleObject.encode(new io.sluice.avro.PublishIndex(
                    e.commandId(),
                    c.regionId(),
                    e.issuedAtNanos(),
                    e.who(),
                    RegionAvro.toAvro(c.source()),
                    c.schemaVersion(),
                    RegionAvro.kindsToAvro(c.availableIndexes()),
                    RegionAvro.indexesToAvro(c.indexes()),
                    c.indexFileSize(),
                    c.indexVersion()));
        }
        if (command instanceof ImportRegion c) {
            return SingleObject.encode(toAvro(c, e));
        }
        if (command instanceof ConfirmDeleted c) {
            return SingleObject.encode(new io.sluice.avro.ConfirmDeleted(
                    e.commandId(), c.regionId(), e.issuedAtNanos(), e.who(), RegionAvro.removedToAvro(c.files())));
        }
        DiscardUnflushed c = (DiscardUnflushed) command;
        return SingleObject.encode(new io.sluice.avro.DiscardUnflushed(
                e.commandId(), c.regionId(), e.issuedAtNanos(), e.who(), c.flushedEntryId(), c.flushedSequence()));
    }

    private static io.sluice.avro.TruncateRegion toAvro(TruncateRegion c, CommandEnvelope e) {
        return new io.sluice.avro.TruncateRegion(
                e.commandId(),
                c.regionId(),
                e.issuedAtNanos(),
                e.who(),
                c.what() instanceof TruncateRegion.What.All all
                        ? new TruncateMarks(all.truncatedEntryId(), all.truncatedSequence())
                        : null,
                c.what() instanceof TruncateRegion.What.Files files
                        ? files.fileIds().stream().map(RegionAvro::toAvro).toList()
                        : null,
                c.what() instanceof TruncateRegion.What.TimeRanges times
                        ? times.ranges().stream().map(RegionAvro::toAvro).toList()
                        : null);
    }

    private static io.sluice.avro.ImportRegion toAvro(ImportRegion c, CommandEnvelope e) {
        RegionManifest m = c.manifest();
        return new io.sluice.avro.ImportRegion(
                e.commandId(),
                c.regionId(),
                e.issuedAtNanos(),
                e.who(),
                RegionAvro.toAvro(m.metadata()),
                RegionAvro.filesToAvro(List.copyOf(m.files().values())),
                m.removedFiles().stream().map(RegionAvro::toAvro).toList(),
                m.flushedEntryId(),
                m.flushedSequence(),
                m.committedSequence(),
                m.manifestVersion(),
                m.truncatedEntryId(),
                RegionAvro.toAvro(m.compactionTimeWindow()),
                RegionAvro.toAvro(m.sstFormat()),
                m.appendMode(),
                RegionAvro.toAvro(c.role()),
                c.orReplace());
    }

    /**
     * Decodes any kind of region command.
     *
     * @throws UndecodableException if the bytes are not a region command
     */
    public RegionCommand decode(byte[] bytes) {
        String kind = singleObject.writerSchema(bytes).getFullName();
        return switch (kind) {
            case "io.sluice.avro.CreateRegion" ->
                fromAvro(singleObject.decode(bytes, io.sluice.avro.CreateRegion.class));
            case "io.sluice.avro.AlterRegion" -> fromAvro(singleObject.decode(bytes, io.sluice.avro.AlterRegion.class));
            case "io.sluice.avro.EditRegion" -> fromAvro(singleObject.decode(bytes, io.sluice.avro.EditRegion.class));
            case "io.sluice.avro.FlushRegion" -> fromAvro(singleObject.decode(bytes, io.sluice.avro.FlushRegion.class));
            case "io.sluice.avro.CompactRegion" ->
                fromAvro(singleObject.decode(bytes, io.sluice.avro.CompactRegion.class));
            case "io.sluice.avro.TruncateRegion" ->
                fromAvro(singleObject.decode(bytes, io.sluice.avro.TruncateRegion.class));
            case "io.sluice.avro.DropRegion" -> fromAvro(singleObject.decode(bytes, io.sluice.avro.DropRegion.class));
            case "io.sluice.avro.SetRegionRole" ->
                fromAvro(singleObject.decode(bytes, io.sluice.avro.SetRegionRole.class));
            case "io.sluice.avro.PublishIndex" ->
                fromAvro(singleObject.decode(bytes, io.sluice.avro.PublishIndex.class));
            case "io.sluice.avro.DiscardUnflushed" ->
                fromAvro(singleObject.decode(bytes, io.sluice.avro.DiscardUnflushed.class));
            case "io.sluice.avro.ConfirmDeleted" ->
                fromAvro(singleObject.decode(bytes, io.sluice.avro.ConfirmDeleted.class));
            case "io.sluice.avro.ImportRegion" ->
                fromAvro(singleObject.decode(bytes, io.sluice.avro.ImportRegion.class));
            default ->
                throw new UndecodableException(
                        "value is a " + Texts.shortened(kind)
                                + ", which is no region command: expected CreateRegion, AlterRegion, EditRegion, FlushRegion, "
                                + "CompactRegion, TruncateRegion, DropRegion, SetRegionRole, PublishIndex, DiscardUnflushed, ConfirmDeleted or ImportRegion");
        };
    }

    private static CreateRegion fromAvro(io.sluice.avro.CreateRegion c) {
        return new CreateRegion(
                envelope(c.getRegionId(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getRegionId(),
                metadata(c.getMetadata()),
                RegionAvro.optionalFromAvro("sst_format", c.getSstFormat(), SstFormat.class),
                c.getAppendMode(),
                c.getFlushedEntryId(),
                RegionAvro.fromAvro("role", c.getRole(), RegionRole.class));
    }

    private static AlterRegion fromAvro(io.sluice.avro.AlterRegion c) {
        return new AlterRegion(
                envelope(c.getRegionId(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getRegionId(),
                metadata(c.getMetadata()),
                RegionAvro.optionalFromAvro("sst_format", c.getSstFormat(), SstFormat.class),
                c.getAppendMode());
    }

    private static EditRegion fromAvro(io.sluice.avro.EditRegion c) {
        return new EditRegion(
                envelope(c.getRegionId(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getRegionId(),
                RegionAvro.addedFromAvro(c.getFilesToAdd()),
                RegionAvro.filesFromAvro(c.getFilesToRemove()),
                RegionAvro.fromAvro("compaction_time_window", c.getCompactionTimeWindow()));
    }

    private static FlushRegion fromAvro(io.sluice.avro.FlushRegion c) {
        return new FlushRegion(
                envelope(c.getRegionId(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getRegionId(),
                RegionAvro.addedFromAvro(c.getFilesToAdd()),
                RegionAvro.filesFromAvro(c.getFilesToRemove()),
                RegionAvro.fromAvro("compaction_time_window", c.getCompactionTimeWindow()),
                c.getFlushedEntryId(),
                c.getFlushedSequence(),
                c.getCommittedSequence());
    }

    private static CompactRegion fromAvro(io.sluice.avro.CompactRegion c) {
        return new CompactRegion(
                envelope(c.getRegionId(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getRegionId(),
                RegionAvro.addedFromAvro(c.getFilesToAdd()),
                RegionAvro.filesFromAvro(c.getFilesToRemove()),
                RegionAvro.fromAvro("compaction_time_window", c.getCompactionTimeWindow()));
    }

    private static TruncateRegion fromAvro(io.sluice.avro.TruncateRegion c) {
        RegionAvro.requireOne(
                "TruncateRegion", "all, file_ids, time_ranges", c.getAll(), c.getFileIds(), c.getTimeRanges());
        TruncateRegion.What what;
        if (c.getAll() != null) {
            what = new TruncateRegion.What.All(
                    c.getAll().getTruncatedEntryId(), c.getAll().getTruncatedSequence());
        } else if (c.getFileIds() != null) {
            what = new TruncateRegion.What.Files(
                    c.getFileIds().stream().map(RegionAvro::fromAvro).toList());
        } else {
            what = new TruncateRegion.What.TimeRanges(
                    c.getTimeRanges().stream().map(RegionAvro::fromAvro).toList());
        }
        return new TruncateRegion(
                envelope(c.getRegionId(), c.getCommandId(), c.getIssuedAt(), c.getWho()), c.getRegionId(), what);
    }

    private static DropRegion fromAvro(io.sluice.avro.DropRegion c) {
        return new DropRegion(
                envelope(c.getRegionId(), c.getCommandId(), c.getIssuedAt(), c.getWho()), c.getRegionId());
    }

    private static SetRegionRole fromAvro(io.sluice.avro.SetRegionRole c) {
        return new SetRegionRole(
                envelope(c.getRegionId(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getRegionId(),
                RegionAvro.fromAvro("role", c.getRole(), RegionRole.class));
    }

    private static PublishIndex fromAvro(io.sluice.avro.PublishIndex c) {
        return new PublishIndex(
                envelope(c.getRegionId(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getRegionId(),
                RegionAvro.requireId(RegionAvro.fromAvro(c.getSource())),
                c.getSchemaVersion(),
                RegionAvro.kindsFromAvro("available_indexes", c.getAvailableIndexes()),
                RegionAvro.indexesFromAvro(c.getIndexes()),
                c.getIndexFileSize(),
                c.getIndexVersion());
    }

    private static DiscardUnflushed fromAvro(io.sluice.avro.DiscardUnflushed c) {
        return new DiscardUnflushed(
                envelope(c.getRegionId(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getRegionId(),
                c.getFlushedEntryId(),
                c.getFlushedSequence());
    }

    private static ConfirmDeleted fromAvro(io.sluice.avro.ConfirmDeleted c) {
        return new ConfirmDeleted(
                envelope(c.getRegionId(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getRegionId(),
                RegionAvro.removedFromAvro(c.getFiles()));
    }

    private static ImportRegion fromAvro(io.sluice.avro.ImportRegion c) {
        SortedMap<UUID, FileMeta> files = new TreeMap<>(FileIds.ORDER);
        for (FileMeta file : RegionAvro.addedFromAvro(c.getFiles())) {
            if (files.put(file.fileId(), file) != null) {
                throw new UndecodableException("files lists " + file.fileId() + " twice");
            }
        }
        return new ImportRegion(
                envelope(c.getRegionId(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getRegionId(),
                new RegionManifest(
                        metadata(c.getMetadata()),
                        files,
                        c.getRemovedFiles().stream().map(RegionAvro::fromAvro).toList(),
                        c.getFlushedEntryId(),
                        c.getFlushedSequence(),
                        c.getCommittedSequence(),
                        c.getManifestVersion(),
                        c.getTruncatedEntryId(),
                        RegionAvro.fromAvro("compaction_time_window", c.getCompactionTimeWindow()),
                        RegionAvro.fromAvro("sst_format", c.getSstFormat(), SstFormat.class),
                        c.getAppendMode()),
                RegionAvro.fromAvro("role", c.getRole(), RegionRole.class),
                c.getOrReplace());
    }

    private static CommandEnvelope envelope(long regionId, String commandId, long issuedAtNanos, String who) {
        return new CommandEnvelope(U64.text(regionId), commandId, issuedAtNanos, who);
    }

    /** Anybody may have written it, and what it calls JSON goes to manifests as it is. */
    private static RegionMetadata metadata(io.sluice.avro.RegionMetadata avro) {
        RegionMetadata metadata = RegionAvro.fromAvro(avro);
        for (ColumnMetadata column : metadata.columns()) {
            if (!JsonTexts.isValue(column.dataType())) {
                throw notJson("data_type", column, column.dataType(), "JSON");
            }
            if (column.defaultConstraint() != null && !JsonTexts.isValue(column.defaultConstraint())) {
                throw notJson("default_constraint", column, column.defaultConstraint(), "JSON");
            }
            if (!JsonTexts.isObjectOfTexts(column.metadata())) {
                throw notJson("metadata", column, column.metadata(), "a JSON object of texts");
            }
        }
        return metadata;
    }

    private static UndecodableException notJson(String field, ColumnMetadata column, String value, String expected) {
        return new UndecodableException(field + " of column \"" + Texts.shortened(column.name()) + "\" is \""
                + Texts.shortened(value) + "\": expected " + expected);
    }
}
