package io.sluice.service.verify;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SingleObject;
import io.sluice.service.common.ParallelTasks;
import io.sluice.service.cut.ChangelogCut;
import io.sluice.service.cut.CutSettings;
import io.sluice.service.cut.PartitionCut;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.KeyFamily;
import io.sluice.state.common.RowDigest;
import io.sluice.state.common.RowFinding;
import io.sluice.state.common.RowFinding.Code;
import io.sluice.state.common.RowFinding.Mend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Checks the rows of a cut, and digests them.
 *
 * <p>Thread-safe. Changes nothing but the scratch rows of the cut, so one cut is verified once.
 */
public final class Verification {
    private final SingleObject singleObject;
    private final StoreChecks checks;

    public Verification(SingleObject singleObject) {
        this.singleObject = singleObject;
        checks = new StoreChecks(singleObject);
    }

    /** Is told what is wrong: from several threads, one at a time. */
    @FunctionalInterface
    public interface Findings {
        void add(FamilyPartition partition, RowFinding finding);
    }

    /**
     * Reads the changelogs and verifies what is in them.
     *
     * @throws io.sluice.service.cut.CutException if they cannot be read
     */
    public VerifyReport verify(CutSettings settings, Findings findings) throws InterruptedException {
        long startNanos = System.nanoTime();
        try (ChangelogCut cut = ChangelogCut.take(settings, singleObject)) {
            List<PartitionReport> partitions = of(cut, settings.threads(), System.currentTimeMillis(), findings);
            return new VerifyReport(partitions, Duration.ofNanos(System.nanoTime() - startNanos));
        }
    }

    /**
     * Verifies all partitions of a cut, several at a time.
     *
     * @param nowMs epoch milliseconds; the age that an outcome without one would get
     * @return the partitions in order
     */
    public List<PartitionReport> of(ChangelogCut cut, int threads, long nowMs, Findings findings)
            throws InterruptedException {
        List<Callable<PartitionReport>> tasks = new ArrayList<>();
        for (PartitionCut partition : cut.partitions()) {
            int count = count(cut, partition.partition().family());
            tasks.add(() -> of(partition, count, nowMs, findings));
        }
        return ParallelTasks.run("sluice-verify", threads, tasks);
    }

    private static int count(ChangelogCut cut, CommandFamily family) {
        return (int) cut.partitions().stream()
                .filter(partition -> partition.partition().family() == family)
                .count();
    }

    private PartitionReport of(PartitionCut cut, int partitionCount, long nowMs, Findings findings) {
        FamilyPartition partition = cut.partition();
        long[] errors = {0};
        long[] warnings = {0};
        Consumer<RowFinding> listener = finding -> {
            if (finding.isError()) {
                errors[0]++;
            } else {
                warnings[0]++;
            }
            synchronized (findings) {
                findings.add(partition, finding);
            }
        };
        checkCursor(cut, listener);
        Predicate<String> isHere = key -> Partitions.of(key, partitionCount) == partition.partition();
        checks.check(partition.family(), cut.rows(), cut.scratch(), isHere, nowMs, listener);
        Map<KeyFamily, RowDigest> digests = new LinkedHashMap<>();
        for (KeyFamily family : StoreChecks.digested(partition.family())) {
            digests.put(family, RowDigest.of(cut.rows(), family));
        }
        return new PartitionReport(
                partition, cut.position(), cut.offset(), cut.records(), digests, errors[0], warnings[0]);
    }

    private static void checkCursor(PartitionCut cut, Consumer<RowFinding> findings) {
        byte[] key = CursorRow.key();
        if (cut.damage().isPresent()) {
            findings.accept(new RowFinding(
                    cut.rows().get(key) == null ? Code.MISSING_ROW : Code.UNDECODABLE_ROW,
                    key,
                    "cursor",
                    "the partition does not say how far it was decided: "
                            + cut.damage().get(),
                    Mend.NONE));
        } else if (cut.recordsAfterCursor() > 0) {
            findings.accept(new RowFinding(
                    Code.OUT_OF_RANGE,
                    key,
                    "cursor",
                    cut.recordsAfterCursor()
                            + " records stand behind it that no decision has written: a rebuild that did"
                            + " not end, or something else than Sluice",
                    Mend.put(cut.rows().get(key))));
        }
    }
}
