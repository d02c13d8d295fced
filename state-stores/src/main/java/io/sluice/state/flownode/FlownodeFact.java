package io.sluice.state.flownode;

import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeReport;
import java.util.Objects;

/** What a decision about a flownode made true. Applying a fact never fails. */
public sealed interface FlownodeFact {
    /** The flownode can be reached there now. */
    record AddressRegistered(FlownodeAddress address) implements FlownodeFact {
        public AddressRegistered {
            Objects.requireNonNull(address, "address");
        }
    }

    /** This is what the flownode says about its flows now; a report without flows takes away what it said before. */
    record StateReported(FlownodeReport report) implements FlownodeFact {
        public StateReported {
            Objects.requireNonNull(report, "report");
        }
    }
}
