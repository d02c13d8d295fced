package io.sluice.topology.region;

import static io.sluice.topology.region.RegionCommands.alter;
import static io.sluice.topology.region.RegionCommands.create;
import static io.sluice.topology.region.RegionCommands.edit;
import static io.sluice.topology.region.RegionCommands.flush;
import static io.sluice.topology.region.RegionCommands.truncateFiles;
import static io.sluice.topology.region.RegionCommands.truncateRanges;
import static io.sluice.topology.region.RegionSamples.metadata;
import static io.sluice.topology.region.RegionSamples.millis;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.region.RegionCommandCodec;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RegionState;
import org.junit.jupiter.api.Test;

/** What one write holds is bounded by bytes, however many files a region has: every record it goes through has a limit. */
class RegionBoundsTest {
    private static final int FILE_BYTES = RegionRecordCodec.encode(RegionSamples.file('B')).length;
    private static final int EDIT_BYTES =
            RegionCommandCodec.encode(edit("+C").as("e1").build("e1")).length;

    @Test
    void aTruncateThatWouldRemoveTooManyFilesAtOnceIsRefusedAndAShorterOneIsNot() {
        RegionScenario r = new RegionScenario(true, new RegionLimits(2 * FILE_BYTES, 1 << 20, 100));
        r.given(create(), flush("+A +B +C", 1L, 1L));
        r.when(truncateRanges(millis(0, 999))).expect(OutcomeCode.TOO_LARGE, 1L);
        assertThat(r.decision().outcomes().get(0).message())
                .contains("3 files", "allowed are " + 2 * FILE_BYTES, "shorter time ranges");
        r.expectState(RegionState.WRITABLE).expectFiles("ABC");

        r.when(truncateRanges(millis(0, 998))).ok().expect(OutcomeCode.OK, 2L).expectFiles("BC");
        r.when(truncateFiles("BC")).ok().expect(OutcomeCode.OK, 3L).expectFiles("");
    }

    @Test
    void anEditThatRemovesTooManyFilesAtOnceIsRefused() {
        RegionScenario r = new RegionScenario(true, new RegionLimits(FILE_BYTES, 1 << 20, 100));
        r.given(create(), flush("+A +B", 1L, 1L));
        r.when(edit("-A -B")).expect(OutcomeCode.TOO_LARGE, 1L).expectFiles("AB");
    }

    @Test
    void asManyEditsAreMergedAsFitOneWriteAndTheNextOnesFormAnother() {
        RegionScenario r = new RegionScenario(true, new RegionLimits(1 << 20, 2 * EDIT_BYTES, 100));
        r.given(create())
                .when(
                        alter(metadata(1, "c")).as("a"),
                        edit("+C").as("e1"),
                        edit("+D").as("e2"),
                        edit("+E").as("e3"));
        r.ok().ok()
                .expect("e1", OutcomeCode.OK, 2L)
                .expect("e2", OutcomeCode.OK, 2L)
                .expectPending("e3");
        r.ok().expect("e3", OutcomeCode.OK, 3L);
        assertThat(r.file('E').sequence()).isEqualTo(2);
    }
}
