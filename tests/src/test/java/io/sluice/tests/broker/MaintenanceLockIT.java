package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.MaintenanceRecord;
import io.sluice.schemas.common.MaintenanceTask;
import io.sluice.schemas.common.MaintenanceTask.Import;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.service.cut.CutSettings;
import io.sluice.service.rebuild.Rebuild;
import io.sluice.service.runtime.SluiceInstance;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.Parallel;
import io.sluice.tests.harness.RebuildRecorder;
import io.sluice.topology.common.MaintenanceLock;
import io.sluice.topology.common.TopicCreationException;
import io.sluice.topology.common.TopicCreationException.Reason;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** While somebody works on the changelogs nothing else does, and no instance starts. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class MaintenanceLockIT {
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final MaintenanceTask REBUILD = new MaintenanceTask.Rebuild();
    private static final MaintenanceTask IMPORT = new Import("9f86d081");

    @TempDir
    private static Path data;

    private static LocalSluice sluice;

    @BeforeAll
    static void makeTopics() {
        sluice = LocalSluice.on(data).startBroker();
        SluiceInstance.open(sluice.settings()).close();
    }

    @AfterAll
    static void stop() {
        sluice.close();
    }

    @AfterEach
    void setFree() {
        write(null);
    }

    @Test
    void aRebuildKeepsOutInstancesAndImportsUntilItHasEnded() {
        MaintenanceLock lock = take(REBUILD);

        assertRefused(sluice::startInstance, "being rebuilt by", "process", "sluice rebuild");
        assertRefused(() -> take(IMPORT), "being rebuilt by", "sluice rebuild");
        lock.requireHeld(WITHIN);

        lock.release(WITHIN);
        take(IMPORT).release(WITHIN);
        assertThat(holder()).isEmpty();
    }

    @Test
    void anImportKeepsOutInstancesRebuildsAndOtherSnapshotsUntilItHasEnded() {
        MaintenanceLock lock = take(IMPORT);

        assertRefused(sluice::startInstance, "snapshot 9f86d081 is being imported by", "sluice import snapshot");
        assertRefused(MaintenanceLockIT::rebuild, "snapshot 9f86d081 is being imported by", "sluice import snapshot");
        assertRefused(() -> take(new Import("60303ae2")), "snapshot 9f86d081", "with the same file");
        lock.requireHeld(WITHIN);

        lock.release(WITHIN);
        take(REBUILD).release(WITHIN);
        assertThat(holder()).isEmpty();
    }

    @Test
    void whatAProcessHasLeftThatIsGoneIsTakenOverBySuchWorkOnly() {
        take(IMPORT);

        assertRefused(() -> take(REBUILD), "If it was killed", "sluice import snapshot");
        MaintenanceLock lock = take(IMPORT);

        assertThat(lock.isTakenOver()).isTrue();
        assertThat(holder().map(MaintenanceRecord::task)).contains(IMPORT);
    }

    @Test
    void ofAnotherMachineItIsTakenOverOnlyWhenSomebodySaysSo() {
        write(new MaintenanceRecord("t", REBUILD, "elsewhere", 1, 0, "operator", 1_000_000).encode());

        assertRefused(
                () -> take(REBUILD), "operator on elsewhere (process 1) since 1970-01-01T00:16:40Z", "--take-over");
        assertRefused(() -> MaintenanceLock.take(kafka(), IMPORT, true, WITHIN), "operator on elsewhere");

        assertThat(MaintenanceLock.take(kafka(), REBUILD, true, WITHIN).isTakenOver())
                .isTrue();
    }

    @Test
    void whoHasLostItLearnsThatAndLeavesItToTheOther() {
        MaintenanceLock former = take(REBUILD);
        MaintenanceLock now = take(REBUILD);

        assertRefused(() -> former.requireHeld(WITHIN), "being rebuilt by");
        former.release(WITHIN);

        now.requireHeld(WITHIN);
    }

    @Test
    void ofManyAtTheSameMomentOneGetsIt() {
        for (int round = 0; round < 3; round++) {
            List<Optional<MaintenanceLock>> locks = Parallel.run(4, thread -> {
                try {
                    return Optional.of(take(new Import("snapshot-" + thread)));
                } catch (TopicCreationException e) {
                    assertThat(e.reason()).isEqualTo(Reason.MAINTENANCE);
                    return Optional.empty();
                }
            });

            assertThat(locks).filteredOn(Optional::isPresent).hasSize(1);
            locks.forEach(lock -> lock.ifPresent(taken -> {
                taken.requireHeld(WITHIN);
                taken.release(WITHIN);
            }));
        }
    }

    @Test
    void whatCannotBeReadIsHeldToo() {
        write("import by a later version".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> take(REBUILD))
                .isInstanceOfSatisfying(
                        TopicCreationException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.UNREADABLE))
                .hasMessageContainingAll("sluice.meta", "maintenance", "another version");
        assertThatThrownBy(sluice::startInstance).hasMessageContaining("another version");
    }

    private static void assertRefused(ThrowingCallable call, String... why) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        TopicCreationException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.MAINTENANCE))
                .hasMessageContainingAll(why);
    }

    private static MaintenanceLock take(MaintenanceTask task) {
        return MaintenanceLock.take(kafka(), task, false, WITHIN);
    }

    private static Optional<MaintenanceRecord> holder() {
        return MaintenanceLock.holder(kafka(), WITHIN);
    }

    private static void rebuild() throws InterruptedException {
        new Rebuild(
                        CutSettings.of(kafka()),
                        new SingleObject(KnownSchemas.shipped()),
                        Duration.ZERO,
                        new RebuildRecorder())
                .run(false);
    }

    private static Map<String, Object> kafka() {
        return Map.of("bootstrap.servers", sluice.bootstrapServers());
    }

    private static void write(byte[] value) {
        try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
            producer.send(new ProducerRecord<>(
                    TopicNames.META, MaintenanceRecord.KEY.getBytes(StandardCharsets.UTF_8), value));
        }
    }
}
