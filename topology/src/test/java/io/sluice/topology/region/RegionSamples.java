package io.sluice.topology.region;

import io.sluice.schemas.region.ColumnMetadata;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.IndexKind;
import io.sluice.schemas.region.PrimaryKeyEncoding;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.SemanticType;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.Timestamp;
import io.sluice.schemas.region.TimestampUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Metadata and files of made-up regions. Stateless. */
final class RegionSamples {
    /** Region R of docs/behaviour.md. */
    static final long REGION = 8796093022211L;

    private RegionSamples() {}

    /** Of region R, with a tag for each text. */
    static RegionMetadata metadata(long schemaVersion, String... tags) {
        return metadata(REGION, schemaVersion, tags);
    }

    static RegionMetadata metadata(long regionId, long schemaVersion, String... tags) {
        List<ColumnMetadata> columns = new ArrayList<>();
        List<Long> primaryKey = new ArrayList<>();
        columns.add(timeIndex("ts", 0));
        for (String tag : tags) {
            long columnId = columns.size();
            columns.add(new ColumnMetadata(
                    tag, "{\"String\":{\"size_type\":\"Utf8\"}}", true, false, null, "{}", SemanticType.TAG, columnId));
            primaryKey.add(columnId);
        }
        return new RegionMetadata(columns, primaryKey, regionId, schemaVersion, PrimaryKeyEncoding.DENSE, null);
    }

    static ColumnMetadata timeIndex(String name, long columnId) {
        return new ColumnMetadata(
                name,
                "{\"Timestamp\":{\"Millisecond\":null}}",
                false,
                true,
                null,
                "{}",
                SemanticType.TIMESTAMP,
                columnId);
    }

    /** Its id is the letter. */
    static UUID id(char letter) {
        return new UUID(0, letter);
    }

    /** The letters of these ids, in the order of the ids. */
    static String letters(Collection<UUID> fileIds) {
        StringBuilder letters = new StringBuilder();
        fileIds.stream().sorted().forEach(id -> letters.append((char) id.getLeastSignificantBits()));
        return letters.toString();
    }

    /** File A holds 0 to 499 ms, B 500 to 999 ms, every other one 0 to 999 ms. */
    static FileMeta file(char letter) {
        return file(letter, millis(letter == 'B' ? 500 : 0, letter == 'A' ? 499 : 999));
    }

    static FileMeta file(char letter, TimeRange range) {
        return new FileMeta(
                REGION, id(letter), range, 0, 1000, 0, List.of(), List.of(), 0, 0, 10, 1, null, null, 0, null, null);
    }

    static FileMeta indexed(char letter, long indexVersion) {
        return file(letter).withIndexes(List.of(IndexKind.INVERTED), List.of(), 7, indexVersion);
    }

    static TimeRange millis(long start, long end) {
        return new TimeRange(
                new Timestamp(start, TimestampUnit.MILLISECOND), new Timestamp(end, TimestampUnit.MILLISECOND));
    }
}
