package io.sluice.service.cluster;

import static io.sluice.service.cluster.Futures.get;
import static io.sluice.service.cluster.Futures.notReady;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.service.query.NotReadyException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What another instance's answer is worth: docs/kafka.md K-22, K-25. */
class PeerClientTest {
    private static final FamilyPartition PARTITION = new FamilyPartition(CommandFamily.FLOW, 3);

    private final PeerClient client = new PeerClient();
    private FakePeer peer;

    @BeforeEach
    void start() throws IOException {
        peer = new FakePeer();
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private CompletableFuture<PeerReply> ask() {
        return ask(peer.address(), "/v1/catalogs", Duration.ofSeconds(Futures.GENEROUS_SECONDS));
    }

    /** Asks without leaving the other side time to wait. */
    private CompletableFuture<PeerReply> askBriefly() {
        return ask(peer.address(), "/v1/catalogs", Duration.ZERO);
    }

    private CompletableFuture<PeerReply> ask(HostInfo instance, String pathAndQuery, Duration waits) {
        return client.get(instance, PARTITION, pathAndQuery, Map.of(), waits);
    }

    private NotReadyException refused() {
        NotReadyException failure = notReady(ask());
        assertThat(failure).hasMessageContaining("partition flow:3").hasMessageContaining(peer.hostAndPort());
        return failure;
    }

    // ---- what is asked

    @Test
    void theRequestNamesThePartitionAndCarriesTheHeadersItIsGiven() {
        peer.answers(FakePeer.OK.at("flow:3@1"));

        get(client.get(
                peer.address(),
                PARTITION,
                "/v1/catalogs/a%2Fb/flows?prefix=x%20y&wait=7",
                Map.of("Sluice-At-Least", "flow:3@1", "Prefer", "stale"),
                Duration.ofSeconds(1)));

        FakePeer.Asked asked = peer.onlyAsked();
        assertThat(asked.uri()).isEqualTo("/v1/catalogs/a%2Fb/flows?prefix=x%20y&wait=7");
        assertThat(asked.header("Sluice-Partition")).isEqualTo("flow:3");
        assertThat(asked.header("Sluice-At-Least")).isEqualTo("flow:3@1");
        assertThat(asked.header("Prefer")).isEqualTo("stale");
        assertThat(asked.method()).isEqualTo("GET");
    }

    @Test
    void aQuestionWithABodyIsPosted() {
        peer.answers(FakePeer.OK.at("flow:3@1"));

        get(client.ask(
                peer.address(),
                PARTITION,
                "/v1/question",
                "{\"a\":1}".getBytes(StandardCharsets.UTF_8),
                Map.of(),
                Duration.ofSeconds(1)));

        FakePeer.Asked asked = peer.onlyAsked();
        assertThat(asked.method()).isEqualTo("POST");
        assertThat(asked.body()).isEqualTo("{\"a\":1}");
        assertThat(asked.header("Sluice-Partition")).isEqualTo("flow:3");
    }

    @Test
    void anInstanceWithAnIpv6AddressIsAskedThereAndNotTakenForABug() {
        // Nobody listens there: what counts is that it was tried.
        HostInfo instance = new HostInfo("::1", FakePeer.nobody().port());

        assertThat(notReady(ask(instance, "/v1/catalogs", Duration.ZERO)))
                .hasMessageContaining("[::1]:" + instance.port());
    }

    @Test
    void anAddressThatIsNoneIsNotReady() {
        HostInfo instance = new HostInfo("sluice_1", 7878);

        assertThat(notReady(ask(instance, "/v1/catalogs", Duration.ZERO))).hasMessageContaining("sluice_1:7878");
    }

    // ---- what is handed on

    @Test
    void anAnswerOfWhoeverHoldsThePartitionIsHandedOnWithItsHeaders() {
        peer.answers(FakePeer.json(200, "{\"a\":1}")
                .at("flow:3@17")
                .with("Location", "/v1/x")
                .with("Sluice-Lag", "4")
                .with("X-Other", "5"));

        PeerReply reply = get(ask());

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("{\"a\":1}".getBytes(StandardCharsets.UTF_8));
        assertThat(reply.positions()).containsExactly(new Position("flow", 3, 17));
        assertThat(reply.headers())
                .containsOnly(
                        Map.entry("Content-Type", "application/json"),
                        Map.entry("Location", "/v1/x"),
                        Map.entry("Sluice-Lag", "4"));
    }

    @Test
    void aNotFoundOfWhoeverHoldsThePartitionIsHandedOn() {
        peer.answers(FakePeer.problem(404, "FLOW_NOT_FOUND").at("flow:3@17"));

        PeerReply reply = get(ask());

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.headers()).containsEntry("Content-Type", "application/problem+json");
        assertThat(reply.positions()).containsExactly(new Position("flow", 3, 17));
    }

