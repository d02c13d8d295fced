package io.sluice.schemas;

import io.sluice.schemas.Samples.Sample;
import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.Admission;
import io.sluice.schemas.region.AlterRegion;
import io.sluice.schemas.region.ColumnIndexes;
import io.sluice.schemas.region.ColumnMetadata;
import io.sluice.schemas.region.CompactRegion;
import io.sluice.schemas.region.ConfirmDeleted;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.DiscardUnflushed;
import io.sluice.schemas.region.DropRegion;
import io.sluice.schemas.region.EditRegion;
import io.sluice.schemas.region.FileIds;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.ImportRegion;
import io.sluice.schemas.region.IndexKind;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestChunk;
import io.sluice.schemas.region.ManifestCodec;
import io.sluice.schemas.region.ManifestReport;
import io.sluice.schemas.region.ManifestReportCodec;
import io.sluice.schemas.region.ManifestWriteKind;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.PrimaryKeyEncoding;
import io.sluice.schemas.region.PublishIndex;
import io.sluice.schemas.region.QueuedCommand;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionCommandCodec;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RegionStateRecord;
import io.sluice.schemas.region.RegionWriteKind;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.schemas.region.SemanticType;
import io.sluice.schemas.region.SetRegionRole;
import io.sluice.schemas.region.SstFormat;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.Timestamp;
import io.sluice.schemas.region.TimestampUnit;
import io.sluice.schemas.region.TruncateRegion;
import io.sluice.schemas.region.WriteInFlight;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** The samples of regions and their manifests. Immutable. */
public final class RegionSamples {
    /** The region of docs/formats.md, section 15. */
    public static final long REGION = 8_796_093_022_211L;

    public static final UUID LOW_FILE = UUID.fromString("00000000-0000-4000-8000-00000000000a");
    /** Its halves are negative numbers. */
    public static final UUID HIGH_FILE = UUID.fromString("ffffffff-ffff-ffff-ffff-ffffffffffff");

    private static final long ISSUED = 1_782_886_200_000_000_000L;
    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    private RegionSamples() {}

    static List<Sample> all(SingleObject singleObject) {
        RegionRecordCodec records = new RegionRecordCodec(singleObject);
        ManifestCodec manifests = new ManifestCodec(singleObject);
        List<Sample> all = new ArrayList<>();
        all.addAll(commands(singleObject));
        all.addAll(reports(singleObject));
        all.addAll(List.of(
                new Sample(
                        "RegionRecord",
                        regionRecord(),
                        v -> RegionRecordCodec.encode((RegionRecord) v),
                        records::decodeRecord),
                new Sample(
                        "RegionRecord-minimal",
                        minimalRegionRecord(),
                        v -> RegionRecordCodec.encode((RegionRecord) v),
                        records::decodeRecord),
                new Sample("FileMeta", file(), v -> RegionRecordCodec.encode((FileMeta) v), records::decodeFile),
                new Sample(
                        "FileMeta-minimal",
                        minimalFile(),
                        v -> RegionRecordCodec.encode((FileMeta) v),
                        records::decodeFile),
                new Sample(
                        "RemovedFilesRow",
                        removedFiles(),
                        v -> RegionRecordCodec.encode((RemovedFiles) v),
                        records::decodeRemoved),
                new Sample(
                        "QueuedCommand",
                        new QueuedCommand(flushRegion(), Long.MAX_VALUE),
                        v -> RegionRecordCodec.encode((QueuedCommand) v),
                        records::decodeQueued),
                new Sample(
                        "RegionStateRecord",
                        new RegionStateRecord(
                                Samples.U64_MAX,
                                "DOWNGRADING",
                                Admission.REJECT,
                                Long.MAX_VALUE,
                                Samples.ABOVE_2_63,
                                Samples.U64_MAX),
                        v -> RegionRecordCodec.encode((RegionStateRecord) v),
                        records::decodeState),
                new Sample(
                        "ManifestWriteOrder",
                        new ManifestWriteOrder(
                                Samples.U64_MAX,
                                Long.MAX_VALUE,
                                "r-1",
                                Samples.ABOVE_2_63,
                                ManifestWriteKind.DELTA,
                                actions()),
                        v -> ManifestCodec.encode((ManifestWriteOrder) v),
                        manifests::decodeOrder),
                new Sample(
                        "ManifestWriteOrder-drop",
                        new ManifestWriteOrder(0, 1, "r-7", 0, ManifestWriteKind.DROP, List.of()),
                        v -> ManifestCodec.encode((ManifestWriteOrder) v),
                        manifests::decodeOrder),
                new Sample(
                        "ManifestChunk",
                        new ManifestChunk(
                                Samples.U64_MAX,
                                Long.MAX_VALUE,
                                Samples.ABOVE_2_63,
                                "r-1",
                                Integer.MAX_VALUE,
                                true,
                                true,
                                actions()),
                        v -> ManifestCodec.encode((ManifestChunk) v),
                        manifests::decodeChunk)));
        return all;
    }

