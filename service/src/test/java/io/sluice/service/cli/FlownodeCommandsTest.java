package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.provider.ValueSource;

/** What the commands of and about a flownode ask, what they print, and how they end. */
class FlownodeCommandsTest {
    private static final String LARGEST = "18446744073709551615";
    private static final String REGISTERED = "{\"command_id\":\"c\",\"code\":\"OK\",\"message\":\"\",\"flownode_id\":\""
            + LARGEST + "\",\"revision\":\"" + LARGEST + "\",\"applied\":true,\"position\":\"flownode:1@4\"}";

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

    @Test
    void registerSendsAddressAndEpoch() {
        service.answer(200, REGISTERED);

        Cli.Result result =
                run("flownode", "register", LARGEST, "10.1.0.7:6800", "--epoch", LARGEST, "--command-id", "c");

        assertThat(result.exitCode()).isZero();
        assertThat(result.outLines()).containsExactly("OK  flownode " + LARGEST + "  epoch " + LARGEST);
        assertThat(service.onlyAsked())
                .isEqualTo(new FakeService.Asked(
                        "PUT",
                        "/v1/flownodes/" + LARGEST + "/address",
                        "{\"addr\":\"10.1.0.7:6800\",\"epoch\":\"" + LARGEST + "\",\"command_id\":\"c\"}",
                        null));
    }

    @Test
    void aRegistrationThatChangesNothingSaysSo() {
        service.answer(200, REGISTERED.replace("\"applied\":true", "\"applied\":false"));

        assertThat(run("flownode", "register", "7", "a:1", "--epoch", "1").outLines())
                .containsExactly("OK  flownode 7  epoch " + LARGEST + "  nothing had to change");
    }

    @Test
    void aRefusedRegistrationIsCodeAndMessage() {
        service.answer(412, "{\"code\":\"REVISION_MISMATCH\",\"detail\":\"epoch is 1: only a larger one\"}");

        Cli.Result result = run("flownode", "register", "7", "a:1", "--epoch", "1");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.errLines()).containsExactly("REVISION_MISMATCH: epoch is 1: only a larger one");
    }

    @Test
    void anUnknownOutcomeIsAskedForWithTheFlownode() {
        service.answer(202, "{\"command_id\":\"c 1\",\"flownode_id\":7}");

        Cli.Result result = run("flownode", "register", "7", "a:1", "--epoch", "1", "--command-id", "c");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("sluice outcome --flownode 7 --server " + service.url() + " c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "18446744073709551616", "x", "+1", ""})
    void whatIsNoFlownodeIsWrongUsage(String id) {
        Cli.Result result = run("flownode", "address", "--", id);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void addressShowsAllFields() {
        service.answer(200, "{\"flownode_id\":7,\"addr\":\"a:1\",\"epoch\":3}");

        assertThat(run("flownode", "address", "7").outLines())
                .containsExactly("flownode_id  7", "addr         a:1", "epoch        3");
        assertThat(service.onlyAsked().uri()).isEqualTo("/v1/flownodes/7/address");
    }

    @Test
    void reportSendsTheFile() throws IOException {
        service.answer(200, "{\"command_id\":\"c\",\"code\":\"OK\",\"flownode_id\":7,\"applied\":true}");
        Path file = Files.writeString(directory.resolve("report.json"), "{ \"flows\": [] }\n");

        Cli.Result result = run("flownode", "report", "7", "-f", file.toString(), "--command-id", "c");

        assertThat(result.outLines()).containsExactly("OK  flownode 7  reported");
        assertThat(service.onlyAsked())
                .isEqualTo(new FakeService.Asked(
                        "PUT", "/v1/flownodes/7/state", "{\"flows\":[],\"command_id\":\"c\"}", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "7", "", "{\"flows\":"})
    void aFileThatHoldsNoReportIsNotSent(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("report.json"), text);

        Cli.Result result = run("flownode", "report", "7", "-f", file.toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains(file.toString(), "Nothing was sent");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void outcomeAsksInTheScopeThatIsGiven() {
        service.answer(200, REGISTERED);

        assertThat(run("outcome", "c", "--flownode", "7").exitCode()).isZero();
        assertThat(service.onlyAsked().uri()).isEqualTo("/v1/outcomes/c?flownode=7");
        assertThat(run("outcome", "c", "--flownode", "7", "--catalog", "plant").exitCode())
                .isEqualTo(2);
    }

    @Test
    void watchSaysWhereNoBrokerAnswers() {
        Cli.Result result = Cli.run("flownode", "watch", "7", "--bootstrap", "no-such-host.invalid:9092", "--once");

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.err()).contains("no-such-host.invalid:9092", "--bootstrap");
    }

    @Test
    void watchSaysThatItsPropertiesCannotBeRead() {
        Cli.Result result = Cli.run(
                "flownode",
                "watch",
                "7",
                "--command-config",
                directory.resolve("none").toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("none", "--command-config");
    }

    private Cli.Result run(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(2, List.of("--server", service.url()));
        if (args[0].equals("outcome")) {
            all = new ArrayList<>(List.of(args));
            all.addAll(List.of("--server", service.url()));
        }
        return Cli.run(all.toArray(String[]::new));
    }
}
