package io.sluice.topology.region;

import static io.sluice.topology.region.RegionCommands.alter;
import static io.sluice.topology.region.RegionCommands.compact;
import static io.sluice.topology.region.RegionCommands.create;
import static io.sluice.topology.region.RegionCommands.discard;
import static io.sluice.topology.region.RegionCommands.drop;
import static io.sluice.topology.region.RegionCommands.edit;
import static io.sluice.topology.region.RegionCommands.flush;
import static io.sluice.topology.region.RegionCommands.publishIndex;
import static io.sluice.topology.region.RegionCommands.role;
import static io.sluice.topology.region.RegionCommands.truncateAll;
import static io.sluice.topology.region.RegionCommands.truncateFiles;
import static io.sluice.topology.region.RegionSamples.REGION;
import static io.sluice.topology.region.RegionSamples.metadata;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.region.Admission;
import io.sluice.schemas.region.ColumnMetadata;
import io.sluice.schemas.region.ManifestReport.ManifestWriteFailed;
import io.sluice.schemas.region.ManifestReport.ManifestWritten;
import io.sluice.schemas.region.ManifestWriteKind;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.RegionState;
import io.sluice.state.region.RegionFact.RegionDropped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cases of docs/behaviour.md, sections 5 and 6, about states, roles, order and the schema, that a decider alone can show, named
 * by their ids.
 */
class RegionStateCasesTest {
    private static final RegionMetadata C1 = metadata(1, "c");

    private final RegionScenario r = new RegionScenario();

    // M19: order while Editing.

    private RegionScenario given19() {
        return r.givenVersion(5);
    }

    @Test
    void bM19_1_aFlushBetweenEdits() {
        given19()
                .when(
                        edit("+A").as("e1"),
                        flush("+F", null, null, 2L).as("f"),
                        edit("+B").as("e2"));
        r.ok().expect("e1", OutcomeCode.OK, 6L).expectPending("f", "e2");
        r.ok().expect("f", OutcomeCode.OK, 7L).expectPending("e2");
        assertThat(r.region().committedSequence()).isEqualTo(2);
        r.ok().expect("e2", OutcomeCode.OK, 8L);
        assertThat(r.file('A').sequence()).isEqualTo(1);
        assertThat(r.file('B').sequence()).isEqualTo(3);
    }

    @Test
    void bM19_2_noOvertaking() {
        given19()
                .when(
                        edit("+A").as("e1"),
                        edit("+B").as("e2"),
                        flush("+F", null, null, 3L).as("f"));
        r.ok().ok().expect("e2", OutcomeCode.OK, 7L).expectPending("f");
        assertThat(r.file('B').sequence()).isEqualTo(2);
        r.ok().expect("f", OutcomeCode.OK, 8L);
    }

    @Test
    void bM19_3_rawEditsAreMerged() {
        given19()
                .when(
                        edit("+A").as("e1"),
                        edit("+B").as("e2"),
                        edit("+D").as("e3"),
                        edit("+E").as("e4"));
        r.ok().expect("e1", OutcomeCode.OK, 6L).ok();
        for (String merged : List.of("e2", "e3", "e4")) {
            r.expect(merged, OutcomeCode.OK, 7L);
            assertThat(r.outcome(merged).applied()).isTrue();
        }
        assertThat(Stream.of('B', 'D', 'E').map(letter -> r.file(letter).sequence()))
                .containsOnly(2L);
        r.expectFiles("ABDE").expectVersion(7);
    }

    @Test
    void bM19_4_noMergeAcrossARemoval() {
        given19().given(edit("+A"));
        r.when(
                edit("+B").as("e1"),
                edit("+D").as("e2"),
                edit("-A").as("e3"),
                edit("+E").as("e4"));
        r.ok().ok().ok().ok();
        r.expect("e2", OutcomeCode.OK, 8L).expect("e3", OutcomeCode.OK, 9L).expect("e4", OutcomeCode.OK, 10L);
    }

    @Test
    void bM19_5_aFailedEditUsesNoVersion() {
        given19().when(edit("+A").as("e1"), edit("+B").as("e2")).failed().ok();
        r.expect("e1", OutcomeCode.MANIFEST_WRITE_FAILED, 5L).expect("e2", OutcomeCode.OK, 6L);
        assertThat(r.file('B').sequence()).isEqualTo(1);
    }

