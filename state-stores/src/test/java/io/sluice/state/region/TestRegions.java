package io.sluice.state.region;

import io.sluice.schemas.region.ColumnMetadata;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.IndexKind;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.PrimaryKeyEncoding;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.SemanticType;
import io.sluice.schemas.region.SstFormat;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.Timestamp;
import io.sluice.schemas.region.TimestampUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Made-up regions, files and actions. Stateless. */
final class TestRegions {
    static final long REGION = 8796093022211L;

    private TestRegions() {}

    /** The id of file {@code A}, {@code B}, ... */
    static UUID id(char name) {
        return new UUID(0, name);
    }

    static FileMeta file(char name) {
        return new FileMeta(
                REGION,
                id(name),
                new TimeRange(
                        new Timestamp(0, TimestampUnit.MILLISECOND), new Timestamp(999, TimestampUnit.MILLISECOND)),
                0,
                1000,
                0,
                List.of(),
                List.of(),
                0,
                0,
                10,
                1,
                null,
                null,
                0,
                null,
                null);
    }

    static FileMeta indexed(char name, long indexVersion) {
        return file(name).withIndexes(List.of(IndexKind.INVERTED), List.of(), 7, indexVersion);
    }

    /** With a tag for each text. */
    static RegionMetadata metadata(long schemaVersion, String... tags) {
        List<ColumnMetadata> columns = new ArrayList<>();
        List<Long> primaryKey = new ArrayList<>();
        columns.add(new ColumnMetadata(
                "ts", "{\"Timestamp\":{\"Millisecond\":null}}", false, true, null, "{}", SemanticType.TIMESTAMP, 0));
        for (String tag : tags) {
            long columnId = columns.size();
            columns.add(new ColumnMetadata(
                    tag, "{\"String\":{\"size_type\":\"Utf8\"}}", true, false, null, "{}", SemanticType.TAG, columnId));
            primaryKey.add(columnId);
        }
        return new RegionMetadata(columns, primaryKey, REGION, schemaVersion, PrimaryKeyEncoding.DENSE, null);
    }

    static Change change(RegionMetadata metadata) {
        return new Change(metadata, SstFormat.PRIMARY_KEY, null);
    }

    static Edit edit(List<FileMeta> added, List<FileMeta> removed, Long timestampMs) {
        return new Edit(added, removed, timestampMs, null, null, null, null);
    }

    static Edit marks(Long flushedEntryId, Long flushedSequence, Long committedSequence) {
        return new Edit(List.of(), List.of(), null, null, flushedEntryId, flushedSequence, committedSequence);
    }

    static List<ManifestAction> actions(ManifestAction... actions) {
        return List.of(actions);
    }
}
