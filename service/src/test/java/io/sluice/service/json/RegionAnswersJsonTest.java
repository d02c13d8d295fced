package io.sluice.service.json;

import static io.sluice.service.query.TestRegions.REGION;
import static io.sluice.service.query.TestRegions.edit;
import static io.sluice.service.query.TestRegions.file;
import static io.sluice.service.query.TestRegions.id;
import static io.sluice.service.query.TestRegions.metadata;
import static io.sluice.service.query.TestRegions.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.region.DropRegion;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.schemas.region.SstFormat;
import io.sluice.service.query.FollowedManifest.Deltas;
import io.sluice.service.query.FollowedManifest.Snapshot;
import io.sluice.service.query.RegionQueries.Removed;
import io.sluice.topology.region.FileDeletion.Deletable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What answers say about regions. */
class RegionAnswersJsonTest {
    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static RegionManifest manifest() {
        TreeMap<java.util.UUID, io.sluice.schemas.region.FileMeta> files = new TreeMap<>();
        files.put(id('A'), file('A'));
        return new RegionManifest(
                metadata(REGION),
                files,
                List.of(new RemovedFiles(5, Set.of(new DataFile(id('B'), -1L)))),
                -1,
                2,
                null,
                3,
                null,
                Duration.ofHours(1),
                SstFormat.FLAT,
                null);
    }

    @Test
    void aRegionIsShownWithItsMarksAsU64() {
        assertThat(RegionAnswersJson.region(record(-1, 4, RegionState.ALTERING, 17L)))
                .hasToString("{\"region_id\":\"18446744073709551615\",\"role\":\"leader\",\"state\":\"ALTERING\","
                        + "\"manifest_version\":17,\"schema_version\":0,\"sst_format\":\"primary_key\","
                        + "\"append_mode\":null,\"flushed_entry_id\":0,\"flushed_sequence\":0,"
                        + "\"truncated_entry_id\":null,\"committed_sequence\":null,\"compaction_time_window\":null,"
                        + "\"file_count\":0,\"queued\":0,"
                        + "\"write_in_flight\":{\"kind\":\"ALTER\",\"version\":18,\"command_id\":\"c-1\"},"
                        + "\"state_command_id\":\"c-1\",\"epoch\":4,\"incarnation\":4}");
    }

    @Test
    void whoIsToWaitIsToldHowLong() {
        assertThat(RegionAnswersJson.admission(record(7, 1, RegionState.WRITABLE, 0L)))
                .hasToString("{\"admission\":\"ADMIT\",\"state\":\"WRITABLE\"}");
        assertThat(RegionAnswersJson.admission(record(7, 1, RegionState.EDITING, 0L)))
                .hasToString("{\"admission\":\"STALL\",\"state\":\"EDITING\",\"retry_after_ms\":100}");
        assertThat(RegionAnswersJson.admission(record(7, 1, RegionState.DROPPING, 0L)))
                .hasToString("{\"admission\":\"REJECT\",\"state\":\"DROPPING\"}");
        assertThat(RegionAnswersJson.admission(null)).hasToString("{\"admission\":\"REJECT\",\"state\":\"UNKNOWN\"}");
    }

    @Test
    void aManifestIsShownAsInItsFiles() {
        String shown = text(RegionAnswersJson.manifest(new Snapshot(9, manifest())));

        assertThat(shown)
                .startsWith("{\"snapshot\":{\"metadata\":{\"column_metadatas\":[{\"column_schema\":{\"name\":\"ts\","
                        + "\"data_type\":{\"Timestamp\":{\"Millisecond\":null}},")
                .contains("\"sequence\":18446744073709551615,")
                .contains("{\"value\":9223372036854775807,\"unit\":\"Nanosecond\"}")
                .contains("\"flushed_entry_id\":18446744073709551615,")
                .endsWith("\"append_mode\":null},\"manifest_version\":3,\"incarnation\":9}");
    }

    @Test
    void aManifestThatIsShownCanBeImported() {
        String shown = text(RegionAnswersJson.manifest(new Snapshot(9, manifest())));
        String snapshot =
                shown.substring("{\"snapshot\":".length(), shown.indexOf(",\"manifest_version\":3,\"incarnation\""));

        assertThat(new RegionCommandJson(InstantSource.system())
                        .importRegion(
                                ("{\"manifest\":" + snapshot + "}").getBytes(StandardCharsets.UTF_8), REGION, "me")
                        .manifest())
                .isEqualTo(manifest());
    }