    @Test
    void bM19_6_followerMeanwhile() {
        given19().when(edit("+A").as("e1"), edit("+B").as("e2"), edit("+D").as("e3"));
        r.when(role(RegionRole.FOLLOWER)).expect(OutcomeCode.OK, 5L).ok();
        r.expect("e1", OutcomeCode.OK, 6L).expectState(RegionState.READ_ONLY);
        r.expect("e2", OutcomeCode.REGION_NOT_WRITABLE, 6L).expect("e3", OutcomeCode.REGION_NOT_WRITABLE, 6L);
    }

    @ParameterizedTest
    @EnumSource(Answer.class)
    void bM19_7_admission(Answer answer) {
        given19().when(edit("+A"));
        assertThat(r.admission()).isEqualTo(Admission.STALL);
        r.report(answer == Answer.OK);
        assertThat(r.admission()).isEqualTo(Admission.ADMIT);
    }

    private enum Answer {
        OK,
        FAILED
    }

    @Test
    void anEditThatCannotBeDoneDoesNotPartARun() {
        given19().given(edit("+X"), truncateFiles("X"));
        r.when(
                edit("+A").as("e1"),
                edit("+B").as("e2"),
                edit("+X").as("e3"),
                edit("+D").as("e4"));
        r.ok().expect("e3", OutcomeCode.INVALID_ARGUMENT, 8L).ok();
        r.expect("e2", OutcomeCode.OK, 9L).expect("e4", OutcomeCode.OK, 9L).expectFiles("ABD");
    }

    // The bound of the queue.

    @Test
    void asManyAsTheBoundWait() {
        r.given(create()).when(alter(C1));
        for (int i = 0; i < RegionQueue.BOUND; i++) {
            r.when(flush("", null, null));
            assertThat(r.decision().outcomes()).isEmpty();
        }
        r.when(flush("+F", null, null)).expect(OutcomeCode.REGION_BUSY, 0L).expectCleanup("");
        r.ok().when(flush("", null, null));
        assertThat(r.decision().outcomes()).isEmpty();
        while (r.region().writeInFlight() != null) {
            r.ok();
        }
        r.expectVersion(RegionQueue.BOUND + 2);
    }

    @Test
    void aRetryOfWhatWaitsIsNotQueuedAgain() {
        r.given(create()).when(alter(C1).as("a"), flush("", null, null).as("f"));
        Map<String, String> before = r.contents();
        r.when(flush("", null, null).as("f"), alter(C1).as("a"));
        assertThat(r.contents()).isEqualTo(before);
        r.ok().ok().expect("f", OutcomeCode.OK, 2L).expectVersion(2);
    }

    @Test
    void whatWasQueuedBeforeASnapshotWasRestoredStaysInFrontAlthoughOffsetsBeginAnew() {
        r.given(create()).when(alter(C1).as("a"), edit("+A").as("old"));
        // Smaller than that of the old one, the same as it, and then as large as the number that the first got.
        r.inAnotherTopic().when(edit("-A").as("n0"), flush("", null, null).as("n1"));
        r.when(edit("+B").as("n2"), edit("-B").as("n3"));

        while (r.region().writeInFlight() != null) {
            r.ok();
        }

        for (String id : List.of("old", "n0", "n1", "n2", "n3")) {
            assertThat(r.outcome(id).code()).as(id).isEqualTo(OutcomeCode.OK);
        }
        r.expectFiles("");
    }

    // M21: foreign result flipped the state.

    @Test
    void bM21_1_aReportAboutAnEarlierCommand() {
        r.given(create(), edit("+A").as("e")).when(alter(C1));
        r.report(new ManifestWritten(REGION, "e", 1)).expectIgnored().expectState(RegionState.ALTERING);
    }

    @Test
    void bM21_2_aReportTwice() {
        r.given(create()).when(alter(C1).as("a"));
        ManifestWriteOrder order = r.order();
        r.ok().expectState(RegionState.WRITABLE);
        r.report(new ManifestWritten(REGION, "a", order.version()))
                .expectIgnored()
                .expectVersion(1);
        r.report(new ManifestWriteFailed(REGION, "a", order.version(), "late")).expectIgnored();
        r.expectState(RegionState.WRITABLE).expect("a", OutcomeCode.OK, 1L);
        assertThat(r.decision().orderClosed()).isTrue();
    }

