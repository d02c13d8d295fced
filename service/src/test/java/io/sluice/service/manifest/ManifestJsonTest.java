package io.sluice.service.manifest;

import static io.sluice.service.manifest.TestManifests.REGION;
import static io.sluice.service.manifest.TestManifests.text;
import static io.sluice.service.manifest.TestManifests.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.region.ColumnIndexes;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.IndexKind;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.ManifestAction.PartitionExprChange;
import io.sluice.schemas.region.ManifestAction.Remove;
import io.sluice.schemas.region.ManifestAction.TruncateAll;
import io.sluice.schemas.region.ManifestAction.TruncatePartial;
import io.sluice.schemas.region.PrimaryKeyEncoding;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.schemas.region.SstFormat;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.Timestamp;
import io.sluice.schemas.region.TimestampUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read, what is refused and how, and the old shapes of docs/formats.md, section 14. */
class ManifestJsonTest {
    private static final String ID = "a0000000-0000-4000-8000-00000000000a";
    private static final UUID UUID_OF_ID = UUID.fromString(ID);

    private static final String COLUMN = """
            {"column_schema":{"name":"at","data_type":{"Timestamp":{"Millisecond":null}},"is_nullable":false,\
            "is_time_index":true,"default_constraint":null,"metadata":{}},"semantic_type":"Timestamp","column_id":0}""";
    private static final String METADATA = "{\"column_metadatas\":[" + COLUMN
            + "],\"primary_key\":[],\"region_id\":8796093022211,\"schema_version\":0,\"primary_key_encoding\":\"sparse\",\"partition_expr\":\"\"}";
    private static final String EDIT = """
            {"files_to_add":[],"files_to_remove":[],"timestamp_ms":1,"compaction_time_window":null,\
            "flushed_entry_id":2,"flushed_sequence":3,"committed_sequence":4}""";
    private static final String MANIFEST = """
            {"metadata":%s,"files":{},"removed_files":{"removed_files":[]},"flushed_entry_id":1,"flushed_sequence":2,\
            "committed_sequence":3,"manifest_version":5,"truncated_entry_id":4,"compaction_time_window":"1h",\
            "sst_format":"flat","append_mode":true}""".formatted(METADATA);

    private static ManifestAction action(String json) {
        return DeltaJson.read(utf8("{\"actions\":[" + json + "]}"), 1, "1.json")
                .actions()
                .get(0);
    }

    private static FileMeta added(String json) {
        return ((Edit) action("{\"Edit\":" + with(EDIT, "files_to_add", "[" + json + "]") + "}"))
                .filesToAdd()
                .get(0);
    }

    private static RegionManifest manifest(String json) {
        return CheckpointJson.read(
                        utf8("{\"last_version\":5,\"compacted_actions\":6,\"checkpoint\":" + json + "}"), "c")
                .state();
    }

    /** The JSON with another value for a field; without the field when that is null. */
    private static String with(String json, String field, String value) {
        String regex = ",?\"" + field + "\":(\\{(\"removed_files\":)?[^{}]*\\}|\\[[^\\[\\]]*\\]|\"[^\"]*\"|[^,}]*)";
        String rest = json.replaceFirst(regex, "").replaceFirst("\\{,", "{");
        return value == null ? rest : rest.substring(0, rest.length() - 1) + ",\"" + field + "\":" + value + "}";
    }

    private static void assertRefused(Runnable reading, String... parts) {
        assertThatThrownBy(reading::run)
                .isInstanceOf(UndecodableException.class)
                .message()
                .contains(parts);
    }

    // Old shapes (section 14), by their number.

    @Test
    void old8_PointerWithTextChecksumAndWithoutExtendMetadata() {
        assertThat(PointerJson.read(utf8("{\"size\":1,\"version\":2,\"checksum\":\"3421780262\"}"), "p"))
                .satisfies(pointer -> {
                    assertThat(pointer.checksum()).isEqualTo(3_421_780_262L);
                    assertThat(pointer.oddChecksum()).isNull();
                    assertThat(pointer.extendMetadata()).isEmpty();
                });
        assertThat(PointerJson.read(
                        utf8("{\"size\":1,\"version\":2,\"checksum\":\"md5:x\",\"extend_metadata\":null}"), "p"))
                .satisfies(pointer -> {
                    assertThat(pointer.checksum()).isNull();
                    assertThat(pointer.oddChecksum()).isEqualTo("md5:x");
                });
        assertThat(PointerJson.read(utf8("{\"size\":1,\"version\":2,\"checksum\":\"4294967296\"}"), "p")
                        .oddChecksum())
                .isEqualTo("4294967296");
        assertThat(PointerJson.read(utf8("{\"size\":1,\"version\":2,\"checksum\":null}"), "p")
                        .checksum())
                .isNull();
        assertThat(PointerJson.read(utf8("{\"size\":1,\"version\":2,\"checksum\":0}"), "p")
                        .checksum())
                .isZero();
    }

