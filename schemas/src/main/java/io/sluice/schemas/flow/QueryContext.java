package io.sluice.schemas.flow;

import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The session a flow was created in.
 *
 * <p>Immutable. Maps are kept sorted (text by its natural order, u64 keys unsigned), so equal contexts encode to equal bytes.
 *
 * @param channel u8, kept as given and not interpreted
 * @param snapshotSeqs u64 to u64
 * @param sstMinSequences u64 to u64
 */
public record QueryContext(
        String currentCatalog,
        String currentSchema,
        String timezone,
        SortedMap<String, String> extensions,
        int channel,
        SortedMap<Long, Long> snapshotSeqs,
        SortedMap<Long, Long> sstMinSequences) {

    /** An entry of {@link #extensions} that belongs to one run, not to the flow: taken out before storing. */
    public static final String SCHEDULED_TIME_EXTENSION = "flow.scheduled_time_millis";

    public QueryContext {
        Objects.requireNonNull(currentCatalog, "currentCatalog");
        Objects.requireNonNull(currentSchema, "currentSchema");
        Objects.requireNonNull(timezone, "timezone");
        extensions = SortedMaps.ofTexts(extensions);
        snapshotSeqs = SortedMaps.ofU64(snapshotSeqs);
        sstMinSequences = SortedMaps.ofU64(sstMinSequences);
    }

    /** This context without what only concerns a single run. */
    public QueryContext withoutScheduledTime() {
        if (!extensions.containsKey(SCHEDULED_TIME_EXTENSION)) {
            return this;
        }
        SortedMap<String, String> kept = new TreeMap<>(extensions);
        kept.remove(SCHEDULED_TIME_EXTENSION);
        return new QueryContext(currentCatalog, currentSchema, timezone, kept, channel, snapshotSeqs, sstMinSequences);
    }
}
