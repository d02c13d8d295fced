package io.sluice.topology.region;

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
import static io.sluice.topology.region.RegionCommands.truncateRanges;
import static io.sluice.topology.region.RegionSamples.file;
import static io.sluice.topology.region.RegionSamples.id;
import static io.sluice.topology.region.RegionSamples.indexed;
import static io.sluice.topology.region.RegionSamples.millis;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.Timestamp;
import io.sluice.schemas.region.TimestampUnit;
import io.sluice.state.region.RegionFact.FilesDeleted;
import io.sluice.topology.region.FileDeletion.Reference;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cases of docs/behaviour.md, sections 5 and 6, about files and marks, that a decider alone can show, named by their ids. */
class RegionFileCasesTest {
    private final RegionScenario r = new RegionScenario();

    // M9: flush refused because the entry id never moves.

    @ParameterizedTest
    @CsvSource({
        "M9.1, 4, 99, REGION_TRUNCATED, 5, 10",
        "M9.2, 5, 10, REGION_TRUNCATED, 5, 10",
        "M9.3, 5, 9, REGION_TRUNCATED, 5, 10",
        "M9.4, 5, 11, OK, 5, 11",
        "M9.5, 6, , OK, 6, 10",
        "M9.6, 5, , REGION_TRUNCATED, 5, 10",
        "no entry, , 99, REGION_TRUNCATED, 5, 10"
    })
    void bM9_1to6_flushAfterATruncate(
            String name, Long entry, Long sequence, OutcomeCode code, long flushedEntry, long flushedSequence) {
        r.given(create(), truncateAll(5, 10)).when(flush("+F", entry, sequence));
        boolean accepted = code == OutcomeCode.OK;
        if (accepted) {
            r.ok();
        }
        r.expect(code, accepted ? 2L : 1L)
                .expectFlushed(flushedEntry, flushedSequence)
                .expectFiles(accepted ? "F" : "")
                .expectCleanup(accepted ? "" : "F");
    }

    @Test
    void bM9_7_aRegionThatSkipsItsLog() {
        r.given(create(), truncateAll(0, 10)).when(flush("", 0L, 11L)).ok().expect(OutcomeCode.OK, 2L);
    }

    @Test
    void bM9_8_theSameFlushAgain() {
        r.given(create(), truncateAll(5, 10), flush("", 5L, 11L));
        r.when(flush("", 5L, 11L)).expect(OutcomeCode.REGION_TRUNCATED, 2L);
    }

    @Test
    void aSequenceAfterWhichThereIsNoneIsRefused() {
        r.given(create());
        r.when(flush("+F", 1L, 1L, -1L))
                .expect(OutcomeCode.INVALID_ARGUMENT, 0L)
                .expectFiles("");
        r.given(flush("+A", 1L, 1L, -2L));
        r.when(edit("+B")).ok().expect(OutcomeCode.OK, 2L);
        r.when(edit("+C")).expect(OutcomeCode.INVALID_ARGUMENT, 2L).expectFiles("AB");
    }

    // M10: truncated data came back.

    @Test
    void bM10_1_aTruncateMovesTheMarks() {
        r.given(create(), flush("+A", 3L, 3L), truncateAll(5, 9))
                .expectFiles("")
                .expectRemoved("A");
        assertThat(r.region().flushedEntryId()).isEqualTo(5);
        assertThat(r.region().truncatedEntryId()).isEqualTo(5);
    }

    // M11: partial truncate looked at an old view.

    @Test
    void bM11_1_rangesArePickedWhenDecided() {
        r.given(create(), edit("+A +B"), compact("+C -A -B"));
        r.when(truncateRanges(millis(0, 999))).ok().expect(OutcomeCode.OK, 3L).expectFiles("");
        assertThat(r.view().removed(RegionSamples.REGION).get(1))
                .isEqualTo(new RemovedFiles(1_000_000, Set.of(new DataFile(id('C'), null))));
    }