    @Test
    void oneOfSeveralPositionsIsProofEnough() {
        peer.answers(FakePeer.OK.at("flow:0@4, flow:3@17"));

        assertThat(get(ask()).positions()).containsExactly(new Position("flow", 0, 4), new Position("flow", 3, 17));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 405, 413, 422, 500})
    void aProblemThatSaysNothingAboutThePartitionIsHandedOnWithoutProof(int status) {
        peer.answers(FakePeer.problem(status, "SOME_CODE"));

        PeerReply reply = get(ask());

        assertThat(reply.status()).isEqualTo(status);
        assertThat(new String(reply.body(), StandardCharsets.UTF_8)).contains("SOME_CODE");
    }

    // ---- what is no answer

    @ParameterizedTest
    @ValueSource(strings = {"flow:4@17", "flow:33@17", "flow:3", "nonsense", "flow:3@17,nonsense", "flow:3@-1"})
    void anAnswerAboutAnotherPartitionProvesNothing(String positions) {
        peer.answers(FakePeer.OK.at(positions));

        assertThat(refused()).hasMessageContaining("no Sluice that holds it").hasMessageContaining("status 200");
    }

    @Test
    void anAnswerWithoutAPositionIsNone() {
        peer.answers(FakePeer.OK);

        assertThat(refused()).hasMessageContaining("no Sluice that holds it");
    }

    @Test
    void aNotFoundWithoutAPositionIsNone() {
        peer.answers(FakePeer.problem(404, "NOT_FOUND"));

        assertThat(refused()).hasMessageContaining("no Sluice that holds it").hasMessageContaining("status 404");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 400, 403, 500, 502, 504})
    void aStatusOfSomethingElseIsNoAnswer(int status) {
        peer.answers(FakePeer.json(status, "<html>gateway</html>").with("Content-Type", "text/html"));

        assertThat(refused()).hasMessageContaining("status " + status);
    }

    @Test
    void notTheOwnerIsNotReady() {
        peer.answers(FakePeer.problem(421, "NOT_OWNER"));

        assertThat(refused()).hasMessageContaining("does not hold it");
    }

    @Test
    void notReadySaysHowFarItGot() {
        peer.answers(FakePeer.problem(503, "NOT_READY").at("flow:3@16"));

        NotReadyException failure = refused();

        assertThat(failure).hasMessageContaining("not ready");
        assertThat(failure.reached()).isEqualTo(new Position("flow", 3, 16));
    }

    @Test
    void notReadyWithoutAPositionDoesNotSayHowFarItGot() {
        peer.answers(FakePeer.problem(503, "NOT_READY").at("flow:4@16"));

        assertThat(refused().reached()).isNull();
    }

    // ---- broken connections: K-25

    @Test
    void aRefusedConnectionIsNotReady() {
        HostInfo nobody = FakePeer.nobody();

        assertThat(notReady(ask(nobody, "/v1/catalogs", Duration.ZERO)))
                .hasMessageContaining("127.0.0.1:" + nobody.port())
                .hasMessageContaining("refused");
    }

    @Test
    void aPeerThatNeverAnswersIsGivenUpOn() {
        peer.answers(FakePeer.never());

        assertThat(notReady(askBriefly()))
                .hasMessageContaining(peer.hostAndPort())
                .hasMessageContaining("no answer came in time");
    }

    @Test
    void aPeerThatStopsInTheMiddleOfItsAnswerIsGivenUpOn() {
        peer.answers(FakePeer.json(200, "{\"catalogs\":[]}").at("flow:3@17").stalled());

        assertThat(notReady(askBriefly()))
                .hasMessageContaining(peer.hostAndPort())
                .hasMessageContaining("no answer came in time");
    }

    @Test
    void theConnectionToAPeerThatIsGivenUpOnIsClosed() throws IOException {
        try (ServerSocket frozen = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            frozen.setSoTimeout(
                    (int) Duration.ofSeconds(Futures.GENEROUS_SECONDS).toMillis());
            CompletableFuture<PeerReply> reply =
                    ask(new HostInfo("127.0.0.1", frozen.getLocalPort()), "/v1/catalogs", Duration.ZERO);
            try (Socket connection = frozen.accept()) {
                connection.setSoTimeout(
                        (int) Duration.ofSeconds(Futures.GENEROUS_SECONDS).toMillis());

                notReady(reply);

                // Ends only when the other side closes.
                assertThat(connection.getInputStream().readAllBytes()).isNotEmpty();
            }
        }
    }

    @Test
    void aPeerThatCutsTheConnectionInItsAnswerIsNotReady() {
        peer.answers(FakePeer.json(200, "{\"catalogs\":[]}").at("flow:3@17").cutOff());

        assertThat(notReady(ask()))
                .hasMessageContaining(peer.hostAndPort())
                .hasMessageContaining("the connection broke");
    }

    @Test
    void aPeerMayTakeAsLongAsItWasTold() {
        // Longer than the way there and back takes at most, so only the wait that it was told makes it enough.
        peer.answers(request -> {
            Thread.sleep(2_500);
            return FakePeer.OK.at("flow:3@17");
        });

        assertThat(get(ask()).status()).isEqualTo(200);
    }

    @Test
    void theNextRequestAfterAFailureIsMadeAnew() {
        peer.answers(FakePeer.json(200, "{\"catalogs\":[]}").at("flow:3@17").cutOff());
        notReady(ask());
        peer.answers(FakePeer.OK.at("flow:3@17"));

        assertThat(get(ask()).status()).isEqualTo(200);
    }
}
