package io.sluice.topology.region;

import static io.sluice.topology.region.RegionSamples.REGION;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.region.Admission;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.ManifestReport;
import io.sluice.schemas.region.ManifestReport.ManifestWriteFailed;
import io.sluice.schemas.region.ManifestReport.ManifestWritten;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.state.region.RegionFact;
import io.sluice.state.region.RegionFact.ManifestAdvanced;
import io.sluice.state.region.RegionStateStore;
import io.sluice.state.region.RegionView;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.InMemoryRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * given / when / expect for the region decider: {@code given} brings a state about, {@code when} decides one command, {@code ok}
 * and {@code failed} are the writer's report on the write in flight, {@code expect...} checks. Rows are real ones, with real
 * encodings.
 *
 * <p>On the way it checks what always holds: every decision is the same when taken again, an outcome is given once, versions are
 * dense, the record counts its files and its queue rightly, and all writes so far give the same rows again, which also is what a
 * restart or a rebuild would have.
 *
 * <p>Used by one thread.
 */
final class RegionScenario {
    private final RegionDecider decider;
    private final boolean comparing;
    private final RegionStateStore store = new RegionStateStore(new SingleObject(KnownSchemas.shipped()));
    private final Map<String, RegionOutcome> outcomes = new HashMap<>();
    private final List<ManifestDelta> deltas = new ArrayList<>();
    private InMemoryRows rows = new InMemoryRows();
    private InMemoryRows replica = new InMemoryRows();
    private RegionDecision decision;
    private long decisions;
    private long offsets;
    private int ids;

    RegionScenario() {
        this(true);
    }

    /** @param comparing whether to compare all rows after every decision, or only at a restart */
    RegionScenario(boolean comparing) {
        this(comparing, RegionLimits.of(512 * 1024, DecisionLimits.DEFAULT_KEPT_DELTAS));
    }

    RegionScenario(boolean comparing, RegionLimits limits) {
        decider = new RegionDecider(limits);
        this.comparing = comparing;
    }

    /** Commands that must be accepted, and the writer's reports on them. */
    RegionScenario given(RegionCommands... commands) {
        for (RegionCommands command : commands) {
            String id = send(command);
            if (region() != null && region().writeInFlight() != null) {
                ok();
            }
            assertThat(outcomes.get(id)).as(id).isNotNull();
            assertThat(outcomes.get(id).code()).as(outcomes.get(id).message()).isEqualTo(OutcomeCode.OK);
        }
        return this;
    }

    /** Region R, a leader without files at this version, and with nothing flushed or committed. */
    RegionScenario givenVersion(long version) {
        given(RegionCommands.create());
        for (long v = 1; v <= version; v++) {
            given(RegionCommands.flush("", null, null));
        }
        return this;
    }

    RegionScenario when(RegionCommands... commands) {
        for (RegionCommands command : commands) {
            send(command);
        }
        return this;
    }

    /** What comes from here on is of another topic, which begins at 0. */
    RegionScenario inAnotherTopic() {
        offsets = 0;
        return this;
    }

    private String send(RegionCommands command) {
        String id = command.commandId() == null ? "c" + ids++ : command.commandId();
        send(command.build(id));
        return id;
    }

    /** Decides a command; one that has its outcome already is only answered again, as whoever stands before the decider does. */
    RegionDecision send(RegionCommand command) {
        long offset = offsets++;
        if (outcomes.containsKey(command.envelope().commandId())) {
            decision = new RegionDecision(List.of(), List.of(), null, false, null);
            return decision;
        }
        decisions++;
        decision = decider.decide(view(), command, decisions, offset);
        assertThat(decider.decide(view(), command, decisions, offset))
                .as("decided again")
                .isEqualTo(decision);
        take(command.regionId());
        return decision;
    }

    /** The writer wrote it. */
    RegionScenario ok() {
        ManifestWriteOrder order = order();
        return report(new ManifestWritten(order.regionId(), order.commandId(), order.version()));
    }

    /** The writer could not write it. */
    RegionScenario failed() {
        ManifestWriteOrder order = order();
        return report(new ManifestWriteFailed(order.regionId(), order.commandId(), order.version(), "disk full"));
    }

    RegionScenario report(boolean good) {
        return good ? ok() : failed();
    }

    RegionScenario report(ManifestReport report) {
        decisions++;
        decision = decider.decide(view(), report, decisions);
        assertThat(decider.decide(view(), report, decisions))
                .as("decided again")
                .isEqualTo(decision);
        take(report.regionId());
        return this;
    }

    private void take(long regionId) {
        for (RegionFact fact : decision.facts()) {
            assertThat(fact.regionId()).isEqualTo(regionId);
            if (fact instanceof ManifestAdvanced advanced) {
                long expected = advanced.delta().version() == 0
                        ? 0
                        : store.regions().find(rows, regionId).manifestVersion() + 1;
                assertThat(advanced.delta().version()).as("versions are dense").isEqualTo(expected);
                deltas.add(advanced.delta());
            }
            store.apply(fact, rows);
        }
        for (RegionOutcome outcome : decision.outcomes()) {
            assertThat(outcomes.put(outcome.commandId(), outcome))
                    .as("second outcome of " + outcome)
                    .isNull();
            assertThat(outcome.message().isEmpty()).as(outcome.toString()).isEqualTo(outcome.code() == OutcomeCode.OK);
        }
        mirror(regionId);
    }

