package io.sluice.topology.region;

import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.state.region.RegionFact;
import java.util.List;

/**
 * What a decider made of a command or of a report: the facts that are now true, and the answers. Immutable.
 *
 * <p>A command that waits, or whose write is in flight, has no outcome yet; a report may settle many. Unlike a flow's, a refusal
 * may have facts: the files that are given up with it, and a command that leaves the queue.
 *
 * @param outcomes in the order in which the commands were settled
 * @param order what the writer has to write now; null when nothing. For a region that is not there it only clears what may be left
 *     of it, and is in no row.
 * @param orderClosed whether the order that the writer had is closed: by the report, or because there is no write in flight
 * @param ignored why a report changed nothing; null unless it did not
 */
public record RegionDecision(
        List<RegionFact> facts,
        List<RegionOutcome> outcomes,
        ManifestWriteOrder order,
        boolean orderClosed,
        String ignored) {
    public RegionDecision {
        facts = List.copyOf(facts);
        outcomes = List.copyOf(outcomes);
    }
}