    @Test
    void bM21_3_aLateReportMeetsTheNext() {
        r.given(create(), alter(C1).as("a")).when(alter(metadata(2, "c", "d")).as("b"));
        r.report(new ManifestWritten(REGION, "a", 1)).expectIgnored().expectState(RegionState.ALTERING);
        assertThat(r.decision().orderClosed()).isFalse();
        assertThat(r.region().stateCommandId()).isEqualTo("b");
    }

    @Test
    void bM21_4_aCompactionLeavesTheStateAlone() {
        r.given(create(), edit("+A")).when(compact("+C -A")).expectState(RegionState.WRITABLE);
        r.ok().expectState(RegionState.WRITABLE).expectFiles("C");
    }

    // M22: stalled commands.

    private RegionScenario given22() {
        r.given(create()).when(alter(C1).as("a"));
        return r.when(
                flush("+F", 1L, 1L).as("f1"),
                flush("+G", 2L, 2L).as("f2"),
                flush("+H", 3L, 3L).as("f3"));
    }

    @ParameterizedTest
    @EnumSource(Answer.class)
    void bM22_1and2_stalledFlushes(Answer answer) {
        given22();
        assertThat(r.admission()).isEqualTo(Admission.STALL);
        boolean good = answer == Answer.OK;
        r.report(good);
        assertThat(r.admission()).isEqualTo(Admission.ADMIT);
        r.expect("a", good ? OutcomeCode.OK : OutcomeCode.MANIFEST_WRITE_FAILED, good ? 1L : 0L);
        assertThat(r.region().metadata().schemaVersion()).isEqualTo(good ? 1 : 0);
        r.ok().expectPending("f2").ok().expectPending("f3").ok();
        long first = good ? 2 : 1;
        r.expect("f1", OutcomeCode.OK, first)
                .expect("f2", OutcomeCode.OK, first + 1)
                .expect("f3", OutcomeCode.OK, first + 2);
    }

    @Test
    void bM22_3_nothingToAlter() {
        r.given(create()).when(alter(metadata(0))).expectUnchanged(0).expectState(RegionState.WRITABLE);
        r.when(flush("", 1L, 1L)).ok().expect(OutcomeCode.OK, 1L);
    }

    @Test
    void bM22_4_flushesBehindATruncate() {
        r.given(create())
                .when(
                        truncateAll(5, 10),
                        flush("+F", 5L, 10L).as("f1"),
                        flush("+G", 6L, 12L).as("f2"));
        r.ok().expect("f1", OutcomeCode.REGION_TRUNCATED, 1L).expectCleanup("F");
        r.ok().expect("f2", OutcomeCode.OK, 2L).expectFiles("G");
    }

    @Test
    void bM22_5_restart() {
        given22().restart().ok().restart().ok().restart().ok().restart().ok();
        for (String id : List.of("a", "f1", "f2", "f3")) {
            assertThat(r.outcome(id).code()).isEqualTo(OutcomeCode.OK);
        }
        r.expectVersion(4).expectFiles("FGH");
    }

    @Test
    void bM22_6_aZombiesReport() {
        r.givenVersion(6)
                .when(flush("+F", null, null).as("v7"), flush("+G", null, null).as("v8"));
        r.report(new ManifestWritten(REGION, "v8", 8))
                .expectIgnored()
                .expectVersion(6)
                .expectFiles("");
        r.report(new ManifestWritten(REGION, "v7", 8))
                .expectIgnored()
                .expectVersion(6)
                .expectFiles("");
        r.ok().expectVersion(7).expectFiles("F").ok().expectVersion(8).expectFiles("FG");
    }

    // M23: leaving the transient state.

    static Stream<RegionCommands> transientCommands() {
        return Stream.of(alter(C1), truncateAll(5, 10), discard(5, 10), edit("+A"))
                .map(command -> command.as("t"));
    }

    private RegionScenario given23(RegionCommands command) {
        r.givenVersion(5).when(command);
        assertThat(r.region().state().isTransient()).isTrue();
        return r;
    }

    @ParameterizedTest
    @MethodSource("transientCommands")
    void bM23_1_ok(RegionCommands command) {
        given23(command).ok().expectState(RegionState.WRITABLE).expect("t", OutcomeCode.OK, 6L);
    }