    private static List<Sample> commands(SingleObject singleObject) {
        RegionCommandCodec codec = new RegionCommandCodec(singleObject);
        List<Sample> samples = new ArrayList<>();
        for (RegionCommand command : allCommands()) {
            samples.add(command(command.getClass().getSimpleName(), command, codec));
        }
        samples.add(command("CreateRegion-minimal", minimalCreateRegion(), codec));
        samples.add(command("TruncateRegion-files", truncate(new TruncateRegion.What.Files(files())), codec));
        samples.add(command("TruncateRegion-times", truncate(new TruncateRegion.What.TimeRanges(times())), codec));
        return samples;
    }

    private static Sample command(String name, RegionCommand command, RegionCommandCodec codec) {
        return new Sample(name, command, v -> RegionCommandCodec.encode((RegionCommand) v), codec::decode);
    }

    private static List<Sample> reports(SingleObject singleObject) {
        ManifestReportCodec codec = new ManifestReportCodec(singleObject);
        return List.of(
                new Sample(
                        "ManifestWritten",
                        new ManifestReport.ManifestWritten(Samples.U64_MAX, "r-1", Samples.ABOVE_2_63),
                        v -> ManifestReportCodec.encode((ManifestReport) v),
                        codec::decode),
                new Sample(
                        "ManifestWriteFailed",
                        new ManifestReport.ManifestWriteFailed(
                                Samples.ABOVE_2_63, "r-2", Samples.U64_MAX, "no space left on device"),
                        v -> ManifestReportCodec.encode((ManifestReport) v),
                        codec::decode));
    }

    /** One command of each kind. */
    public static List<RegionCommand> allCommands() {
        return List.of(
                new CreateRegion(
                        envelope("r-1"),
                        Samples.U64_MAX,
                        metadata(),
                        SstFormat.FLAT,
                        true,
                        Samples.ABOVE_2_63,
                        RegionRole.FOLLOWER),
                new AlterRegion(envelope("r-2"), Samples.U64_MAX, metadata(), SstFormat.PRIMARY_KEY, false),
                editRegion(),
                flushRegion(),
                new CompactRegion(
                        envelope("r-5"),
                        Samples.U64_MAX,
                        List.of(file()),
                        List.of(minimalFile(), file()),
                        Duration.ofDays(1)),
                truncate(new TruncateRegion.What.All(Samples.U64_MAX, Samples.ABOVE_2_63)),
                new DropRegion(envelope("r-7"), Samples.U64_MAX),
                new SetRegionRole(envelope("r-8"), Samples.U64_MAX, RegionRole.STAGING_LEADER),
                new PublishIndex(
                        envelope("r-9"),
                        Samples.U64_MAX,
                        file(),
                        Samples.ABOVE_2_63,
                        List.of(IndexKind.values()),
                        List.of(new ColumnIndexes(U32.MAX, List.of(IndexKind.VECTOR))),
                        Samples.U64_MAX,
                        Samples.ABOVE_2_63),
                new DiscardUnflushed(envelope("r-10"), Samples.U64_MAX, Samples.ABOVE_2_63, Samples.U64_MAX),
                new ConfirmDeleted(
                        envelope("r-11"),
                        Samples.U64_MAX,
                        Set.of(
                                new RemovedFile.DataFile(new UUID(1, 2), Samples.U64_MAX),
                                new RemovedFile.DataFile(new UUID(1, 3), null),
                                new RemovedFile.IndexFile(new UUID(1, 2), Samples.ABOVE_2_63))),
                new ImportRegion(envelope("r-12"), Samples.U64_MAX, manifest(), RegionRole.FOLLOWER, true));
    }

