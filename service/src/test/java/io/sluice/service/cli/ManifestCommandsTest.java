package io.sluice.service.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.cli.FakeService.Answer;
import io.sluice.service.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Manifest directories on a real disk: written by export, read by import, and compared by verify. */
class ManifestCommandsTest {
    private static final String REGION = "8796093022211";
    private static final String FILE = "a0000000-0000-4000-8000-00000000000a";
    private static final String OUTCOME =
            "{\"command_id\":\"c\",\"code\":\"OK\",\"region_id\":" + REGION + ",\"revision\":2,\"applied\":true}";
    private static final List<String> VECTORS = List.of(
            "00000000000000000000.json",
            "00000000000000000001.json",
            "00000000000000000002.json",
            "00000000000000000002.checkpoint",
            "_last_checkpoint");

    @TempDir
    private Path home;

    private Path region;
    private FakeService service;

    @BeforeEach
    void open() throws IOException {
        service = new FakeService();
        region = home.resolve("region");
        Files.createDirectories(region.resolve("manifest"));
    }

    @AfterEach
    void close() {
        service.close();
    }

    // Export.

    @Test
    void exportWritesCheckpointAndPointerByteForByte() throws IOException {
        service.answer(200, answer(snapshot()));
        Path to = home.resolve("new").resolve("export");

        Cli.Result result = run("export", "manifest", REGION, "-o", to.toString());

        assertThat(result.err()).isEmpty();
        assertThat(result.outLines())
                .containsExactly("OK  region " + REGION + "  version 2  0 files  in " + to.toAbsolutePath());
        assertThat(names(to)).containsExactly("00000000000000000002.checkpoint", "_last_checkpoint");
        for (String name : names(to)) {
            assertThat(Files.readAllBytes(to.resolve("manifest").resolve(name))).isEqualTo(vector(name));
        }
        assertThat(service.onlyAsked().uri()).isEqualTo("/v1/regions/" + REGION + "/manifest");
    }

    @Test
    void exportKeepsWhatIsWrittenOfTypesAndDefaults() throws IOException {
        String kept = "{\"Value\":{\"Float64\":1.50e+07}}";
        service.answer(
                200, answer(snapshot().replaceFirst("\"default_constraint\":null", "\"default_constraint\":" + kept)));

        assertThat(run("export", "manifest", REGION, "-o", home.resolve("e").toString())
                        .exitCode())
                .isZero();
        assertThat(Files.readString(home.resolve("e/manifest/00000000000000000002.checkpoint")))
                .contains("\"default_constraint\":" + kept);
    }

