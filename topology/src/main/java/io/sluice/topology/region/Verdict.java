package io.sluice.topology.region;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.RegionWriteKind;
import java.util.List;

/** What the checks made of a command that its region's state admits. Immutable. */
sealed interface Verdict {
    Verdict UNCHANGED = new Unchanged();

    /** It is not done. */
    record Refused(OutcomeCode code, String message) implements Verdict {}

    /** What it asks for is so already. */
    record Unchanged() implements Verdict {}

    /** This has to be written; for a drop no action. */
    record Write(RegionWriteKind kind, List<ManifestAction> actions) implements Verdict {
        public Write {
            actions = List.copyOf(actions);
        }

        Write(RegionWriteKind kind, ManifestAction action) {
            this(kind, List.of(action));
        }
    }
}