    /** Only what has to be said. */
    public static CreateRegion minimalCreateRegion() {
        return new CreateRegion(
                new CommandEnvelope(U64.text(REGION), "r-0", 0),
                REGION,
                minimalMetadata(),
                null,
                null,
                0,
                RegionRole.LEADER);
    }

    public static EditRegion editRegion() {
        return new EditRegion(envelope("r-3"), Samples.U64_MAX, List.of(file(), minimalFile()), List.of(), null);
    }

    public static FlushRegion flushRegion() {
        return new FlushRegion(
                envelope("r-4"),
                Samples.U64_MAX,
                List.of(file()),
                List.of(minimalFile()),
                LONGEST,
                Samples.ABOVE_2_63,
                Samples.U64_MAX,
                0L);
    }

    public static FileMeta file() {
        return new FileMeta(
                Samples.ABOVE_2_63,
                HIGH_FILE,
                new TimeRange(
                        new Timestamp(Long.MIN_VALUE, TimestampUnit.SECOND),
                        new Timestamp(Long.MAX_VALUE, TimestampUnit.NANOSECOND)),
                2,
                Samples.U64_MAX,
                Samples.ABOVE_2_63,
                List.of(IndexKind.VECTOR, IndexKind.INVERTED),
                List.of(
                        new ColumnIndexes(U32.MAX, List.of(IndexKind.FULLTEXT, IndexKind.BLOOM_FILTER)),
                        new ColumnIndexes(0, List.of())),
                Samples.U64_MAX,
                Samples.ABOVE_2_63,
                Samples.U64_MAX,
                Samples.ABOVE_2_63,
                Samples.U64_MAX,
                "{\"Expr\":{\"lhs\":{\"Column\":\"流\"},\"op\":\"Lt\",\"rhs\":{\"Value\":{\"Int64\":7}}}}",
                Samples.ABOVE_2_63,
                "AA==",
                "/+8=");
    }

    public static FileMeta minimalFile() {
        return new FileMeta(
                0,
                LOW_FILE,
                new TimeRange(new Timestamp(0, TimestampUnit.MILLISECOND), new Timestamp(0, TimestampUnit.MICROSECOND)),
                0,
                0,
                0,
                List.of(),
                List.of(),
                0,
                0,
                0,
                0,
                null,
                null,
                0,
                null,
                null);
    }

    public static RegionMetadata metadata() {
        return new RegionMetadata(
                List.of(
                        new ColumnMetadata(
                                "site",
                                "{\"String\":{\"size_type\":\"Utf8\"}}",
                                true,
                                false,
                                "{\"Value\":{\"String\":\"流\"}}",
                                "{}",
                                SemanticType.TAG,
                                0),
                        new ColumnMetadata(
                                "watts",
                                "{\"Float64\":{}}",
                                true,
                                false,
                                null,
                                "{\"comment\":\"\\ud83d\\ude00\"}",
                                SemanticType.FIELD,
                                U32.MAX),
                        new ColumnMetadata(
                                "at",
                                "{\"Timestamp\":{\"Millisecond\":null}}",
                                false,
                                true,
                                "{\"Function\":\"now()\"}",
                                "{\"greptime:time_index\":\"true\"}",
                                SemanticType.TIMESTAMP,
                                2)),
                List.of(U32.MAX, 0L),
                Samples.U64_MAX,
                Samples.ABOVE_2_63,
                PrimaryKeyEncoding.SPARSE,
                "");
    }

    public static RegionMetadata minimalMetadata() {
        return new RegionMetadata(
                List.of(new ColumnMetadata(
                        "at", "{\"Timestamp\":{\"Second\":null}}", false, true, null, "{}", SemanticType.TIMESTAMP, 0)),
                List.of(),
                REGION,
                0,
                PrimaryKeyEncoding.DENSE,
                null);
    }

