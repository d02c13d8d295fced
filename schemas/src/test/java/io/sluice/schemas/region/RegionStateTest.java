package io.sluice.schemas.region;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/behaviour.md, sections 4.1 and 4.2. */
class RegionStateTest {
    @ParameterizedTest
    @CsvSource({
        "READ_ONLY, FOLLOWER, REJECT, false",
        "WRITABLE, LEADER, ADMIT, false",
        "ALTERING, LEADER, STALL, true",
        "TRUNCATING, LEADER, STALL, true",
        "EDITING, LEADER, STALL, true",
        "DROPPING, LEADER, REJECT, true",
        "DOWNGRADING, DOWNGRADING, REJECT, false"
    })
    void aStateHasOneRoleAndOneAnswerToWrites(
            RegionState state, RegionRole role, Admission admission, boolean isTransient) {
        assertThat(state.role()).isEqualTo(role);
        assertThat(state.admission()).isEqualTo(admission);
        assertThat(state.isTransient()).isEqualTo(isTransient);
    }

    @ParameterizedTest
    @CsvSource({
        "CREATE, CREATE, ",
        "ALTER, DELTA, ALTERING",
        "EDIT, DELTA, EDITING",
        "FLUSH, DELTA, ",
        "COMPACT, DELTA, ",
        "TRUNCATE, DELTA, TRUNCATING",
        "DISCARD_UNFLUSHED, DELTA, TRUNCATING",
        "PUBLISH_INDEX, DELTA, ",
        "DROP, DROP, DROPPING"
    })
    void aKindOfCommandHasItsTransientState(RegionWriteKind kind, ManifestWriteKind write, RegionState state) {
        assertThat(kind.manifestWrite()).isEqualTo(write);
        assertThat(kind.transientState()).isEqualTo(state);
    }

    @ParameterizedTest
    @EnumSource(RegionWriteKind.class)
    void aStateThatAWriteSetsIsTransient(RegionWriteKind kind) {
        assertThat(kind.transientState())
                .satisfiesAnyOf(
                        state -> assertThat(state).isNull(),
                        state -> assertThat(state.isTransient()).isTrue());
    }

    @Test
    void onlyALeaderIsEverWrittenTo() {
        assertThat(RegionState.values())
                .filteredOn(state -> state.role() != RegionRole.LEADER)
                .allSatisfy(state -> assertThat(state.admission()).isEqualTo(Admission.REJECT));
    }
}
