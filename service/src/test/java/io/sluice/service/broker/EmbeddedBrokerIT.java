package io.sluice.service.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.schemas.common.TopicNames;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.TopicCreationException;
import io.sluice.topology.common.TopicCreator;
import io.sluice.topology.common.TopicSpec;
import io.sluice.topology.common.TopicTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The embedded broker with the topics of the table: start, use, restart, and every refusal. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class EmbeddedBrokerIT {
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final TopicTable TABLE = TopicTable.defaults(Profile.EMBEDDED);

    @TempDir
    static Path sharedFolder;

    @TempDir
    Path folder;

    /** Shared by the tests that leave it running. */
    private static EmbeddedBroker shared;

    @BeforeAll
    static void startShared() {
        shared = EmbeddedBroker.builder(sharedFolder.resolve("shared")).start();
    }

    @AfterAll
    static void closeShared() {
        shared.close();
    }

    @Test
    void recordsAndTopicsSurviveARestartOnOtherPorts() throws Exception {
        Path data = folder.resolve("made").resolve("on demand");
        String first;
        try (EmbeddedBroker broker = EmbeddedBroker.builder(data).start()) {
            first = broker.bootstrapServers();
            try (Admin admin = admin(broker)) {
                assertThat(new TopicCreator(admin).create(TABLE, WITHIN))
                        .containsExactlyInAnyOrderElementsOf(
                                TABLE.specs().stream().map(TopicSpec::name).toList());
            }
            send(broker, "a/1", "before");
            assertThat(read(broker)).containsExactly("a/1=before");
        }
        int port = FreePorts.one();
        try (EmbeddedBroker broker =
                EmbeddedBroker.builder(data).kafkaPort(port).start()) {
            assertThat(broker.bootstrapServers()).isEqualTo("127.0.0.1:" + port).isNotEqualTo(first);
            assertThat(broker.kafkaPort()).isEqualTo(port);
            try (Admin admin = admin(broker)) {
                assertThat(new TopicCreator(admin).create(TABLE, WITHIN))
                        .as("nothing is created twice")
                        .isEmpty();
            }
            send(broker, "a/2", "after");
            assertThat(read(broker)).containsExactly("a/1=before", "a/2=after");
        }
    }

    @Test
    void topicsHaveEverySettingOfTheTableAsTheirOwn() throws Exception {
        try (Admin admin = admin(shared)) {
            new TopicCreator(admin).create(TABLE, WITHIN);
            for (TopicSpec spec : TABLE.specs()) {
                ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, spec.name());
                Config config =
                        admin.describeConfigs(List.of(resource)).all().get().get(resource);
                spec.configs().forEach((setting, value) -> {
                    ConfigEntry entry = config.get(setting);
                    assertThat(entry.value())
                            .as("%s of %s", setting, spec.name())
                            .isEqualTo(value);
                    assertThat(entry.source())
                            .as("origin of %s of %s", setting, spec.name())
                            .isEqualTo(ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG);
                });
            }
        }
    }

    @Test
    void overridesApplyToOneTopicOnly() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.builder(folder)
                        .property("log.cleaner.backoff.ms", "200")
                        .start();
                Admin admin = admin(broker)) {
            new TopicCreator(admin)
                    .create(
                            TABLE,
                            Map.of(TopicNames.FLOW_COMMANDS, Map.of("min.compaction.lag.ms", "0", "segment.ms", "300")),
                            WITHIN);
            assertThat(topicSetting(admin, TopicNames.FLOW_COMMANDS, "min.compaction.lag.ms"))
                    .isEqualTo("0");
            assertThat(topicSetting(admin, TopicNames.FLOW_COMMANDS, "segment.ms"))
                    .isEqualTo("300");
            assertThat(topicSetting(admin, TopicNames.FLOWNODE_ROUTES, "segment.ms"))
                    .isEqualTo("86400000");
            ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, "1");
            Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
            assertThat(config.get("log.cleaner.backoff.ms").value()).isEqualTo("200");
            assertThat(config.get("auto.create.topics.enable").value()).isEqualTo("false");
            assertThat(config.get("transaction.abort.timed.out.transaction.cleanup.interval.ms")
                            .value())
                    .isEqualTo("1000");

            assertThatThrownBy(() -> new TopicCreator(admin).create(TABLE, Map.of("sluice.typo", Map.of()), WITHIN))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("sluice.typo");
        }
    }

    @Test
    void aTopicWithAnotherPartitionCountStopsTheCreation() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.builder(folder).start();
                Admin admin = admin(broker)) {
            admin.createTopics(List.of(new NewTopic(TopicNames.FLOW_OUTCOMES, 3, (short) 1)))
                    .all()
                    .get();
            TopicCreationException refusal = catchThrowableOfType(
                    TopicCreationException.class, () -> new TopicCreator(admin).create(TABLE, WITHIN));
            assertThat(refusal.reason()).isEqualTo(TopicCreationException.Reason.PARTITION_COUNT);
            assertThat(refusal)
                    .hasMessageContaining("sluice.flow.outcomes has 3 partitions, wanted are 4")
                    .hasMessageContaining("Set the partition count");
            assertThat(admin.listTopics().names().get()).containsExactly(TopicNames.FLOW_OUTCOMES);
        }
    }

    @Test
    void aReplicationThatTheClusterCannotGiveIsExplained() throws Exception {
        TopicTable cluster = TopicTable.of(Profile.CLUSTER, Limits.defaults(), new PartitionCounts(2, 2, 2));
        try (EmbeddedBroker broker = EmbeddedBroker.builder(folder).start();
                Admin admin = admin(broker)) {
            TopicCreationException refusal = catchThrowableOfType(
                    TopicCreationException.class, () -> new TopicCreator(admin).create(cluster, Duration.ofSeconds(1)));
            assertThat(refusal.reason()).isEqualTo(TopicCreationException.Reason.REFUSED);
            assertThat(refusal).hasMessageContaining("replication factor 3").hasMessageContaining("Start more brokers");
        }
    }

    @Test
    void anUnreachableClusterIsToldApart() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + FreePorts.one()))) {
            TopicCreationException refusal = catchThrowableOfType(
                    TopicCreationException.class, () -> new TopicCreator(admin).create(TABLE, Duration.ofSeconds(1)));
            assertThat(refusal.reason()).isEqualTo(TopicCreationException.Reason.UNREACHABLE);
            assertThat(refusal).hasMessageContaining("bootstrap.servers");
        }
    }

    @Test
    void aDataDirectoryInUseByThisProcessIsRefused() {
        assertThatThrownBy(() -> EmbeddedBroker.builder(shared.directory()).start())
                .isInstanceOf(EmbeddedBrokerException.class)
                .hasMessageContaining(shared.directory().toString())
                .hasMessageContaining("in use by another broker of this process");
        assertThat(shared.isRunning()).isTrue();
    }

    @Test
    void aDataDirectoryInUseByAnotherProcessIsRefused() throws Exception {
        // Twice: the refusal inside this process above must not have given the lock away.
        assertThatThrownBy(() -> EmbeddedBroker.builder(shared.directory()).start())
                .isInstanceOf(EmbeddedBrokerException.class);
        try (Child child = Child.run("start", shared.directory())) {
            assertThat(child.line())
                    .contains(shared.directory().toString())
                    .contains("in use by the process with id "
                            + ProcessHandle.current().pid());
        }
        assertThat(shared.isRunning()).isTrue();
    }

    @Test
    void aDataDirectoryInUseByAForeignBrokerIsRefused() throws Exception {
        try (Child child = Child.run("hold", folder)) {
            assertThat(child.line()).isEqualTo("held");
            assertThatThrownBy(() -> EmbeddedBroker.builder(folder).start())
                    .isInstanceOf(EmbeddedBrokerException.class)
                    .hasMessageContaining("in use by a Kafka broker in another process");
        }
    }

    @Test
    void aForeignDirectoryIsRefusedAndLeftAlone() throws Exception {
        Path letter = Files.writeString(folder.resolve("letter.txt"), "dear reader");
        assertThatThrownBy(() -> EmbeddedBroker.builder(folder).start())
                .isInstanceOf(EmbeddedBrokerException.class)
                .hasMessageContaining("not one of Sluice's embedded broker")
                .hasMessageContaining("letter.txt")
                .hasMessageContaining("Choose an empty or new directory");
        assertThat(letter).hasContent("dear reader");
    }

    @Test
    void anotherBrokersDirectoryIsRefused() throws Exception {
        Files.writeString(folder.resolve("meta.properties"), "version=1\nnode.id=7\ncluster.id=x\n");
        assertThatThrownBy(() -> EmbeddedBroker.builder(folder).start())
                .isInstanceOf(EmbeddedBrokerException.class)
                .hasMessageContaining("node.id=7");
    }

    @Test
    void aDirectoryThatCannotBeMadeIsRefused() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> EmbeddedBroker.builder(file.resolve("data")).start())
                .isInstanceOf(EmbeddedBrokerException.class)
                .hasMessageContaining(file.resolve("data").toString())
                .hasMessageContaining("cannot be made or written to");
    }

    @Test
    void anUnfinishedFormatIsDoneAgain() throws Exception {
        Path data = folder.resolve("data");
        EmbeddedBroker.builder(data).start().close();
        // What a process killed while formatting leaves: the first snapshot of the metadata log, but no
        // meta.properties.
        Files.delete(data.resolve("meta.properties"));
        try (var files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.getFileName().toString().equals("00000000000000000000-0000000000.checkpoint")
                        && !file.getFileName().toString().equals("bootstrap.checkpoint")) {
                    Files.delete(file);
                }
            }
        }
        try (EmbeddedBroker broker = EmbeddedBroker.builder(data).start()) {
            assertThat(broker.isRunning()).isTrue();
        }
    }

    @Test
    void aPortInUseIsRefusedAndTheDirectoryStaysFree() throws Exception {
        try (ServerSocket holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = holder.getLocalPort();
            assertThatThrownBy(
                            () -> EmbeddedBroker.builder(folder).kafkaPort(port).start())
                    .isInstanceOf(EmbeddedBrokerException.class)
                    .hasMessageContaining("Kafka port " + port)
                    .hasMessageContaining("choose another port");
            assertThatThrownBy(() ->
                            EmbeddedBroker.builder(folder).controllerPort(port).start())
                    .isInstanceOf(EmbeddedBrokerException.class)
                    .hasMessageContaining("controller port " + port);
        }
        assertThatThrownBy(() -> EmbeddedBroker.builder(folder).kafkaPort(70_000))
                .isInstanceOf(EmbeddedBrokerException.class)
                .hasMessageContaining("70000");
    }

    @Test
    void aStartThatFailsInsideTheBrokerLeavesTheProcessAndTheDirectory() throws Exception {
        try (ServerSocket holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // Past the check beforehand, as when somebody takes a port between the check and the broker's own binding.
            String taken = "127.0.0.1:" + holder.getLocalPort();
            // Free ports: tried several times, here in vain, on a directory that the first attempt formats.
            assertThatThrownBy(() -> EmbeddedBroker.builder(folder)
                            .property(
                                    "listeners", "PLAINTEXT://" + taken + ",CONTROLLER://127.0.0.1:" + FreePorts.one())
                            .property("advertised.listeners", "PLAINTEXT://" + taken)
                            .start())
                    .isInstanceOf(EmbeddedBrokerException.class)
                    .hasMessageContaining("cannot listen");
            assertThatThrownBy(() -> EmbeddedBroker.builder(folder)
                            .kafkaPort(FreePorts.one())
                            .controllerPort(FreePorts.one())
                            .property("controller.quorum.bootstrap.servers", taken)
                            .property(
                                    "listeners", "PLAINTEXT://127.0.0.1:" + FreePorts.one() + ",CONTROLLER://" + taken)
                            .property("advertised.listeners", "PLAINTEXT://127.0.0.1:" + FreePorts.one())
                            .start())
                    .isInstanceOf(EmbeddedBrokerException.class)
                    .hasMessageContaining("cannot listen");
        }
        try (EmbeddedBroker broker = EmbeddedBroker.builder(folder).start()) {
            assertThat(broker.isRunning()).isTrue();
        }
    }

    @Test
    void aFatalFaultGoesToItsHandler() throws Exception {
        Path data = folder.resolve("data");
        CompletableFuture<Integer> status = new CompletableFuture<>();
        try (EmbeddedBroker broker = EmbeddedBroker.builder(data)
                        .onFatalFault((code, message) -> status.complete(code))
                        .start();
                Admin admin = admin(broker)) {
            // The only data directory is gone: a broker cannot survive that.
            Files.move(data, folder.resolve("moved away"));
            Files.writeString(data, "a file where the directory was");
            admin.createTopics(List.of(new NewTopic("any", 1, (short) 1)));
            assertThat(status.get(30, TimeUnit.SECONDS)).isNotZero();
        }
        assertThat(shared.isRunning()).isTrue();
    }

    @Test
    void closingTwiceOrBeforeTheStartDoesNothing() {
        EmbeddedBroker never = EmbeddedBroker.builder(folder).build();
        never.close();
        never.close();
        assertThatThrownBy(never::start).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(never::bootstrapServers).isInstanceOf(IllegalStateException.class);
    }

    private static Admin admin(EmbeddedBroker broker) {
        return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    }

    private static String topicSetting(Admin admin, String topic, String setting) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return admin.describeConfigs(List.of(resource))
                .all()
                .get()
                .get(resource)
                .get(setting)
                .value();
    }

    private static void send(EmbeddedBroker broker, String key, String value) throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "acks", "all"),
                new StringSerializer(),
                new StringSerializer())) {
            producer.send(new ProducerRecord<>(TopicNames.FLOW_COMMANDS, 2, key, value))
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private static List<String> read(EmbeddedBroker broker) {
        TopicPartition partition = new TopicPartition(TopicNames.FLOW_COMMANDS, 2);
        List<String> records = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "enable.auto.commit", "false"),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            long deadline = System.nanoTime() + WITHIN.toNanos();
            while (consumer.position(partition) < end) {
                assertThat(System.nanoTime()).as("deadline of reading").isLessThan(deadline);
                consumer.poll(Duration.ofMillis(100)).forEach(r -> records.add(r.key() + "=" + r.value()));
            }
        }
        return records;
    }

    /** Another process: what a lock is worth cannot be seen from within one. */
    static final class Child implements AutoCloseable {
        private final Process process;
        private final BufferedReader output;

        private Child(Process process) {
            this.process = process;
            this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        static Child run(String what, Path directory) throws IOException {
            Path java = Path.of(System.getProperty("java.home"), "bin", "java");
            return new Child(new ProcessBuilder(
                            java.toString(),
                            "-Xmx128m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Child.class.getName(),
                            what,
                            directory.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        }

        String line() throws IOException {
            return output.readLine();
        }

        @Override
        public void close() throws IOException {
            // The end of its input is the sign to stop.
            process.getOutputStream().close();
            process.onExit()
                    .orTimeout(30, TimeUnit.SECONDS)
                    .exceptionally(late -> process.destroyForcibly())
                    .join();
        }

        public static void main(String[] args) throws IOException {
            Path directory = Path.of(args[1]);
            if (args[0].equals("start")) {
                try (EmbeddedBroker broker = EmbeddedBroker.builder(directory).start()) {
                    System.out.println("started " + broker.bootstrapServers());
                } catch (EmbeddedBrokerException e) {
                    System.out.println(e.getMessage());
                }
                return;
            }
            try (FileChannel channel = FileChannel.open(
                            directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                System.out.println(lock.isValid() ? "held" : "not held");
                while (System.in.read() >= 0) {
                    // Holds the lock until the parent closes this process's input.
                }
            }
        }
    }
}