    @ParameterizedTest
    @MethodSource("transientCommands")
    void bM23_2and7_failedAndAgain(RegionCommands command) {
        given23(command).failed().expectState(RegionState.WRITABLE).expectVersion(5);
        r.expect("t", OutcomeCode.MANIFEST_WRITE_FAILED, 5L);
        r.when(command.as("again")).ok().expectState(RegionState.WRITABLE).expect("again", OutcomeCode.OK, 6L);
    }

    @ParameterizedTest
    @MethodSource("transientCommands")
    void bM23_3_followerMeanwhileOk(RegionCommands command) {
        given23(command)
                .when(role(RegionRole.FOLLOWER))
                .expect(OutcomeCode.OK, 5L)
                .expectState(RegionState.READ_ONLY);
        r.ok().expectState(RegionState.READ_ONLY).expect("t", OutcomeCode.OK, 6L);
    }

    @ParameterizedTest
    @MethodSource("transientCommands")
    void bM23_4_followerMeanwhileFailed(RegionCommands command) {
        given23(command).when(role(RegionRole.FOLLOWER)).failed().expectState(RegionState.READ_ONLY);
        r.expect("t", OutcomeCode.MANIFEST_WRITE_FAILED, 5L);
    }

    @ParameterizedTest
    @MethodSource("transientCommands")
    void bM23_5_downgradeIsBusy(RegionCommands command) {
        given23(command).when(role(RegionRole.DOWNGRADING)).expect(OutcomeCode.REGION_BUSY, 5L);
        r.failed().expectState(RegionState.WRITABLE).expectVersion(5);
    }

    @ParameterizedTest
    @MethodSource("transientCommands")
    void bM23_6_followerThenLeader(RegionCommands command) {
        given23(command).when(role(RegionRole.FOLLOWER), role(RegionRole.LEADER));
        r.expectState(RegionState.WRITABLE).when(flush("", 9L, 99L).as("f")).expectPending("f", "t");
        r.ok().expectState(RegionState.WRITABLE).expect("t", OutcomeCode.OK, 6L);
        r.ok().expect("f", OutcomeCode.OK, 7L);
    }

    @Test
    void bM23_8_secondAlter() {
        given23(alter(C1).as("t"))
                .when(alter(C1).as("same"), alter(metadata(1, "d")).as("other"));
        r.expectPending("same", "other").ok();
        r.expect("t", OutcomeCode.OK, 6L).expect("same", OutcomeCode.OK, 6L);
        assertThat(r.outcome("same").applied()).isFalse();
        r.expect("other", OutcomeCode.SCHEMA_OUTDATED, 6L).expectState(RegionState.WRITABLE);
    }

    @ParameterizedTest
    @MethodSource("transientCommands")
    void bM23_9_restart(RegionCommands command) {
        given23(command).restart();
        assertThat(r.order().commandId()).as("the writer goes on with").isEqualTo("t");
        r.when(command).expectPending("t").ok();
        r.expectState(RegionState.WRITABLE).expect("t", OutcomeCode.OK, 6L);
    }

    @Test
    void bM23_10_dropFails() {
        r.givenVersion(5).when(drop().as("d"), flush("", 1L, 1L).as("f")).expectState(RegionState.DROPPING);
        assertThat(r.admission()).isEqualTo(Admission.REJECT);
        r.failed().expect("d", OutcomeCode.MANIFEST_WRITE_FAILED, 5L).expectState(RegionState.WRITABLE);
        r.ok().expect("f", OutcomeCode.OK, 6L).when(drop().as("again")).ok();
        r.expect("again", OutcomeCode.OK, 6L);
        assertThat(r.region()).isNull();
    }

    // M24: downgrade.

    private RegionScenario given24() {
        return r.givenVersion(4).given(edit("+A"), role(RegionRole.DOWNGRADING)).expectVersion(5);
    }

    @Test
    void bM24_1_flush() {
        given24().when(flush("+F", 1L, 1L)).ok().expect(OutcomeCode.OK, 6L).expectState(RegionState.DOWNGRADING);
        assertThat(r.admission()).isEqualTo(Admission.REJECT);
    }

    @Test
    void bM24_2_compactAndIndex() {
        given24().when(compact("+C -A")).ok().expect(OutcomeCode.OK, 6L);
        r.when(publishIndex(r.file('C'), 0, 1)).ok().expect(OutcomeCode.OK, 7L).expectState(RegionState.DOWNGRADING);
    }

