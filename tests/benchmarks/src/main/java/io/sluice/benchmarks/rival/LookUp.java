package io.sluice.benchmarks.rival;

/** What is looked up. */
public enum LookUp {
    /** A flow by catalog and name. */
    NAME,
    /** A flow by its id: what etcd has under one key. */
    ID,
    /** The partitions of a flow, and where they run. */
    ROUTES,
    /** The flows that read a table. */
    TABLE
}
