package io.sluice.topology.region;

import static io.sluice.topology.region.RegionSamples.REGION;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.ManifestReport.ManifestWriteFailed;
import io.sluice.schemas.region.ManifestReport.ManifestWritten;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.state.region.RegionFact.FilesDeleted;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;

/**
 * Random commands and reports (good, bad, late, twice, about other versions; or none for long), retries and restarts against {@link
 * RegionModel}: after every step the outcomes, the state, the marks and every file; at the end nothing waits and every command has
 * its one outcome. All of them together must have met every code, or they proved nothing. What {@link RegionScenario} always checks is checked too: dense versions, rows that are made of all writes again.
 */
class RegionModelProperty {
    private static final Set<OutcomeCode> TO_BE_MET = EnumSet.of(
            OutcomeCode.OK,
            OutcomeCode.REGION_ALREADY_EXISTS,
            OutcomeCode.REGION_NOT_FOUND,
            OutcomeCode.REGION_NOT_WRITABLE,
            OutcomeCode.REGION_BUSY,
            OutcomeCode.REGION_TRUNCATED,
            OutcomeCode.SCHEMA_OUTDATED,
            OutcomeCode.STALE_INDEX_SOURCE,
            OutcomeCode.MANIFEST_WRITE_FAILED,
            OutcomeCode.REVISION_MISMATCH,
            OutcomeCode.INVALID_ARGUMENT);

    private static final String LETTERS = "ABCDEF";

    /** Something that happens. */
    @FunctionalInterface
    interface Step {
        void happen(Run run);
    }

    /** A step that says in a failed sample what it is. */
    record Named(Object name, Step step) implements Step {
        @Override
        public void happen(Run run) {
            step.happen(run);
        }

        @Override
        public String toString() {
            return name.toString();
        }
    }

    /** One sequence, on both sides. */
    static final class Run {
        private final RegionScenario real = new RegionScenario(false);
        private final RegionModel model = new RegionModel();
        private final List<RegionCommand> sent = new ArrayList<>();
        private final List<ManifestWriteOrder> orders = new ArrayList<>();
        private final Set<String> seen = new HashSet<>();
        private boolean merged;

        void send(RegionCommand command) {
            sent.add(command);
            real.send(command);
            model.send(command);
            check();
        }

        String nextId() {
            return "c" + sent.size();
        }

        void report(boolean good) {
            ManifestWriteOrder order = real.view().order(REGION);
            if (order == null) {
                return;
            }
            orders.add(order);
            merged |= real.region().writeInFlight().commands().size() > 1;
            real.report(good);
            model.report(good);
            check();
        }

        /** A report that nobody waits for. */
        void strayReport(int which, boolean good, int versionsOff) {
            ManifestWriteOrder open = real.view().order(REGION);
            ManifestWriteOrder order = versionsOff != 0 || orders.isEmpty() ? open : orders.get(which % orders.size());
            if (order == null) {
                return;
            }
            long version = order.version() + versionsOff;
            real.report(
                    good
                            ? new ManifestWritten(REGION, order.commandId(), version)
                            : new ManifestWriteFailed(REGION, order.commandId(), version, "late"));
            if (order == open && versionsOff == 0) {
                orders.add(order);
                model.report(good);
            } else {
                assertThat(real.decision().ignored()).isNotNull();
            }
            check();
        }

        void retry(int which) {
            if (!sent.isEmpty()) {
                RegionCommand again = sent.get(which % sent.size());
                Map<String, String> before = real.contents();
                real.send(again);
                model.send(again);
                assertThat(real.contents()).as("a retry changes nothing").isEqualTo(before);
                check();
            }
        }

        /** Somebody else says that it wrote what is being added. */
        void sameOutputs() {
            ManifestWriteOrder order = real.view().order(REGION);
            if (order != null) {
                for (FileMeta file : RegionDraft.addedBy(order)) {
                    char letter = (char) file.fileId().getLeastSignificantBits();
                    send(RegionCommands.compact("+" + letter).build(nextId()));
                }
            }
        }

        void restart() {
            real.restart();
            check();
        }

        void deleteFiles() {
            Set<RemovedFile> files = new HashSet<>();
            real.view().removed(REGION).forEach(list -> files.addAll(list.files()));
            real.view().givenUp(REGION).forEach(list -> files.addAll(list.files()));
            real.apply(new FilesDeleted(REGION, files));
            model.removed.clear();
            model.cleanup.clear();
            check();
        }