    @Test
    void bM24_3_nothingNew() {
        given24();
        for (RegionCommands command :
                List.of(alter(C1), edit("+B"), truncateAll(5, 5), truncateFiles("A"), discard(9, 9), drop())) {
            r.when(command).expect(OutcomeCode.REGION_NOT_WRITABLE, 5L);
        }
    }

    @Test
    void bM24_4and5_wayOut() {
        given24().when(role(RegionRole.LEADER)).expect(OutcomeCode.OK, 5L).expectState(RegionState.WRITABLE);
        r.given(role(RegionRole.DOWNGRADING)).when(role(RegionRole.DOWNGRADING)).expectUnchanged(5);
        r.when(role(RegionRole.FOLLOWER)).expect(OutcomeCode.OK, 5L).expectState(RegionState.READ_ONLY);
    }

    @Test
    void bM24_6_muchLater() {
        given24().when(flush("", 1L, 1L).at(1000 + 7 * 24 * 3600)).ok().expect(OutcomeCode.OK, 6L);
        r.when(role(RegionRole.LEADER).at(2000 + 7 * 24 * 3600)).expectState(RegionState.WRITABLE);
    }

    @Test
    void bM24_7_regionsAreIndependent() {
        long other = REGION + 1;
        r.given(create()).when(create().of(other).as("o"));
        r.report(new ManifestWritten(other, "o", 0)).expect("o", OutcomeCode.OK, 0L);
        r.when(alter(C1), role(RegionRole.DOWNGRADING)).expect(OutcomeCode.REGION_BUSY, 0L);
        r.when(role(RegionRole.DOWNGRADING).of(other)).expect(OutcomeCode.OK, 0L);
    }

    // M25: end of a follower or leader.

    @Test
    void bM25_1_restartOfAFollower() {
        r.givenVersion(5).given(role(RegionRole.FOLLOWER)).restart();
        r.expectState(RegionState.READ_ONLY).expectVersion(5);
        r.when(flush("+F", 1L, 1L)).expect(OutcomeCode.REGION_NOT_WRITABLE, 5L).expectCleanup("F");
    }

    @Test
    void bM25_2_followerDuringAFlush() {
        r.givenVersion(5).when(flush("+F", 1L, 1L).as("f"), role(RegionRole.FOLLOWER));
        r.expect(OutcomeCode.OK, 5L).expectState(RegionState.READ_ONLY);
        r.ok().expect("f", OutcomeCode.OK, 6L).expectState(RegionState.READ_ONLY);
    }

    @Test
    void bM25_3_followerWithNothingToFlush() {
        r.givenVersion(5).when(role(RegionRole.FOLLOWER)).expect(OutcomeCode.OK, 5L);
        assertThat(r.region().writeInFlight()).isNull();
        r.when(role(RegionRole.FOLLOWER)).expectUnchanged(5);
    }

    // M28: repeated alter.

    @Test
    void bM28_1to5_schemas() {
        r.given(create()).when(alter(C1)).ok().expect(OutcomeCode.OK, 1L);
        assertThat(r.region().metadata()).isEqualTo(C1);
        r.when(alter(C1)).expectUnchanged(1);
        r.when(alter(metadata(1, "d"))).expect(OutcomeCode.SCHEMA_OUTDATED, 1L);
        r.when(alter(metadata(0))).expect(OutcomeCode.SCHEMA_OUTDATED, 1L);
        r.when(alter(metadata(2, "c", "d"))).ok().expect(OutcomeCode.OK, 2L);
        assertThat(r.region().metadata().schemaVersion()).isEqualTo(2);
    }

    @Test
    void bM28_6_aSecondTimeIndex() {
        r.given(create(), alter(C1)).when(alter(withTimeIndex(metadata(2, "c"))));
        r.expect(OutcomeCode.INVALID_ARGUMENT, 1L).restart();
        assertThat(r.region().metadata()).isEqualTo(C1);
        assertThat(r.deltas()).hasSize(2);
    }

    private static RegionMetadata withTimeIndex(RegionMetadata metadata) {
        List<ColumnMetadata> columns = new ArrayList<>(metadata.columns());
        columns.add(RegionSamples.timeIndex("ts2", 99));
        return new RegionMetadata(
                columns,
                metadata.primaryKey(),
                metadata.regionId(),
                metadata.schemaVersion(),
                metadata.primaryKeyEncoding(),
                metadata.partitionExpr());
    }

