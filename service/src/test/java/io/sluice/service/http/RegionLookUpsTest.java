package io.sluice.service.http;

import static io.sluice.service.query.TestRegions.REGION;
import static io.sluice.service.query.TestRegions.beingCreated;
import static io.sluice.service.query.TestRegions.created;
import static io.sluice.service.query.TestRegions.edit;
import static io.sluice.service.query.TestRegions.edited;
import static io.sluice.service.query.TestRegions.file;
import static io.sluice.service.query.TestRegions.id;
import static io.sluice.service.query.TestRegions.is;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.region.RegionState;
import io.sluice.service.json.JsonText;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FakeCopies;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers about regions. */
class RegionLookUpsTest {
    private static final String PATH = "/v1/regions/" + REGION;

    private final FakeCopies copies = new FakeCopies(1);
    private final FamilyPartition partition = copies.partitions().ofRegion(REGION);

    @BeforeEach
    void decided() {
        copies.decided(partition, 7);
    }

    private Reply get(String path) {
        return ask(TestRequests.get(path));
    }

    private Reply post(String path, String body) {
        Request request = TestRequests.post(path, body.replace('\'', '"'));
        request.readQuestion();
        return ask(request);
    }

    private Reply ask(Request request) {
        Route.Read route = TestRequests.route(request);
        assertThat(route.one().of(request, copies.partitions())).isEqualTo(partition);
        Reply reply = route.ofOne().answer(request, copies.queries());
        assertThat(reply.positions()).containsExactly(partition.at(7));
        return reply;
    }

    private void assertRefused(Runnable asking, String code, String... parts) {
        assertThatThrownBy(asking::run)
                .isInstanceOfSatisfying(
                        RefusedRequestException.class,
                        refused -> assertThat(refused.row().code()).isEqualTo(code))
                .message()
                .contains(parts);
    }

    private Reply list(String query) {
        Request request = TestRequests.get("/v1/regions" + query);
        SortedMap<FamilyPartition, JsonNode> parts = new TreeMap<>();
        for (FamilyPartition asked : RegionLookUps.LIST.asks(request, copies.partitions())) {
            Answer<?> part = RegionLookUps.LIST.part(request, copies.queries(), asked);
            parts.put(asked, JsonText.tree(JsonText.write((JsonNode) part.value())));
        }
        assertThat(parts).hasSize(FakeCopies.REGION_PARTITIONS);
        return RegionLookUps.LIST.whole(request, parts);
    }

    private List<String> listed(String query) {
        List<String> ids = new ArrayList<>();
        list(query)
                .json()
                .path("regions")
                .forEach(region -> ids.add(region.path("region_id").asText()));
        return ids;
    }

    // ---- one region