    @Test
    void old9_ChangeWithoutSstFormatAndAppendMode() {
        Change change = (Change) action("{\"Change\":{\"metadata\":" + METADATA + "}}");
        assertThat(change.sstFormat()).isEqualTo(SstFormat.PRIMARY_KEY);
        assertThat(change.appendMode()).isNull();
    }

    @Test
    void old10_EditWithoutTimestampAndSequences() {
        assertThat(
                        action(
                                "{\"Edit\":{\"files_to_add\":[],\"files_to_remove\":[],\"compaction_time_window\":null,\"flushed_entry_id\":null}}"))
                .isEqualTo(new Edit(List.of(), List.of(), null, null, null, null, null));
    }

    @Test
    void old11_TruncateWithoutFilesAndTimestamp() {
        assertThat(action("{\"Truncate\":{\"region_id\":1,\"truncated_entry_id\":2,\"truncated_sequence\":3}}"))
                .isEqualTo(new TruncateAll(1, 2, 3, null));
    }

    @Test
    void old12_TheOldestManifest() {
        RegionManifest manifest = manifest(
                "{\"metadata\":" + METADATA
                        + ",\"files\":{},\"flushed_entry_id\":1,\"flushed_sequence\":2,\"manifest_version\":5,\"compaction_time_window\":null}");
        assertThat(manifest.removedFiles()).isEmpty();
        assertThat(manifest.committedSequence()).isNull();
        assertThat(manifest.truncatedEntryId()).isNull();
        assertThat(manifest.compactionTimeWindow()).isNull();
        assertThat(manifest.sstFormat()).isEqualTo(SstFormat.PRIMARY_KEY);
        assertThat(manifest.appendMode()).isNull();
    }

    @Test
    void old13_RemovedFilesAsBareIdsAndFileIds() {
        RegionManifest manifest = manifest(with(
                MANIFEST,
                "removed_files",
                "{\"removed_files\":[{\"removed_at\":7,\"files\":[\"" + ID + "\",{\"File\":[\"" + ID
                        + "\",18446744073709551615]},{\"Index\":[\"" + ID
                        + "\",1]},{\"File\":[\"" + ID + "\",null]}]},{\"removed_at\":8,\"file_ids\":[\"" + ID
                        + "\"]}]}"));
        assertThat(manifest.removedFiles())
                .containsExactly(
                        new RemovedFiles(
                                7,
                                Set.of(
                                        new DataFile(UUID_OF_ID, null),
                                        new DataFile(UUID_OF_ID, -1L),
                                        new IndexFile(UUID_OF_ID, 1))),
                        new RemovedFiles(8, Set.of()));
        assertThat(text(CheckpointJson.write(new Checkpoint(5, 6, manifest))))
                .contains("{\"removed_files\":[{\"removed_at\":7,\"files\":[{\"File\":[\"" + ID
                        + "\",null]},{\"File\":[\""
                        + ID + "\",18446744073709551615]},{\"Index\":[\"" + ID
                        + "\",1]}]},{\"removed_at\":8,\"files\":[]}]}");
    }

    @Test
    void old14_FileWithFiveFields() {
        FileMeta file = added(
                "{\"region_id\":1,\"file_id\":\"" + ID
                        + "\",\"time_range\":[{\"value\":-1,\"unit\":\"Second\"},{\"value\":2,\"unit\":\"Nanosecond\"}],\"level\":1,\"file_size\":9}");
        assertThat(file)
                .isEqualTo(new FileMeta(
                        1,
                        UUID_OF_ID,
                        new TimeRange(
                                new Timestamp(-1, TimestampUnit.SECOND), new Timestamp(2, TimestampUnit.NANOSECOND)),
                        1,
                        9,
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
                        null));
    }