    @Test
    void bM28_7_aSchemaTooFarAhead() {
        r.given(create(), alter(C1)).when(alter(metadata(7, "c", "d"))).expect(OutcomeCode.INVALID_ARGUMENT, 1L);
        r.when(alter(metadata(REGION + 1, 2, "c"))).expect(OutcomeCode.INVALID_ARGUMENT, 1L);
    }

    @Test
    void bM28_8_appendMode() {
        r.given(create(), alter(C1, false)).when(alter(C1, true)).ok().expect(OutcomeCode.OK, 2L);
        assertThat(r.region().appendMode()).isTrue();
        assertThat(r.region().metadata().schemaVersion()).isEqualTo(1);
        r.when(alter(C1, false)).expect(OutcomeCode.INVALID_ARGUMENT, 2L);
        r.when(alter(C1, null)).expectUnchanged(2);
    }

    // M29: drop.

    @Test
    void bM29_1_drop() {
        r.givenVersion(5).when(drop().as("d"));
        assertThat(r.order().kind()).isEqualTo(ManifestWriteKind.DROP);
        r.when(flush("+F", 1L, 1L).as("f"), drop().as("d2")).ok();
        r.expect("d", OutcomeCode.OK, 5L).expect("f", OutcomeCode.REGION_NOT_FOUND, null);
        r.expect("d2", OutcomeCode.REGION_NOT_FOUND, null).expectCleanup("F");
        r.when(flush("", 1L, 1L)).expect(OutcomeCode.REGION_NOT_FOUND, null);
        assertThat(r.region()).isNull();
    }

    @Test
    void bM29_2_dropOfAnUnknownRegion() {
        r.when(drop().as("d")).expect(OutcomeCode.REGION_NOT_FOUND, null);
        assertThat(r.decision().facts()).isEmpty();
        assertThat(r.decision().order().kind()).as("leftovers").isEqualTo(ManifestWriteKind.DROP);
        r.report(new ManifestWritten(REGION, "d", 0)).expectIgnored();
        assertThat(r.decision().orderClosed()).isTrue();
    }

    @Test
    void bM29_2_notOfOneThatIsBeingCreated() {
        r.when(create()).when(drop()).expect(OutcomeCode.REGION_NOT_FOUND, null);
        assertThat(r.decision().order()).isNull();
    }

    @Test
    void bM29_3_aDropWithoutACreate() {
        Map<String, String> before = r.contents();
        r.apply(new RegionDropped(REGION));
        assertThat(r.contents()).isEqualTo(before);
    }

    @Test
    void bM29_4_restartBeforeTheReport() {
        r.givenVersion(5)
                .when(drop().as("d"))
                .restart()
                .when(drop().as("d"))
                .expectPending("d")
                .ok();
        r.expect("d", OutcomeCode.OK, 5L).restart().when(drop().as("d"));
        assertThat(r.decision().outcomes()).isEmpty();
    }

    @Test
    void bM29_5_createdAgain() {
        r.given(create(), edit("+A +B"), truncateFiles("A"), drop())
                .when(compact("+C"))
                .expectCleanup("C");
        long before = r.decision().facts().size();
        assertThat(before).isEqualTo(1);
        r.when(create()).ok().expect(OutcomeCode.OK, 0L);
        r.expectFiles("").expectRemoved("").expectCleanup("").expectVersion(0);
        r.given(edit("+A +B +C")).expectFiles("ABC");
    }

    @Test
    void anIncarnationIsNeverUsedTwice() {
        r.given(create());
        long first = r.region().incarnation();
        long epoch = r.region().epoch();
        r.given(drop(), create());
        assertThat(r.region().incarnation()).isGreaterThan(first);
        assertThat(r.region().epoch()).isGreaterThan(epoch);
    }

    // M33: staging.

    @Test
    void bM33_1_stagingIsNotOffered() {
        r.given(create()).when(role(RegionRole.STAGING_LEADER)).expect(OutcomeCode.UNSUPPORTED, 0L);
        r.expectState(RegionState.WRITABLE);
        r.given(drop()).when(create(RegionRole.STAGING_LEADER, 0)).expect(OutcomeCode.UNSUPPORTED, null);
    }

