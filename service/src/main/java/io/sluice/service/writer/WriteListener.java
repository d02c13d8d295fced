package io.sluice.service.writer;

import io.sluice.schemas.region.ManifestWriteKind;

/** Is told what the manifest writer does, so that it can be counted. Called by all its threads: must neither block nor throw. */
public interface WriteListener {
    /** An attempt at an order ended. */
    void attempted(ManifestWriteKind kind, WriteOutcome outcome, long tookNanos);

    /** An order is given up: its commands get MANIFEST_WRITE_FAILED. */
    void reportedFailed();
}
