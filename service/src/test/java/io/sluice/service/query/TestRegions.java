package io.sluice.service.query;

import io.sluice.schemas.region.ColumnMetadata;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.IndexKind;
import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.PrimaryKeyEncoding;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RegionWriteKind;
import io.sluice.schemas.region.SemanticType;
import io.sluice.schemas.region.SstFormat;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.Timestamp;
import io.sluice.schemas.region.TimestampUnit;
import io.sluice.schemas.region.WriteInFlight;
import io.sluice.state.region.RegionFact;
import io.sluice.state.region.RegionFact.ManifestAdvanced;
import io.sluice.state.region.RegionFact.RegionRecorded;
import java.util.List;
import java.util.UUID;

/** Regions and what happens to them. Stateless. */
public final class TestRegions {
    /** Table 2048, number 3. */
    public static final long REGION = 8796093022211L;

    /** When files were removed. */
    public static final long AT_MS = 1_790_000_000_000L;

    private TestRegions() {}

    /** A region is created: version 0. */
    public static RegionFact created(long regionId, long incarnation) {
        return new ManifestAdvanced(
                record(regionId, incarnation, RegionState.WRITABLE, 0L),
                "c-0",
                new ManifestDelta(0, List.of(new Change(metadata(regionId), SstFormat.PRIMARY_KEY, null))),
                0);
    }

    /** A region gets its next version. */
    public static RegionFact edited(long regionId, long incarnation, long version, long keptFrom, Edit edit) {
        return new ManifestAdvanced(
                record(regionId, incarnation, RegionState.WRITABLE, version),
                "c-" + version,
                new ManifestDelta(version, List.of(edit)),
                keptFrom);
    }

    /** A region without files is in a state. */
    public static RegionFact is(long regionId, RegionState state) {
        return new RegionRecorded(record(regionId, 1, state, 0L));
    }

    /** A region is being created. */
    public static RegionFact beingCreated(long regionId) {
        return new RegionRecorded(record(regionId, 1, RegionState.WRITABLE, null));
    }

    public static Edit edit(List<FileMeta> added, List<FileMeta> removed) {
        return new Edit(added, removed, AT_MS, null, null, null, null);
    }

    /** The id of file {@code A}, {@code B}, ... */
    public static UUID id(char name) {
        return new UUID(0xa000_0000_0000_4000L, 0x8000_0000_0000_0000L | name);
    }

    public static FileMeta file(char name) {
        return new FileMeta(
                REGION,
                id(name),
                new TimeRange(
                        new Timestamp(0, TimestampUnit.MILLISECOND),
                        new Timestamp(Long.MAX_VALUE, TimestampUnit.NANOSECOND)),
                0,
                4_096,
                0,
                List.of(),
                List.of(),
                0,
                0,
                10,
                1,
                -1L,
                null,
                0,
                null,
                null);
    }

    public static FileMeta indexed(char name, long indexVersion) {
        return file(name).withIndexes(List.of(IndexKind.INVERTED), List.of(), 1, indexVersion);
    }

    public static RegionMetadata metadata(long regionId) {
        return new RegionMetadata(
                List.of(new ColumnMetadata(
                        "ts",
                        "{\"Timestamp\":{\"Millisecond\":null}}",
                        false,
                        true,
                        null,
                        "{}",
                        SemanticType.TIMESTAMP,
                        0)),
                List.of(),
                regionId,
                0,
                PrimaryKeyEncoding.DENSE,
                null);
    }

    /** @param version null for one that is being created */
    public static RegionRecord record(long regionId, long incarnation, RegionState state, Long version) {
        WriteInFlight write = null;
        if (version == null) {
            write = write(0, RegionWriteKind.CREATE);
        } else if (state.isTransient()) {
            write = write(version + 1, kind(state));
        }
        return new RegionRecord(
                regionId,
                incarnation,
                state.role(),
                state,
                "c-1",
                incarnation,
                version,
                metadata(regionId),
                SstFormat.PRIMARY_KEY,
                null,
                0,
                0,
                null,
                null,
                null,
                0,
                0,
                write);
    }

    private static WriteInFlight write(long version, RegionWriteKind kind) {
        return new WriteInFlight(version, kind, List.of(new WriteInFlight.Waiting("c-1", 0, "me")));
    }

    private static RegionWriteKind kind(RegionState state) {
        for (RegionWriteKind kind : RegionWriteKind.values()) {
            if (kind.transientState() == state) {
                return kind;
            }
        }
        throw new IllegalArgumentException("nothing leads to state " + state);
    }
}
