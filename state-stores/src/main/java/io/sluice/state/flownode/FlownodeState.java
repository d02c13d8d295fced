package io.sluice.state.flownode;

import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flownode.FlownodeRecordCodec;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.Damage;
import io.sluice.state.common.OutcomeIndex;
import io.sluice.state.common.RowReader;
import io.sluice.state.common.RowWriter;
import io.sluice.state.flownode.FlownodeFact.AddressRegistered;
import io.sluice.state.flownode.FlownodeFact.StateReported;

/**
 * The flownode store: its indices, and the one place that changes them.
 *
 * <p>Thread-safe, it holds no rows: those come in with every call. Invariants: a flownode has at most one address and one
 * report; {@link #apply} never refuses.
 */
public final class FlownodeState {
    private final FlownodeAddressIndex addresses;
    private final FlownodeReportIndex reports;
    private final OutcomeIndex outcomes;
    private final CursorRow cursor;

    public FlownodeState(SingleObject singleObject) {
        FlownodeRecordCodec codec = new FlownodeRecordCodec(singleObject);
        addresses = new FlownodeAddressIndex(codec);
        reports = new FlownodeReportIndex(codec);
        outcomes = new OutcomeIndex(new OutcomeCodec(singleObject));
        cursor = new CursorRow(singleObject);
    }

    public FlownodeAddressIndex addresses() {
        return addresses;
    }

    public FlownodeReportIndex reports() {
        return reports;
    }

    public OutcomeIndex outcomes() {
        return outcomes;
    }

    public CursorRow cursor() {
        return cursor;
    }

    /** The flownodes in these rows, as a decision looks at them; an address that cannot be read counts as gone. */
    public FlownodeView view(RowReader rows) {
        return flownodeId -> Damage.readOrNull(() -> addresses.find(rows, flownodeId));
    }

    /** Makes a fact true. */
    public void apply(FlownodeFact fact, RowWriter out) {
        if (fact instanceof AddressRegistered registered) {
            FlownodeAddressIndex.write(out, registered.address());
        } else {
            FlownodeReportIndex.write(out, ((StateReported) fact).report());
        }
    }
}