    @Test
    void exportReadsLargeNumbersAsTextAndAsNumbers() throws IOException {
        String large = snapshot()
                .replace("\"flushed_sequence\":40", "\"flushed_sequence\":\"18446744073709551615\"")
                .replace("\"flushed_entry_id\":12", "\"flushed_entry_id\":9223372036854775808");
        service.answer(200, answer(large));

        Cli.Result result =
                run("export", "manifest", REGION, "-o", home.resolve("e").toString(), "--json");

        assertThat(result.exitCode()).isZero();
        assertThat(Files.readString(home.resolve("e/manifest/00000000000000000002.checkpoint")))
                .contains("\"flushed_entry_id\":9223372036854775808,\"flushed_sequence\":18446744073709551615,");
        assertThat(Json.MAPPER.readTree(result.out()).path("region_id").asText())
                .isEqualTo(REGION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000000000000000000.json", "00000000000000000002.checkpoint", "_last_checkpoint"})
    void exportLeavesAManifestAlone(String there) throws IOException {
        put(there, vector(there));
        service.answer(200, answer(snapshot()));

        Cli.Result result = run("export", "manifest", REGION, "-o", region.toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains(region.toString(), "has a manifest already", "-o");
        assertThat(names(region)).containsExactly(there);
    }

    @Test
    void exportDoesNotFinishAnotherOnesDrop() throws IOException {
        Files.createFile(region.resolve(".dropping"));
        service.answer(200, answer(snapshot()));

        assertThat(run("export", "manifest", REGION, "-o", region.toString()).exitCode())
                .isEqualTo(1);
        assertThat(region.resolve(".dropping")).exists();
        assertThat(names(region)).isEmpty();
    }

    @Test
    void exportOfAnUnknownRegionMakesNothing() {
        service.answer(404, "{\"code\":\"REGION_NOT_FOUND\",\"detail\":\"there is no region 7\"}");

        Cli.Result result =
                run("export", "manifest", "7", "-o", home.resolve("e").toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.errLines()).containsExactly("REGION_NOT_FOUND: there is no region 7");
        assertThat(home.resolve("e")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"snapshot\":{}}", "{\"deltas\":[]}"})
    void exportRefusesAnAnswerThatIsNoManifest(String body) {
        service.answer(200, body);

        Cli.Result result =
                run("export", "manifest", REGION, "-o", home.resolve("e").toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains(service.url(), "same version");
        assertThat(home.resolve("e")).doesNotExist();
    }

    // Import.

    @ParameterizedTest
    @ValueSource(strings = {"", "manifest"})
    void importSendsTheWholeManifest(String below) throws IOException {
        putVectors();
        service.answer(200, OUTCOME);

        Cli.Result result =
                run("import", "manifest", "-d", region.resolve(below).toString(), "--command-id", "c");

        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.outLines()).containsExactly("OK  region " + REGION + "  version 2  0 files");
        assertThat(service.onlyAsked())
                .isEqualTo(new FakeService.Asked(
                        "POST",
                        "/v1/regions/" + REGION + "/import",
                        "{\"manifest\":" + snapshot() + ",\"command_id\":\"c\"}",
                        null));
    }

    @Test
    void importSendsRoleAndReplacement() throws IOException {
        putVectors();
        service.answer(200, OUTCOME.replace("true", "false"));

        Cli.Result result =
                run("import", "manifest", "-d", region.toString(), "--role", "follower", "--or-replace", "--wait", "9");

        assertThat(result.outLines())
                .containsExactly("OK  region " + REGION + "  version 2  0 files  nothing had to change");
        assertThat(service.onlyAsked().uri()).endsWith("/import?wait=9");
        assertThat(service.onlyAsked().body()).contains(",\"role\":\"follower\",\"or_replace\":true,");
    }

    @Test
    void aDryRunSendsNothing() throws IOException {
        putVectors();

        Cli.Result result = run("import", "manifest", "-d", region.toString(), "--dry-run");

        assertThat(result.exitCode()).isZero();
        assertThat(result.outLines())
                .containsExactly("dry run  region " + REGION + "  version 2  0 files  nothing was sent");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void whatWasRemovedAtNoTimeIsRemovedNow() throws IOException {
        put("00000000000000000000.json", vector("00000000000000000000.json"));
        put("00000000000000000001.json", vector("00000000000000000001.json"));
        put(
                "00000000000000000002.json",
                new String(vector("00000000000000000002.json"), UTF_8)
                        .replace(",\"timestamp_ms\":1790000005000", "")
                        .getBytes(UTF_8));
        service.answer(200, OUTCOME);
        long before = System.currentTimeMillis();

        assertThat(run("import", "manifest", "-d", region.toString()).exitCode())
                .isZero();

        long removedAt = Json.MAPPER
                .readTree(service.onlyAsked().body())
                .at("/manifest/removed_files/removed_files/0/removed_at")
                .asLong();
        assertThat(removedAt).isBetween(before, System.currentTimeMillis());
    }

    @Test
    void importReadsOldShapes() throws IOException {
        // Of docs/formats.md, section 14: 8, 10, 12, 13, 14 and 15.
        String old = "{\"last_version\":4,\"compacted_actions\":5,\"checkpoint\":{\"metadata\":{\"column_metadatas\":["
                + "{\"column_schema\":{\"name\":\"at\",\"data_type\":{\"Timestamp\":{\"Millisecond\":null}},"
                + "\"is_nullable\":false,\"is_time_index\":true,\"metadata\":{}},\"semantic_type\":\"Timestamp\","
                + "\"column_id\":0}],\"primary_key\":[],\"region_id\":\"" + REGION + "\",\"schema_version\":0},"
                + "\"files\":{},\"removed_files\":{\"removed_files\":[{\"removed_at\":7,\"files\":[\"" + FILE
                + "\"]},{\"removed_at\":8,\"file_ids\":[\"" + FILE + "\"]}]},\"flushed_entry_id\":0,"
                + "\"flushed_sequence\":0,\"manifest_version\":4,\"compaction_time_window\":null}}";
        put("00000000000000000004.checkpoint", old.getBytes(UTF_8));
        put("_last_checkpoint", ("{\"size\":0,\"version\":4,\"checksum\":\"" + crc32(old) + "\"}").getBytes(UTF_8));
        put(
                "00000000000000000005.json",
                ("{\"actions\":[{\"Edit\":{\"files_to_add\":[{\"region_id\":\"" + REGION
                                + "\",\"file_id\":\"b0000000-0000-4000-8000-00000000000b\",\"time_range\":["
                                + "{\"value\":1,\"unit\":\"Second\"},{\"value\":2,\"unit\":\"Second\"}],\"level\":0,"
                                + "\"file_size\":1}],\"files_to_remove\":[],\"compaction_time_window\":null,"
                                + "\"flushed_entry_id\":3}}]}")
                        .getBytes(UTF_8));
        service.answer(200, OUTCOME);

        Cli.Result result = run("import", "manifest", "-d", region.toString(), "--region", REGION);

        assertThat(result.err()).isEmpty();
        assertThat(result.outLines()).containsExactly("OK  region " + REGION + "  version 5  1 files");
        JsonNode sent = Json.MAPPER.readTree(service.onlyAsked().body()).path("manifest");
        assertThat(sent.at("/removed_files/removed_files/0/files").toString())
                .isEqualTo("[{\"File\":[\"" + FILE + "\",null]}]");
        assertThat(sent.at("/files/b0000000-0000-4000-8000-00000000000b/time_range/1/unit")
                        .asText())
                .isEqualTo("Second");
        assertThat(sent.path("sst_format").asText()).isEqualTo("primary_key");
        assertThat(sent.path("flushed_entry_id").asInt()).isEqualTo(3);
    }

    @Test
    void aGapIsRefusedAndSaysHowItCouldBeAccepted() throws IOException {
        putWithGap();

        Cli.Result result = run("import", "manifest", "-d", region.toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("error: VERSION_GAP", "1..15", "--accept-gap", "Nothing was imported");
        assertThat(service.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1-14", "1-16", "2-15", "0-15", "1", "1-18446744073709551615"})
    void onlyExactlyTheGapThatIsThereIsAccepted(String gap) throws IOException {
        putWithGap();

        Cli.Result result = run("import", "manifest", "-d", region.toString(), "--accept-gap", gap);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("VERSION_GAP", "1..15", "not exactly");
        assertThat(service.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1-15", "1..15"})
    void anAcceptedGapIsRepeatedInTheReport(String gap) throws IOException {
        putWithGap();
        service.answer(200, OUTCOME);

        Cli.Result text = run("import", "manifest", "-d", region.toString(), "--region", REGION, "--accept-gap", gap);
        Cli.Result json = run("import", "manifest", "-d", region.toString(), "--accept-gap", gap, "--json");

        assertThat(text.exitCode()).isZero();
        assertThat(text.outLines())
                .containsExactly("OK  region " + REGION + "  version 16  1 files  without versions 1..15, as accepted");
        assertThat(text.errLines()).singleElement().asString().startsWith("warning: VERSION_GAP");
        assertThat(json.outLines()).hasSize(1);
        JsonNode report = Json.MAPPER.readTree(json.out());
        assertThat(report.path("accepted_gap").toString()).isEqualTo("{\"first\":1,\"last\":15}");
        assertThat(report.path("findings").get(0).path("code").asText()).isEqualTo("VERSION_GAP");
        assertThat(report.path("outcome").path("code").asText()).isEqualTo("OK");
    }

    @Test
    void aGapThatIsNotThereIsNotAccepted() throws IOException {
        putVectors();

        Cli.Result result = run("import", "manifest", "-d", region.toString(), "--accept-gap", "1-15");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("1..15 are not missing");
        assertThat(service.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"15-1", "-1", "1-", "a-b", "01-15", "1-15-16", "18446744073709551616"})
    void whatIsNoRangeIsWrongUsage(String gap) {
        assertThat(run("import", "manifest", "-d", region.toString(), "--accept-gap=" + gap)
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void aWrongChecksumIsRefused() throws IOException {
        putVectors();
        put(
                "_last_checkpoint",
                new String(vector("_last_checkpoint"), UTF_8)
                        .replace("681351691", "681351692")
                        .getBytes(UTF_8));

        Cli.Result result = run("import", "manifest", "-d", region.toString(), "--json");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("error: CHECKSUM_MISMATCH", "681351691", "681351692");
        JsonNode report = Json.MAPPER.readTree(result.out());
        assertThat(report.path("findings").get(0).path("level").asText()).isEqualTo("error");
        assertThat(report.path("refused").asText()).contains("damaged");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void aNameThatIsNotCanonicalIsRefused() throws IOException {
        putVectors();
        put("18446744073709551616.json", "{\"actions\":[]}".getBytes(UTF_8));

        Cli.Result result = run("import", "manifest", "-d", region.toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .contains("error: NONCANONICAL_KEY", "18446744073709551616.json", "Nothing was imported");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void warningsDoNotKeepItFromBeingImported() throws IOException {
        putVectors();
        put("00000000000000000003.json.tmp", new byte[0]);
        Files.createDirectories(region.resolve("staging/manifest"));
        service.answer(200, OUTCOME);

        Cli.Result result = run("import", "manifest", "-d", region.toString());

        assertThat(result.exitCode()).isZero();
        assertThat(result.errLines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("warning: "))
                .anyMatch(line -> line.contains("UNKNOWN_FILE"))
                .anyMatch(line -> line.contains("STAGING_PRESENT"));
    }

    @Test
    void anotherRegionThanTheNamedOneIsRefused() throws IOException {
        putVectors();

        Cli.Result result = run("import", "manifest", "-d", region.toString(), "--region", "7");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("of region " + REGION, "not of 7");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void whereThereIsNoManifestNothingIsImported() throws IOException {
        assertThat(run("import", "manifest", "-d", region.toString()).err()).contains("holds no manifest", "-d");
        assertThat(run("import", "manifest", "-d", home.resolve("none").toString())
                        .err())
                .contains("there is no directory");
        Files.createFile(region.resolve(".dropping"));
        Cli.Result dropping = run("import", "manifest", "-d", region.toString());
        assertThat(dropping.exitCode()).isEqualTo(1);
        assertThat(dropping.err()).contains("being dropped");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void aRefusedImportIsCodeAndMessage() throws IOException {
        putVectors();
        service.answer(409, "{\"code\":\"REGION_ALREADY_EXISTS\",\"detail\":\"import it with or_replace\"}");

        Cli.Result result = run("import", "manifest", "-d", region.toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.errLines())
                .containsExactly("region " + REGION + ": REGION_ALREADY_EXISTS: import it with or_replace");
    }

    // Verify.

    @Test
    void theSameIsVerified() throws IOException {
        putVectors();
        service.answer(200, answer(snapshot()));

        Cli.Result result = verify();

        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.outLines())
                .containsExactly("OK  region " + REGION + "  version 2  the directory is the same");
    }

    @Test
    void removedFilesThatAreConfirmedAreNoDifference() throws IOException {
        putVectors();
        service.answer(200, answer(snapshot().replaceFirst("\\{\"removed_at\":.*?\\]\\}\\]\\}", "")));

        Cli.Result result = verify();

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("but for 1 removed files");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"flushed_entry_id\":12 | \"flushed_entry_id\":13 | flushed_entry_id  12  13",
                "\"append_mode\":false | \"append_mode\":null | append_mode  false  null",
                "\"compaction_time_window\":\"1day\" | \"compaction_time_window\":\"2days\""
                        + " | compaction_time_window  \"1day\"  \"2days\"",
                "\"name\":\"watts\" | \"name\":\"volts\""
                        + " | metadata.column_metadatas[1].column_schema.name  \"watts\"  \"volts\"",
                "\"removed_at\":1790000005000 | \"removed_at\":1790000005001"
                        + " | removed_files.a0000000-0000-4000-8000-00000000000a  [1790000005000]  [1790000005001]",
                "-00000000000a\",null | -00000000000b\",null"
                        + " | removed_files.a0000000-0000-4000-8000-00000000000b  -  [1790000005000]",
                "\"files\":{}, | \"files\":{\"" + FILE + "\":{\"level\":1}},"
                        + " | files.a0000000-0000-4000-8000-00000000000a  -  {\"region_id\":0",
            })
    void aDifferenceIsNamedByFieldAndFile(String held, String real, String line) throws IOException {
        putVectors();
        service.answer(200, answer(snapshot().replace(held, real)));

        Cli.Result result = verify();

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.outLines()).hasSize(2);
        assertThat(result.outLines().get(1).replaceAll(" {2,}", "  ")).startsWith(line);
        assertThat(result.err()).contains("differ at version 2", "What the service says is true");
    }

    @Test
    void differencesAreJsonForScripts() throws IOException {
        putVectors();
        service.answer(200, answer(snapshot().replace("\"flushed_entry_id\":12", "\"flushed_entry_id\":13")));

        Cli.Result result = verify("--json");

        assertThat(result.exitCode()).isEqualTo(1);
        JsonNode report = Json.MAPPER.readTree(result.out());
        assertThat(report.path("same").asBoolean()).isFalse();
        assertThat(report.path("differences").toString())
                .isEqualTo("[{\"where\":\"flushed_entry_id\",\"directory\":\"12\",\"service\":\"13\"}]");
    }

    @Test
    void whatWasRemovedAtNoTimeMayHaveBeenRemovedAtAnyTime() throws IOException {
        put("00000000000000000000.json", vector("00000000000000000000.json"));
        put("00000000000000000001.json", vector("00000000000000000001.json"));
        put(
                "00000000000000000002.json",
                new String(vector("00000000000000000002.json"), UTF_8)
                        .replace(",\"timestamp_ms\":1790000005000", "")
                        .getBytes(UTF_8));
        service.answer(200, answer(snapshot()));

        assertThat(verify().exitCode()).isZero();
    }

    @Test
    void aDirectoryThatIsBehindIsLookedAtAgain() throws IOException {
        put("00000000000000000000.json", vector("00000000000000000000.json"));
        put("00000000000000000001.json", vector("00000000000000000001.json"));
        AtomicInteger asked = new AtomicInteger();
        service.answer(request -> {
            if (asked.incrementAndGet() == 2) {
                put("00000000000000000002.json", vector("00000000000000000002.json"));
            }
            return new Answer(200, answer(snapshot()));
        });

        assertThat(verify().exitCode()).isZero();
        assertThat(asked).hasValue(2);
    }

    @Test
    void aDirectoryThatIsAheadIsLookedAtAgain() throws IOException {
        putVectors();
        put("00000000000000000003.json", flush(50));
        String next = snapshot()
                .replace("\"flushed_entry_id\":12", "\"flushed_entry_id\":50")
                .replace("\"manifest_version\":2", "\"manifest_version\":3");
        AtomicInteger asked = new AtomicInteger();
        service.answer(request -> new Answer(200, answer(asked.incrementAndGet() < 3 ? snapshot() : next)));

        Cli.Result result = verify();

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("version 3");
        assertThat(asked).hasValue(3);
    }

    @Test
    void aRegionThatKeepsMovingIsComparedAsOfTheServicesVersion() throws IOException {
        putVectors();
        AtomicInteger asked = new AtomicInteger();
        service.answer(request -> {
            // Always one write further on the disk than the service says.
            int version = 2 + asked.getAndIncrement();
            put(String.format("%020d.json", version + 1), flush(version + 100));
            String answer = version == 2
                    ? snapshot()
                    : snapshot()
                            .replace("\"flushed_entry_id\":12", "\"flushed_entry_id\":" + (version + 99))
                            .replace("\"manifest_version\":2", "\"manifest_version\":" + version);
            return new Answer(200, answer(answer));
        });

        Cli.Result result = verify();

        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(asked).hasValue(2);
    }

    @Test
    void aVersionThatNeverBecomesRealIsADifference() throws IOException {
        putVectors();
        put("00000000000000000003.json", flush(50));
        service.answer(200, answer(snapshot()));

        Cli.Result result = verify("--wait", "300");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("has versions up to 3, the service is at 2", "never became real");
        assertThat(service.asked()).hasSizeGreaterThan(1);
    }

    @Test
    void aDirectoryThatStaysBehindIsADifference() throws IOException {
        put("00000000000000000000.json", vector("00000000000000000000.json"));
        service.answer(200, answer(snapshot()));

        Cli.Result result = verify("--wait", "1");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("is at version 0, the service at 2", "manifest.storage=dir");
    }

    @Test
    void aDirectoryThatCannotBeOpenedSaysWhy() throws IOException {
        putWithGap();
        service.answer(200, answer(snapshot()));

        Cli.Result result = verify();

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("error: VERSION_GAP", "1..15", "cannot be opened", "sluice export manifest");
    }

    @Test
    void aFileThatIsLeftOutMakesItExitCode1() throws IOException {
        putVectors();
        put("18446744073709551616.json", "{\"actions\":[]}".getBytes(UTF_8));
        service.answer(200, answer(snapshot()));

        Cli.Result result = verify();

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("error: NONCANONICAL_KEY", "Take it away");
    }

    @Test
    void theDirectoryOfAnotherRegionIsSaidToBe() throws IOException {
        putVectors();
        service.answer(200, answer(snapshot().replace("\"region_id\":" + REGION, "\"region_id\":7")));

        Cli.Result result = run("region", "verify", "7", "-d", region.toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("of region " + REGION, "not of 7");
    }

    @Test
    void verifyAsksARunningService() throws IOException {
        putVectors();
        service.close();

        assertThat(verify().exitCode()).isEqualTo(3);
    }

    private Cli.Result verify(String... more) {
        return run(Stream.concat(Stream.of("region", "verify", REGION, "-d", region.toString()), Stream.of(more))
                .toArray(String[]::new));
    }

    /** A staged change merged 15 versions into one: case B-M33.3. */
    private void putWithGap() {
        put("00000000000000000000.json", vector("00000000000000000000.json"));
        put("00000000000000000016.json", vector("00000000000000000001.json"));
    }

    private void putVectors() {
        VECTORS.forEach(name -> put(name, vector(name)));
    }

    private void put(String name, byte[] content) {
        try {
            Files.write(region.resolve("manifest").resolve(name), content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] flush(int entryId) {
        return ("{\"actions\":[{\"Edit\":{\"files_to_add\":[],\"files_to_remove\":[],\"timestamp_ms\":1,"
                        + "\"compaction_time_window\":null,\"flushed_entry_id\":" + entryId + "}}]}")
                .getBytes(UTF_8);
    }

    private static List<String> names(Path region) throws IOException {
        try (Stream<Path> files = Files.list(region.resolve("manifest"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static byte[] vector(String name) {
        try (var in = ManifestCommandsTest.class.getResourceAsStream("/manifest/vectors/" + name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The manifest that the vectors are of. */
    private static String snapshot() {
        String checkpoint = new String(vector("00000000000000000002.checkpoint"), UTF_8);
        String before = "\"checkpoint\":";
        return checkpoint.substring(checkpoint.indexOf(before) + before.length(), checkpoint.length() - 1);
    }

    private static String answer(String snapshot) {
        return "{\"snapshot\":" + snapshot + "}";
    }

    private static long crc32(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(UTF_8));
        return crc.getValue();
    }

    private Cli.Result run(String... args) {
        return Cli.run(Stream.concat(Stream.of(args), Stream.of("--server", service.url()))
                .toArray(String[]::new));
    }
}