    // H6, H11.

    @Test
    void bH6_1_aFailedWriteLeavesNoHole() {
        r.givenVersion(5).when(flush("", 1L, 1L)).failed().when(flush("", 1L, 1L));
        assertThat(r.order().version()).isEqualTo(6);
        r.ok().expect(OutcomeCode.OK, 6L);
    }

    @Test
    void bH11_1_downgradeInATransientState() {
        for (RegionCommands command : List.of(alter(C1), truncateAll(1, 1), edit("+A"), drop())) {
            RegionScenario one = new RegionScenario();
            one.given(create()).when(command);
            RegionState state = one.region().state();
            one.when(role(RegionRole.DOWNGRADING))
                    .expect(OutcomeCode.REGION_BUSY, 0L)
                    .expectState(state);
            one.failed().when(role(RegionRole.DOWNGRADING)).expect(OutcomeCode.OK, 0L);
            one.expectState(RegionState.DOWNGRADING);
        }
    }

    @Test
    void bH11_2_downgradeOfAFollower() {
        r.given(create(RegionRole.FOLLOWER, 0)).when(role(RegionRole.DOWNGRADING));
        r.expect(OutcomeCode.REGION_NOT_WRITABLE, 0L).expectState(RegionState.READ_ONLY);
    }

    // Creation.

    @Test
    void aRegionIsUnknownUntilItsVersion0IsThere() {
        r.when(create().as("c"));
        r.when(create()).expect(OutcomeCode.REGION_BUSY, null);
        r.when(flush("+F", 1L, 1L)).expect(OutcomeCode.REGION_NOT_FOUND, null);
        r.when(role(RegionRole.FOLLOWER)).expect(OutcomeCode.REGION_NOT_FOUND, null);
        r.when(create().as("c")).expectPending("c");
        r.ok().expect("c", OutcomeCode.OK, 0L).expectState(RegionState.WRITABLE);
        r.when(create()).expect(OutcomeCode.REGION_ALREADY_EXISTS, 0L);
    }

    @Test
    void aFailedCreationLeavesNoRegion() {
        r.when(create().as("c")).failed().expect("c", OutcomeCode.MANIFEST_WRITE_FAILED, null);
        assertThat(r.region()).isNull();
        assertThat(r.contents()).isEmpty();
        r.given(create()).expectVersion(0);
    }

    @Test
    void aRegionBeginsWhereItIsTold() {
        r.when(create(RegionRole.FOLLOWER, 7))
                .ok()
                .expectState(RegionState.READ_ONLY)
                .expectFlushed(7, 0);
        assertThat(r.deltas().get(0).actions()).hasSize(2);
        RegionScenario other = new RegionScenario();
        other.given(create(RegionRole.LEADER, 0));
        assertThat(other.deltas().get(0).actions()).hasSize(1);
    }

    @Test
    void malformedMetadataIsRefused() {
        for (RegionMetadata malformed :
                List.of(withTimeIndex(metadata(0)), metadata(REGION + 1, 0), withKey(metadata(0), 5))) {
            r.when(create(malformed)).expect(OutcomeCode.INVALID_ARGUMENT, null);
        }
        r.when(create(RegionRole.DOWNGRADING, 0)).expect(OutcomeCode.INVALID_ARGUMENT, null);
        assertThat(r.contents()).isEmpty();
    }

    private static RegionMetadata withKey(RegionMetadata metadata, long columnId) {
        return new RegionMetadata(
                metadata.columns(),
                List.of(columnId),
                metadata.regionId(),
                metadata.schemaVersion(),
                metadata.primaryKeyEncoding(),
                metadata.partitionExpr());
    }

    @Test
    void whileItIsDroppedNothingElseIsSaidOfIt() {
        r.given(create()).when(drop());
        r.when(create()).expect(OutcomeCode.REGION_BUSY, 0L);
        r.when(role(RegionRole.LEADER)).expect(OutcomeCode.REGION_BUSY, 0L);
        r.when(role(RegionRole.FOLLOWER)).expect(OutcomeCode.REGION_BUSY, 0L);
    }

    @Test
    void leaderWhileAltering() {
        r.given(create())
                .when(alter(C1), role(RegionRole.LEADER))
                .expectUnchanged(0)
                .expectState(RegionState.ALTERING);
    }
}
