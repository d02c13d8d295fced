package io.sluice.schemas.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.RegionSamples;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegionRecordTest {
    @Test
    void aTransientStateIsSetTogetherWithItsWrite() {
        RegionRecord altering = writable().withWrite(write(RegionWriteKind.ALTER, "r-2"), 9);

        assertThat(altering.state()).isEqualTo(RegionState.ALTERING);
        assertThat(altering.stateCommandId()).isEqualTo("r-2");
        assertThat(altering.epoch()).isEqualTo(9);
        assertThat(altering.writeInFlight().commandId()).isEqualTo("r-2");
    }

    @Test
    void aWriteThatKeepsTheStateChangesNothingThatOthersSee() {
        RegionRecord flushing = writable().withWrite(write(RegionWriteKind.FLUSH, "r-2"), 9);

        assertThat(flushing.state()).isEqualTo(RegionState.WRITABLE);
        assertThat(flushing.stateCommandId()).isEqualTo("r-1");
        assertThat(RegionStateRecord.of(flushing)).isEqualTo(RegionStateRecord.of(writable()));
    }

    @Test
    void aNewStateBringsItsRole() {
        RegionRecord follower = writable().withState(RegionState.READ_ONLY, "r-5", 6);

        assertThat(follower.role()).isEqualTo(RegionRole.FOLLOWER);
        assertThat(follower.stateCommandId()).isEqualTo("r-5");
        assertThat(follower.epoch()).isEqualTo(6);
    }

    @Test
    void aRoleChangeLeavesTheWriteInFlight() {
        RegionRecord altering = writable().withWrite(write(RegionWriteKind.ALTER, "r-2"), 9);

        RegionRecord follower = altering.withState(RegionState.READ_ONLY, "r-5", 10);

        assertThat(follower.writeInFlight()).isEqualTo(altering.writeInFlight());
    }

    @Test
    void aTransientStateOfAnotherCommandThanTheWriteIsRefused() {
        RegionRecord altering = writable().withWrite(write(RegionWriteKind.ALTER, "r-2"), 9);

        assertThatThrownBy(() -> altering.withState(RegionState.ALTERING, "r-3", 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ALTERING");
    }

    @Test
    void aRegionThatHasAVersionIsNotBeingCreated() {
        RegionRecord writable = writable();
        WriteInFlight creation = write(RegionWriteKind.CREATE, "r-2");

        assertThatThrownBy(() -> writable.withWrite(creation, 9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("manifest version is there");
    }

    @Test
    void aNegativeQueueIsRefused() {
        RegionRecord writable = writable();

        assertThatThrownBy(() -> writable.withQueued(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }

    @Test
    void nobodyIsToldOfARegionThatIsOnlyBeingCreated() {
        RegionRecord creating = RegionSamples.minimalRegionRecord();

        assertThat(creating.isBeingCreated()).isTrue();
        assertThatThrownBy(() -> RegionStateRecord.of(creating))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("8796093022211");
    }

    @Test
    void whatOthersSeeOfARegionIsInItsRecord() {
        assertThat(RegionStateRecord.of(writable()))
                .isEqualTo(new RegionStateRecord(RegionSamples.REGION, "WRITABLE", Admission.ADMIT, 5, 3, 0));
    }

    @Test
    void onlyEditsShareAWrite() {
        List<WriteInFlight.Waiting> two =
                List.of(new WriteInFlight.Waiting("r-2", 0, "kafka"), new WriteInFlight.Waiting("r-3", 0, "kafka"));

        assertThat(new WriteInFlight(4, RegionWriteKind.EDIT, two).commandId()).isEqualTo("r-2");
        assertThatThrownBy(() -> new WriteInFlight(4, RegionWriteKind.FLUSH, two))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("FLUSH");
    }

    private static WriteInFlight write(RegionWriteKind kind, String commandId) {
        return new WriteInFlight(4, kind, List.of(new WriteInFlight.Waiting(commandId, 0, "kafka")));
    }

    private static RegionRecord writable() {
        return new RegionRecord(
                RegionSamples.REGION,
                1,
                RegionRole.LEADER,
                RegionState.WRITABLE,
                "r-1",
                5,
                3L,
                RegionSamples.minimalMetadata(),
                SstFormat.PRIMARY_KEY,
                null,
                0,
                0,
                null,
                null,
                null,
                0,
                0,
                null);
    }
}