    @Test
    void bM11_2_aListFromAnOldView() {
        r.given(create(), edit("+A +B"), compact("+C -A -B"));
        r.when(truncateFiles("AB")).expect(OutcomeCode.REGION_TRUNCATED, 2L).expectFiles("C");
    }

    @Test
    void bM11_3_inputsTruncatedMeanwhile() {
        r.given(create(), edit("+A +B"), truncateRanges(millis(0, 999)));
        r.when(compact("+C -A -B"))
                .expect(OutcomeCode.REGION_TRUNCATED, 2L)
                .expectFiles("")
                .expectCleanup("C");
    }

    @Test
    void bM11_4_decidedAfterTheReport() {
        r.given(create(), edit("+A +B"));
        r.when(compact("+C -A -B"), truncateRanges(millis(0, 999)).as("t")).expectPending("t");
        r.ok().expectPending("t").ok().expect("t", OutcomeCode.OK, 3L).expectFiles("");
    }

    @Test
    void rangesAreExactAcrossUnits() {
        r.given(create(), edit("+A +B"));
        TimeRange second =
                new TimeRange(new Timestamp(0, TimestampUnit.SECOND), new Timestamp(1, TimestampUnit.SECOND));
        TimeRange nanos = new TimeRange(
                new Timestamp(0, TimestampUnit.NANOSECOND), new Timestamp(498_999_999, TimestampUnit.NANOSECOND));
        TimeRange longest = new TimeRange(
                new Timestamp(Long.MIN_VALUE, TimestampUnit.SECOND),
                new Timestamp(Long.MAX_VALUE, TimestampUnit.SECOND));
        r.when(truncateRanges(nanos)).expectUnchanged(1);
        r.when(truncateRanges()).expectUnchanged(1);
        r.when(truncateFiles("")).expectUnchanged(1);
        r.when(truncateRanges(new TimeRange(second.end(), second.start()))).expect(OutcomeCode.INVALID_ARGUMENT, 1L);
        r.when(truncateRanges(millis(0, 499))).ok().expectFiles("B");
        r.when(truncateRanges(nanos, second)).ok().expectFiles("");
        r.given(edit("+D")).when(truncateRanges(longest)).ok().expectFiles("");
    }

    // M17: cancelled work left orphans.

    @Test
    void bM17_1_inputGone() {
        r.given(create(), edit("+A"), truncateFiles("A"));
        r.when(compact("+C -A"))
                .expect(OutcomeCode.REGION_TRUNCATED, 2L)
                .expectCleanup("C")
                .expectRemoved("A");
    }

    @Test
    void bM17_2_regionGone() {
        r.given(create(), edit("+A"), drop());
        r.when(compact("+C -A")).expect(OutcomeCode.REGION_NOT_FOUND, null).expectCleanup("C");
        r.when(flush("+F", 1L, 1L)).expect(OutcomeCode.REGION_NOT_FOUND, null).expectCleanup("CF");
        r.when(edit("+E")).expect(OutcomeCode.REGION_NOT_FOUND, null).expectCleanup("CF");
    }

    @Test
    void bM17_3_cleanupOnceAndOneOutcome() {
        r.given(create(), edit("+A"), truncateFiles("A"))
                .when(compact("+C -A").as("x"))
                .restart();
        r.when(compact("+C -A").as("x")).expectCleanup("C");
        assertThat(r.decision().outcomes()).as("answered by what is recorded").isEmpty();
    }

    @Test
    void bM17_4_anIdGivenUpNeverReturns() {
        r.given(create(), edit("+A"), truncateFiles("A")).when(compact("+C -A"));
        r.when(compact("+C -A")).expect(OutcomeCode.INVALID_ARGUMENT, 2L).expectCleanup("C");
        r.when(compact("+C")).expect(OutcomeCode.INVALID_ARGUMENT, 2L).expectCleanup("C");
        r.when(edit("+A")).expect(OutcomeCode.INVALID_ARGUMENT, 2L);
        r.when(compact("+A")).expect(OutcomeCode.INVALID_ARGUMENT, 2L).expectCleanup("C");
    }

