package io.sluice.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.service.http.HttpCaller.Answered;
import io.sluice.service.runtime.EmbeddedInstallation;
import io.sluice.service.writer.ForwardingStorage;
import io.sluice.service.writer.ManifestStorage;
import io.sluice.service.writer.OpenOrder;
import io.sluice.service.writer.WriteOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Regions over HTTP on a real broker, their manifests in files. Every test has a table, and so regions, of its own. */
class RegionApiIT {
    private static final int PARTITIONS = 4;
    private static final int QUEUE_BOUND = 128;
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final AtomicLong NEXT_TABLE = new AtomicLong(1024);

    @TempDir
    private static Path data;

    private static EmbeddedInstallation installation;
    private static HttpServer server;
    private static HttpCaller http;

    /** While it is there, the alter of its region is not written. */
    private static volatile HeldAlter held;

    private final long tableId = NEXT_TABLE.getAndIncrement();
    private final long regionId = regionId(1);
    private final String region = "/v1/regions/" + regionId;

    @BeforeAll
    static void start() {
        installation = EmbeddedInstallation.start(
                data,
                0,
                "127.0.0.1:0",
                settings -> settings.withManifests(settings.manifests().withAround(HeldAlters::new)));
        server = HttpServer.start(
                HttpSettings.local(0),
                installation.instance().service(),
                installation.instance().health());
        http = new HttpCaller(server.port());
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        if (installation != null) {
            installation.close();
        }
    }

    /** Holds back the alter of one region until it is closed, so that the region is busy for exactly as long as a test wants. */
    private record HeldAlter(long regionId, CountDownLatch reached, CountDownLatch released) implements AutoCloseable {
        static HeldAlter of(long regionId) {
            held = new HeldAlter(regionId, new CountDownLatch(1), new CountDownLatch(1));
            return held;
        }

        /** Until the writer has come to it. */
        void awaitReached() throws InterruptedException {
            assertThat(reached.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }

        @Override
        public void close() {
            held = null;
            released.countDown();
        }
    }

    private static final class HeldAlters extends ForwardingStorage {
        HeldAlters(ManifestStorage to) {
            super(to);
        }

