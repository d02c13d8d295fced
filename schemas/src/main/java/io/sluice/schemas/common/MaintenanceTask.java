package io.sluice.schemas.common;

import java.util.Objects;

/** What is done to the changelogs of a stopped installation. Immutable; equal tasks can be gone on with by each other. */
public sealed interface MaintenanceTask {
    /** The rows that follow from others are made right. */
    record Rebuild() implements MaintenanceTask {}

    /**
     * A snapshot is brought in.
     *
     * @param snapshot its SHA-256, which names it
     */
    record Import(String snapshot) implements MaintenanceTask {
        public Import {
            Objects.requireNonNull(snapshot, "snapshot");
        }
    }
}