    @Test
    void deltasSayTheirVersionAndTheOneThatTheManifestHas() {
        Deltas one = new Deltas(9, -1, List.of(new ManifestDelta(-1, List.of(edit(List.of(), List.of())))));

        assertThat(text(RegionAnswersJson.manifest(one)))
                .isEqualTo("{\"deltas\":[{\"version\":\"18446744073709551615\",\"actions\":[{\"Edit\":{"
                        + "\"files_to_add\":[],\"files_to_remove\":[],\"timestamp_ms\":1790000000000,"
                        + "\"compaction_time_window\":null,\"flushed_entry_id\":null,\"flushed_sequence\":null,"
                        + "\"committed_sequence\":null}}]}],\"manifest_version\":\"18446744073709551615\","
                        + "\"incarnation\":9}");
        assertThat(text(RegionAnswersJson.manifest(new Deltas(9, 3, List.of()))))
                .isEqualTo("{\"deltas\":[],\"manifest_version\":3,\"incarnation\":9}");
    }

    @Test
    void filesAreShownAsInTheManifest() {
        assertThat(text(RegionAnswersJson.files(List.of(file('A')))))
                .startsWith("{\"files\":[{\"region_id\":8796093022211,\"file_id\":\"" + id('A') + "\",\"time_range\":[")
                .endsWith("}]}");
        assertThat(text(RegionAnswersJson.files(List.of()))).isEqualTo("{\"files\":[]}");
    }

    @Test
    void filesToBeDeletedAreShownAsTheyAreConfirmed() {
        assertThat(text(RegionAnswersJson.removed(new Removed(
                        List.of(new RemovedFiles(5, Set.of(new IndexFile(id('A'), 7), new DataFile(id('A'), null)))),
                        List.of(new RemovedFiles(6, Set.of(new DataFile(id('B'), 1L))))))))
                .isEqualTo("{\"removed_files\":[{\"removed_at\":5,\"files\":[{\"File\":[\"" + id('A')
                        + "\",null]},{\"Index\":[\"" + id('A') + "\",7]}]}],\"cleanup\":[{\"removed_at\":6,\"files\":"
                        + "[{\"File\":[\"" + id('B') + "\",1]}]}]}");
    }

    @Test
    void deletableFilesAreSorted() {
        assertThat(DeletableJson.write(new Deletable(
                        OutcomeCode.OK,
                        "",
                        Set.of(id('C'), id('A'), id('B')),
                        Set.of(new IndexFile(id('A'), -1), new IndexFile(id('A'), 7)))))
                .hasToString("{\"data_files\":[\"" + id('A') + "\",\"" + id('B') + "\",\"" + id('C')
                        + "\"],\"index_files\":[{\"file_id\":\"" + id('A') + "\",\"index_version\":7},{\"file_id\":\""
                        + id('A') + "\",\"index_version\":\"18446744073709551615\"}]}");
    }

    @Test
    void anOutcomeOfARegionSaysNothingAboutFlows() {
        assertThat(OutcomeJson.write(Outcome.ofRegion(
                        "c-1", OutcomeCode.OK, "", -1L, 3L, true, new Position("region", 2, 7), "kafka")))
                .hasToString("{\"command_id\":\"c-1\",\"code\":\"OK\",\"message\":\"\","
                        + "\"region_id\":\"18446744073709551615\",\"revision\":3,\"applied\":true,"
                        + "\"position\":\"region:2@7\",\"who\":\"kafka\"}");
        assertThat(OutcomeJson.write(Outcome.ofRegion(
                                "c-1",
                                OutcomeCode.MALFORMED,
                                "",
                                null,
                                null,
                                false,
                                new Position("region", 2, 7),
                                "kafka"))
                        .get("region_id"))
                .hasToString("null");
    }

    @Test
    void aRegionCommandWhoseOutcomeIsNotKnownSaysItsRegion() {
        assertThat(AcceptedJson.write(new DropRegion(new CommandEnvelope("7", "c-1", 0), 7), "wait"))
                .hasToString("{\"command_id\":\"c-1\",\"region_id\":7,\"message\":\"wait\"}");
    }
}
