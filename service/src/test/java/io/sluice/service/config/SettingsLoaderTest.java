package io.sluice.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.service.writer.ManifestSettings;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.Profile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsLoaderTest {
    private static final String REQUIRED = """
            bootstrap.servers=kafka-1:9092,kafka-2:9092
            instance.id=sluice-1
            application.server=10.2.0.1:7878
            state.dir=/var/lib/sluice/state
            """;

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = folder.resolve("sluice.properties");
    }

    @Test
    void whatIsRequiredIsEnough() {
        ServiceSettings settings = load(REQUIRED);

        assertThat(settings.bootstrapServers()).isEqualTo("kafka-1:9092,kafka-2:9092");
        assertThat(settings.instanceId()).isEqualTo("sluice-1");
        assertThat(settings.applicationServer()).isEqualTo("10.2.0.1:7878");
        assertThat(settings.stateDir())
                .isEqualTo(Path.of("/var/lib/sluice/state").toAbsolutePath());
        assertThat(settings.profile()).isEqualTo(Profile.CLUSTER);
        assertThat(settings.flowPartitions()).isEmpty();
        assertThat(settings.flownodePartitions()).isEmpty();
        assertThat(settings.regionPartitions()).isEmpty();
        assertThat(settings.streamThreads()).isEqualTo(1);
        assertThat(settings.standbyReplicas()).isEqualTo(1);
        assertThat(settings.sessionTimeoutMs()).isEqualTo(10_000);
        assertThat(settings.drainGrace()).isZero();
        assertThat(settings.httpHost()).isEqualTo("0.0.0.0");
        assertThat(settings.httpPort()).as("that of application.server").isEqualTo(7878);
        assertThat(settings.httpThreads()).isEqualTo(64);
        assertThat(settings.httpMaxBodyBytes()).isEqualTo(1024 * 1024);
        assertThat(settings.limits()).isEqualTo(Limits.defaults());
        assertThat(settings.decisionLimits()).isEqualTo(DecisionLimits.of(Limits.defaults()));
        assertThat(settings.manifests())
                .isEqualTo(
                        ManifestSettings.in(Path.of("/var/lib/sluice/manifests").toAbsolutePath()));
        assertThat(settings.rocksDbBlockCacheBytes()).isEqualTo(128L * 1024 * 1024);
        assertThat(settings.rocksDbWriteBufferBytes()).isEqualTo(64L * 1024 * 1024);
        assertThat(settings.kafka()).isEmpty();
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    void everySettingIsReadFromTheFile() {
        ServiceSettings settings = load(REQUIRED + """
                topics.profile=embedded
                partitions.flow=3
                partitions.flownode=5
                partitions.region=7
                stream.threads=2
                standby.replicas=0
                session.timeout.ms=6000
                drain.grace.ms=1500
                http.host=127.0.0.1
                http.port=8080
                http.threads=9
                http.max.body.bytes=5000
                command.max.bytes=8192
                decision.max.bytes=40000
                outcome.retention.ms=3600000
                manifest.storage=none
                manifest.dir=/srv/manifests
                manifest.checkpoint.distance=0
                manifest.compress=true
                manifest.writer.threads=2
                manifest.topic.retain.versions=1
                rocksdb.block.cache.bytes=16777216
                rocksdb.write.buffer.bytes=8388608
                """);

        assertThat(settings.profile()).isEqualTo(Profile.EMBEDDED);
        assertThat(settings.flowPartitions()).hasValue(3);
        assertThat(settings.flownodePartitions()).hasValue(5);
        assertThat(settings.regionPartitions()).hasValue(7);
        assertThat(settings.streamThreads()).isEqualTo(2);
        assertThat(settings.standbyReplicas()).isZero();
        assertThat(settings.sessionTimeoutMs()).isEqualTo(6000);
        assertThat(settings.drainGrace()).isEqualTo(Duration.ofMillis(1500));
        assertThat(settings.httpHost()).isEqualTo("127.0.0.1");
        assertThat(settings.httpPort()).isEqualTo(8080);
        assertThat(settings.httpThreads()).isEqualTo(9);
        assertThat(settings.httpMaxBodyBytes()).isEqualTo(5000);
        assertThat(settings.limits()).isEqualTo(new Limits(8192));
        assertThat(settings.decisionLimits()).isEqualTo(new DecisionLimits(8192, 16384, 40_000, 3_600_000, 1));
        assertThat(settings.manifests())
                .isEqualTo(new ManifestSettings(
                        ManifestSettings.Storage.NONE, Path.of("/srv/manifests").toAbsolutePath(), 0, true, 2));
        assertThat(settings.rocksDbBlockCacheBytes()).isEqualTo(16_777_216);
        assertThat(settings.rocksDbWriteBufferBytes()).isEqualTo(8_388_608);
    }

    @Test
    void flagsCountMoreThanTheEnvironmentAndThatMoreThanTheFile() {
        String text = REQUIRED + "stream.threads=2\nstandby.replicas=2\nhttp.threads=12\nkafka.request.timeout.ms=2\n";
        Map<String, String> environment = Map.of(
                "SLUICE_STANDBY_REPLICAS", "3", "SLUICE_HTTP_THREADS", "13", "SLUICE_KAFKA_REQUEST_TIMEOUT_MS", "3");
        Map<String, String> flags = Map.of("http.threads", "14", "kafka.request.timeout.ms", "4");

        ServiceSettings settings = load(text, environment, flags);

        assertThat(settings.streamThreads()).isEqualTo(2);
        assertThat(settings.standbyReplicas()).isEqualTo(3);
        assertThat(settings.httpThreads()).isEqualTo(14);
        assertThat(settings.kafka()).isEqualTo(Map.of("request.timeout.ms", "4"));
    }

    @Test
    void aValueThatAnotherTakesThePlaceOfIsNotChecked() {
        ServiceSettings settings =
                load(REQUIRED + "stream.threads=many\n", Map.of("SLUICE_STREAM_THREADS", "3"), Map.of());

        assertThat(settings.streamThreads()).isEqualTo(3);
    }

    @Test
    void blanksAroundValuesDoNotCount() {
        ServiceSettings settings = load(
                "bootstrap.servers = kafka-1:9092 , kafka-2:9092 \n instance.id : sluice-1 \t\n"
                        + "application.server=10.2.0.1:7878 \nstate.dir=/state\nkafka.client.rack=  a \n",
                Map.of("SLUICE_HTTP_PORT", " 99 "),
                Map.of("http.threads", "12 "));

        assertThat(settings.bootstrapServers()).isEqualTo("kafka-1:9092,kafka-2:9092");
        assertThat(settings.instanceId()).isEqualTo("sluice-1");
        assertThat(settings.httpPort()).isEqualTo(99);
        assertThat(settings.httpThreads()).isEqualTo(12);
        assertThat(settings.kafka()).isEqualTo(Map.of("client.rack", "a"));
    }

    @Test
    void aRelativeFolderIsMadeAbsolute() {
        ServiceSettings settings = load(REQUIRED, Map.of(), Map.of("state.dir", "data/../state"));

        assertThat(settings.stateDir()).isEqualTo(Path.of("state").toAbsolutePath());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/var/lib/sluice/state", "/var/lib/sluice/state/manifests", "/var/lib/sluice/x/../state/m"})
    void manifestsDoNotLieInAFolderThatMayBeDeleted(String dir) {
        assertThat(problems(REQUIRED + "manifest.dir=" + dir + "\n"))
                .singleElement()
                .asString()
                .startsWith("manifest.dir is \"" + dir + "\" in " + file + ": it is in state.dir");
    }

    @Test
    void aSwitchIsTrueOrFalse() {
        assertThat(problems(REQUIRED + "manifest.compress=yes\n"))
                .containsExactly("manifest.compress is \"yes\" in " + file + ": allowed is true or false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bootstrap.servers", "instance.id", "application.server", "state.dir"})
    void aRequiredSettingThatIsMissingIsNamedWithItsVariable(String name) {
        String without =
                REQUIRED.lines().filter(line -> !line.startsWith(name)).reduce("", (text, line) -> text + line + "\n");

        assertThat(problems(without))
                .singleElement()
                .asString()
                .startsWith(name + " is missing: ")
                .contains(file.toString())
                .endsWith(SettingNames.variableOf(name));
    }

    @Test
    void everythingThatIsWrongIsSaidAtOnceInALineEach() {
        String text = """
                bootstrap.servers=kafka-1
                application.server=0.0.0.0:7878
                state.dir=/state
                state.dir=/other
                http.prot=7878
                streams.application.id=other
                """;

        SettingsException e = catchThrowableOfType(
                SettingsException.class,
                () -> load(text, Map.of("SLUICE_STREAM_THREADS", "0"), Map.of("standby.replica", "1")));

        assertThat(e.problems()).hasSize(8);
        assertThat(e).hasMessage(String.join("\n", e.problems()));
        assertThat(e.problems())
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo("state.dir is given more than once in " + file + ": keep one of them"))
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo("unknown setting http.prot in " + file + ": the nearest known name is http.port"))
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo("streams.application.id in " + file + " cannot be set: names of topics, groups and"
                                + " transactions begin with it"))
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo("unknown setting standby.replica on the command line: the nearest known name is"
                                + " standby.replicas"))
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo(
                                "bootstrap.servers is \"kafka-1\" in " + file + ": of kafka-1: it has no port; allowed"
                                        + " is host:port, several with commas between them"))
                .anySatisfy(line -> assertThat(line).startsWith("instance.id is missing: "))
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo("application.server is \"0.0.0.0:7878\" in " + file + ": nobody can connect to an"
                                + " address that stands for all of a machine's; allowed is host:port with a port from 1"
                                + " to 65535"))
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo(
                                "stream.threads is \"0\" in environment variable SLUICE_STREAM_THREADS: allowed is 1 to"
                                        + " 64"));
    }

    @ParameterizedTest
    @CsvSource({
        "http.prot, the nearest known name is http.port",
        "bootstrap.server, the nearest known name is bootstrap.servers",
        "session.timeout, the nearest known name is session.timeout.ms",
        "kafkas.sasl.mechanism, the nearest known name is kafka.sasl.mechanism",
        "kafka., the nearest known name is",
        "request.timeout.ms, 'it is Kafka''s and takes a prefix, kafka.request.timeout.ms'",
        "max.warmup.replicas, 'it is Kafka''s and takes a prefix, streams.max.warmup.replicas'",
        "num.stream.threads, 'it is Kafka''s and cannot be set, Sluice has a setting of its own for it; use stream.threads'",
        "application.id, 'it is Kafka''s and cannot be set, names of topics, groups and transactions begin with it'",
        "acks, 'it is Kafka''s and cannot be set, what is acknowledged is kept, once and in order'",
    })
    void anUnknownSettingIsRefusedWithWhatMayBeMeant(String name, String meant) {
        assertThat(problems(REQUIRED + name + "=secret\n"))
                .singleElement()
                .asString()
                .startsWith("unknown setting " + name + " in " + file + ": ")
                .contains(meant)
                .doesNotContain("secret");
    }

    @Test
    void whatIsInTheFileTwiceIsRefusedEvenIfTheSame() {
        assertThat(problems(REQUIRED + "instance.id : sluice-1\nkafka.x=secret\nkafka.x=secret\n"))
                .containsExactly(
                        "instance.id is given more than once in " + file + ": keep one of them",
                        "kafka.x is given more than once in " + file + ": keep one of them");
    }

    @ParameterizedTest
    @CsvSource({
        "partitions.flow, 1, 1024",
        "partitions.flownode, 1, 1024",
        "partitions.region, 1, 1024",
        "stream.threads, 1, 64",
        "standby.replicas, 0, 3",
        "session.timeout.ms, 6000, 300000",
        "drain.grace.ms, 0, 600000",
        "http.port, 1, 65535",
        "http.threads, 8, 1024",
        "http.max.body.bytes, 4096, 134217728",
        "command.max.bytes, 4096, 16777216",
        "decision.max.bytes, 16384, 67108864",
        "outcome.retention.ms, 3600000, 31536000000",
        "manifest.checkpoint.distance, 0, 1000000",
        "manifest.writer.threads, 1, 64",
        "manifest.topic.retain.versions, 1, 1000000",
        "rocksdb.block.cache.bytes, 8388608, 274877906944",
        "rocksdb.write.buffer.bytes, 4194304, 274877906944",
    })
    void bothEndsOfARangeAreAllowedAndNothingBeyond(String name, long min, long max) {
        // Roomy for the one, and small for the other, so that only the range is in question.
        String others = REQUIRED
                + switch (name) {
                    case "decision.max.bytes" -> "command.max.bytes=4096\n";
                    case "rocksdb.block.cache.bytes" -> "rocksdb.write.buffer.bytes=4194304\n";
                    case "rocksdb.write.buffer.bytes" -> "rocksdb.block.cache.bytes=274877906944\n";
                    default -> "";
                };

        assertThat(load(others, Map.of(), Map.of(name, "" + min))).isNotNull();
        assertThat(load(others, Map.of(), Map.of(name, "" + max))).isNotNull();
        for (String beyond : List.of("" + (min - 1), "" + (max + 1))) {
            assertThat(problems(others, Map.of(name, beyond)))
                    .singleElement()
                    .asString()
                    .startsWith(name + " is \"" + beyond + "\" on the command line: allowed is " + min + " to " + max);
        }
        for (String noNumber : List.of("", "x", "1.5", "1k", "0x10", "99999999999999999999")) {
            assertThat(problems(others, Map.of(name, noNumber)))
                    .singleElement()
                    .asString()
                    .startsWith(name + " is \"" + noNumber + "\" on the command line: allowed is a whole number, " + min
                            + " to " + max);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "application.server, ''",
        "application.server, host",
        "application.server, host:",
        "application.server, host:0",
        "application.server, host:65536",
        "application.server, host:http",
        "application.server, :7878",
        "application.server, 0.0.0.0:7878",
        "application.server, 0:7878",
        "application.server, [::]:7878",
        "application.server, [0:0:0:0:0:0:0:0]:7878",
        "application.server, :::7878",
        "application.server, *:7878",
        "application.server, a host:7878",
        "application.server, http://host:7878",
        "application.server, host:7878/",
        "application.server, a_b:7878",
        "application.server, 'host:7878,other:7878'",
        "bootstrap.servers, ''",
        "bootstrap.servers, host",
        "bootstrap.servers, 'host:9092,'",
        "bootstrap.servers, 'host:9092,other'",
        "bootstrap.servers, PLAINTEXT://host:9092",
        "instance.id, ''",
        "instance.id, a b",
        "instance.id, a/b",
        "instance.id, \u00e9",
        "state.dir, ''",
        "topics.profile, ''",
        "topics.profile, three",
        "http.host, ''",
        "http.host, *",
        "http.host, host:7878",
        "http.host, http://host",
    })
    void aTextThatIsNotAllowedIsRefused(String name, String value) {
        assertThat(problems(REQUIRED, Map.of(name, value)))
                .singleElement()
                .asString()
                .startsWith(name + " is \"" + value + "\" on the command line: ")
                .contains("allowed is ");
    }

    @ParameterizedTest
    @CsvSource({
        "application.server, sluice-1.example.org:7878",
        "application.server, 127.0.0.1:1",
        "application.server, [::1]:65535",
        "bootstrap.servers, '[fe80::1]:9092,kafka:9092'",
        "instance.id, Sluice_1.a-b",
        "state.dir, relative",
        "topics.profile, cluster",
        "http.host, ::",
        "http.host, 127.0.0.1",
        "http.host, localhost",
    })
    void aTextThatIsAllowedIsTaken(String name, String value) {
        assertThat(load(REQUIRED, Map.of(), Map.of(name, value))).isNotNull();
    }

    @Test
    void anInstanceIdHasAtMostAHundredCharacters() {
        assertThat(load(REQUIRED, Map.of(), Map.of("instance.id", "i".repeat(100)))
                        .instanceId())
                .hasSize(100);
        assertThat(problems(REQUIRED, Map.of("instance.id", "i".repeat(101)))).hasSize(1);
    }

    @Test
    void whatIsShownOfAValueStaysOnItsLineAndIsCut() {
        assertThat(problems(REQUIRED, Map.of("topics.profile", "a\nb" + "c".repeat(500))))
                .singleElement()
                .asString()
                .startsWith("topics.profile is \"a?bccc")
                .hasSizeLessThan(200);
    }

    @Test
    void aDecisionMustHoldALargestCommand() {
        String text = REQUIRED + "command.max.bytes=1048576\n";

        assertThat(load(text).decisionLimits().decisionMaxBytes()).isEqualTo(16 * 1024 * 1024);
        assertThat(load(text + "decision.max.bytes=4194304\n").decisionLimits().decisionMaxBytes())
                .isEqualTo(4_194_304);
        assertThat(problems(text + "decision.max.bytes=4194303\n"))
                .containsExactly("decision.max.bytes is \"4194303\" in " + file + ": at least 4 x command.max.bytes,"
                        + " 4194304, or a command of the allowed size could not be decided");
    }

    @Test
    void writeBuffersAreAPartOfTheBlockCache() {
        assertThat(problems(REQUIRED + "rocksdb.block.cache.bytes=67108863\n"))
                .containsExactly(
                        "rocksdb.write.buffer.bytes is 67108864 and more than rocksdb.block.cache.bytes, 67108863:"
                                + " the write buffers are a part of the cache, so lower the one or raise the other");
        assertThat(load(REQUIRED + "rocksdb.block.cache.bytes=67108864\n")).isNotNull();
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> SettingsLoader.load(file, Map.of(), Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessage("there is no settings file " + file.toAbsolutePath());
    }

    @Test
    void aFolderIsNoFile() {
        assertThatThrownBy(() -> SettingsLoader.load(folder, Map.of(), Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("settings file " + folder + " cannot be read: ");
    }

    @Test
    void aFileIsReadAsUtf8() throws IOException {
        Files.writeString(file, "\uFEFF" + REQUIRED + "kafka.client.rack=\u00fc\n");
        assertThat(SettingsLoader.load(file, Map.of(), Map.of()).kafka()).isEqualTo(Map.of("client.rack", "\u00fc"));

        Files.writeString(file, REQUIRED + "kafka.client.rack=\u00fc\n", StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> SettingsLoader.load(file, Map.of(), Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessage("settings file " + file + " is not UTF-8: save it as UTF-8");
    }

    @Test
    void aBrokenEscapeIsExplained() {
        assertThat(problems(REQUIRED + "kafka.ssl.truststore.location=C:\\users\\a\n"))
                .singleElement()
                .asString()
                .contains(file.toString(), "\\u");
    }

    @Test
    void anEmptyFileIsEnoughWhenTheRestComesFromElsewhere() {
        ServiceSettings settings = load(
                "# nothing\n",
                Map.of("SLUICE_BOOTSTRAP_SERVERS", "kafka:9092", "SLUICE_STATE_DIR", "/state", "PATH", "/bin"),
                Map.of("instance.id", "sluice-1", "application.server", "host:7878"));

        assertThat(settings.bootstrapServers()).isEqualTo("kafka:9092");
    }

    private ServiceSettings load(String text) {
        return load(text, Map.of(), Map.of());
    }

    private ServiceSettings load(String text, Map<String, String> environment, Map<String, String> flags) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return SettingsLoader.load(file, environment, flags);
    }

    private List<String> problems(String text) {
        return problems(text, Map.of());
    }

    private List<String> problems(String text, Map<String, String> flags) {
        SettingsException e = catchThrowableOfType(SettingsException.class, () -> load(text, Map.of(), flags));
        assertThat(e).as("an exception").isNotNull();
        return e.problems();
    }
}
