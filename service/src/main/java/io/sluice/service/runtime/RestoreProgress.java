package io.sluice.service.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How far this instance is with the restoring of its local stores, those of all partitions of a store together. Immutable.
 *
 * <p>A compacted changelog does not tell how many records it has: how far it is goes by offsets, how fast by records.
 *
 * @param stores that are being restored or were restored last, in the order of their names; none before the first
 */
public record RestoreProgress(List<OfStore> stores) {
    /** Nothing was restored yet. */
    public static final RestoreProgress NONE = new RestoreProgress(List.of());

    public RestoreProgress {
        stores = List.copyOf(stores);
    }

    /**
     * How far one store is.
     *
     * @param store its name, which is that of its family
     * @param partitions of it that are restored here
     * @param partitionsDone those of them that are complete
     * @param records that were read
     * @param offsetsDone how much of the changelogs is behind these records
     * @param offsetsTotal how much there was to read when it began
     * @param elapsed since the first partition began, until the last was complete
     */
    public record OfStore(
            String store,
            int partitions,
            int partitionsDone,
            long records,
            long offsetsDone,
            long offsetsTotal,
            Duration elapsed) {
        public boolean isDone() {
            return partitionsDone == partitions;
        }

        public long recordsPerSecond() {
            return elapsed.isZero() ? 0 : Math.round(records * 1e9 / elapsed.toNanos());
        }

        /** In hundredths; of nothing everything is done. */
        public int percent() {
            return offsetsTotal == 0 ? 100 : (int) (100 * offsetsDone / offsetsTotal);
        }

        /** How long it takes if it goes on as fast; empty as long as nobody can know. */
        public Optional<Duration> timeLeft() {
            if (isDone()) {
                return Optional.of(Duration.ZERO);
            }
            return offsetsDone == 0
                    ? Optional.empty()
                    : Optional.of(Duration.ofNanos(
                            (long) ((double) elapsed.toNanos() * (offsetsTotal - offsetsDone) / offsetsDone)));
        }

        /** For people: {@code store flow: 42 %, 120000 records at 98000/s, about 2 s left}. */
        public String text() {
            return String.format(
                    Locale.ROOT,
                    "store %s: %d %%, %d records at %d/s, %s left",
                    store,
                    percent(),
                    records,
                    recordsPerSecond(),
                    timeLeft()
                            .map(left -> "about " + left.plusMillis(999).toSeconds() + " s")
                            .orElse("unknown time"));
        }
    }

    /** Whether more was read since, or something else is being restored. */
    boolean isFurtherThan(RestoreProgress before) {
        return !counts().equals(before.counts());
    }

    private List<List<Number>> counts() {
        return stores.stream()
                .map(store -> List.<Number>of(store.partitions(), store.partitionsDone(), store.offsetsDone()))
                .toList();
    }

    /** Whether anything is being restored. */
    public boolean isRunning() {
        return stores.stream().anyMatch(store -> !store.isDone());
    }

    /** The stores that are not complete yet, for people. */
    public String text() {
        return stores.stream()
                .filter(store -> !store.isDone())
                .map(OfStore::text)
                .collect(Collectors.joining("; "));
    }
}
