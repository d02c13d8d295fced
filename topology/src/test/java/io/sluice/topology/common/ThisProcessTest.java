package io.sluice.topology.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.MaintenanceRecord;
import io.sluice.schemas.common.MaintenanceTask;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose work may be taken over without being asked: only of one that is surely gone. */
class ThisProcessTest {
    private static final MaintenanceRecord SELF = ThisProcess.at(new MaintenanceTask.Rebuild());

    private Process other;

    @BeforeEach
    void startAnother() throws IOException {
        other = new ProcessBuilder("sleep", "600").start();
    }

    @AfterEach
    void endIt() throws InterruptedException {
        other.destroyForcibly().waitFor();
    }

    @Test
    void aProcessThatRunsIsNotGone() {
        assertThat(ThisProcess.isGone(other(SELF.host(), 0))).isFalse();
        assertThat(ThisProcess.isGone(other(SELF.host(), startedMs()))).isFalse();
    }

    @Test
    void aClockThatWasSetMeanwhileMakesNoneGone() {
        assertThat(ThisProcess.isGone(other(SELF.host(), startedMs() - 30_000))).isFalse();
    }

    @Test
    void aProcessThatHasEndedIsGone() throws InterruptedException {
        other.destroyForcibly().waitFor();

        assertThat(ThisProcess.isGone(other(SELF.host(), 0))).isTrue();
    }

    @Test
    void aNumberThatAnotherProcessHasByNowIsGone() {
        assertThat(ThisProcess.isGone(other(SELF.host(), startedMs() - 3_600_000)))
                .isTrue();
    }

    @Test
    void ofAnotherMachineNothingIsKnown() throws InterruptedException {
        other.destroyForcibly().waitFor();

        assertThat(ThisProcess.isGone(other("elsewhere", 0))).isFalse();
    }

    @Test
    void aFormerWorkOfThisProcessIsGone() {
        assertThat(ThisProcess.isGone(SELF)).isTrue();
    }

    private long startedMs() {
        return other.info().startInstant().orElseThrow().toEpochMilli();
    }

    private MaintenanceRecord other(String host, long startedMs) {
        return new MaintenanceRecord("token", SELF.task(), host, other.pid(), startedMs, SELF.user(), 1);
    }
}