        @Override
        public WriteOutcome write(OpenOrder open) {
            HeldAlter alter = held;
            if (alter != null
                    && alter.regionId() == open.order().regionId()
                    && open.order().actions().stream().anyMatch(Change.class::isInstance)) {
                alter.reached().countDown();
                try {
                    alter.released().await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return super.write(open);
        }
    }

    // ---- requests

    private long regionId(int number) {
        return tableId << 32 | number;
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private static Answered post(String path, String body, String... headers) {
        return http.post(path, json(body), headers);
    }

    /** A command to the test's region. */
    private Answered send(String action, String body) {
        return post(region + "/" + action, body);
    }

    private Answered done(String action, String body) {
        return ok(send(action, body));
    }

    private JsonNode look(String path) {
        return ok(http.get(region + path)).json();
    }

    private static Answered ok(Answered answered) {
        assertThat(answered.status()).as(answered.toString()).isEqualTo(200);
        return answered;
    }

    private static void assertProblem(Answered answered, int status, String code) {
        assertThat(answered.status()).as(answered.toString()).isEqualTo(status);
        assertThat(answered.text("code")).as(answered.toString()).isEqualTo(code);
        assertThat(answered.header("Content-Type")).as(answered.toString()).startsWith("application/problem+json");
        assertThat(answered.header("Sluice-Position")).as(answered.toString()).isNotNull();
    }

    private static void assertUnchanged(Answered answered) {
        assertThat(ok(answered).json().path("applied").booleanValue())
                .as(answered.toString())
                .isFalse();
    }

    // ---- bodies

    /** The schema of a version: each one has a column more. */
    private static String metadata(long regionId, int schemaVersion) {
        String columns = IntStream.rangeClosed(1, schemaVersion)
                .mapToObj(id -> "," + column("c" + id, "{'Float64':{}}", "Field", id))
                .collect(Collectors.joining());
        return "{'column_metadatas':[" + column("ts", "{'Timestamp':{'Millisecond':null}}", "Timestamp", 0) + columns
                + "],'primary_key':[],'region_id':" + regionId + ",'schema_version':" + schemaVersion + "}";
    }

    private static String column(String name, String type, String semanticType, int id) {
        boolean isTime = id == 0;
        return "{'column_schema':{'name':'" + name + "','data_type':" + type + ",'is_nullable':" + !isTime
                + ",'is_time_index':" + isTime + ",'default_constraint':null,'metadata':{}},'semantic_type':'"
                + semanticType + "','column_id':" + id + "}";
    }

    private static String created(long regionId) {
        return "{'region_id':" + regionId + ",'metadata':" + metadata(regionId, 0) + "}";
    }

    private String altered(int schemaVersion) {
        return "{'metadata':" + metadata(regionId, schemaVersion) + "}";
    }

    /** In the order of the numbers. */
    private static String id(int number) {
        return "%08x-0000-4000-8000-000000000000".formatted(number);
    }

    /** A file whose rows are of the seconds from {@code 10 * number} to 9 later. */
    private static String file(int number) {
        return "{'file_id':'" + id(number) + "','time_range':[{'value':" + 10 * number + ",'unit':'Second'},{'value':"
                + (10 * number + 9) + ",'unit':'Second'}],'file_size':4096,'num_rows':10}";
    }

    private static String files(int... numbers) {
        return IntStream.of(numbers).mapToObj(RegionApiIT::file).collect(Collectors.joining(",", "[", "]"));
    }

    private static String flush(int entryId, int... numbers) {
        return "{'files_to_add':" + files(numbers) + ",'flushed_entry_id':" + entryId + ",'flushed_sequence':"
                + 100 * entryId + "}";
    }

    private static List<String> ids(JsonNode files) {
        return StreamSupport.stream(files.path("files").spliterator(), false)
                .map(file -> file.path("file_id").asText())
                .toList();
    }

    // ---- givens

    private void givenRegion() {
        givenRegion(regionId);
    }

    private static void givenRegion(long regionId) {
        Answered created = post("/v1/regions", created(regionId));
        assertThat(created.status()).as(created.toString()).isEqualTo(201);
    }

    private void givenRegionWithFiles(int... numbers) {
        givenRegion();
        done("flush", flush(1, numbers));
    }

    private Stream<Long> regionsOn(int partition) {
        return IntStream.iterate(1, number -> number + 1)
                .mapToObj(this::regionId)
                .filter(one -> Partitions.of(one.toString(), PARTITIONS) == partition);
    }

    private String partition() {
        return "region:" + Partitions.of(Long.toUnsignedString(regionId), PARTITIONS);
    }

    // ---- create

    @Test
    void aRegionIsCreatedOnce() {
        Answered created = post("/v1/regions", created(regionId));

        assertThat(created.status()).as(created.toString()).isEqualTo(201);
        assertThat(created.header("Location")).isEqualTo(region);
        assertThat(created.json().properties().stream().map(Map.Entry::getKey))
                .containsExactly(
                        "command_id", "code", "message", "region_id", "revision", "applied", "position", "who");
        assertThat(created.json().path("region_id").longValue()).isEqualTo(regionId);
        assertThat(created.text("revision")).isEqualTo("0");
        assertThat(created.text("position")).startsWith(partition() + "@");
        assertThat(created.header("Sluice-Position")).isEqualTo(created.text("position"));

        assertProblem(post("/v1/regions", created(regionId)), 409, "REGION_ALREADY_EXISTS");
        assertThat(look("").path("manifest_version").longValue()).isZero();
    }

    @Test
    void aRegionIdBeyondWhatNumbersHoldIsText() {
        String id = Long.toUnsignedString(-tableId);
        Answered created = post(
                "/v1/regions",
                "{'region_id':'" + id + "','metadata':"
                        + metadata(0, 0).replace("'region_id':0", "'region_id':'" + id + "'") + "}");
        assertThat(created.status()).as(created.toString()).isEqualTo(201);

        JsonNode shown = ok(http.get("/v1/regions/" + id)).json();

        assertThat(shown.path("region_id").isTextual()).isTrue();
        assertThat(shown.path("region_id").asText()).isEqualTo(id);
    }

    @Test
    void whatIsWrongWithACreateIsSaidByName() {
        String metadata = metadata(regionId, 0);
        for (String[] wrong : new String[][] {
            {"colour", "{'region_id':" + regionId + ",'metadata':" + metadata + ",'colour':1}"},
            {"metadata", "{'region_id':" + regionId + "}"},
            {"region_id", "{'region_id':-1,'metadata':" + metadata + "}"},
            {"region_id", "{'region_id':" + regionId(2) + ",'metadata':" + metadata + "}"},
            {"sst_format", "{'region_id':" + regionId + ",'metadata':" + metadata + ",'sst_format':'x'}"},
            {"time index", created(regionId).replace("'is_time_index':true", "'is_time_index':false")}
        }) {
            Answered refused = post("/v1/regions", wrong[1]);

            assertProblem(refused, 400, "INVALID_ARGUMENT");
            assertThat(refused.text("detail")).contains(wrong[0]);
        }
        assertProblem(post("/v1/regions", "{"), 400, "MALFORMED");
        assertProblem(http.get(region), 404, "REGION_NOT_FOUND");
    }

    // ---- changes

    @Test
    void anAlterIsTheNextVersionOfTheSchema() {
        givenRegion();

        assertThat(done("alter", altered(1)).text("revision")).isEqualTo("1");
        assertThat(look("").path("schema_version").longValue()).isEqualTo(1);

        assertUnchanged(send("alter", altered(1)));
        Answered outdated = send("alter", altered(0));
        assertProblem(outdated, 409, "SCHEMA_OUTDATED");
        assertThat(outdated.text("detail")).contains("schema_version is 0");
        assertProblem(send("alter", altered(3)), 400, "INVALID_ARGUMENT");
        assertProblem(send("alter", "{'metadata':{},'region_id':7}"), 400, "INVALID_ARGUMENT");
        assertThat(look("").path("manifest_version").longValue()).isEqualTo(1);
    }

    @Test
    void filesComeAndGoWithFlushesCompactionsAndEdits() {
        givenRegion();

        assertThat(done("flush", flush(7, 2, 1)).text("revision")).isEqualTo("1");
        assertThat(ids(look("/files"))).containsExactly(id(1), id(2));
        assertThat(done("compact", "{'files_to_add':" + files(3) + ",'files_to_remove':" + files(1, 2) + "}")
                        .text("revision"))
                .isEqualTo("2");
        assertThat(ids(look("/files"))).containsExactly(id(3));
        assertThat(done("edit", "{'files_to_add':" + files(4) + ",'files_to_remove':" + files(3) + "}")
                        .text("revision"))
                .isEqualTo("3");

        JsonNode files = look("/files");
        assertThat(ids(files)).containsExactly(id(4));
        assertThat(files.at("/files/0/sequence").longValue()).isEqualTo(1);
        JsonNode shown = look("");
        assertThat(shown.path("flushed_entry_id").longValue()).isEqualTo(7);
        assertThat(shown.path("flushed_sequence").longValue()).isEqualTo(700);
        assertThat(shown.path("committed_sequence").longValue()).isEqualTo(1);
        assertThat(shown.path("file_count").longValue()).isEqualTo(1);
    }

    @Test
    void theFilesOfARefusedCompactionAreGivenUp() {
        givenRegionWithFiles(1);

        Answered refused = send("compact", "{'files_to_add':" + files(3) + ",'files_to_remove':" + files(1, 2) + "}");

        assertProblem(refused, 409, "REGION_TRUNCATED");
        assertThat(ids(look("/files"))).containsExactly(id(1));
        assertThat(look("/removed").at("/cleanup/0/files").toString()).contains(id(3));
        assertProblem(send("flush", flush(2, 3)), 400, "INVALID_ARGUMENT");
    }

    @Test
    void aTruncateTakesEverythingOrNamedFilesOrTimes() {
        givenRegionWithFiles(1, 2, 3, 4, 5);

        assertThat(done("truncate", "{'files_to_remove':" + files(5) + "}").text("revision"))
                .isEqualTo("2");
        assertThat(ids(look("/files"))).containsExactly(id(1), id(2), id(3), id(4));
        // Both ends are inclusive; file 3 lies inside but for its last second.
        done(
                "truncate",
                "{'time_ranges':[{'start':{'value':10000,'unit':'Millisecond'},'end':{'value':38,'unit':'Second'}}]}");
        assertThat(ids(look("/files"))).containsExactly(id(3), id(4));
        assertProblem(send("truncate", "{'files_to_remove':" + files(1, 3) + "}"), 409, "REGION_TRUNCATED");
        assertProblem(send("truncate", "{'truncated_entry_id':0,'truncated_sequence':100}"), 412, "REVISION_MISMATCH");
        assertProblem(send("truncate", "{}"), 400, "INVALID_ARGUMENT");
        assertThat(ids(look("/files"))).containsExactly(id(3), id(4));
        done("truncate", "{'truncated_entry_id':9,'truncated_sequence':900}");

        assertThat(ids(look("/files"))).isEmpty();
        JsonNode shown = look("");
        assertThat(shown.path("truncated_entry_id").longValue()).isEqualTo(9);
        assertThat(shown.path("flushed_sequence").longValue()).isEqualTo(900);
        assertUnchanged(send("truncate", "{'files_to_remove':[]}"));
        assertProblem(send("flush", flush(9, 6)), 409, "REGION_TRUNCATED");
    }

    @Test
    void anIndexIsPublishedForTheFileOfToday() {
        givenRegionWithFiles(1);
        String source = look("/files").at("/files/0").toString();
        String index = "{'source':%s,'schema_version':%d,'available_indexes':['InvertedIndex'],'index_file_size':64,"
                + "'index_version':1}";

        assertProblem(send("index", index.formatted(source, 1)), 409, "SCHEMA_OUTDATED");
        done("index", index.formatted(source, 0));

        JsonNode file = look("/files").at("/files/0");
        assertThat(file.path("index_file_size").longValue()).isEqualTo(64);
        assertThat(file.path("available_indexes").get(0).asText()).isEqualTo("InvertedIndex");
        assertProblem(send("index", index.formatted(source, 0)), 409, "STALE_INDEX_SOURCE");
    }

    @Test
    void whatWasNotFlushedIsDiscardedAndTheFilesStay() {
        givenRegionWithFiles(1);

        done("discard", "{'flushed_entry_id':5,'flushed_sequence':500}");

        JsonNode shown = look("");
        assertThat(shown.path("flushed_entry_id").longValue()).isEqualTo(5);
        assertThat(shown.path("file_count").longValue()).isEqualTo(1);
        assertUnchanged(send("discard", "{'flushed_entry_id':5,'flushed_sequence':500}"));
        assertProblem(send("discard", "{'flushed_entry_id':4,'flushed_sequence':500}"), 412, "REVISION_MISMATCH");
    }

    @Test
    void aLeaderOnItsWayOutTakesNoNewChanges() {
        givenRegion();

        done("role", "{'role':'downgrading'}");

        assertThat(look("/admission")).hasToString(json("{'admission':'REJECT','state':'DOWNGRADING'}"));
        Answered refused = send("alter", altered(1));
        assertProblem(refused, 409, "REGION_NOT_WRITABLE");
        assertThat(refused.text("detail")).contains("DOWNGRADING");
        done("flush", flush(1, 1));
        done("role", "{'role':'leader'}");
        assertThat(look("/admission")).hasToString(json("{'admission':'ADMIT','state':'WRITABLE'}"));
        assertThat(done("alter", altered(1)).text("revision")).isEqualTo("2");
        done("role", "{'role':'follower'}");
        assertThat(look("").path("state").asText()).isEqualTo("READ_ONLY");
        assertProblem(send("role", "{'role':'downgrading'}"), 409, "REGION_NOT_WRITABLE");
        assertProblem(send("role", "{'role':'king'}"), 400, "INVALID_ARGUMENT");
    }

    // ---- look-ups

    @Test
    void aRegionIsShownWithItsSummary() {
        givenRegionWithFiles(2, 1);

        Answered shown = ok(http.get(region));

        assertThat(shown.json().properties().stream().map(Map.Entry::getKey))
                .contains(
                        "region_id",
                        "role",
                        "state",
                        "manifest_version",
                        "flushed_entry_id",
                        "flushed_sequence",
                        "truncated_entry_id",
                        "committed_sequence",
                        "file_count",
                        "queued");
        assertThat(shown.text("role")).isEqualTo("leader");
        assertThat(shown.text("state")).isEqualTo("WRITABLE");
        assertThat(shown.text("manifest_version")).isEqualTo("1");
        assertThat(shown.text("queued")).isEqualTo("0");
        assertThat(shown.json().path("truncated_entry_id").isNull()).isTrue();
        assertThat(shown.header("Sluice-Position")).startsWith(partition() + "@");
    }

    @Test
    void aFollowerGetsTheManifestAndThenWhatChanged() {
        givenRegionWithFiles(1);
        done("flush", flush(2, 2));

        JsonNode snapshot = look("/manifest").path("snapshot");
        assertThat(snapshot.path("manifest_version").longValue()).isEqualTo(2);
        assertThat(snapshot.path("files").properties().stream().map(Map.Entry::getKey))
                .containsExactly(id(1), id(2));
        JsonNode deltas = look("/manifest?from=0").path("deltas");
        assertThat(deltas).hasSize(2);
        assertThat(deltas.at("/0/version").longValue()).isEqualTo(1);
        assertThat(deltas.at("/1/actions/0/Edit/files_to_add/0/file_id").asText())
                .isEqualTo(id(2));

        for (String from : List.of("2", "99", "18446744073709551615")) {
            JsonNode beyond = look("/manifest?from=" + from);
            assertThat(beyond.path("deltas").isArray()).isTrue();
            assertThat(beyond.path("deltas")).isEmpty();
            assertThat(beyond.path("manifest_version").longValue()).isEqualTo(2);
        }
        assertProblem(http.get(region + "/manifest?from=x"), 400, "INVALID_ARGUMENT");
    }

    @Test
    void aRegionThatIsNotThereIsToldApart() {
        assertThat(look("/admission")).hasToString(json("{'admission':'REJECT','state':'UNKNOWN'}"));
        for (String path : List.of("", "/files", "/manifest", "/manifest?from=1")) {
            Answered none = http.get(region + path);
            assertProblem(none, 404, "REGION_NOT_FOUND");
            assertThat(none.header("Sluice-Position")).startsWith(partition() + "@");
        }
        for (String action : List.of("flush", "edit", "compact")) {
            assertProblem(send(action, "{}"), 404, "REGION_NOT_FOUND");
        }
        assertProblem(http.send("DELETE", region, null), 404, "REGION_NOT_FOUND");
        assertThat(http.get("/v1/regions/x").status()).isEqualTo(400);
    }

    @Test
    void theRegionsOfATableAreListedOverAllPartitions() {
        List<Long> expected = IntStream.range(0, PARTITIONS)
                .boxed()
                .flatMap(partition -> regionsOn(partition).limit(2))
                .sorted()
                .toList();
        expected.forEach(RegionApiIT::givenRegion);
        givenRegion(NEXT_TABLE.getAndIncrement() << 32);
        String table = "/v1/regions?table_id=" + tableId;

        Answered all = ok(http.get(table));
        List<Long> found = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        String after = "";
        while (after != null) {
            JsonNode page = ok(http.get(table + "&limit=3" + after)).json();
            page.path("regions").forEach(one -> found.add(one.path("region_id").longValue()));
            sizes.add(page.path("regions").size());
            after = page.path("next").isNull()
                    ? null
                    : "&after=" + page.path("next").asText();
        }

        assertThat(found).isEqualTo(expected);
        assertThat(sizes).containsExactly(3, 3, 2);
        assertThat(all.json().path("regions").findValuesAsText("region_id"))
                .isEqualTo(expected.stream().map(String::valueOf).toList());
        assertThat(all.json().path("next").isNull()).isTrue();
        assertThat(all.header("Sluice-Position").split(",")).hasSize(PARTITIONS);
    }

    // ---- files to be deleted

    @Test
    void onlyWhatNobodyRefersToIsDeletedAndThenForgotten() {
        givenRegionWithFiles(1, 2, 3);
        done("compact", "{'files_to_add':" + files(4) + ",'files_to_remove':" + files(1, 2) + "}");
        String question = "{'manifest_version':%d,'references':[%s]}";
        String first = "{'file_id':'" + id(1) + "'}";

        JsonNode removed = look("/removed");
        assertThat(removed.at("/removed_files/0/files"))
                .hasToString(json("[{'File':['" + id(1) + "',null]},{'File':['" + id(2) + "',null]}]"));
        assertThat(removed.path("cleanup")).isEmpty();
        Answered old = send("deletable", question.formatted(1, ""));
        assertProblem(old, 412, "REVISION_MISMATCH");
        assertThat(old.text("detail")).contains("manifest version 1");
        assertProblem(send("deletable", "{'manifest_version':2,'references':null}"), 400, "INVALID_ARGUMENT");
        assertThat(done("deletable", question.formatted(2, "")).json())
                .hasToString(json("{'data_files':['" + id(1) + "','" + id(2) + "'],'index_files':[]}"));
        assertThat(done("deletable", question.formatted(2, first)).json())
                .hasToString(json("{'data_files':['" + id(2) + "'],'index_files':[]}"));

        String deleted = "{'files':[{'File':['" + id(2) + "',null]}]}";
        done("deleted", deleted);
        assertUnchanged(send("deleted", deleted));

        assertThat(look("/removed").at("/removed_files/0/files"))
                .hasToString(json("[{'File':['" + id(1) + "',null]}]"));
        assertThat(look("").path("manifest_version").longValue()).isEqualTo(2);
    }

    // ---- drop

    @Test
    void aDroppedRegionIsGoneAndItsIdIsFree() {
        givenRegionWithFiles(1);

        ok(http.send("DELETE", region, null));

        assertProblem(http.get(region), 404, "REGION_NOT_FOUND");
        assertProblem(send("flush", flush(2, 2)), 404, "REGION_NOT_FOUND");
        assertThat(look("/admission")).hasToString(json("{'admission':'REJECT','state':'UNKNOWN'}"));
        assertThat(ok(http.get("/v1/regions?table_id=" + tableId)).json().path("regions"))
                .isEmpty();
        assertProblem(http.send("DELETE", region, null), 404, "REGION_NOT_FOUND");
        givenRegion();
        assertThat(look("").path("file_count").longValue()).isZero();
    }

    // ---- outcomes and positions

    @Test
    void anOutcomeCanBeAskedForWithAndWithoutItsRegion() {
        givenRegion();
        String id = "o-" + UUID.randomUUID();
        Answered flushed =
                done("flush", flush(1, 1).replace("{'files_to_add'", "{'command_id':'" + id + "','files_to_add'"));

        assertThat(ok(http.get("/v1/outcomes/" + id)).json()).isEqualTo(flushed.json());
        assertThat(ok(http.get("/v1/outcomes/" + id + "?region=" + regionId)).json())
                .isEqualTo(flushed.json());
        assertProblem(http.get("/v1/outcomes/" + id + "?region=" + regionId(2)), 404, "OUTCOME_NOT_FOUND");
        assertProblem(http.get("/v1/outcomes/" + id + "?flownode=1"), 404, "OUTCOME_NOT_FOUND");
        assertThat(http.get("/v1/outcomes/" + id + "?region=1&flownode=1").status())
                .isEqualTo(400);

        post("/v1/regions/" + regionId(2) + "/role", "{'command_id':'" + id + "','role':'leader'}");
        Answered ambiguous = http.get("/v1/outcomes/" + id);
        assertProblem(ambiguous, 400, "INVALID_ARGUMENT");
        assertThat(ambiguous.text("detail")).contains("region " + regionId + ", region " + regionId(2));
    }

    @ParameterizedTest
    @CsvSource({"OK, 200, '[]'", "REGION_TRUNCATED, 409, '[{''file_id'':''00000000-0000-4000-8000-000000000009''}]'"})
    void aCommandSentAgainGetsItsFirstOutcome(String code, int status, String removed) {
        givenRegion();
        String command = "{'command_id':'c-1','files_to_add':" + files(1) + ",'files_to_remove':" + removed + "}";
        Answered first = send("compact", command);
        assertThat(first.status()).as(first.toString()).isEqualTo(status);
        assertThat(first.text("code")).isEqualTo(code);
        done("flush", flush(2, 2));

        Answered again = send("compact", command);

        assertThat(again.status()).isEqualTo(status);
        assertThat(again.json()).isEqualTo(first.json());
        assertThat(look("").path("manifest_version").longValue()).isEqualTo(status == 200 ? 2 : 1);
    }

    @Test
    void aPositionOfARegionIsWaitedFor() {
        givenRegion();
        String position = done("flush", flush(1, 1)).header("Sluice-Position");

        for (String atLeast : List.of(position, "latest")) {
            Answered read = ok(http.get(region + "/files", "Sluice-At-Least", atLeast));
            assertThat(ids(read.json())).containsExactly(id(1));
        }
        Answered future = http.get(region + "?wait=100", "Sluice-At-Least", partition() + "@999999999");
        assertProblem(future, 503, "NOT_READY");
        assertThat(future.header("Retry-After")).isNotNull();
        assertThat(future.header("Sluice-Position")).startsWith(partition() + "@");
        assertProblem(http.get(region, "Sluice-At-Least", "region:4@1"), 400, "INVALID_ARGUMENT");
    }

    // ---- busy regions

    @Test
    void aRegionThatIsAlteredStallsWritesAndItsOutcomeIsAskedForLater() throws InterruptedException {
        givenRegion();
        String command = altered(1).replace("{'metadata'", "{'command_id':'a-1','metadata'");
        String outcome = "/v1/outcomes/a-1?region=" + regionId;
        try (HeldAlter alter = HeldAlter.of(regionId)) {
            Answered unknown = send("alter?wait=500", command);

            assertThat(unknown.status()).as(unknown.toString()).isEqualTo(202);
            assertThat(unknown.header("Location")).isEqualTo(outcome);
            assertThat(unknown.json().path("region_id").longValue()).isEqualTo(regionId);
            alter.awaitReached();
            awaitState("ALTERING");
            assertProblem(http.get(outcome), 404, "OUTCOME_NOT_FOUND");
            JsonNode admission = look("/admission");
            assertThat(admission.path("admission").asText()).isEqualTo("STALL");
            assertThat(admission.path("state").asText()).isEqualTo("ALTERING");
            assertThat(admission.path("retry_after_ms").intValue()).isPositive();
            assertThat(look("").at("/write_in_flight/command_id").asText()).isEqualTo("a-1");
            assertThat(look("").path("schema_version").longValue()).isZero();
            assertProblem(send("role", "{'role':'downgrading'}"), 503, "REGION_BUSY");
        }

        Answered decided = done("alter", command);

        assertThat(decided.text("revision")).isEqualTo("1");
        assertThat(ok(http.get(outcome)).json()).isEqualTo(decided.json());
        assertThat(look("/admission").path("admission").asText()).isEqualTo("ADMIT");
    }

    @Test
    void noMoreThan128CommandsWaitForARegion() throws InterruptedException {
        givenRegion();
        int sent = QUEUE_BOUND + 2;
        CountDownLatch refused = new CountDownLatch(sent - QUEUE_BOUND);
        CompletableFuture<Answered> altered;
        List<CompletableFuture<Answered>> edits = new ArrayList<>();
        try (HeldAlter alter = HeldAlter.of(regionId)) {
            altered = http.sendAsync("POST", region + "/alter?wait=30000", json(altered(1)));
            alter.awaitReached();
            for (int number = 1; number <= sent; number++) {
                CompletableFuture<Answered> edit = http.sendAsync(
                        "POST", region + "/edit?wait=30000", json("{'files_to_add':" + files(number) + "}"));
                edit.thenRun(refused::countDown);
                edits.add(edit);
            }

            assertThat(refused.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(look("").path("queued").intValue()).isEqualTo(QUEUE_BOUND);
        }

        ok(altered.join());
        List<Answered> answers = edits.stream().map(CompletableFuture::join).toList();
        List<Answered> busy =
                answers.stream().filter(answer -> answer.status() != 200).toList();
        assertThat(busy).hasSize(sent - QUEUE_BOUND).allSatisfy(answer -> {
            assertProblem(answer, 503, "REGION_BUSY");
            assertThat(answer.header("Retry-After")).isNotNull();
            assertThat(answer.text("detail")).contains("ALTERING", "128");
        });
        JsonNode shown = look("");
        assertThat(shown.path("file_count").intValue()).isEqualTo(QUEUE_BOUND);
        assertThat(shown.path("queued").intValue()).isZero();
        // Edits that only add files and stand next to each other are one version.
        assertThat(answers.stream().filter(answer -> answer.status() == 200).map(answer -> answer.text("revision")))
                .containsOnly("2");
    }

    /** A look-up may come a moment before what the writer was told can be read. */
    private void awaitState(String state) {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!look("").path("state").asText().equals(state)) {
            assertThat(System.nanoTime()).as("still not " + state).isLessThan(deadline);
        }
    }

    // ---- import

    @Test
    void aManifestComesBackAsItWas() {
        givenRegionWithFiles(1, 2, 3);
        done(
                "compact",
                "{'files_to_add':" + files(4) + ",'files_to_remove':" + files(1, 2)
                        + ",'compaction_time_window':'1day'}");
        done("truncate", "{'files_to_remove':" + files(3) + "}");
        done("alter", altered(1));
        JsonNode snapshot = look("/manifest").path("snapshot");
        String manifest = "{'manifest':" + snapshot + "}";

        givenRegion(regionId(2));
        Answered elsewhere = post("/v1/regions/" + regionId(2) + "/import", manifest);
        assertProblem(elsewhere, 400, "INVALID_ARGUMENT");
        assertThat(elsewhere.text("detail")).contains("region_id").contains("" + regionId);
        assertUnchanged(send("import", manifest));
        done("flush", flush(2, 5));
        assertProblem(send("import", manifest), 409, "REGION_ALREADY_EXISTS");
        ok(http.send("DELETE", region, null));

        Answered imported = done("import", manifest);

        assertThat(imported.json().path("applied").booleanValue()).isTrue();
        assertThat(imported.text("revision"))
                .isEqualTo(snapshot.path("manifest_version").asText());
        assertThat(look("/manifest").path("snapshot")).isEqualTo(snapshot);
        assertThat(ids(look("/files"))).containsExactly(id(4));
        assertThat(done("flush", flush(2, 6)).json().path("revision").longValue())
                .isEqualTo(snapshot.path("manifest_version").longValue() + 1);
    }

    @Test
    void anImportTakesThePlaceOfARegionIfItSaysSo() {
        givenRegionWithFiles(1);
        JsonNode snapshot = look("/manifest").path("snapshot");
        done("flush", flush(2, 2));

        done("import", "{'manifest':" + snapshot + ",'or_replace':true,'role':'follower'}");

        assertThat(look("/manifest").path("snapshot")).isEqualTo(snapshot);
        assertThat(look("").path("state").asText()).isEqualTo("READ_ONLY");
    }

    // ---- size

    /** With {@code -Dsluice.test.size=full} it is 200,000 files. */
    @Test
    void aManifestMayHaveManyFiles() {
        int filesPerFlush = 2_000;
        int flushes = "full".equals(System.getProperty("sluice.test.size")) ? 100 : 5;
        int fileCount = flushes * filesPerFlush;
        givenRegion();

        timed("flush " + fileCount + " files, " + filesPerFlush + " at a time", () -> {
            for (int entryId = 1; entryId <= flushes; entryId++) {
                int last = entryId * filesPerFlush;
                done(
                        "flush?wait=60000",
                        flush(
                                entryId,
                                IntStream.rangeClosed(last - filesPerFlush + 1, last)
                                        .toArray()));
            }
        });
        timed("read them", () -> assertThat(look("/files").path("files")).hasSize(fileCount));
        timed(
                "read the manifest",
                () -> assertThat(look("/manifest").at("/snapshot/files")).hasSize(fileCount));
        timed(
                "truncate them",
                () -> done(
                        "truncate?wait=60000",
                        "{'truncated_entry_id':" + flushes + ",'truncated_sequence':" + 100 * flushes + "}"));
        assertThat(look("").path("file_count").longValue()).isZero();
        timed(
                "read what was removed",
                () -> assertThat(look("/removed").at("/removed_files/0/files")).hasSize(fileCount));
        timed("drop the region", () -> ok(http.send("DELETE", region + "?wait=60000", null)));
        assertProblem(http.get(region), 404, "REGION_NOT_FOUND");
    }

    private static void timed(String what, Runnable step) {
        long start = System.nanoTime();
        step.run();
        System.out.println(what + ": " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms");
    }
}