    /** In a transient state, with merged edits in flight. */
    public static RegionRecord regionRecord() {
        return new RegionRecord(
                Samples.U64_MAX,
                Long.MAX_VALUE,
                RegionRole.LEADER,
                RegionState.EDITING,
                "r-3",
                Long.MAX_VALUE,
                Samples.ABOVE_2_63,
                metadata(),
                SstFormat.FLAT,
                true,
                Samples.U64_MAX,
                Samples.ABOVE_2_63,
                Samples.U64_MAX,
                Samples.ABOVE_2_63,
                LONGEST,
                Long.MAX_VALUE,
                128,
                new WriteInFlight(
                        Samples.ABOVE_2_63 + 1,
                        RegionWriteKind.EDIT,
                        List.of(
                                new WriteInFlight.Waiting("r-3", ISSUED, "alice"),
                                new WriteInFlight.Waiting("r-30", Long.MIN_VALUE, "kafka"))));
    }

    /** Only being created. */
    public static RegionRecord minimalRegionRecord() {
        return new RegionRecord(
                REGION,
                1,
                RegionRole.FOLLOWER,
                RegionState.READ_ONLY,
                "r-0",
                1,
                null,
                minimalMetadata(),
                SstFormat.PRIMARY_KEY,
                null,
                0,
                0,
                null,
                null,
                null,
                0,
                0,
                new WriteInFlight(
                        0,
                        RegionWriteKind.CREATE,
                        List.of(new WriteInFlight.Waiting("r-0", 0, CommandEnvelope.KAFKA))));
    }

    private static RegionManifest manifest() {
        SortedMap<UUID, FileMeta> files = new TreeMap<>(FileIds.ORDER);
        files.put(file().fileId(), file());
        return new RegionManifest(
                metadata(),
                files,
                List.of(removedFiles()),
                Samples.U64_MAX,
                Samples.ABOVE_2_63,
                3L,
                Samples.U64_MAX,
                4L,
                Duration.ofDays(1),
                SstFormat.FLAT,
                true);
    }

    public static RemovedFiles removedFiles() {
        return new RemovedFiles(
                Long.MIN_VALUE,
                Set.of(
                        new RemovedFile.DataFile(HIGH_FILE, Samples.U64_MAX),
                        new RemovedFile.DataFile(LOW_FILE, null),
                        new RemovedFile.IndexFile(LOW_FILE, 7),
                        new RemovedFile.IndexFile(LOW_FILE, Samples.ABOVE_2_63)));
    }

    /** One action of each kind, and the emptiest of the kinds that may be empty. */
    public static List<ManifestAction> actions() {
        return List.of(
                new ManifestAction.Change(metadata(), SstFormat.FLAT, false),
                new ManifestAction.Change(minimalMetadata(), SstFormat.PRIMARY_KEY, null),
                new ManifestAction.PartitionExprChange(""),
                new ManifestAction.PartitionExprChange(null),
                new ManifestAction.Edit(
                        List.of(file()),
                        List.of(minimalFile()),
                        Long.MIN_VALUE,
                        LONGEST,
                        Samples.U64_MAX,
                        Samples.ABOVE_2_63,
                        0L),
                new ManifestAction.Edit(List.of(), List.of(), null, null, null, null, null),
                new ManifestAction.Remove(Samples.U64_MAX),
                new ManifestAction.TruncateAll(Samples.U64_MAX, Samples.ABOVE_2_63, Samples.U64_MAX, Long.MAX_VALUE),
                new ManifestAction.TruncatePartial(Samples.ABOVE_2_63, List.of(file()), null));
    }

    private static TruncateRegion truncate(TruncateRegion.What what) {
        return new TruncateRegion(envelope("r-6"), Samples.U64_MAX, what);
    }

    private static List<UUID> files() {
        return List.of(HIGH_FILE, LOW_FILE);
    }

    private static List<TimeRange> times() {
        return List.of(file().timeRange(), minimalFile().timeRange());
    }

    private static CommandEnvelope envelope(String commandId) {
        return new CommandEnvelope(U64.text(Samples.U64_MAX), commandId, ISSUED, "alice");
    }
}
