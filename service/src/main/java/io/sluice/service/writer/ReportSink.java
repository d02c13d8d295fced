package io.sluice.service.writer;

import io.sluice.schemas.region.ManifestReport;
import java.util.function.Consumer;

/** Takes what the writer has to say. Thread-safe. */
interface ReportSink {
    /**
     * Sends a report, and returns at once.
     *
     * @param onFailure called when it may not have arrived; by any thread, and must not block
     */
    void send(ManifestReport report, Consumer<Exception> onFailure);
}