        void check() {
            for (Map.Entry<String, String> expected : model.outcomes.entrySet()) {
                if (seen.add(expected.getKey())) {
                    RegionOutcome outcome = real.outcome(expected.getKey());
                    assertThat(outcome).as(expected.toString()).isNotNull();
                    Statistics.label("outcomes").collect(outcome.code());
                    assertThat(outcome.code() + " " + outcome.revision())
                            .as(outcome.toString())
                            .isEqualTo(expected.getValue());
                }
            }
            sent.forEach(command -> assertThat(real.outcome(command.envelope().commandId()) != null)
                    .as(command.toString())
                    .isEqualTo(model.outcomes.containsKey(command.envelope().commandId())));
            checkRegion(real.region());
            Map<UUID, FileMeta> files = new HashMap<>();
            real.view().files(REGION).forEach(file -> files.put(file.fileId(), file));
            assertThat(files).isEqualTo(model.files);
            assertThat(dataFiles(real.view().removed(REGION))).as("removed").isEqualTo(model.removed);
            Set<UUID> cleanup = dataFiles(real.view().givenUp(REGION));
            assertThat(cleanup).as("cleanup").isEqualTo(model.cleanup);
            cleanup.retainAll(files.keySet());
            assertThat(cleanup).as("in the manifest and to be deleted").isEmpty();
        }

        private void checkRegion(RegionRecord region) {
            assertThat(region == null).isEqualTo(model.state == null);
            if (region == null) {
                return;
            }
            assertThat(region.state().name()).isEqualTo(model.state);
            assertThat(region.isBeingCreated()).isEqualTo(model.creating);
            assertThat(region.queued()).isEqualTo(model.queue.size());
            if (!model.creating) {
                assertThat(region.manifestVersion()).isEqualTo(model.version);
                assertThat(region.flushedEntryId()).isEqualTo(model.flushedEntry);
                assertThat(region.flushedSequence()).isEqualTo(model.flushedSequence);
                assertThat(region.committedSequence() == null ? 0 : region.committedSequence())
                        .isEqualTo(model.committed);
                assertThat(region.truncatedEntryId()).isEqualTo(model.truncated);
                assertThat(region.metadata()).isEqualTo(model.metadata);
            }
        }

        private static Set<UUID> dataFiles(List<RemovedFiles> lists) {
            Set<UUID> ids = new HashSet<>();
            lists.forEach(list ->
                    list.files().stream().filter(DataFile.class::isInstance).forEach(file -> ids.add(file.fileId())));
            return ids;
        }
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void everySequenceDoesWhatTheModelSays(@ForAll("sequences") List<Step> steps) {
        Run run = new Run();
        for (Step step : steps) {
            step.happen(run);
        }
        for (int reports = 0; run.real.view().order(REGION) != null; reports++) {
            assertThat(reports).as("stuck: more reports than commands").isLessThanOrEqualTo(run.sent.size());
            run.report(true);
        }
        for (RegionCommand command : run.sent) {
            assertThat(run.real.outcome(command.envelope().commandId()))
                    .as("outcome of " + command)
                    .isNotNull();
        }
        assertThat(run.model.queue).isEmpty();
        run.real.restart();
        Statistics.label("merged").collect(run.merged);
        Statistics.label("outcomes").coverage(coverage -> {
            for (OutcomeCode code : TO_BE_MET) {
                coverage.check(code).count(atLeast -> atLeast > 0);
            }
        });
        Statistics.label("merged").coverage(coverage -> coverage.check(true).count(atLeast -> atLeast > 0));
    }

