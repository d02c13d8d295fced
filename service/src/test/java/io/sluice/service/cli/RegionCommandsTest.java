package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.cli.FakeService.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commands of a region ask, what they print, and how they end. */
class RegionCommandsTest {
    private static final String LARGEST = "18446744073709551615";
    private static final String OUTCOME = "{\"command_id\":\"c\",\"code\":\"OK\",\"message\":\"\",\"region_id\":7,"
            + "\"revision\":6,\"applied\":true,\"position\":\"region:1@4\"}";

    @TempDir
    private Path directory;

    private FakeService service;

    @BeforeEach
    void open() throws IOException {
        service = new FakeService();
    }

    @AfterEach
    void close() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"alter", "edit", "flush", "compact", "truncate", "index", "discard", "deleted"})
    void aChangeSendsWhatTheFileHolds(String action) throws IOException {
        service.answer(200, OUTCOME);

        Cli.Result result = run("region", action, LARGEST, "-f", file("{ \"a\": 1.0 }\n"), "--command-id", "c");

        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.outLines()).containsExactly("OK  region " + LARGEST + "  version 6");
        assertThat(service.onlyAsked())
                .isEqualTo(new FakeService.Asked(
                        "POST", "/v1/regions/" + LARGEST + "/" + action, "{\"a\":1.0,\"command_id\":\"c\"}", null));
    }

    @Test
    void createNamesTheRegionInTheBody() throws IOException {
        service.answer(201, OUTCOME);

        assertThat(run("region", "create", "7", "-f", file("{\"metadata\":{}}"), "--command-id", "c")
                        .exitCode())
                .isZero();
        assertThat(service.onlyAsked())
                .isEqualTo(new FakeService.Asked(
                        "POST", "/v1/regions", "{\"metadata\":{},\"region_id\":\"7\",\"command_id\":\"c\"}", null));
    }

    @Test
    void createTakesAFileThatNamesTheSameRegion() throws IOException {
        service.answer(201, OUTCOME);

        assertThat(run("region", "create", "7", "-f", file("{\"region_id\":7}")).exitCode())
                .isZero();
        assertThat(service.onlyAsked().body()).startsWith("{\"region_id\":7,");
    }

    @Test
    void createRefusesAFileThatNamesAnotherRegion() throws IOException {
        Cli.Result result = run("region", "create", "7", "-f", file("{\"region_id\":\"8\"}"));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("region 8", "ID is 7", "Nothing was sent");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void dropSendsNothingButItsId() {
        service.answer(200, OUTCOME);

        assertThat(run("region", "drop", "7", "--command-id", "c").outLines())
                .containsExactly("OK  region 7  version 6  dropped");
        assertThat(service.onlyAsked())
                .isEqualTo(new FakeService.Asked("DELETE", "/v1/regions/7", "{\"command_id\":\"c\"}", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"leader", "follower", "downgrading", "Leader"})
    void roleIsAnArgument(String role) {
        service.answer(200, OUTCOME.replace("true", "false"));

        assertThat(run("region", "role", "7", role, "--command-id", "c").outLines())
                .containsExactly("OK  region 7  version 6  nothing had to change  " + role.toLowerCase());
        assertThat(service.onlyAsked())
                .isEqualTo(new FakeService.Asked(
                        "POST",
                        "/v1/regions/7/role",
                        "{\"role\":\"" + role.toLowerCase() + "\",\"command_id\":\"c\"}",
                        null));
    }

    @Test
    void whatIsNoRoleIsWrongUsage() {
        Cli.Result result = run("region", "role", "7", "king");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).containsIgnoringCase("leader, follower, downgrading");
    }

    @Test
    void theServiceIsToldHowLongToWait() {
        service.answer(200, OUTCOME);

        assertThat(run("region", "drop", "7", "--wait", "60000").exitCode()).isZero();
        assertThat(service.onlyAsked().uri()).isEqualTo("/v1/regions/7?wait=60000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "600001", "-1", "5s"})
    void aWaitThatTheServiceWouldRefuseIsWrongUsage(String wait) {
        assertThat(run("region", "drop", "7", "--wait", wait).exitCode()).isEqualTo(2);
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void aRefusedChangeIsCodeAndMessage() {
        service.answer(503, "{\"code\":\"REGION_BUSY\",\"detail\":\"region 7 is ALTERING\"}");

        Cli.Result result = run("region", "drop", "7");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.errLines()).containsExactly("REGION_BUSY: region 7 is ALTERING");
    }

    @Test
    void anUnknownOutcomeIsAskedForWithTheRegion() {
        service.answer(202, "{\"command_id\":\"c\",\"region_id\":7}");

        Cli.Result result = run("region", "drop", "7", "--command-id", "c");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("sluice outcome --region 7 --server " + service.url() + " c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "18446744073709551616", "x", "+1", ""})
    void whatIsNoRegionIsWrongUsage(String id) {
        assertThat(run("region", "get", "--", id).exitCode()).isEqualTo(2);
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void listReadsAllPages() {
        service.answer(asked -> asked.uri().contains("after=")
                ? new Answer(200, "{\"regions\":[{\"region_id\":\"" + LARGEST + "\"}],\"next\":null}")
                : new Answer(
                        200,
                        "{\"regions\":[{\"region_id\":7,\"role\":\"leader\",\"state\":\"WRITABLE\",\"manifest_version\":6,"
                                + "\"file_count\":2}],\"next\":7}"));

        Cli.Result result = run("region", "list");

        assertThat(result.outLines())
                .containsExactly(
                        "REGION_ID             ROLE    STATE     VERSION  FILES",
                        "7                     leader  WRITABLE  6        2",
                        LARGEST);
        assertThat(service.asked())
                .extracting(FakeService.Asked::uri)
                .containsExactly("/v1/regions", "/v1/regions?after=7");
    }

    @Test
    void listOfATableKeepsAskingForTheTable() {
        service.answer(asked -> new Answer(
                200, "{\"regions\":[],\"next\":" + (asked.uri().contains("after=") ? "null" : "\"9\"") + "}"));

        assertThat(run("region", "list", "--table-id", "2048").outLines()).containsExactly("no regions");
        assertThat(service.asked())
                .extracting(FakeService.Asked::uri)
                .containsExactly("/v1/regions?table_id=2048", "/v1/regions?table_id=2048&after=9");
    }

    @ParameterizedTest
    @CsvSource({"get,''", "admission,/admission"})
    void aLookUpShowsALinePerField(String command, String path) {
        service.answer(200, "{\"region_id\":7,\"state\":\"ALTERING\",\"retry_after_ms\":50}");

        assertThat(run("region", command, "7").outLines())
                .containsExactly("region_id       7", "state           ALTERING", "retry_after_ms  50");
        assertThat(service.onlyAsked().uri()).isEqualTo("/v1/regions/7" + path);
    }

    @Test
    void filesShowTimesAsPeopleWriteThem() {
        service.answer(
                200,
                "{\"files\":[{\"file_id\":\"f\",\"level\":1,\"file_size\":4096,\"num_rows\":60,"
                        + "\"time_range\":[{\"value\":\"1790000000000000001\",\"unit\":\"Nanosecond\"},"
                        + "{\"value\":9223372036854775807,\"unit\":\"Second\"}],\"sequence\":null,"
                        + "\"available_indexes\":[\"InvertedIndex\",\"BloomFilterIndex\"]}]}");

        assertThat(run("region", "files", "7").outLines())
                .containsExactly(
                        "FILE_ID  LEVEL  BYTES  ROWS  FROM                            TO                          SEQUENCE  INDEXES",
                        "f        1      4096   60    2026-09-21T14:13:20.000000001Z  9223372036854775807 Second  -         InvertedIndex,BloomFilterIndex");
    }

    @Test
    void changesSinceAVersionAreOnePerLine() {
        service.answer(
                200,
                "{\"deltas\":[{\"version\":5,\"actions\":[{\"Edit\":{\"files_to_add\":[{}],\"files_to_remove\":[{},{}],"
                        + "\"flushed_entry_id\":9}},{\"Change\":{\"metadata\":{\"schema_version\":2}}}]},"
                        + "{\"version\":6,\"actions\":[]}]}");

        assertThat(run("region", "manifest", "7", "--from", "4").outLines())
                .containsExactly(
                        "VERSION  ACTIONS", "5        Edit +1 -2 flushed_entry_id 9, Change to schema 2", "6        -");
        assertThat(service.onlyAsked().uri()).isEqualTo("/v1/regions/7/manifest?from=4");
    }

    @Test
    void aManifestIsSummedUpForPeopleAndWholeForScripts() {
        String snapshot = "{\"snapshot\":{\"metadata\":{\"column_metadatas\":[{\"column_schema\":{\"name\":\"at\"}}],"
                + "\"region_id\":7,\"schema_version\":1},\"files\":{\"a\":{},\"b\":{}},\"removed_files\":"
                + "{\"removed_files\":[{\"removed_at\":1,\"files\":[\"c\",\"d\",\"e\"]}]},\"manifest_version\":6}}";
        service.answer(200, snapshot);

        Cli.Result text = run("region", "manifest", "7", "--from", "4");

        assertThat(text.outLines())
                .containsExactly(
                        "metadata          region 7, schema 1, columns at",
                        "files             2",
                        "removed_files     3",
                        "manifest_version  6");
        assertThat(text.err()).contains("after version 4", "the whole state");
        assertThat(run("region", "manifest", "7", "--json").outLines()).containsExactly(snapshot);
    }

    @Test
    void removedFilesAreListedWhereverTheyStand() {
        service.answer(
                200,
                "{\"manifest_version\":6,\"removed_files\":[{\"removed_at\":1790000005000,\"files\":["
                        + "{\"File\":[\"a\",null]},{\"Index\":[\"b\",3]}]}],\"cleanup\":[\"c\"]}");

        assertThat(run("region", "removed", "7").outLines())
                .containsExactly(
                        "LIST           WHAT   FILE_ID  INDEX_VERSION  REMOVED_AT",
                        "removed_files  data   a        -              2026-09-21T14:13:25Z",
                        "removed_files  index  b        3              2026-09-21T14:13:25Z",
                        "cleanup        data   c        -              -");
    }

    @Test
    void deletableAsksWithTheReferences() throws IOException {
        service.answer(200, "{\"files\":[]}");

        Cli.Result result = run("region", "deletable", "7", "-f", file("{\"manifest_version\":6,\"references\":[]}"));

        assertThat(result.outLines()).containsExactly("no files");
        assertThat(service.onlyAsked())
                .isEqualTo(new FakeService.Asked(
                        "POST", "/v1/regions/7/deletable", "{\"manifest_version\":6,\"references\":[]}", null));
    }

    @Test
    void deletableThatIsRefusedListsNothing() throws IOException {
        service.answer(412, "{\"code\":\"REVISION_MISMATCH\",\"detail\":\"the manifest is at version 7\"}");

        Cli.Result result = run("region", "deletable", "7", "-f", file("{}"));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.errLines()).containsExactly("REVISION_MISMATCH: the manifest is at version 7");
    }

    @Test
    void outcomeAsksInTheRegionThatIsGiven() {
        service.answer(200, OUTCOME);

        assertThat(Cli.run("outcome", "c", "--region", LARGEST, "--server", service.url())
                        .exitCode())
                .isZero();
        assertThat(service.onlyAsked().uri()).isEqualTo("/v1/outcomes/c?region=" + LARGEST);
        assertThat(Cli.run("outcome", "c", "--region", "7", "--catalog", "plant")
                        .exitCode())
                .isEqualTo(2);
    }

    private String file(String text) throws IOException {
        return Files.writeString(directory.resolve("body.json"), text).toString();
    }

    private Cli.Result run(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(2, List.of("--server", service.url()));
        return Cli.run(all.toArray(String[]::new));
    }
}
