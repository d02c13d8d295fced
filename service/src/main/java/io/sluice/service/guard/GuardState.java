package io.sluice.service.guard;

import io.sluice.topology.guard.Severity;
import java.time.Instant;
import java.util.Optional;

/** What is known of the topics of this installation, as of the last look that could be made. Thread-safe. */
public interface GuardState {
    /** How many differences of a kind there are between the topics and what they have to be. */
    int count(Severity severity);

    /** When the last look was made that could be made. */
    Instant lastChecked();

    /** Why the topics cannot be trusted with records, on one line; empty when they can. */
    Optional<String> unsafe();
}
