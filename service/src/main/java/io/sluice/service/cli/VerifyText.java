package io.sluice.service.cli;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.service.client.TextTable;
import io.sluice.service.verify.PartitionReport;
import io.sluice.service.verify.VerifyReport;
import io.sluice.state.common.KeyFamily;
import io.sluice.state.common.RowDigest;
import java.util.Locale;
import java.util.Map;

/**
 * Purpose: what a verification saw, for people.
 *
 * <p>Threading: stateless.
 */
final class VerifyText {
    private static final int SHOWN_DIGITS = 16;
    /** From here on the log holds much more than the rows, and starting takes longer than it has to. */
    private static final double MANY_RECORDS_PER_ROW = 3;

    private static final long FEW_RECORDS = 100_000;

    private VerifyText() {}

    /** A line for each index of each partition, and one for the index as a whole; none where there are no rows. */
    static String table(VerifyReport report) {
        TextTable table = new TextTable("PARTITION", "POSITION", "INDEX", "ROWS", "SHA-256");
        for (PartitionReport partition : report.partitions()) {
            partition.digests().forEach((index, digest) -> {
                if (digest.rows() > 0) {
                    add(
                            table,
                            partition.partition().toString(),
                            partition.position().toString(),
                            index,
                            digest);
                }
            });
        }
        for (CommandFamily family : CommandFamily.values()) {
            Map<KeyFamily, RowDigest> digests = report.digests(family);
            digests.forEach((index, digest) -> {
                if (digest.rows() > 0) {
                    add(table, family.label(), "all", index, digest);
                }
            });
        }
        return table.text("");
    }

    private static void add(TextTable table, String partition, String position, KeyFamily index, RowDigest digest) {
        table.row(
                partition,
                position,
                index.label(),
                digest.rows(),
                digest.sha256().substring(0, SHOWN_DIGITS));
    }

    /** The last lines. */
    static String summary(VerifyReport report) {
        long rows =
                report.partitions().stream().mapToLong(PartitionReport::rows).sum();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d records read and %,d rows verified in %.1f s, %,d records/s",
                report.records(),
                rows,
                report.took().toMillis() / 1000.0,
                report.recordsPerSecond()));
        for (PartitionReport partition : report.partitions()) {
            if (partition.records() > FEW_RECORDS && partition.recordsPerRow() > MANY_RECORDS_PER_ROW) {
                text.append(String.format(
                        Locale.ROOT,
                        "%nthe changelog of %s has %.1f records for each row: is it being compacted?",
                        partition.partition(),
                        partition.recordsPerRow()));
            }
        }
        return text.toString();
    }
}