    @Test
    void refusedOutputsThatAreLiveStay() {
        r.given(create(), edit("+A +B"));
        r.when(compact("+A +C -X"))
                .expect(OutcomeCode.REGION_TRUNCATED, 1L)
                .expectCleanup("C")
                .expectFiles("AB");
    }

    @Test
    void outputsOfAFailedWriteAreGivenUp() {
        r.given(create(), edit("+A"));
        r.when(compact("+A +C").at(7)).failed().expect(OutcomeCode.MANIFEST_WRITE_FAILED, 1L);
        r.expectCleanup("C").expectFiles("A");
        assertThat(r.view().givenUp(RegionSamples.REGION).get(0).removedAtMs()).isEqualTo(7000);
        r.when(edit("+E"))
                .failed()
                .expect(OutcomeCode.MANIFEST_WRITE_FAILED, 1L)
                .expectCleanup("C");
        r.when(flush("+F", 1L, 1L)).failed().expectCleanup("CF");
    }

    @Test
    void whatIsBeingAddedIsNotGivenUpByAnother() {
        r.given(create()).when(flush("+F", 1L, 1L), role(RegionRole.FOLLOWER));
        r.when(compact("+F +C")).expect(OutcomeCode.REGION_NOT_WRITABLE, 0L).expectCleanup("C");
        r.ok().expectFiles("F").expectCleanup("C");
    }

    @Test
    void filesThatAreDeletedAreForgotten() {
        r.given(create(), edit("+A"), truncateFiles("A")).when(compact("+C -A"));
        FilesDeleted deleted = new FilesDeleted(
                RegionSamples.REGION, Set.of(new DataFile(id('A'), null), new DataFile(id('C'), null)));
        r.apply(deleted);
        r.apply(deleted);
        r.expectCleanup("").expectRemoved("").expectVersion(2);
        r.given(edit("+A")).expectFiles("A");
    }

    // M18: clean-up of files still in use.

    @Test
    void bM18_1_dataByItsIdIndexByItsVersion() {
        givenRemovedIndexed();
        FileDeletion.Deletable deletable = ask(Set.of(new Reference(id('A'), 1L)));
        assertThat(deletable.code()).isEqualTo(OutcomeCode.OK);
        assertThat(deletable.dataFiles()).isEmpty();
        assertThat(deletable.indexFiles()).containsExactly(new IndexFile(id('A'), 2));
        assertThat(ask(Set.of()).dataFiles()).containsExactly(id('A'));
        assertThat(ask(Set.of(new Reference(id('A'), 2L))).indexFiles()).isEmpty();
    }

    private void givenRemovedIndexed() {
        r.given(create(), edit("+A"));
        r.given(publishIndex(r.file('A'), 0, 2), truncateFiles("A"));
    }

    private FileDeletion.Deletable ask(Set<Reference> references) {
        return FileDeletion.ask(r.view(), RegionSamples.REGION, r.region().manifestVersion(), references);
    }

    @Test
    void bM18_2_referencesOfAnOldVersion() {
        givenRemovedIndexed();
        FileDeletion.Deletable deletable =
                FileDeletion.ask(r.view(), RegionSamples.REGION, r.region().manifestVersion() - 1, Set.of());
        assertThat(deletable.code()).isEqualTo(OutcomeCode.REVISION_MISMATCH);
        assertThat(deletable.dataFiles()).isEmpty();
    }

    @Test
    void bM18_3_unknownIsNotNone() {
        givenRemovedIndexed();
        assertThat(ask(null).code()).isNotEqualTo(OutcomeCode.OK);
        assertThat(ask(null).dataFiles()).isEmpty();
    }

    @Test
    void bM18_4_unknownFilesAreLeftAlone() {
        r.given(create(), edit("+A"));
        assertThat(ask(Set.of()).dataFiles()).isEmpty();
    }

    @Test
    void bM18_5_referencesOfAnotherRegionCount() {
        givenRemovedIndexed();
        assertThat(ask(Set.of(new Reference(id('A'), null))).dataFiles()).isEmpty();
    }

