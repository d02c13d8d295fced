package io.sluice.service.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.region.ColumnIndexes;
import io.sluice.schemas.region.ConfirmDeleted;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.DropRegion;
import io.sluice.schemas.region.EditRegion;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.ImportRegion;
import io.sluice.schemas.region.IndexKind;
import io.sluice.schemas.region.PublishIndex;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.SstFormat;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.Timestamp;
import io.sluice.schemas.region.TimestampUnit;
import io.sluice.schemas.region.TruncateRegion.What;
import io.sluice.topology.region.FileDeletion.Reference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegionCommandJsonTest {
    private static final Instant ARRIVAL = Instant.parse("2026-07-01T06:10:00.123456789Z");
    private static final String ID = "a0000000-0000-4000-8000-00000000000a";
    private static final UUID FILE_ID = UUID.fromString(ID);
    private static final String FILE = "{'file_id':'" + ID + "'}";

    /** The type of its column is spelt in a way of its own. */
    private static final String METADATA = "{'column_metadatas':[{'column_schema':{'name':'ts',"
            + "'data_type':{ 'Timestamp' : {'Millisecond':null, 'x':1.50} },'is_nullable':false,'is_time_index':true,"
            + "'default_constraint':null,'metadata':{'k':'v'}},'semantic_type':'Timestamp','column_id':0}],"
            + "'primary_key':[],'region_id':7,'schema_version':'18446744073709551615'}";

    private static final String MANIFEST = "{'metadata':" + METADATA + ",'files':{'" + ID
            + "':{'num_rows':'18446744073709551615'}},'flushed_entry_id':1,'flushed_sequence':2,'manifest_version':5,"
            + "'compaction_time_window':'1day'}";

    private final RegionCommandJson json = new RegionCommandJson(InstantSource.fixed(ARRIVAL));

    /** Reads a body by one of the methods that are about the region of the path, which is 7. */
    private interface Reading<C> {
        C command(byte[] body, long regionId, String who);
    }

    private static byte[] utf8(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private static <C> C read(Reading<C> reading, String body) {
        return reading.command(utf8(body), 7, "me");
    }

    private CreateRegion create(String body) {
        return json.createRegion(utf8(body), "me");
    }

    private static void refused(Runnable reading, String message) {
        assertThatThrownBy(reading::run)
                .isInstanceOfSatisfying(
                        JsonRefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(OutcomeCode.INVALID_ARGUMENT))
                .hasMessageContaining(message);
    }

    private Reading<? extends RegionCommand> reading(String name) {
        return switch (name) {
            case "alter" -> json::alterRegion;
            case "edit" -> json::editRegion;
            case "flush" -> json::flushRegion;
            case "compact" -> json::compactRegion;
            case "truncate" -> json::truncateRegion;
            case "index" -> json::publishIndex;
            case "discard" -> json::discardUnflushed;
            case "role" -> json::setRegionRole;
            case "import" -> json::importRegion;
            case "deleted" -> json::confirmDeleted;
            case "drop" -> json::dropRegion;
            default -> (body, regionId, who) -> json.createRegion(body, who);
        };
    }

    // ---- create, alter, import

    @Test
    void aCreateSaysItsRegionAndDefaultsTheRest() {
        CreateRegion command = create("{'region_id':'18446744073709551615','metadata':" + METADATA + "}");

        assertThat(command.regionId()).isEqualTo(-1);
        assertThat(command.envelope().partitionKey()).isEqualTo("18446744073709551615");
        assertThat(command.envelope().issuedAtNanos()).isEqualTo(1_782_886_200_123_456_789L);
        assertThat(command.envelope().who()).isEqualTo("me");
        assertThat(command.sstFormat()).isNull();
        assertThat(command.appendMode()).isNull();
        assertThat(command.flushedEntryId()).isZero();
        assertThat(command.role()).isEqualTo(RegionRole.LEADER);
        assertThat(command.metadata().schemaVersion()).isEqualTo(-1);
    }

    @Test
    void whatIsKeptVerbatimIsKept() {
        assertThat(create("{'region_id':7,'metadata':" + METADATA + "}")
                        .metadata()
                        .columns())
                .singleElement()
                .satisfies(column -> {
                    assertThat(column.dataType()).isEqualTo("{\"Timestamp\":{\"Millisecond\":null,\"x\":1.50}}");
                    assertThat(column.metadata()).isEqualTo("{\"k\":\"v\"}");
                    assertThat(column.defaultConstraint()).isNull();
                });
    }

    @Test
    void aCreateMaySayEverything() {
        CreateRegion command = create("{'region_id':7,'metadata':" + METADATA
                + ",'sst_format':'flat','append_mode':true,'flushed_entry_id':'18446744073709551615',"
                + "'role':'follower','command_id':'c-1','issued_at':'1970-01-01T00:00:01Z'}");

        assertThat(command.sstFormat()).isEqualTo(SstFormat.FLAT);
        assertThat(command.appendMode()).isTrue();
        assertThat(command.flushedEntryId()).isEqualTo(-1);
        assertThat(command.role()).isEqualTo(RegionRole.FOLLOWER);
        assertThat(command.envelope().commandId()).isEqualTo("c-1");
        assertThat(command.envelope().issuedAtNanos()).isEqualTo(1_000_000_000L);
    }

    @Test
    void anAlterLeavesOutWhatStaysAsItIs() {
        var command = read(json::alterRegion, "{'metadata':" + METADATA + "}");

        assertThat(command.regionId()).isEqualTo(7);
        assertThat(command.sstFormat()).isNull();
        assertThat(command.appendMode()).isNull();
    }

    @Test
    void anImportHasAWholeManifest() {
        ImportRegion command = read(
                json::importRegion, "{'manifest':" + MANIFEST + ",'role':'follower','or_replace':true,'region_id':7}");

        assertThat(command.manifest().manifestVersion()).isEqualTo(5);
        assertThat(command.manifest().files().get(FILE_ID).numRows()).isEqualTo(-1);
        assertThat(command.manifest().compactionTimeWindow()).isEqualTo(Duration.ofDays(1));
        assertThat(command.role()).isEqualTo(RegionRole.FOLLOWER);
        assertThat(command.orReplace()).isTrue();
        assertThat(read(json::importRegion, "{'manifest':" + MANIFEST + "}").role())
                .isEqualTo(RegionRole.LEADER);
        assertThat(read(json::importRegion, "{'manifest':" + MANIFEST + "}").orReplace())
                .isFalse();
    }

    // ---- edit, flush, compact

    @Test
    void listsOfAnEditMayBeAbsent() {
        EditRegion command = read(json::editRegion, "{}");

        assertThat(command.filesToAdd()).isEmpty();
        assertThat(command.filesToRemove()).isEmpty();
        assertThat(command.compactionTimeWindow()).isNull();
        assertThat(read(json::compactRegion, "{'files_to_remove':[" + FILE + "]}")
                        .filesToRemove())
                .hasSize(1);
    }

    @Test
    void aFlushIsTakenAsItIs() {
        FlushRegion command = read(
                json::flushRegion,
                "{'files_to_add':[{'file_id':'" + ID + "','region_id':'7','time_range':[{'value':-1,'unit':'Second'},"
                        + "{'value':2,'unit':'Nanosecond'}],'level':1,'file_size':'9','sequence':18446744073709551615}],"
                        + "'files_to_remove':[],'compaction_time_window':'2h 30m','flushed_entry_id':5,"
                        + "'flushed_sequence':'6','committed_sequence':null}");

        assertThat(command.filesToAdd()).singleElement().satisfies(file -> {
            assertThat(file.fileId()).isEqualTo(FILE_ID);
            assertThat(file.fileSize()).isEqualTo(9);
            assertThat(file.sequence()).isEqualTo(-1L);
            assertThat(file.timeRange().start()).isEqualTo(new Timestamp(-1, TimestampUnit.SECOND));
        });
        assertThat(command.compactionTimeWindow()).isEqualTo(Duration.ofMinutes(150));
        assertThat(command.flushedEntryId()).isEqualTo(5);
        assertThat(command.flushedSequence()).isEqualTo(6);
        assertThat(command.committedSequence()).isNull();
    }

    @Test
    void anEditOfAManifestIsTakenWithItsTime() {
        EditRegion command = read(
                json::editRegion,
                "{'files_to_add':[" + FILE + "],'files_to_remove':[],'timestamp_ms':1790000004000,"
                        + "'compaction_time_window':null,'flushed_entry_id':null,'flushed_sequence':null,"
                        + "'committed_sequence':null}");

        assertThat(command.envelope().issuedAtNanos()).isEqualTo(1_790_000_004_000_000_000L);
    }

    // ---- truncate

    @Test
    void aTruncateHasThreeForms() {
        assertThat(read(json::truncateRegion, "{'truncated_entry_id':1,'truncated_sequence':'18446744073709551615'}")
                        .what())
                .isEqualTo(new What.All(1, -1));
        assertThat(read(json::truncateRegion, "{'files_to_remove':[" + FILE + "]}")
                        .what())
                .isEqualTo(new What.Files(List.of(FILE_ID)));
        assertThat(read(
                                json::truncateRegion,
                                "{'time_ranges':[{'start':{'value':-5,'unit':'Second'},'end':{'value':7,'unit':'Millisecond'}}]}")
                        .what())
                .isEqualTo(new What.TimeRanges(List.of(new TimeRange(
                        new Timestamp(-5, TimestampUnit.SECOND), new Timestamp(7, TimestampUnit.MILLISECOND)))));
    }

    // ---- the others

    @Test
    void anIndexIsPublishedOfASource() {
        PublishIndex command = read(
                json::publishIndex,
                "{'source':" + FILE + ",'schema_version':3,'available_indexes':['InvertedIndex'],"
                        + "'indexes':[{'column_id':1,'created_indexes':['BloomFilterIndex']}],'index_file_size':9,"
                        + "'index_version':'18446744073709551615'}");

        assertThat(command.source().fileId()).isEqualTo(FILE_ID);
        assertThat(command.schemaVersion()).isEqualTo(3);
        assertThat(command.availableIndexes()).containsExactly(IndexKind.INVERTED);
        assertThat(command.indexes()).containsExactly(new ColumnIndexes(1, List.of(IndexKind.BLOOM_FILTER)));
        assertThat(command.indexFileSize()).isEqualTo(9);
        assertThat(command.indexVersion()).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "leader, LEADER",
        "follower, FOLLOWER",
        "downgrading, DOWNGRADING",
        "staging_leader, STAGING_LEADER",
        "staging, STAGING_LEADER"
    })
    void aRoleIsOneOfThreeAndStagingIsForTheDeciderToRefuse(String role, RegionRole expected) {
        assertThat(read(json::setRegionRole, "{'role':'" + role + "'}").role()).isEqualTo(expected);
    }

    @Test
    void theMarksAreMoved() {
        var command = read(json::discardUnflushed, "{'flushed_entry_id':9,'flushed_sequence':'20'}");

        assertThat(command.flushedEntryId()).isEqualTo(9);
        assertThat(command.flushedSequence()).isEqualTo(20);
    }

    @Test
    void aDropNeedsNoBody() {
        DropRegion command = read(json::dropRegion, "");

        assertThat(command.regionId()).isEqualTo(7);
        assertThat(command.envelope().commandId()).matches("[0-9a-f-]{36}");
        assertThat(read(json::dropRegion, "{'command_id':'c-1'}").envelope().commandId())
                .isEqualTo("c-1");
    }

    @Test
    void deletedFilesAreSaidAsTheyAreListed() {
        ConfirmDeleted command = read(
                json::confirmDeleted,
                "{'files':[{'File':['" + ID + "',null]},{'File':['" + ID + "',7]},{'Index':['" + ID + "','8']},'" + ID
                        + "']}");

        assertThat(command.files())
                .containsExactlyInAnyOrder(
                        new DataFile(FILE_ID, null), new DataFile(FILE_ID, 7L), new IndexFile(FILE_ID, 8));
    }

    @Test
    void aQuestionForDeletableFilesSaysItsReferences() {
        assertThat(DeletableJson.read(utf8("{'manifest_version':'18446744073709551615','references':[{'file_id':'" + ID
                        + "'},{'file_id':'" + ID + "','index_version':7}]}")))
                .satisfies(question -> {
                    assertThat(question.manifestVersion()).isEqualTo(-1);
                    assertThat(question.references())
                            .containsExactlyInAnyOrder(new Reference(FILE_ID, null), new Reference(FILE_ID, 7L));
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'manifest_version':1}", "{'manifest_version':1,'references':null}"})
    void referencesThatCouldNotBeReadAreNotNone(String body) {
        assertThat(DeletableJson.read(utf8(body)).references()).isNull();
        assertThat(DeletableJson.read(utf8("{'manifest_version':1,'references':[]}"))
                        .references())
                .isEmpty();
    }

    // ---- refusals

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create",
                "alter",
                "edit",
                "flush",
                "compact",
                "truncate",
                "index",
                "discard",
                "role",
                "import",
                "deleted",
                "drop"
            })
    void textThatIsNoJsonIsMalformed(String name) {
        assertThatThrownBy(() -> read(reading(name), "{"))
                .isInstanceOfSatisfying(
                        JsonRefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(OutcomeCode.MALFORMED));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "create | {'metadata':M} | region_id is missing",
                "create | {'region_id':7} | metadata is missing",
                "create | {'region_id':7,'metadata':M,'zz':1} | unknown field \"zz\"",
                "create | {'region_id':-7,'metadata':M} | region_id is -7",
                "create | {'region_id':7,'metadata':M,'sst_format':'x'} | sst_format is \"x\": allowed is one of primary_key flat",
                "create | {'region_id':7,'metadata':M,'role':'boss'} | role is \"boss\": allowed is one of leader follower downgrading",
                "alter | {'metadata':{}} | metadata.column_metadatas is missing",
                "alter | {'metadata':M,'region_id':8} | region_id is 8: allowed is what the path says, 7",
                "edit | {'files_to_add':[{}]} | files_to_add[0].file_id is missing",
                "edit | {'files_to_remove':[{}]} | files_to_remove[0].file_id is missing",
                "edit | {'files_to_add':[{'file_id':'x'}]} | files_to_add[0].file_id is \"x\"",
                "edit | {'files_to_add':[{'file_id':'I','size':1}]} | unknown field \"files_to_add[0].size\": in files_to_add[0] allowed are available_indexes",
                "edit | {'files_to_add':[{'file_id':'I','sequence':0}]} | files_to_add[0].sequence is 0",
                "edit | {'files_to_add':null} | files_to_add is null",
                "edit | {'flushed_entry_id':5} | flushed_entry_id is 5: allowed is null",
                "compact | {'committed_sequence':5} | committed_sequence is 5: allowed is null",
                "edit | {'timestamp_ms':5,'issued_at':'1970-01-01T00:00:01Z'} | timestamp_ms is 5: allowed is null",
                "edit | {'timestamp_ms':9223372036854775807} | timestamp_ms is 9223372036854775807",
                "flush | {'compaction_time_window':'soon'} | compaction_time_window is \"soon\"",
                "flush | {'flushed_entry_id':1.0} | flushed_entry_id is 1.0",
                "truncate | {} | what is truncated is not said",
                "truncate | {'truncated_entry_id':1} | truncated_sequence is missing",
                "truncate | {'files_to_remove':[],'time_ranges':[]} | what is truncated is said in several ways",
                "truncate | {'time_ranges':[{'start':{'value':1,'unit':'Second'}}]} | time_ranges[0].end is missing",
                "truncate | {'time_ranges':[{'start':{'value':1,'unit':'Day'},'end':{}}]} | time_ranges[0].start.unit is \"Day\"",
                "index | {'source':{'file_id':'I'}} | schema_version is missing",
                "index | {'source':{},'schema_version':1} | source.file_id is missing",
                "discard | {'flushed_entry_id':1} | flushed_sequence is missing",
                "role | {} | role is missing",
                "role | {'role':7} | role is 7",
                "import | {} | manifest is missing",
                "import | {'manifest':{}} | manifest.metadata is missing",
                "deleted | {} | files is missing",
                "deleted | {'files':[{'File':['I']}]} | files[0].File is an array",
                "deleted | {'files':[{'Data':['I',1]}]} | files[0] is an object",
                "drop | {'if_exists':true} | unknown field \"if_exists\"",
            })
    void whatCannotBeIsRefusedByName(String name, String body, String message) {
        String shown = body.replace("'I'", "'" + ID + "'").replace(":M", ":" + METADATA);

        refused(() -> read(reading(name), shown), message);
    }

    @Test
    void unknownFieldsAreRefusedWhereverTheyStand() {
        refused(
                () -> create("{'region_id':7,'metadata':" + METADATA.replace("'primary_key':", "'x':1,'primary_key':")
                        + "}"),
                "unknown field \"metadata.x\"");
        refused(
                () -> create(
                        "{'region_id':7,'metadata':" + METADATA.replace("'is_nullable'", "'x':1,'is_nullable'") + "}"),
                "unknown field \"metadata.column_metadatas[0].column_schema.x\"");
        refused(
                () -> read(
                        json::importRegion,
                        "{'manifest':" + MANIFEST.replace("'flushed_entry_id'", "'x':1,'flushed_entry_id'") + "}"),
                "unknown field \"manifest.x\"");
        refused(
                () -> DeletableJson.read(utf8("{'manifest_version':1,'references':[{'file_id':'" + ID + "','v':1}]}")),
                "unknown field \"references[0].v\"");
    }
}
