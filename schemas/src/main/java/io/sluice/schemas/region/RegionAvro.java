package io.sluice.schemas.region;

import io.sluice.avro.FileId;
import io.sluice.avro.ManifestChange;
import io.sluice.avro.ManifestEdit;
import io.sluice.avro.ManifestPartitionExprChange;
import io.sluice.avro.ManifestRemove;
import io.sluice.avro.ManifestTruncateAll;
import io.sluice.avro.ManifestTruncatePartial;
import io.sluice.avro.RemovedFileEntry;
import io.sluice.avro.RemovedFilesRow;
import io.sluice.avro.TimeSpan;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.UndecodableException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Translates the values that region commands, rows and topics share between their Avro form and ours. Package-private parts of the
 * codecs.
 *
 * <p>Stateless. What comes from Avro and can never be is an {@link UndecodableException} that names field and value.
 */
final class RegionAvro {
    private static final UUID ZERO = new UUID(0, 0);
    private static final int MAX_LEVEL = 2;
    private static final int NANOS_PER_SECOND = 1_000_000_000;
    /** The symbol of every enum of ours that stands for the ones that are newer than the reader's schema. */
    private static final String UNKNOWN = "UNKNOWN";

    private RegionAvro() {}

    /** Makes a value whose class refuses what can never be. */
    static <T> T checked(String what, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new UndecodableException(what + ": " + e.getMessage(), e);
        }
    }

    /** The constant with the name of a symbol. */
    static <E extends Enum<E>> E fromAvro(String field, Enum<?> symbol, Class<E> type) {
        return fromAvro(field, null, symbol, type);
    }

    /** As {@link #fromAvro(String, Enum, Class)}; null stays null. */
    static <E extends Enum<E>> E optionalFromAvro(String field, Enum<?> symbol, Class<E> type) {
        return symbol == null ? null : fromAvro(field, symbol, type);
    }

    /** @param owner of the field, for the message alone; null for the record itself */
    private static <E extends Enum<E>> E fromAvro(String field, String owner, Enum<?> symbol, Class<E> type) {
        if (symbol.name().equals(UNKNOWN)) {
            throw new UndecodableException(shown(field, owner)
                    + " is UNKNOWN, or what only later versions know: expected "
                    + Stream.of(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", ")));
        }
        return Enum.valueOf(type, symbol.name());
    }

    static io.sluice.avro.SstFormat toAvro(SstFormat format) {
        return format == null ? null : io.sluice.avro.SstFormat.valueOf(format.name());
    }

    static io.sluice.avro.RegionRole toAvro(RegionRole role) {
        return io.sluice.avro.RegionRole.valueOf(role.name());
    }

    static FileId toAvro(UUID fileId) {
        return new FileId(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(fileId.getMostSignificantBits())
                .putLong(fileId.getLeastSignificantBits())
                .array());
    }

    static UUID fromAvro(FileId fileId) {
        ByteBuffer bytes = ByteBuffer.wrap(fileId.bytes());
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    static TimeSpan toAvro(Duration span) {
        return span == null ? null : new TimeSpan(span.getSeconds(), span.getNano());
    }

    static Duration fromAvro(String field, TimeSpan span) {
        if (span == null) {
            return null;
        }
        if (span.getSeconds() < 0) {
            throw new UndecodableException(field + " is " + span.getSeconds() + " seconds: a span is not negative");
        }
        if (span.getNanos() < 0 || span.getNanos() >= NANOS_PER_SECOND) {
            throw new UndecodableException(
                    field + " has " + span.getNanos() + " nanoseconds: expected 0 to 999999999 beside the seconds");
        }
        return Duration.ofSeconds(span.getSeconds(), span.getNanos());
    }

    static io.sluice.avro.TimeRange toAvro(TimeRange range) {
        return new io.sluice.avro.TimeRange(toAvro(range.start()), toAvro(range.end()));
    }

    static TimeRange fromAvro(io.sluice.avro.TimeRange range) {
        return new TimeRange(fromAvro(range.getStart()), fromAvro(range.getEnd()));
    }

    private static io.sluice.avro.Timestamp toAvro(Timestamp time) {
        return new io.sluice.avro.Timestamp(
                time.value(), io.sluice.avro.TimestampUnit.valueOf(time.unit().name()));
    }

    private static Timestamp fromAvro(io.sluice.avro.Timestamp time) {
        return new Timestamp(time.getValue(), fromAvro("unit of a timestamp", time.getUnit(), TimestampUnit.class));
    }

    static List<io.sluice.avro.IndexKind> kindsToAvro(List<IndexKind> kinds) {
        return kinds.stream()
                .map(kind -> io.sluice.avro.IndexKind.valueOf(kind.name()))
                .toList();
    }

    static List<IndexKind> kindsFromAvro(String field, List<io.sluice.avro.IndexKind> kinds) {
        return kinds.stream()
                .map(kind -> fromAvro(field, kind, IndexKind.class))
                .toList();
    }

    static List<io.sluice.avro.ColumnIndexes> indexesToAvro(List<ColumnIndexes> indexes) {
        return indexes.stream()
                .map(column ->
                        new io.sluice.avro.ColumnIndexes(column.columnId(), kindsToAvro(column.createdIndexes())))
                .toList();
    }

    static List<ColumnIndexes> indexesFromAvro(List<io.sluice.avro.ColumnIndexes> indexes) {
        return indexes.stream()
                .map(column -> new ColumnIndexes(
                        requireU32("column_id", null, column.getColumnId()),
                        kindsFromAvro("created_indexes", column.getCreatedIndexes())))
                .toList();
    }

    static io.sluice.avro.FileMeta toAvro(FileMeta f) {
        return new io.sluice.avro.FileMeta(
                f.regionId(),
                toAvro(f.fileId()),
                toAvro(f.timeRange()),
                f.level(),
                f.fileSize(),
                f.maxRowGroupUncompressedSize(),
                kindsToAvro(f.availableIndexes()),
                indexesToAvro(f.indexes()),
                f.indexFileSize(),
                f.indexVersion(),
                f.numRows(),
                f.numRowGroups(),
                f.sequence(),
                f.partitionExpr(),
                f.numSeries(),
                f.primaryKeyMin(),
                f.primaryKeyMax());
    }

    static FileMeta fromAvro(io.sluice.avro.FileMeta f) {
        UUID fileId = fromAvro(f.getFileId());
        if (f.getLevel() < 0 || f.getLevel() > MAX_LEVEL) {
            throw new UndecodableException(
                    "level of file " + fileId + " is " + f.getLevel() + ": expected 0 to " + MAX_LEVEL);
        }
        if (Objects.equals(f.getSequence(), 0L)) {
            throw new UndecodableException("sequence of file " + fileId + " is 0: sequences start at 1");
        }
        return new FileMeta(
                f.getRegionId(),
                fileId,
                fromAvro(f.getTimeRange()),
                f.getLevel(),
                f.getFileSize(),
                f.getMaxRowGroupUncompressedSize(),
                kindsFromAvro("available_indexes", f.getAvailableIndexes()),
                indexesFromAvro(f.getIndexes()),
                f.getIndexFileSize(),
                f.getIndexVersion(),
                f.getNumRows(),
                f.getNumRowGroups(),
                f.getSequence(),
                "".equals(f.getPartitionExpr()) ? null : f.getPartitionExpr(),
                f.getNumSeries(),
                requireBase64("primary_key_min", fileId, f.getPrimaryKeyMin()),
                requireBase64("primary_key_max", fileId, f.getPrimaryKeyMax()));
    }

    static List<io.sluice.avro.FileMeta> filesToAvro(List<FileMeta> files) {
        return files.stream().map(RegionAvro::toAvro).toList();
    }

    static List<FileMeta> filesFromAvro(List<io.sluice.avro.FileMeta> files) {
        return files.stream().map(RegionAvro::fromAvro).toList();
    }

    /** Files that are to be in a manifest. */
    static List<FileMeta> addedFromAvro(List<io.sluice.avro.FileMeta> files) {
        return files.stream().map(file -> requireId(fromAvro(file))).toList();
    }

    /** A file that is in a manifest, or is to be, has an id. */
    static FileMeta requireId(FileMeta file) {
        if (file.fileId().equals(ZERO)) {
            throw new UndecodableException("file_id is " + ZERO + ", which is that of no file");
        }
        return file;
    }

    static io.sluice.avro.RegionMetadata toAvro(RegionMetadata m) {
        return new io.sluice.avro.RegionMetadata(
                m.columns().stream().map(RegionAvro::toAvro).toList(),
                m.primaryKey(),
                m.regionId(),
                m.schemaVersion(),
                io.sluice.avro.PrimaryKeyEncoding.valueOf(m.primaryKeyEncoding().name()),
                m.partitionExpr());
    }

    static RegionMetadata fromAvro(io.sluice.avro.RegionMetadata m) {
        m.getPrimaryKey().forEach(columnId -> requireU32("primary_key", null, columnId));
        return new RegionMetadata(
                m.getColumns().stream().map(RegionAvro::fromAvro).toList(),
                m.getPrimaryKey(),
                m.getRegionId(),
                m.getSchemaVersion(),
                fromAvro("primary_key_encoding", m.getPrimaryKeyEncoding(), PrimaryKeyEncoding.class),
                m.getPartitionExpr());
    }

    private static io.sluice.avro.ColumnMetadata toAvro(ColumnMetadata c) {
        return new io.sluice.avro.ColumnMetadata(
                c.name(),
                c.dataType(),
                c.nullable(),
                c.timeIndex(),
                c.defaultConstraint(),
                c.metadata(),
                io.sluice.avro.SemanticType.valueOf(c.semanticType().name()),
                c.columnId());
    }

    private static ColumnMetadata fromAvro(io.sluice.avro.ColumnMetadata c) {
        return new ColumnMetadata(
                c.getName(),
                c.getDataType(),
                c.getIsNullable(),
                c.getIsTimeIndex(),
                c.getDefaultConstraint(),
                c.getMetadata(),
                fromAvro("semantic_type", c.getName(), c.getSemanticType(), SemanticType.class),
                requireU32("column_id", c.getName(), c.getColumnId()));
    }

    static List<io.sluice.avro.ManifestAction> actionsToAvro(List<ManifestAction> actions) {
        return actions.stream().map(RegionAvro::toAvro).toList();
    }

    static List<ManifestAction> actionsFromAvro(List<io.sluice.avro.ManifestAction> actions) {
        return actions.stream().map(RegionAvro::fromAvro).toList();
    }

    private static io.sluice.avro.ManifestAction toAvro(ManifestAction action) {
        return new io.sluice.avro.ManifestAction(
                action instanceof ManifestAction.Change change
                        ? new ManifestChange(toAvro(change.metadata()), toAvro(change.sstFormat()), change.appendMode())
                        : null,
                action instanceof ManifestAction.PartitionExprChange change
                        ? new ManifestPartitionExprChange(change.partitionExpr())
                        : null,
                action instanceof ManifestAction.Edit edit
                        ? new ManifestEdit(
                                filesToAvro(edit.filesToAdd()),
                                filesToAvro(edit.filesToRemove()),
                                edit.timestampMs(),
                                toAvro(edit.compactionTimeWindow()),
                                edit.flushedEntryId(),
                                edit.flushedSequence(),
                                edit.committedSequence())
                        : null,
                action instanceof ManifestAction.Remove remove ? new ManifestRemove(remove.regionId()) : null,
                action instanceof ManifestAction.TruncateAll all
                        ? new ManifestTruncateAll(
                                all.regionId(), all.truncatedEntryId(), all.truncatedSequence(), all.timestampMs())
                        : null,
                action instanceof ManifestAction.TruncatePartial partial
                        ? new ManifestTruncatePartial(
                                partial.regionId(), filesToAvro(partial.filesToRemove()), partial.timestampMs())
                        : null);
    }

    private static ManifestAction fromAvro(io.sluice.avro.ManifestAction a) {
        requireOne(
                "action",
                "change, partition_expr_change, edit, remove, truncate_all, truncate_partial",
                a.getChange(),
                a.getPartitionExprChange(),
                a.getEdit(),
                a.getRemove(),
                a.getTruncateAll(),
                a.getTruncatePartial());
        if (a.getChange() != null) {
            ManifestChange change = a.getChange();
            return new ManifestAction.Change(
                    fromAvro(change.getMetadata()),
                    fromAvro("sst_format", change.getSstFormat(), SstFormat.class),
                    change.getAppendMode());
        }
        if (a.getPartitionExprChange() != null) {
            return new ManifestAction.PartitionExprChange(
                    a.getPartitionExprChange().getPartitionExpr());
        }
        if (a.getEdit() != null) {
            ManifestEdit edit = a.getEdit();
            return new ManifestAction.Edit(
                    addedFromAvro(edit.getFilesToAdd()),
                    filesFromAvro(edit.getFilesToRemove()),
                    edit.getTimestampMs(),
                    fromAvro("compaction_time_window", edit.getCompactionTimeWindow()),
                    edit.getFlushedEntryId(),
                    edit.getFlushedSequence(),
                    edit.getCommittedSequence());
        }
        if (a.getRemove() != null) {
            return new ManifestAction.Remove(a.getRemove().getRegionId());
        }
        if (a.getTruncateAll() != null) {
            ManifestTruncateAll all = a.getTruncateAll();
            return new ManifestAction.TruncateAll(
                    all.getRegionId(), all.getTruncatedEntryId(), all.getTruncatedSequence(), all.getTimestampMs());
        }
        ManifestTruncatePartial partial = a.getTruncatePartial();
        return new ManifestAction.TruncatePartial(
                partial.getRegionId(), filesFromAvro(partial.getFilesToRemove()), partial.getTimestampMs());
    }

    /** Of a value that is of one of several kinds, exactly the field of its kind is set. */
    static void requireOne(String what, String fields, Object... values) {
        long set = Arrays.stream(values).filter(Objects::nonNull).count();
        if (set != 1) {
            throw new UndecodableException(what + " has " + set + " of the fields " + fields + ": expected exactly one"
                    + (set == 0 ? ", or it is of a kind that only later versions know" : ""));
        }
    }

    private static long requireU32(String field, String owner, long value) {
        if (!U32.fits(value)) {
            throw new UndecodableException(shown(field, owner) + " is " + value + ": expected 0 to " + U32.MAX);
        }
        return value;
    }

    private static String shown(String field, String owner) {
        return owner == null ? field : field + " of \"" + Texts.shortened(owner) + "\"";
    }

    /** Other readers of a manifest take only the canonical form, and would refuse all of it. */
    private static String requireBase64(String field, UUID fileId, String text) {
        if (text == null) {
            return null;
        }
        try {
            if (Base64.getEncoder()
                    .encodeToString(Base64.getDecoder().decode(text))
                    .equals(text)) {
                return text;
            }
        } catch (IllegalArgumentException e) {
            throw notBase64(field, fileId, text, e);
        }
        throw notBase64(field, fileId, text, null);
    }

    private static UndecodableException notBase64(
            String field, UUID fileId, String text, IllegalArgumentException cause) {
        return new UndecodableException(
                field + " of file " + fileId + " is \"" + Texts.shortened(text)
                        + "\": expected standard base64 with padding",
                cause);
    }

    static RemovedFilesRow toAvro(RemovedFiles removed) {
        return new RemovedFilesRow(removed.removedAtMs(), removedToAvro(removed.files()));
    }

    static RemovedFiles fromAvro(RemovedFilesRow row) {
        return new RemovedFiles(row.getRemovedAtMs(), removedFromAvro(row.getFiles()));
    }

    /** In one order, so that equal sets have equal bytes. */
    static List<RemovedFileEntry> removedToAvro(Set<RemovedFile> files) {
        return files.stream()
                .sorted(RemovedFile.ORDER)
                .map(file -> new RemovedFileEntry(
                        toAvro(file.fileId()), file instanceof RemovedFile.IndexFile, file.indexFile()))
                .toList();
    }

    static Set<RemovedFile> removedFromAvro(List<RemovedFileEntry> entries) {
        Set<RemovedFile> files = new HashSet<>();
        for (RemovedFileEntry entry : entries) {
            RemovedFile file = fromAvro(entry);
            if (!files.add(file)) {
                throw new UndecodableException("files lists " + file + " twice");
            }
        }
        return files;
    }

    private static RemovedFile fromAvro(RemovedFileEntry entry) {
        UUID fileId = fromAvro(entry.getFileId());
        if (!entry.getIndexOnly()) {
            return new RemovedFile.DataFile(fileId, entry.getIndexVersion());
        }
        if (entry.getIndexVersion() == null) {
            throw new UndecodableException(
                    "index_version of file " + fileId + " is null, but only its index file was removed");
        }
        return new RemovedFile.IndexFile(fileId, entry.getIndexVersion());
    }
}
