package io.sluice.schemas.region;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Takes away files: all, those that are listed, or those within ranges of time.
 *
 * @param regionId the bits of a u64, and so are all numbers unless said
 */
public record TruncateRegion(CommandEnvelope envelope, long regionId, What what) implements RegionCommand {
    public TruncateRegion {
        Objects.requireNonNull(envelope, "envelope");
        Objects.requireNonNull(what, "what");
    }

    /** What is taken away. */
    public sealed interface What {
        /** Everything up to a log entry and a row. */
        record All(long truncatedEntryId, long truncatedSequence) implements What {}

        /** These files. */
        record Files(List<UUID> fileIds) implements What {
            public Files {
                fileIds = List.copyOf(fileIds);
            }
        }

        /** The files whose whole range lies in one of these, as of the decision. */
        record TimeRanges(List<TimeRange> ranges) implements What {
            public TimeRanges {
                ranges = List.copyOf(ranges);
            }
        }
    }
}