    @Test
    void bM18_6_onlyTheLeadersSide() {
        givenRemovedIndexed();
        r.given(role(RegionRole.FOLLOWER));
        assertThat(ask(Set.of()).code()).isEqualTo(OutcomeCode.REGION_NOT_WRITABLE);
        assertThat(ask(Set.of()).dataFiles()).isEmpty();
    }

    @Test
    void filesOfADroppedRegionMayBeDeleted() {
        r.given(create(), drop()).when(compact("+C"));
        assertThat(FileDeletion.ask(r.view(), RegionSamples.REGION, 0, Set.of()).dataFiles())
                .containsExactly(id('C'));
    }

    // M20: compaction finishing while Editing.

    @Test
    void bM20_1_inputStillThere() {
        r.given(create(), edit("+A")).when(edit("+B"), compact("+C -A").as("c"));
        r.ok().ok().expect("c", OutcomeCode.OK, 3L).expectFiles("BC");
    }

    @Test
    void bM20_2_inputRemoved() {
        r.given(create(), edit("+A")).when(edit("-A"), compact("+C -A").as("c"));
        r.ok().expect("c", OutcomeCode.REGION_TRUNCATED, 2L).expectFiles("").expectCleanup("C");
    }

    @Test
    void bM20_3_inputNotRemovedAfterAll() {
        r.given(create(), edit("+A")).when(edit("-A"), compact("+C -A").as("c"));
        r.failed().ok().expect("c", OutcomeCode.OK, 2L).expectFiles("C");
    }

    // M27: flushed sequence was not kept.

    @Test
    void bM27_1_marksAreKept() {
        r.given(create(), flush("+A", 3L, 7L)).restart().expectFlushed(3, 7);
    }

    @Test
    void bM27_2_lowerMarksDoNotLower() {
        r.given(create(), flush("+A", 3L, 7L), flush("+B", 2L, 3L))
                .expectFlushed(3, 7)
                .expectVersion(2);
    }

    @Test
    void bM27_4_aTruncateMustNotLower() {
        r.given(create(), flush("+A", 3L, 7L));
        r.when(truncateAll(3, 5)).expect(OutcomeCode.REVISION_MISMATCH, 1L).expectFiles("A");
    }

    @Test
    void bM27_5_marksAreUnsigned() {
        r.given(create(), flush("", Long.MIN_VALUE, 1L), flush("", Long.MAX_VALUE, 1L));
        r.expectFlushed(Long.MIN_VALUE, 1);
    }

    // M32: discard unflushed.

    @Test
    void bM32_1_marksMoveAndFilesStay() {
        given32()
                .when(discard(9, 20))
                .ok()
                .expect(OutcomeCode.OK, 6L)
                .expectFiles("A")
                .expectFlushed(9, 20);
        assertThat(r.region().truncatedEntryId()).isNull();
    }

    private RegionScenario given32() {
        return r.givenVersion(3).given(edit("+A"), flush("", 4L, 8L)).expectVersion(5);
    }

    @Test
    void bM32_2_again() {
        given32().given(discard(9, 20)).when(discard(9, 20)).expectUnchanged(6);
    }

    @Test
    void bM32_3_below() {
        given32().given(discard(9, 20)).when(discard(8, 20)).expect(OutcomeCode.REVISION_MISMATCH, 6L);
        r.when(discard(9, 19)).expect(OutcomeCode.REVISION_MISMATCH, 6L);
    }

    @Test
    void bM32_4_waits() {
        given32()
                .when(
                        RegionCommands.alter(RegionSamples.metadata(1, "c")),
                        discard(9, 20).as("d"));
        r.expectPending("d").ok().ok().expect("d", OutcomeCode.OK, 7L).expectFlushed(9, 20);
    }

    // M34: sequence visible before the files.

