package io.sluice.benchmarks.compare;

/** How much of each work there is. */
enum Size {
    /** Shows in about two minutes that everything runs. Its figures say nothing. */
    QUICK(1, 20, 200, 20, 20, 2_000, 2_000),
    /** What figures are made of. */
    FULL(3, 1_000, 20_000, 200, 200, 1_000_000, 100_000);

    private final int rounds;
    private final long single;
    private final long many;
    private final long watched;
    private final int regions;
    private final long restoredBySluice;
    private final long restoredByRivals;

    Size(int rounds, long single, long many, long watched, int regions, long restoredBySluice, long restoredByRivals) {
        this.rounds = rounds;
        this.single = single;
        this.many = many;
        this.watched = watched;
        this.regions = regions;
        this.restoredBySluice = restoredBySluice;
        this.restoredByRivals = restoredByRivals;
    }

    int rounds() {
        return rounds;
    }

    /** How many are sent before a measurement, many at a time. */
    long warmup(Work work) {
        return work.isWarm() ? many / 4 : 0;
    }

    long count(Work work) {
        if (work == Work.COLD_CREATE) {
            return Math.min(many, work.inFlight());
        }
        return switch (work.kind()) {
            case WATCH -> watched;
            case FLUSH -> many / 4;
            default -> work.inFlight() == 1 ? single : many;
        };
    }

    int regions() {
        return regions;
    }

    long restored(boolean isSluice) {
        return isSluice ? restoredBySluice : restoredByRivals;
    }
}
