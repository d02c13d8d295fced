package io.sluice.state.region;

import static io.sluice.state.region.TestRegions.REGION;
import static io.sluice.state.region.TestRegions.change;
import static io.sluice.state.region.TestRegions.edit;
import static io.sluice.state.region.TestRegions.file;
import static io.sluice.state.region.TestRegions.id;
import static io.sluice.state.region.TestRegions.metadata;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.region.DropRegion;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.ManifestWriteKind;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.QueuedCommand;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RegionWriteKind;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.schemas.region.SstFormat;
import io.sluice.schemas.region.WriteInFlight;
import io.sluice.state.common.InMemoryRows;
import io.sluice.state.common.RowFinding;
import io.sluice.state.common.RowFinding.Delete;
import io.sluice.state.common.RowFinding.Put;
import io.sluice.state.region.RegionFact.CommandQueued;
import io.sluice.state.region.RegionFact.FilesGivenUp;
import io.sluice.state.region.RegionFact.ManifestAdvanced;
import io.sluice.state.region.RegionFact.RegionRecorded;
import io.sluice.state.region.RegionFact.WriteOrdered;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A region with files, a write in flight and a command that waits; then one damage, and exactly that is found. */
class RegionCheckTest {
    private static final SingleObject SINGLE_OBJECT = new SingleObject(KnownSchemas.shipped());
    private static final String R = "region/" + REGION;
    private static final byte[] NONSENSE = "nonsense".getBytes(StandardCharsets.UTF_8);
    private static final byte[] PRESENT = new byte[0];
    private static final long ARRIVAL = 40;

    private final RegionStateStore store = new RegionStateStore(SINGLE_OBJECT);
    private final InMemoryRows rows = new InMemoryRows();
    private NavigableMap<String, String> sound;

    @BeforeEach
    void writeSoundRows() {
        advance(0, change(metadata(0)));
        advance(1, edit(List.of(file('A'), file('B')), List.of(), 1L));
        advance(2, edit(List.of(), List.of(file('A')), 2L));
        RegionRecord region = store.regions().find(rows, REGION);
        WriteInFlight write = new WriteInFlight(
                3, RegionWriteKind.FLUSH, List.of(new WriteInFlight.Waiting("c-3", 1, CommandEnvelope.KAFKA)));
        store.apply(new RegionRecorded(region.withWrite(write, 9).withQueued(1)), rows);
        store.apply(
                new WriteOrdered(new ManifestWriteOrder(
                        REGION,
                        5,
                        "c-3",
                        3,
                        ManifestWriteKind.DELTA,
                        List.of(edit(List.of(file('C')), List.of(), 3L)))),
                rows);
        store.apply(
                new CommandQueued(
                        ARRIVAL,
                        new QueuedCommand(
                                new DropRegion(new CommandEnvelope(Long.toString(REGION), "c-4", 1), REGION), ARRIVAL)),
                rows);
        store.apply(new FilesGivenUp(4711, new RemovedFiles(1, Set.of(new DataFile(id('Z'), null)))), rows);
        sound = rows.toHex();
    }

    @Test
    void findsNothingInSoundRows() {
        assertThat(texts()).isEmpty();
    }

    @Test
    void aWaitingRowThatWasRemovedIsMissing() {
        rows.delete(RegionQueueIndex.waitingKey(REGION, "c-4"));

        expect("MISSING_ROW " + R + "/waiting/c-4");
        expectMended();
    }

    @Test
    void aWaitingRowWithoutItsCommandIsAnOrphan() {
        rows.put(RegionQueueIndex.waitingKey(REGION, "c-5"), PRESENT);

        expect("ORPHAN_ROW " + R + "/waiting/c-5");
        expectMended();
    }

    @Test
    void aWaitingRowIsLeftAloneWhileACommandOfItsRegionCannotBeRead() {
        rows.put(RegionQueueIndex.key(REGION, ARRIVAL), NONSENSE);

        expect("UNDECODABLE_ROW " + R + "/queue/40");
    }

    @Test
    void aWrongNumberOfWaitingCommandsIsMended() {
        RegionRecord region = store.regions().find(rows, REGION);
        rows.put(RegionIndex.key(REGION), RegionRecordCodec.encode(region.withQueued(7)));

        expect("OUT_OF_RANGE " + R);
        expectMended();
    }

    @Test
    void aFileRowThatWasRemovedIsFoundByTheCount() {
        rows.delete(RegionFileIndex.key(REGION, id('B')));

        expect("OUT_OF_RANGE " + R);
        expectNothingToMend();
    }

    @Test
    void aFileRowUnderTheIdOfAnotherFileContradictsItsKey() {
        rows.put(RegionFileIndex.key(REGION, id('B')), RegionRecordCodec.encode(file('A')));

        expect("UNDECODABLE_ROW " + R + "/file/" + id('B'));
        expectNothingToMend();
    }