    @Test
    void aRegionIsShownWithItsFilesAndItsManifest() {
        copies.happened(created(REGION, 5), edited(REGION, 5, 1, 0, edit(List.of(file('A')), List.of())));

        assertThat(get(PATH).json().path("file_count").asInt()).isEqualTo(1);
        assertThat(get(PATH + "/files").json().at("/files/0/file_id").asText()).isEqualTo(id('A').toString());
        assertThat(get(PATH + "/manifest")
                        .json()
                        .at("/snapshot/manifest_version")
                        .asInt())
                .isEqualTo(1);
        assertThat(get(PATH + "/manifest?from=0").json().at("/deltas/0/version").asInt())
                .isEqualTo(1);
        assertThat(get(PATH + "/manifest?from=9").json())
                .hasToString("{\"deltas\":[],\"manifest_version\":1,\"incarnation\":5}");
        assertThat(get(PATH + "/manifest?from=9&incarnation=4").json().has("snapshot"))
                .isTrue();
        assertThat(get(PATH + "/removed").json()).hasToString("{\"removed_files\":[],\"cleanup\":[]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/files", "/manifest", "/manifest?from=0"})
    void aRegionThatThereIsNotIsNotFoundAndWithAPosition(String path) {
        assertThatThrownBy(() -> get(PATH + path))
                .isInstanceOfSatisfying(RefusedRequestException.class, refused -> {
                    assertThat(refused.row().code()).isEqualTo("REGION_NOT_FOUND");
                    assertThat(refused.positions()).containsExactly(partition.at(7));
                })
                .hasMessage("there is no region 8796093022211");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/regions/x | path part region_id is \"x\"",
                "/v1/regions/18446744073709551616 | path part region_id",
                "/v1/regions/1/manifest?from=01 | query parameter from is \"01\"",
                "/v1/regions/1/manifest?from=1&incarnation=-1 | query parameter incarnation is \"-1\"",
                "/v1/regions/1/manifest?incarnation=1 | incarnation is given without from",
            })
    void whatIsWrongIsSaidByName(String path, String message) {
        Request request = TestRequests.get(path);

        assertRefused(
                () -> TestRequests.route(request).ofOne().answer(request, copies.queries()),
                "INVALID_ARGUMENT",
                message);
    }

    @ParameterizedTest
    @CsvSource({
        "WRITABLE, ADMIT",
        "ALTERING, STALL",
        "TRUNCATING, STALL",
        "EDITING, STALL",
        "DROPPING, REJECT",
        "DOWNGRADING, REJECT",
        "READ_ONLY, REJECT"
    })
    void admissionFollowsFromTheState(RegionState state, String admission) {
        copies.happened(is(REGION, state));

        JsonNode shown = get(PATH + "/admission").json();

        assertThat(shown.path("admission").asText()).isEqualTo(admission);
        assertThat(shown.path("state").asText()).isEqualTo(state.name());
        assertThat(shown.has("retry_after_ms")).isEqualTo(admission.equals("STALL"));
    }

    @Test
    void aRegionThatIsNotKnownIsNotToBeWrittenTo() {
        String unknown = "{\"admission\":\"REJECT\",\"state\":\"UNKNOWN\"}";
        assertThat(get(PATH + "/admission").json()).hasToString(unknown);

        copies.happened(beingCreated(REGION));
        assertThat(get(PATH + "/admission").json()).hasToString(unknown);
        assertThat(get(PATH + "/admission").status()).isEqualTo(200);
    }

    // ---- lists

    @Test
    void theRegionsOfAllPartitionsAreInUnsignedOrder() {
        copies.happened(created(-1, 1), created(1, 1), created(REGION, 1), created(2, 1), created(Long.MIN_VALUE, 1));

        assertThat(listed(""))
                .containsExactly("1", "2", "8796093022211", "9223372036854775808", "18446744073709551615");
        assertThat(list("").json().path("next").isNull()).isTrue();
        assertThat(listed("?table_id=2048")).containsExactly("8796093022211");
        assertThat(listed("?table_id=4294967295")).containsExactly("18446744073709551615");
    }

    @Test
    void pagesFollowOneAnother() {
        List<String> all = new ArrayList<>();
        for (long regionId = 1; regionId <= 25; regionId++) {
            copies.happened(created(regionId, 1));
            all.add(Long.toString(regionId));
        }

        List<String> seen = new ArrayList<>();
        String after = "";
        int pages = 0;
        do {
            Reply page = list("?limit=7" + after);
            page.json()
                    .path("regions")
                    .forEach(region -> seen.add(region.path("region_id").asText()));
            JsonNode next = page.json().path("next");
            after = next.isNull() ? null : "&after=" + next.asText();
            pages++;
        } while (after != null);

        assertThat(seen).isEqualTo(all);
        assertThat(pages).isEqualTo(4);
        assertThat(listed("?limit=0")).isEqualTo(all);
        assertThat(list("?limit=25").json().path("next").isNull()).isTrue();
    }

    @Test
    void aPageWhoseLastIdIsLargeCanBeFollowedToo() {
        copies.happened(created(Long.MIN_VALUE, 1), created(-1, 1));

        assertThat(list("?limit=1").json().path("next").asText()).isEqualTo("9223372036854775808");
        assertThat(listed("?limit=1&after=9223372036854775808")).containsExactly("18446744073709551615");
    }

    // ---- files to be deleted

    @Test
    void whatMayBeDeletedIsAskedWithAllReferences() {
        copies.happened(
                created(REGION, 1),
                edited(REGION, 1, 1, 0, edit(List.of(file('A'), file('B')), List.of())),
                edited(REGION, 1, 2, 0, edit(List.of(), List.of(file('A'), file('B')))));

        Reply reply = post(PATH + "/deletable", "{'manifest_version':2,'references':[{'file_id':'" + id('A') + "'}]}");

        assertThat(new String(reply.body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"data_files\":[\"" + id('B') + "\"],\"index_files\":[]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'manifest_version':3,'references':[]} | REVISION_MISMATCH | manifest version 3",
                "{'manifest_version':0} | INVALID_ARGUMENT | could not be read",
            })
    void whatMayNotBeToldIsRefusedAndWithAPosition(String body, String code, String message) {
        copies.happened(created(REGION, 1));

        assertThatThrownBy(() -> post(PATH + "/deletable", body))
                .isInstanceOfSatisfying(RefusedRequestException.class, refused -> {
                    assertThat(refused.row().code()).isEqualTo(code);
                    assertThat(refused.positions()).containsExactly(partition.at(7));
                })
                .hasMessageContaining(message);
    }

    @Test
    void aFollowerDeletesNothing() {
        copies.happened(is(REGION, RegionState.READ_ONLY));

        assertRefused(
                () -> post(PATH + "/deletable", "{'manifest_version':0,'references':[]}"),
                "REGION_NOT_WRITABLE",
                "READ_ONLY");
    }
}