    @Provide
    Arbitrary<List<Step>> sequences() {
        Arbitrary<Step> sends =
                commands().map(command -> new Named(command.build("c"), run -> run.send(command.build(run.nextId()))));
        Arbitrary<Step> indexes = Combinators.combine(
                        letters(), Arbitraries.integers().between(0, 3), Arbitraries.of(0, 0, 1))
                .as((letter, indexVersion, staleness) -> new Named("index of " + letter, run -> {
                    FileMeta current = run.real.file(letter);
                    FileMeta source = current == null || staleness == 1 ? RegionSamples.file(letter) : current;
                    RegionRecord region = run.real.region();
                    long schema = region == null ? 0 : region.metadata().schemaVersion();
                    run.send(RegionCommands.publishIndex(source, schema, indexVersion)
                            .build(run.nextId()));
                }));
        Arbitrary<Boolean> good = Arbitraries.of(true, true, true, false);
        Arbitrary<Integer> which = Arbitraries.integers().between(0, 1000);
        Arbitrary<Step> reports = good.map(ok -> new Named("report " + ok, run -> run.report(ok)));
        Arbitrary<Step> strays = Combinators.combine(which, good, Arbitraries.of(0, 0, 1, -1))
                .as((index, ok, off) -> new Named(
                        "stray report " + index + " " + ok + " " + off, run -> run.strayReport(index, ok, off)));
        Arbitrary<Step> retries = which.map(index -> new Named("retry " + index, run -> run.retry(index)));
        Arbitrary<Step> restarts = Arbitraries.just(new Named("restart", Run::restart));
        Arbitrary<Step> deletions = Arbitraries.just(new Named("deletions", Run::deleteFiles));
        // More than one waits only while a write takes long.
        Arbitrary<Step> bursts = files(2, 0)
                .list()
                .ofMinSize(2)
                .ofMaxSize(5)
                .map(edits -> new Named(
                        "edits " + edits,
                        run -> edits.forEach(
                                files -> run.send(RegionCommands.edit(files).build(run.nextId())))));
        Arbitrary<Step> any = Arbitraries.frequencyOf(
                Tuple.of(3, bursts),
                Tuple.of(2, Arbitraries.just(new Named("same outputs", Run::sameOutputs))),
                Tuple.of(20, sends),
                Tuple.of(3, indexes),
                Tuple.of(12, reports),
                Tuple.of(3, strays),
                Tuple.of(2, retries),
                Tuple.of(1, restarts),
                Tuple.of(1, deletions));
        Step created = run -> run.send(RegionCommands.create().build(run.nextId()));
        Step there = run -> run.report(true);
        return any.list().ofMinSize(20).ofMaxSize(90).map(steps -> {
            List<Step> all = new ArrayList<>(List.of(created, there));
            all.addAll(steps);
            return all;
        });
    }

    private static Arbitrary<Character> letters() {
        return Arbitraries.integers().between(0, LETTERS.length() - 1).map(LETTERS::charAt);
    }

    private static Arbitrary<String> files(int maxAdded, int maxRemoved) {
        Arbitrary<String> added = letters()
                .map(letter -> "+" + letter + " ")
                .list()
                .ofMaxSize(maxAdded)
                .map(list -> String.join("", list));
        Arbitrary<String> removed = letters()
                .map(letter -> "-" + letter + " ")
                .list()
                .ofMaxSize(maxRemoved)
                .map(list -> String.join("", list));
        return Combinators.combine(added, removed).as(String::concat);
    }

    private static Arbitrary<RegionCommands> commands() {
        Arbitrary<Long> entries = Arbitraries.longs().between(0, 12);
        Arbitrary<Long> maybe = entries.injectNull(0.3);
        Arbitrary<RegionCommands> edits =
                Arbitraries.oneOf(files(2, 0), files(2, 0), files(1, 1)).map(RegionCommands::edit);
        Arbitrary<RegionCommands> flushes =
                Combinators.combine(files(2, 0), maybe, maybe, maybe).as(RegionCommands::flush);
        Arbitrary<RegionCommands> compactions = files(1, 2).map(RegionCommands::compact);
        Arbitrary<RegionCommands> alters = Combinators.combine(
                        Arbitraries.longs().between(0, 4), Arbitraries.of("c", "d"))
                .as((schema, tag) -> RegionCommands.alter(RegionSamples.metadata(schema, tag)));
        Arbitrary<RegionCommands> truncates = Arbitraries.oneOf(
                Combinators.combine(entries, entries).as(RegionCommands::truncateAll),
                letters()
                        .list()
                        .uniqueElements()
                        .ofMaxSize(2)
                        .map(list -> list.stream().map(String::valueOf).reduce("", String::concat))
                        .map(RegionCommands::truncateFiles),
                Combinators.combine(Arbitraries.of(0L, 400L, 500L), Arbitraries.of(500L, 999L))
                        .as((start, end) -> RegionCommands.truncateRanges(RegionSamples.millis(start, end))));
        Arbitrary<RegionCommands> discards =
                Combinators.combine(entries, entries).as(RegionCommands::discard);
        Arbitrary<RegionCommands> roles = Arbitraries.of(
                        RegionRole.LEADER, RegionRole.LEADER, RegionRole.FOLLOWER, RegionRole.DOWNGRADING)
                .map(RegionCommands::role);
        Arbitrary<RegionCommands> creates = Combinators.combine(
                        Arbitraries.of(RegionRole.LEADER, RegionRole.FOLLOWER), Arbitraries.of(0L, 3L))
                .as(RegionCommands::create);
        return Arbitraries.frequencyOf(
                Tuple.of(10, edits),
                Tuple.of(6, flushes),
                Tuple.of(6, compactions),
                Tuple.of(3, alters),
                Tuple.of(4, truncates),
                Tuple.of(2, discards),
                Tuple.of(5, roles),
                Tuple.of(2, creates),
                Tuple.of(1, Arbitraries.create(RegionCommands::drop)));
    }
}