    @Test
    void rowsOfARegionThatIsGoneAreOrphansAndStay() {
        rows.delete(RegionIndex.key(REGION));

        expect(
                "ORPHAN_ROW " + R + "/file/" + id('B'),
                "ORPHAN_ROW " + R + "/removed/" + id('A') + "/2/0",
                "ORPHAN_ROW " + R + "/queue/40",
                "ORPHAN_ROW " + R + "/write",
                "ORPHAN_ROW " + R + "/delta/0",
                "ORPHAN_ROW " + R + "/delta/1",
                "ORPHAN_ROW " + R + "/delta/2");
        expectNothingToMend();
    }

    @Test
    void anOrderThatNobodyWaitsForGoes() {
        RegionRecord region = store.regions().find(rows, REGION);
        store.apply(
                new RegionRecorded(new RegionRecord(
                        REGION,
                        region.incarnation(),
                        region.role(),
                        region.state(),
                        region.stateCommandId(),
                        region.epoch(),
                        region.manifestVersion(),
                        region.metadata(),
                        region.sstFormat(),
                        region.appendMode(),
                        region.flushedEntryId(),
                        region.flushedSequence(),
                        region.committedSequence(),
                        region.truncatedEntryId(),
                        region.compactionTimeWindow(),
                        region.fileCount(),
                        region.queued(),
                        null)),
                rows);

        expect("ORPHAN_ROW " + R + "/write");
        mendAll();
        assertThat(texts()).isEmpty();
    }

    @Test
    void anOrderThatIsGoneIsMissingAndCannotBeMadeUp() {
        rows.delete(WriteOrderIndex.key(REGION));

        expect("MISSING_ROW " + R + "/write");
        expectNothingToMend();
    }

    @Test
    void anOrderOfAnotherCommandThanTheWriteInFlightContradictsIt() {
        store.apply(
                new WriteOrdered(new ManifestWriteOrder(REGION, 5, "c-9", 3, ManifestWriteKind.DROP, List.of())), rows);

        expect("UNDECODABLE_ROW " + R + "/write");
    }

    @Test
    void aVersionBetweenOthersThatIsGoneIsAGap() {
        rows.delete(ManifestDeltaIndex.key(REGION, 1));

        expect("VERSION_GAP " + R + "/delta/2");
        expectNothingToMend();
    }

    @Test
    void aLastVersionThatIsGoneIsAGap() {
        rows.delete(ManifestDeltaIndex.key(REGION, 2));

        expect("VERSION_GAP " + R);
    }

    @Test
    void keysThatAreNoneAreFoundInEveryFamily() {
        for (RegionKeyFamily family : RegionKeyFamily.values()) {
            if (family != RegionKeyFamily.CURSOR && family != RegionKeyFamily.WAITING) {
                rows.put(new byte[] {family.tag(), 1}, NONSENSE);
            }
        }

        // An outcome whose key cannot be read is told as one that cannot be read.
        assertThat(texts())
                .hasSize(9)
                .allMatch(text ->
                        text.startsWith("NONCANONICAL_KEY row key ") || text.startsWith("UNDECODABLE_ROW row key 07"));
    }

    @Test
    void aRegionInThePartitionOfAnotherIsAnOrphan() {
        List<RowFinding> findings = new ArrayList<>();
        new RegionCheck(SINGLE_OBJECT).check(rows, new InMemoryRows(), region -> false, 1, findings::add);

        assertThat(findings)
                .singleElement()
                .satisfies(finding -> assertThat(finding.where()).isEqualTo(R));
    }

    private void advance(long version, ManifestAction action) {
        RegionRecord before = version == 0 ? null : store.regions().find(rows, REGION);
        RegionRecord region = new RegionRecord(
                REGION,
                5,
                RegionState.WRITABLE.role(),
                RegionState.WRITABLE,
                "c",
                9,
                version,
                metadata(0),
                SstFormat.PRIMARY_KEY,
                null,
                0,
                0,
                null,
                null,
                null,
                before == null ? 0 : before.fileCount(),
                0,
                null);
        store.apply(new ManifestAdvanced(region, "c-" + version, new ManifestDelta(version, List.of(action)), 0), rows);
    }

    private void expect(String... findings) {
        assertThat(texts()).containsExactlyInAnyOrder(findings);
    }

    private void expectMended() {
        mendAll();
        assertThat(rows.toHex()).isEqualTo(sound);
    }

    private void expectNothingToMend() {
        assertThat(check()).noneMatch(RowFinding::isMendable);
    }

    private void mendAll() {
        for (RowFinding finding : check()) {
            if (finding.mend() instanceof Put put) {
                rows.put(finding.key(), put.value());
            } else if (finding.mend() instanceof Delete) {
                rows.delete(finding.key());
            }
        }
    }

    private List<String> texts() {
        return check().stream()
                .map(finding -> finding.code() + " " + finding.where())
                .toList();
    }

    private List<RowFinding> check() {
        List<RowFinding> findings = new ArrayList<>();
        new RegionCheck(SINGLE_OBJECT).check(rows, new InMemoryRows(), region -> true, 1, findings::add);
        return findings;
    }
}
