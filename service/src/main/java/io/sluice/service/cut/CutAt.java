package io.sluice.service.cut;

/** Where the records of a changelog end that make up a cut. */
public enum CutAt {
    /**
     * At the last cursor row: what has been decided, whole commands only. What a rebuild has written behind it does not count,
     * since that is not finished.
     */
    LAST_CURSOR,
    /** At the end: what a store that is restored holds. The same, unless something else than a decider has written. */
    END
}
