package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.FreePorts;
import io.sluice.service.client.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice topics verify} and {@code create} against a real broker. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class TopicsCommandsIT {
    @TempDir
    private static Path data;

    private static EmbeddedBroker broker;
    private static Admin admin;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.builder(data).start();
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    }

    @AfterAll
    static void stopBroker() {
        admin.close();
        broker.close();
    }

    @BeforeEach
    void withoutTopics() throws Exception {
        Set<String> ours = admin.listTopics().names().get().stream()
                .filter(name -> name.startsWith("sluice"))
                .collect(Collectors.toSet());
        admin.deleteTopics(ours).all().get();
    }

    @Test
    void whatIsMissingIsSaidThenMadeThenAsItHasToBe() throws Exception {
        Cli.Result before = topics("verify", "--json");
        assertThat(before.exitCode()).as(before.err()).isEqualTo(1);
        JsonNode missing = Json.MAPPER.readTree(before.out());
        assertThat(missing.path("profile").asText()).isEqualTo("embedded");
        assertThat(missing.path("safe").asBoolean()).isFalse();
        assertThat(missing.path("findings"))
                .hasSize(19)
                .allSatisfy(one -> assertThat(one.path("value").asText()).isEqualTo("missing"));
        assertThat(admin.listTopics().names().get()).noneMatch(name -> name.startsWith("sluice"));

        Cli.Result create = topics("create");
        assertThat(create.exitCode()).as(create.err()).isZero();
        assertThat(create.out()).contains("19 topics are there and pinned", "OK  19 topics");
        assertThat(topics("create").exitCode()).isZero();

        Cli.Result after = topics("verify");
        assertThat(after.exitCode()).as(after.out()).isZero();
        assertThat(after.outLines())
                .containsExactly("OK  19 topics are as they have to be  (profile embedded, brokers "
                        + broker.bootstrapServers() + ")");
    }

    @Test
    void whatWasAlteredIsSaidAndMendedWhenAskedFor() throws Exception {
        topics("create");
        alter("sluice.flow.outcomes", "retention.ms", "1000");

        Cli.Result verify = topics("verify");
        assertThat(verify.exitCode()).isEqualTo(1);
        assertThat(verify.out())
                .containsPattern("1 +loss +sluice.flow.outcomes +retention.ms +1000 +604800000 +set on the topic")
                .contains("kafka-configs.sh --bootstrap-server " + broker.bootstrapServers()
                        + " --alter --entity-type topics --entity-name sluice.flow.outcomes --add-config"
                        + " retention.ms=604800000");
        assertThat(verify.err()).contains("1 of 1 differences can lose records");
        assertThat(topics("create").exitCode()).isEqualTo(1);

        Cli.Result mend = topics("create", "--mend", "--json");
        assertThat(mend.exitCode()).as(mend.err()).isZero();
        assertThat(Json.MAPPER.readTree(mend.out()).path("mended"))
                .isEqualTo(Json.MAPPER.readTree(
                        "[{\"topic\":\"sluice.flow.outcomes\",\"setting\":\"retention.ms\",\"value\":\"604800000\"}]"));
        assertThat(topics("verify").exitCode()).isZero();
    }

    @Test
    void brokersThatDoNotAnswerAreNotReachable() {
        Cli.Result result = Cli.run("topics", "verify", "--bootstrap", "127.0.0.1:" + FreePorts.one());

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.err()).contains("no broker answers at 127.0.0.1:");
        assertThat(result.out()).isEmpty();
    }

    @Test
    void theSettingsOfTheServiceSayWhatIsWanted(@TempDir Path folder) throws Exception {
        Path settings =
                Files.writeString(folder.resolve("sluice.properties"), """
                bootstrap.servers=%s
                topics.profile=embedded
                instance.id=one
                application.server=10.2.0.1:7878
                state.dir=/var/lib/sluice
                """.formatted(broker.bootstrapServers()));

        Cli.Result create = Cli.run("topics", "create", "-c", settings.toString(), "--set", "partitions.flow=3");

        assertThat(create.exitCode()).as(create.err()).isZero();
        assertThat(create.out()).contains("partitions: flow 3, flownode 4, region 4");
        assertThat(Cli.run("topics", "verify", "-c", settings.toString()).exitCode())
                .isZero();
        Cli.Result larger =
                Cli.run("topics", "verify", "-c", settings.toString(), "--set", "command.max.bytes=1048576");
        assertThat(larger.exitCode()).isEqualTo(1);
        assertThat(larger.out()).containsPattern("loss +sluice.flow.commands +max.message.bytes +1048576 +2097152");
    }

    @Test
    void settingsOfTheServiceAndOptionsForTheSameDoNotGoTogether() {
        Cli.Result result = Cli.run("topics", "verify", "-c", "any", "--profile", "cluster");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("--profile and -c cannot go together");
        assertThat(Cli.run("topics", "verify", "--set", "partitions.flow=3").exitCode())
                .isEqualTo(2);
    }

    private static Cli.Result topics(String... args) {
        List<String> all = new ArrayList<>(List.of("topics"));
        all.addAll(List.of(args));
        all.addAll(List.of("--bootstrap", broker.bootstrapServers()));
        return Cli.run(all.toArray(String[]::new));
    }

    private static void alter(String topic, String setting, String value) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        List.of(new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }
}
