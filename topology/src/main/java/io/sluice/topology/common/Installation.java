package io.sluice.topology.common;

import io.sluice.schemas.common.InstallationRecord;
import java.util.Objects;
import java.util.SortedMap;

/**
 * Purpose: what this installation consists of, as {@link InstallationPin} found or pinned it.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: as of the start, every topic of the table existed with the id and the count given here.
 *
 * @param generation starts at 1; new topics for the same state are a new generation
 * @param counts the pinned counts; of a family without topics, the wished or the default one, which is not pinned yet
 * @param topicIds name of a topic to its id, as text; topics that only a newer version knows among them
 */
public record Installation(long generation, PartitionCounts counts, SortedMap<String, String> topicIds) {
    public Installation {
        Objects.requireNonNull(counts, "counts");
        Objects.requireNonNull(topicIds, "topicIds");
    }

    static Installation of(InstallationRecord record, PartitionCounts counts) {
        return new Installation(record.generation(), counts, record.topicIds());
    }
}
