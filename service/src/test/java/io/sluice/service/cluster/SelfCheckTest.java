package io.sluice.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who answers at the address that the others shall use: docs/kafka.md, K-22. */
@Timeout(120)
class SelfCheckTest {
    private static final String LIVE =
            "{\"status\":\"live\",\"instance_id\":\"sluice-2\",\"incarnation\":\"this-run\"}";
    private static final Duration BRIEFLY = Duration.ofMillis(100);
    private static final Duration PATIENTLY = Duration.ofSeconds(Futures.GENEROUS_SECONDS);

    private FakePeer peer;

    @BeforeEach
    void start() throws IOException {
        peer = new FakePeer();
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private void require(Duration within) {
        SelfCheck.require(peer.hostAndPort(), "this-run", within);
    }

    @Test
    void theProcessItselfPasses() {
        peer.answers(FakePeer.json(200, LIVE));

        require(BRIEFLY);

        assertThat(peer.onlyAsked().uri()).isEqualTo("/health/live");
    }

    @Test
    void whoDoesNotAnswerAtOnceIsAskedAgain() {
        AtomicInteger times = new AtomicInteger();
        peer.answers(request ->
                times.incrementAndGet() < 3 ? FakePeer.json(200, LIVE).cutOff() : FakePeer.json(200, LIVE));

        require(PATIENTLY);

        assertThat(times).hasValueGreaterThanOrEqualTo(3);
    }

    @Test
    void anotherInstanceIsNamedAndWhatToDo() {
        peer.answers(FakePeer.json(200, LIVE.replace("this-run", "another-run")));

        assertThatThrownBy(() -> require(PATIENTLY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("application.server is " + peer.hostAndPort())
                .hasMessageContaining("instance sluice-2")
                .hasMessageContaining("correct application.server");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "null", "\"x\"", "7", "<html>hello</html>", "{\"instance_id\":\"x\"}"})
    void whatIsNoSluiceIsSaidToBeNone(String body) {
        peer.answers(FakePeer.json(200, body));

        assertThatThrownBy(() -> require(PATIENTLY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("something that is no Sluice (status 200)")
                .hasMessageContaining("correct application.server");
    }

    @Test
    void whereNobodyAnswersTheAddressAndWhatToCheckAreSaid() {
        String nobody = "127.0.0.1:" + FakePeer.nobody().port();

        assertThatThrownBy(() -> SelfCheck.require(nobody, "this-run", BRIEFLY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("application.server is " + nobody)
                .hasMessageContaining("nobody answers there")
                .hasMessageContaining("firewall");
    }

    @Test
    void aHostThatThereIsNotIsSaidToBeUnreachable() {
        assertThatThrownBy(() -> SelfCheck.require("no-such-host.invalid:7878", "this-run", BRIEFLY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-host.invalid:7878")
                .hasMessageContaining("name resolution");
    }

    @Test
    void aHostThatHttpCannotHaveIsRefusedWithARemedy() {
        assertThatThrownBy(() -> SelfCheck.require("sluice_1:7878", "this-run", BRIEFLY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("sluice_1:7878")
                .hasMessageContaining("underscore");
    }

    @Test
    void whatNeverAnswersDoesNotKeepTheStartForEver() {
        peer.answers(FakePeer.never());

        assertThatThrownBy(() -> require(BRIEFLY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nobody answers there");
    }

    @Test
    void whatNeverEndsItsAnswerDoesNotKeepTheStartForEver() {
        peer.answers(FakePeer.json(200, LIVE).stalled());

        assertThatThrownBy(() -> require(BRIEFLY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nobody answers there");
    }
}
