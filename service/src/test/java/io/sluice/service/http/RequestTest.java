package io.sluice.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.query.FamilyPartitions;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What concerns several instances in a request; the rest of it is shown over HTTP, in HttpApiIT. */
class RequestTest {
    private static final String FLOWS = "/v1/catalogs/farm/flows";
    private static final FamilyPartitions PARTITIONS =
            new FamilyPartitions(Map.of(CommandFamily.FLOW, 4, CommandFamily.FLOWNODE, 2, CommandFamily.REGION, 3));

    // ---- for another instance

    @Test
    void aForwardedRequestKeepsItsPathAndQueryAsTheyCame() {
        Request request = TestRequests.get("/v1/catalogs/a%2Fb%20c/flows?prefix=x%20y%26z+1&after=%F0%9F%8C%B1");

        assertThat(request.pathAndQuery(7))
                .isEqualTo("/v1/catalogs/a%2Fb%20c/flows?prefix=x%20y%26z+1&after=%F0%9F%8C%B1&wait=7");
    }

    @ParameterizedTest
    @CsvSource({
        "'', ?wait=7",
        "?, ?wait=7",
        "?wait=5000, ?wait=7",
        "?wait=5000&limit=3, ?limit=3&wait=7",
        "?limit=3&wait=5000, ?limit=3&wait=7",
        "?prefix=a&wait=5000&limit=3, ?prefix=a&limit=3&wait=7",
        "?prefix=wait=1, ?prefix=wait=1&wait=7",
        "?prefix=, ?prefix=&wait=7",
    })
    void aForwardedRequestMayWaitAsLongAsItIsToldAndHasTheOtherParametersAsTheyCame(String query, String forwarded) {
        assertThat(TestRequests.get(FLOWS + query).pathAndQuery(7)).isEqualTo(FLOWS + forwarded);
    }

    @ParameterizedTest
    @ValueSource(strings = {"w%61it=5000", "%77%61%69%74=5000"})
    void aWaitThatIsSpeltInAnotherWayIsReplacedToo(String wait) {
        assertThat(TestRequests.get(FLOWS + "?" + wait).pathAndQuery(7)).isEqualTo(FLOWS + "?wait=7");
    }

    @Test
    void aParameterThatBeginsLikeWaitIsAnotherOne() {
        assertThatThrownBy(() -> TestRequests.get(FLOWS + "?waiting=1"))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("waiting");
    }

    @ParameterizedTest
    @CsvSource({
        "`f`, %60f%60",
        "\"f\", %22f%22",
        "a|b, a%7Cb",
        "[a], %5Ba%5D",
        "{a}, %7Ba%7D",
        "a^b\\c, a%5Eb%5Cc",
        "ä流, %C3%A4%E6%B5%81",
        "\uD83C\uDF31, %F0%9F%8C%B1",
        "%60f%60, %60f%60",
    })
    void whatNoUriMayHoldIsEncodedOnTheWay(String name, String encoded) {
        String forwarded = TestRequests.get(FLOWS + "/" + name + "?wait=1").pathAndQuery(7);

        assertThat(forwarded).isEqualTo(FLOWS + "/" + encoded + "?wait=7");
        assertThat(URI.create("http://127.0.0.1:7878" + forwarded).getRawPath()).isEqualTo(FLOWS + "/" + encoded);
    }

    @Test
    void whatAUriMayHoldIsLeftAsItIs() {
        String path = FLOWS + "/a:b@c;d=e!$'()*+,-._~%2F%25";

        assertThat(TestRequests.get(path).pathAndQuery(7)).isEqualTo(path + "?wait=7");
    }

    @Test
    void whatNoUriMayHoldIsEncodedInTheQueryToo() {
        assertThat(TestRequests.get(FLOWS + "?prefix=a|`b`").pathAndQuery(7))
                .isEqualTo(FLOWS + "?prefix=a%7C%60b%60&wait=7");
    }

    // ---- Prefer

    @ParameterizedTest
    @ValueSource(strings = {"stale", "Stale", " stale ", "respond-async, stale", "stale,wait=10", "a, b,STALE , c"})
    void staleIsPreferredWhereverItStands(String prefer) {
        assertThat(TestRequests.get(FLOWS, "Prefer", prefer).prefersStale()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "stale-while-revalidate", "stale=no", "\"stale\"", "fresh", "respond-async"})
    void whatIsNotStaleIsNotPreferred(String prefer) {
        assertThat(TestRequests.get(FLOWS, "Prefer", prefer).prefersStale()).isFalse();
    }

    @Test
    void staleMayStandInTheSecondOfTwoHeaders() {
        assertThat(TestRequests.get(FLOWS, "Prefer", "respond-async", "prefer", "stale")
                        .prefersStale())
                .isTrue();
    }

    @Test
    void withoutAPreferenceNoneIsTaken() {
        assertThat(TestRequests.get(FLOWS).prefersStale()).isFalse();
    }

    // ---- Sluice-Partition

    @Test
    void aRequestFromOutsideNamesNoPartition() {
        assertThat(TestRequests.get(FLOWS).forwardedFor(PARTITIONS)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "flow:0, FLOW, 0",
        "flow:3, FLOW, 3",
        "' flow:2 ', FLOW, 2",
        "flownode:1, FLOWNODE, 1",
        "region:2, REGION, 2"
    })
    void aForwardedRequestNamesItsPartition(String header, CommandFamily family, int partition) {
        assertThat(TestRequests.get(FLOWS, "Sluice-Partition", header).forwardedFor(PARTITIONS))
                .isEqualTo(new FamilyPartition(family, partition));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2",
                "flow",
                "flow:",
                "flow:4",
                "flownode:2",
                "Flow:1",
                "region:3",
                "flow:-1",
                "flow:+1",
                "flow:01",
                "flow:1,1",
                "flow:x",
                "flow:4294967296",
                "flow:9223372036854775808",
                "flow:18446744073709551615"
            })
    void aPartitionThatThereIsNotIsRefused(String header) {
        Request request = TestRequests.get(FLOWS, "Sluice-Partition", header);

        assertThatThrownBy(() -> request.forwardedFor(PARTITIONS))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("Sluice-Partition")
                .hasMessageContaining("flow:0 to flow:3, flownode:0 to flownode:1, region:0 to region:2");
    }

    // ---- wait

    @Test
    void theWaitIsWhatTheQuerySaysOrElseTheDefault() {
        assertThat(TestRequests.get(FLOWS + "?wait=0").waitMs(0, 5_000)).isZero();
        assertThat(TestRequests.get(FLOWS + "?wait=600000").waitMs(0, 5_000)).isEqualTo(600_000);
        assertThat(TestRequests.get(FLOWS).waitMs(0, 5_000)).isEqualTo(5_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "600001", "1.5", "1s", "99999999999999999999"})
    void aWaitThatIsNoneIsRefused(String wait) {
        Request request = TestRequests.get(FLOWS + "?wait=" + wait);

        assertThatThrownBy(() -> request.waitMs(0, 5_000))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("wait");
    }
}