    @Test
    void bM34_1_togetherWithTheReport() {
        r.given(create()).when(edit("+A"));
        assertThat(r.region().committedSequence()).isNull();
        r.expectFiles("").ok().expectFiles("A");
        assertThat(r.region().committedSequence()).isEqualTo(1);
        assertThat(r.file('A').sequence()).isEqualTo(1);
    }

    @Test
    void bM34_2_aFailedOneIsGivenAgain() {
        r.given(create()).when(edit("+A")).failed();
        assertThat(r.region().committedSequence()).isNull();
        r.given(edit("+B"));
        assertThat(r.file('B').sequence()).isEqualTo(1);
    }

    // M38: inputs inferred from a window.

    @Test
    void bM38_1_onlyTheListedInputsGo() {
        r.given(create(), edit("+A +B +D"), compact("+C -A -B")).expectFiles("CD");
    }

    // H10: truncate that was prepared earlier.

    @Test
    void bH10_1_below() {
        r.given(create(), flush("+A", 9L, 30L)).when(truncateAll(5, 20));
        r.expect(OutcomeCode.REVISION_MISMATCH, 1L).expectFlushed(9, 30).expectFiles("A");
    }

    @Test
    void bH10_2_equal() {
        r.given(create(), flush("+A", 9L, 30L)).when(truncateAll(9, 30));
        r.ok().expect(OutcomeCode.OK, 2L).expectFiles("");
    }

    @Test
    void bH10_3_aRegionThatSkipsItsLog() {
        r.given(create(), flush("", 0L, 30L)).when(truncateAll(0, 29)).expect(OutcomeCode.REVISION_MISMATCH, 1L);
        r.when(truncateAll(0, 31)).ok().expect(OutcomeCode.OK, 2L);
    }

    // H14: removed inputs without a truncate history.

    @Test
    void bH14_1_partialTruncateLeavesNoMark() {
        r.given(create(), edit("+A"), truncateFiles("A"));
        assertThat(r.region().truncatedEntryId()).isNull();
        r.when(compact("+C -A")).expect(OutcomeCode.REGION_TRUNCATED, 2L).expectCleanup("C");
    }

    @Test
    void bH14_2_aFileThatNeverWas() {
        r.given(create(), edit("+A"));
        r.when(edit("-B"))
                .expect(OutcomeCode.REGION_TRUNCATED, 1L)
                .expectFiles("A")
                .expectRemoved("");
    }

    // Indexes.

    @Test
    void anIndexIsPublishedOnTheFileOfToday() {
        r.given(create(), edit("+A"));
        r.when(publishIndex(file('A'), 0, 1)).expect(OutcomeCode.STALE_INDEX_SOURCE, 1L);
        r.when(publishIndex(file('X'), 0, 1)).expect(OutcomeCode.STALE_INDEX_SOURCE, 1L);
        r.when(publishIndex(r.file('A'), 1, 1)).expect(OutcomeCode.SCHEMA_OUTDATED, 1L);
        r.when(publishIndex(r.file('A'), 0, 1)).ok().expect(OutcomeCode.OK, 2L);
        assertThat(r.file('A')).isEqualTo(indexed('A', 1).withSequence(1));
        r.when(publishIndex(r.file('A'), 0, 2)).ok().expectRemoved("A").expectFiles("A");
        assertThat(r.region().committedSequence()).isEqualTo(1);
    }

    @Test
    void aFileAddedAndRemovedInOneEditEndsRemoved() {
        r.given(create())
                .when(edit("+A -A"))
                .ok()
                .expect(OutcomeCode.OK, 1L)
                .expectFiles("")
                .expectRemoved("A");
    }

    @Test
    void whatIsWrittenSaysWhen() {
        r.given(create()).when(edit("+A").at(-1));
        assertThat(((Edit) r.order().actions().get(0)).timestampMs()).isEqualTo(-1000);
        assertThat(r.order().actions().stream()
                        .flatMap(action -> ((Edit) action).filesToAdd().stream())
                        .collect(Collectors.toList()))
                .isEqualTo(List.of(file('A').withSequence(1)));
    }
}
