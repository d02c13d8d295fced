package io.sluice.state.flownode;

import io.sluice.schemas.flownode.FlownodeRecordCodec;
import io.sluice.schemas.flownode.FlownodeReport;
import io.sluice.state.common.Damage;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows {@code report}: flownode id to what it said last about its flows; no row when that was nothing. A row is never larger
 * than the command it came with, so it needs no limit of its own. Thread-safe.
 */
public final class FlownodeReportIndex {
    private static final String PARTS = "report: flownode_id";

    private final FlownodeRecordCodec codec;

    public FlownodeReportIndex(FlownodeRecordCodec codec) {
        this.codec = codec;
    }

    public static byte[] key(long flownodeId) {
        return new KeyWriter(FlownodeKeyFamily.REPORT.tag()).u64(flownodeId).bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static long decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, FlownodeKeyFamily.REPORT.tag(), PARTS);
        return reader.end(reader.u64());
    }

    /** The reports of all flownodes of these rows, in unsigned order of their ids; one that cannot be read is left out. */
    public List<FlownodeReport> all(RowScanner rows) {
        List<FlownodeReport> found = new ArrayList<>();
        rows.scanPrefix(FlownodeKeyFamily.REPORT.prefix(), (key, value) -> {
            FlownodeReport report = Damage.readOrNull(() -> codec.decodeReport(value));
            if (report != null) {
                found.add(report);
            }
            return true;
        });
        return found;
    }

    static void write(RowWriter out, FlownodeReport report) {
        byte[] key = key(report.flownodeId());
        if (report.flows().isEmpty()) {
            out.delete(key);
        } else {
            out.put(key, FlownodeRecordCodec.encode(report));
        }
    }
}
