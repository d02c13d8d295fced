package io.sluice.service.runtime;

import java.util.Optional;

/** How an instance is. Thread-safe. */
public interface Health {
    /** Of the process: costs nothing and asks no store, so that whoever looks whether it lives is always answered. */
    OfProcess process();

    /** Of everything: looks at every partition. */
    HealthReport report();

    /**
     * Who answers, and whether it makes sense that it does.
     *
     * @param instanceId its stable name
     * @param incarnation of this run of it: tells it from another process at the same address
     * @param broken why this process will not decide again before it is started anew; empty while it may
     */
    record OfProcess(String instanceId, String incarnation, Optional<String> broken) {}
}