    private void mirror(long regionId) {
        checkRecord(regionId);
        rows.takeWrites().forEach(write -> {
            if (write.isDelete()) {
                replica.delete(write.key());
            } else {
                replica.put(write.key(), write.value());
            }
        });
        if (comparing) {
            compare();
        }
    }

    private void compare() {
        assertThat(replica.toHex()).isEqualTo(rows.toHex());
    }

    private void checkRecord(long regionId) {
        RegionRecord region = view().region(regionId);
        ManifestWriteOrder order = view().order(regionId);
        int waiting = waiting(regionId).size();
        if (region == null) {
            assertThat(order).isNull();
            assertThat(waiting).isZero();
            assertThat(view().files(regionId)).isEmpty();
            return;
        }
        assertThat(region.fileCount()).isEqualTo(view().files(regionId).size());
        assertThat(region.queued()).as("queued").isEqualTo(waiting).isBetween(0, RegionQueue.BOUND);
        assertThat(region.writeInFlight() == null).as("has an order").isEqualTo(order == null);
        assertThat(region.writeInFlight() != null || waiting == 0)
                .as("waits for nothing")
                .isTrue();
    }

    private List<String> waiting(long regionId) {
        List<String> ids = new ArrayList<>();
        for (var entry = view().nextWaiting(regionId, 0);
                entry != null;
                entry = view().nextWaiting(regionId, entry.arrival() + 1)) {
            ids.add(entry.queued().command().envelope().commandId());
        }
        return ids;
    }

    /** Goes on with the rows that all writes so far make. */
    RegionScenario restart() {
        compare();
        rows = replica;
        replica = new InMemoryRows();
        rows.takeWrites().forEach(write -> {
            if (!write.isDelete()) {
                replica.put(write.key(), write.value());
            } else {
                replica.delete(write.key());
            }
        });
        return this;
    }

    // What there is.

    RegionView view() {
        return store.view(rows);
    }

    RegionRecord region() {
        return view().region(REGION);
    }

    RegionManifest manifest() {
        return store.manifest(rows, REGION);
    }

    ManifestWriteOrder order() {
        ManifestWriteOrder order = view().order(REGION);
        assertThat(order).as("write in flight").isNotNull();
        return order;
    }

    FileMeta file(char letter) {
        return view().file(REGION, RegionSamples.id(letter));
    }

    List<ManifestDelta> deltas() {
        return deltas;
    }

    RegionDecision decision() {
        return decision;
    }

    RegionOutcome outcome(String commandId) {
        return outcomes.get(commandId);
    }

    Admission admission() {
        return region() == null ? Admission.REJECT : region().state().admission();
    }

    Map<String, String> contents() {
        return rows.toHex();
    }

    void apply(RegionFact fact) {
        store.apply(fact, rows);
        mirror(fact.regionId());
    }

    // What is expected.

    RegionScenario expectState(RegionState state) {
        assertThat(region().state()).isEqualTo(state);
        return this;
    }

    RegionScenario expectVersion(long version) {
        assertThat(region().manifestVersion()).as("version").isEqualTo(version);
        return this;
    }

    /** Letters of the live files. */
    RegionScenario expectFiles(String letters) {
        assertThat(RegionSamples.letters(
                        view().files(REGION).stream().map(FileMeta::fileId).toList()))
                .as("files")
                .isEqualTo(letters);
        return this;
    }

    /** Letters of the files on the cleanup list. */
    RegionScenario expectCleanup(String letters) {
        assertThat(RegionSamples.letters(view().givenUp(REGION).stream()
                        .flatMap(list -> list.files().stream())
                        .map(RemovedFile::fileId)
                        .toList()))
                .as("cleanup")
                .isEqualTo(letters);
        return this;
    }

    RegionScenario expectRemoved(String letters) {
        TreeSet<Character> removed = new TreeSet<>();
        view().removed(REGION)
                .forEach(list -> list.files()
                        .forEach(file -> removed.add((char) file.fileId().getLeastSignificantBits())));
        StringBuilder text = new StringBuilder();
        removed.forEach(text::append);
        assertThat(text.toString()).as("removed").isEqualTo(letters);
        return this;
    }

    RegionScenario expectFlushed(long entryId, long sequence) {
        assertThat(region().flushedEntryId()).isEqualTo(entryId);
        assertThat(region().flushedSequence()).isEqualTo(sequence);
        return this;
    }

    /** The outcome of the last decision, the only one. */
    RegionScenario expect(OutcomeCode code, Long revision) {
        assertThat(decision.outcomes()).hasSize(1);
        return expect(decision.outcomes().get(0).commandId(), code, revision);
    }

    RegionScenario expectUnchanged(long revision) {
        expect(OutcomeCode.OK, revision);
        assertThat(decision.outcomes().get(0).applied()).isFalse();
        assertThat(decision.facts()).isEmpty();
        return this;
    }

    RegionScenario expect(String commandId, OutcomeCode code, Long revision) {
        assertThat(outcomes).as("outcomes").containsKey(commandId);
        RegionOutcome outcome = outcomes.get(commandId);
        assertThat(outcome.code()).as(outcome.message()).isEqualTo(code);
        assertThat(outcome.revision()).as("revision of " + commandId).isEqualTo(revision);
        return this;
    }

    /** These wait, or their write is in flight. */
    RegionScenario expectPending(String... commandIds) {
        assertThat(outcomes).doesNotContainKeys(commandIds);
        return this;
    }

    RegionScenario expectIgnored() {
        assertThat(decision.ignored()).isNotNull();
        assertThat(decision.facts()).isEmpty();
        assertThat(decision.outcomes()).isEmpty();
        return this;
    }
}