    @Test
    void old15_MetadataWithoutEncodingAndPartitionExprAndWithTheOldStringType() {
        String old = METADATA.replace(",\"primary_key_encoding\":\"sparse\",\"partition_expr\":\"\"", "")
                .replace("{\"Timestamp\":{\"Millisecond\":null}}", "{\"String\":null}");
        Change change = (Change) action("{\"Change\":{\"metadata\":" + old + "}}");
        assertThat(change.metadata().primaryKeyEncoding()).isEqualTo(PrimaryKeyEncoding.DENSE);
        assertThat(change.metadata().partitionExpr()).isNull();
        assertThat(change.metadata().columns().get(0).dataType()).isEqualTo("{\"String\":null}");
    }

    @Test
    void old16_RegionIdAsText() {
        assertThat(action("{\"Remove\":{\"region_id\":\"18446744069414584330\"}}"))
                .isEqualTo(new Remove(Long.parseUnsignedLong("18446744069414584330")));
        assertThat(added("{\"region_id\":\"8796093022211\",\"file_id\":\"" + ID + "\"}")
                        .regionId())
                .isEqualTo(REGION);
    }

    // Defaults, null, required.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "metadata",
                "files",
                "flushed_entry_id",
                "flushed_sequence",
                "manifest_version",
                "compaction_time_window"
            })
    void aManifestNeeds(String field) {
        String json = field.equals("metadata")
                ? MANIFEST.replace("\"metadata\":" + METADATA + ",", "")
                : with(MANIFEST, field, null);
        assertRefused(() -> manifest(json), "c: checkpoint." + field, "is missing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "files",
                "removed_files",
                "flushed_entry_id",
                "flushed_sequence",
                "manifest_version",
                "sst_format"
            })
    void inAManifestNullIsNotMissing(String field) {
        assertRefused(() -> manifest(with(MANIFEST, field, "null")), "c: checkpoint." + field + " is null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"committed_sequence", "truncated_entry_id", "compaction_time_window", "append_mode"})
    void inAManifestNullMayBe(String field) {
        assertThat(manifest(with(MANIFEST, field, "null"))).isNotNull();
    }

    @Test
    void removedFilesThatAreThereNeedTheirList() {
        assertRefused(
                () -> manifest(with(MANIFEST, "removed_files", "{}")),
                "c: checkpoint.removed_files.removed_files is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"files_to_add", "files_to_remove", "compaction_time_window"})
    void anEditNeeds(String field) {
        assertRefused(
                () -> action("{\"Edit\":" + with(EDIT, field, null) + "}"),
                "1.json: actions[0].Edit." + field + " is missing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "timestamp_ms",
                "compaction_time_window",
                "flushed_entry_id",
                "flushed_sequence",
                "committed_sequence"
            })
    void inAnEditNullMayBe(String field) {
        assertThat(action("{\"Edit\":" + with(EDIT, field, "null") + "}")).isInstanceOf(Edit.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"last_version", "compacted_actions"})
    void aCheckpointNeeds(String field) {
        String json = "{\"last_version\":5,\"compacted_actions\":6,\"checkpoint\":null}";
        assertThat(CheckpointJson.read(utf8(json), "c").state()).isNull();
        assertThat(CheckpointJson.read(utf8(with(json, "checkpoint", null)), "c"))
                .isEqualTo(new Checkpoint(5, 6, null));
        assertRefused(() -> CheckpointJson.read(utf8(with(json, field, null)), "c"), "c: " + field + " is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"size", "version"})
    void aPointerNeeds(String field) {
        String json = "{\"size\":1,\"version\":2}";
        assertRefused(() -> PointerJson.read(utf8(with(json, field, null)), "p"), "p: " + field + " is missing");
        assertRefused(() -> PointerJson.read(utf8(with(json, field, "null")), "p"), "p: " + field + " is null");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name",
                "data_type",
                "is_nullable",
                "is_time_index",
                "metadata",
                "semantic_type",
                "column_id",
                "column_metadatas",
                "primary_key",
                "region_id",
                "schema_version"
            })
    void metadataNeeds(String field) {
        String json = field.equals("column_metadatas")
                ? METADATA.replace("\"column_metadatas\":[" + COLUMN + "],", "")
                : field.equals("data_type")
                        ? METADATA.replace("\"data_type\":{\"Timestamp\":{\"Millisecond\":null}},", "")
                        : with(METADATA, field, null);
        assertRefused(() -> action("{\"Change\":{\"metadata\":" + json + "}}"), field + " is missing");
    }

    @Test
    void aDefaultConstraintMayBeMissing() {
        String json = METADATA.replace("\"default_constraint\":null,", "");
        assertThat(((Change) action("{\"Change\":{\"metadata\":" + json + "}}"))
                        .metadata()
                        .columns()
                        .get(0)
                        .defaultConstraint())
                .isNull();
    }

    @Test
    void aPartitionExprThatIsEmptyIsNotOneThatWasNeverSet() {
        Change empty = (Change) action("{\"Change\":{\"metadata\":" + METADATA + "}}");
        assertThat(empty.metadata().partitionExpr()).isEmpty();
        Change none = (Change) action("{\"Change\":{\"metadata\":" + with(METADATA, "partition_expr", "null") + "}}");
        assertThat(none.metadata().partitionExpr()).isNull();
        assertThat(action("{\"PartitionExprChange\":{}}")).isEqualTo(new PartitionExprChange(null));
        assertThat(action("{\"PartitionExprChange\":{\"partition_expr\":\"\"}}"))
                .isEqualTo(new PartitionExprChange(""));
    }

    @Test
    void everyFieldOfAFileMayBeMissingButTheIdOfOneToBeAdded() {
        assertRefused(() -> added("{}"), "1.json: actions[0].Edit.files_to_add[0].file_id is missing");
        assertRefused(
                () -> added("{\"file_id\":\"00000000-0000-0000-0000-000000000000\"}"),
                "1.json: actions[0].Edit.files_to_add[0].file_id is \"00000000-0000-0000-0000-000000000000\"");
        FileMeta removed = ((Edit) action("{\"Edit\":" + with(EDIT, "files_to_remove", "[{}]") + "}"))
                .filesToRemove()
                .get(0);
        assertThat(removed.fileId()).isEqualTo(new UUID(0, 0));
        assertThat(removed.timeRange())
                .isEqualTo(new TimeRange(
                        new Timestamp(0, TimestampUnit.MILLISECOND), new Timestamp(0, TimestampUnit.MILLISECOND)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "sequence|0",
                "sequence|\"1\"",
                "level|256",
                "level|null",
                "file_size|null",
                "file_size|-1",
                "file_size|1.0",
                "file_size|1e3",
                "file_size|18446744073709551616",
                "file_id|\"1-1-1-1-1\"",
                "file_id|null",
                "available_indexes|[\"NewIndex\"]",
                "available_indexes|null",
                "indexes|[{\"column_id\":4294967296}]",
                "time_range|[{\"value\":1,\"unit\":\"Second\"}]",
                "time_range|null",
                "primary_key_min|null",
                "primary_key_min|\"a\"",
                "primary_key_min|\"YQ\"",
                "partition_expr|1",
                "region_id|\"01\"",
                "region_id|1.0"
            })
    void inAFileIsRefused(String field, String value) {
        String json = "{\"file_id\":\"" + ID + "\",\"" + field + "\":" + value + "}";
        String shown = field.equals("file_id") ? "{\"file_id\":" + value + "}" : json;
        assertRefused(() -> added(shown), "1.json: actions[0].Edit.files_to_add[0]." + field);
    }

    @Test
    void aTimestampNeedsBothItsFields() {
        assertRefused(
                () -> added("{\"file_id\":\"" + ID + "\",\"time_range\":[{\"value\":1},{\"value\":1}]}"),
                "files_to_add[0].time_range[0].unit is missing");
    }

    @Test
    void aFileKeepsWhatIsBeyondSignedRange() {
        String json = "{\"region_id\":18446744069414584330,\"file_id\":\"" + ID
                + "\",\"time_range\":[{\"value\":-9223372036854775808,\"unit\":\"Second\"},{\"value\":9223372036854775807,\"unit\":\"Microsecond\"}],"
                + "\"level\":2,\"file_size\":18446744073709551615,\"max_row_group_uncompressed_size\":9223372036854775808,"
                + "\"available_indexes\":[\"InvertedIndex\",\"FulltextIndex\",\"BloomFilterIndex\",\"VectorIndex\"],"
                + "\"indexes\":[{\"column_id\":4294967295,\"created_indexes\":[\"BloomFilterIndex\"]}],"
                + "\"index_file_size\":1,\"index_version\":18446744073709551615,\"num_rows\":2,\"num_row_groups\":3,"
                + "\"sequence\":18446744073709551615,\"partition_expr\":\"{\\\"a\\\":1}\",\"num_series\":4,"
                + "\"primary_key_min\":\"YQ==\",\"primary_key_max\":\"YWI=\"}";
        FileMeta file = added(json);
        assertThat(file.sequence()).isEqualTo(-1L);
        assertThat(file.indexes()).containsExactly(new ColumnIndexes(4_294_967_295L, List.of(IndexKind.BLOOM_FILTER)));
        assertThat(text(DeltaJson.write(TestManifests.delta(1, TestManifests.edit(List.of(file), List.of())))))
                .contains("\"files_to_add\":[" + json + "]");
    }

    @Test
    void anEmptyPartitionExprOfAFileIsNone() {
        assertThat(added("{\"file_id\":\"" + ID + "\",\"partition_expr\":\"\"}").partitionExpr())
                .isNull();
    }

    @Test
    void inAManifestTheKeyIsTheFilesId() {
        String other = "b0000000-0000-4000-8000-00000000000b";
        assertThat(manifest(with(MANIFEST, "files", "{\"" + ID + "\":{}}"))
                        .files()
                        .get(UUID_OF_ID)
                        .fileId())
                .isEqualTo(UUID_OF_ID);
        assertRefused(
                () -> manifest(
                        MANIFEST.replace("\"files\":{}", "\"files\":{\"" + ID + "\":{\"file_id\":\"" + other + "\"}}")),
                "c: checkpoint.files." + ID + ".file_id");
        assertRefused(
                () -> manifest(MANIFEST.replace("\"files\":{}", "\"files\":{\"1\":{}}")), "c: checkpoint.files.1");
        assertRefused(
                () -> manifest(MANIFEST.replace(
                        "\"files\":{}",
                        "\"files\":{\"" + ID + "\":{},\"" + ID.toUpperCase(java.util.Locale.ROOT) + "\":{}}")),
                "allowed is each file once");
    }

    // Truncate.

    @Test
    void truncateIsPartialWithFilesAlone() {
        assertThat(action("{\"Truncate\":{\"region_id\":1,\"files_to_remove\":[],\"timestamp_ms\":5}}"))
                .isEqualTo(new TruncatePartial(1, List.of(), 5L));
    }

    @Test
    void truncateIsWholeWithBothMarksEvenIfThereAreFiles() {
        assertThat(
                        action(
                                "{\"Truncate\":{\"region_id\":1,\"truncated_entry_id\":2,\"truncated_sequence\":3,\"files_to_remove\":[{}],\"timestamp_ms\":4}}"))
                .isEqualTo(new TruncateAll(1, 2, 3, 4L));
    }

    @Test
    void truncateIsPartialWithOneMark() {
        assertThat(action("{\"Truncate\":{\"region_id\":1,\"truncated_entry_id\":2,\"files_to_remove\":[]}}"))
                .isInstanceOf(TruncatePartial.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"region_id\":1}",
                "{\"region_id\":1,\"truncated_entry_id\":2}",
                "{\"region_id\":1,\"kind\":{\"All\":{\"truncated_entry_id\":2,\"truncated_sequence\":3}}}"
            })
    void truncateOfNeitherKindIsRefused(String json) {
        assertRefused(() -> action("{\"Truncate\":" + json + "}"), "1.json: actions[0].Truncate");
    }

    // JSON itself.

    @Test
    void anyOrderAndWhiteSpaceIsReadAndUnknownFieldsAreSkipped() {
        assertThat(
                        action(
                                " { \"Truncate\" : {\"zz\":[{\"a\":1.5e3}],\n\"truncated_sequence\":3 ,\t\"truncated_entry_id\":2,\"region_id\":1 } } "))
                .isEqualTo(new TruncateAll(1, 2, 3, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"actions\":[],\"actions\":[]}",
                "{\"actions\":[],\"zz\":{\"a\":1,\"a\":2}}",
                "{\"actions\":[{\"Remove\":{\"region_id\":1,\"region_id\":1}}]}"
            })
    void aFieldGivenTwiceIsRefused(String json) {
        assertRefused(() -> DeltaJson.read(utf8(json), 1, "1.json"), "1.json: ", "is given twice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "1",
                "null",
                "{\"actions\":[]",
                "{\"actions\":[]}{}",
                "{\"actions\":[],}",
                "{\"actions\":[\"Remove\"]}",
                "{\"actions\":[{}]}",
                "{\"actions\":[{\"Move\":{}}]}",
                "{\"actions\":[{\"Remove\":{\"region_id\":1},\"Truncate\":{}}]}",
                "{\"actions\":null}",
                "{\"zz\":\"\\ud800\"}",
                "\ufeff{\"actions\":[]}"
            })
    void whatIsNoDeltaIsRefused(String json) {
        assertRefused(() -> DeltaJson.read(utf8(json), 1, "1.json"), "1.json");
    }

    @Test
    void bytesThatAreNoTextAreRefused() {
        assertRefused(
                () -> DeltaJson.read(new byte[] {'{', (byte) 0xff, '}'}, 1, "1.json"),
                "1.json: the JSON is no UTF-8 text");
    }

    @Test
    void deepNestingIsRefusedAndNoOverflow() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        assertRefused(
                () -> DeltaJson.read(utf8("{\"zz\":" + deep + "}"), 1, "1.json"),
                "1.json: the JSON is nested too deeply");
    }

    @Test
    void typesDefaultsAndMetadataOfColumnsAreKeptAsTheyCame() {
        String column = COLUMN.replace(
                        "{\"Timestamp\":{\"Millisecond\":null}}", "{ \"Z\" : [1.50, 1E+3, -0, \"a \\u0041\\/ {\"] }")
                .replace(
                        "\"default_constraint\":null",
                        "\"default_constraint\":\n{\"Value\":{\"Float64\":0.10000000000000000001}}")
                .replace("\"metadata\":{}", "\"metadata\":{\"b\":\" x \",\"a\":\"\"}");
        Change change = (Change) action("{\"Change\":{\"metadata\":" + METADATA.replace(COLUMN, column) + "}}");
        assertThat(change.metadata().columns().get(0)).satisfies(kept -> {
            assertThat(kept.dataType()).isEqualTo("{\"Z\":[1.50,1E+3,-0,\"a \\u0041\\/ {\"]}");
            assertThat(kept.defaultConstraint()).isEqualTo("{\"Value\":{\"Float64\":0.10000000000000000001}}");
            assertThat(kept.metadata()).isEqualTo("{\"b\":\" x \",\"a\":\"\"}");
        });
        assertThat(text(DeltaJson.write(TestManifests.delta(1, change))))
                .contains(
                        "\"data_type\":{\"Z\":[1.50,1E+3,-0,\"a \\u0041\\/ {\"]}",
                        "\"default_constraint\":{\"Value\":{\"Float64\":0.10000000000000000001}}",
                        "\"metadata\":{\"b\":\" x \",\"a\":\"\"}");
    }

    @Test
    void aDefaultConstraintMayBeAPlainValue() {
        String column = COLUMN.replace("\"default_constraint\":null", "\"default_constraint\": \"x y\" ");
        Change change = (Change) action("{\"Change\":{\"metadata\":" + METADATA.replace(COLUMN, column) + "}}");
        assertThat(change.metadata().columns().get(0).defaultConstraint()).isEqualTo("\"x y\"");
    }

    @Test
    void columnMetadataHoldsTextsOnly() {
        String column = COLUMN.replace("\"metadata\":{}", "\"metadata\":{\"a\":1}");
        assertRefused(
                () -> action("{\"Change\":{\"metadata\":" + METADATA.replace(COLUMN, column) + "}}"),
                "column_schema.metadata.a is 1: allowed is text");
    }

    @Test
    void textIsEscapedAsTheOtherSideDoes() {
        String all = "\"\\\b\f\n\r\t\u0001\u001f\u007f/\u00e4\u6d41\ud83d\ude00";
        assertThat(text(DeltaJson.write(TestManifests.delta(1, new PartitionExprChange(all)))))
                .isEqualTo(
                        "{\"actions\":[{\"PartitionExprChange\":{\"partition_expr\":\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\u007f/\u00e4\u6d41\ud83d\ude00\"}}]}");
    }
}
