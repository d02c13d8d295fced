package io.sluice.service.cut;

/** Is told how far the reading is: from several threads, one at a time. */
@FunctionalInterface
public interface CutProgress {
    /** Tells nobody. */
    CutProgress NONE = (done, total) -> {};

    /**
     * Called now and then, and when everything is read.
     *
     * @param done offsets that are passed
     * @param total offsets to pass: more than there are records, where a log was compacted
     */
    void reached(long done, long total);
}
