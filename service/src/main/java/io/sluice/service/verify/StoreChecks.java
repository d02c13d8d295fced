package io.sluice.service.verify;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.SingleObject;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.KeyFamily;
import io.sluice.state.common.RowFinding;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowStore;
import io.sluice.state.flow.FlowCheck;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flownode.FlownodeCheck;
import io.sluice.state.flownode.FlownodeKeyFamily;
import io.sluice.state.region.RegionCheck;
import io.sluice.state.region.RegionKeyFamily;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The check of each family's store. Thread-safe. */
final class StoreChecks {
    private final FlowCheck flows;
    private final FlownodeCheck flownodes;
    private final RegionCheck regions;

    StoreChecks(SingleObject singleObject) {
        flows = new FlowCheck(singleObject);
        flownodes = new FlownodeCheck(singleObject);
        regions = new RegionCheck(singleObject);
    }

    /** Checks the rows of one partition; parameters as for {@link FlowCheck#check}. */
    void check(
            CommandFamily family,
            RowScanner stored,
            RowStore scratch,
            Predicate<String> isHere,
            long nowMs,
            Consumer<RowFinding> findings) {
        switch (family) {
            case FLOW -> flows.check(stored, scratch, isHere, nowMs, findings);
            case FLOWNODE -> flownodes.check(stored, scratch, isHere, nowMs, findings);
            case REGION -> regions.check(stored, scratch, isHere, nowMs, findings);
        }
    }

    /** The key families of a store that have a digest: all but the cursor, which only says how far the partition is. */
    static List<KeyFamily> digested(CommandFamily family) {
        KeyFamily[] all = switch (family) {
            case FLOW -> FlowKeyFamily.values();
            case FLOWNODE -> FlownodeKeyFamily.values();
            case REGION -> RegionKeyFamily.values();
        };
        return Stream.of(all).filter(one -> one.tag() != CursorRow.TAG).toList();
    }
}
