package io.sluice.schemas.common;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an installation consists of, as it is pinned in {@link TopicNames#META}. Immutable; equal values give equal bytes.
 *
 * @param generation starts at 1; new topics for the same state are a new generation
 * @param partitionCounts name of a family of topics to the number of their partitions, 1 or more
 * @param topicIds name of a topic to the id that the cluster gave it; another id means another topic
 */
public record InstallationRecord(
        long generation, SortedMap<String, Integer> partitionCounts, SortedMap<String, String> topicIds) {
    /** The record's key in the topic, in UTF-8. */
    public static final String KEY = "installation";

    /** @throws IllegalArgumentException if a number is below 1 */
    public InstallationRecord {
        partitionCounts = Collections.unmodifiableSortedMap(new TreeMap<>(partitionCounts));
        topicIds = Collections.unmodifiableSortedMap(new TreeMap<>(topicIds));
        if (generation < 1) {
            throw new IllegalArgumentException("generation " + generation + " is not 1 or more");
        }
        for (Map.Entry<String, Integer> count : partitionCounts.entrySet()) {
            if (count.getValue() < 1) {
                throw new IllegalArgumentException("partition count " + count.getValue() + " of family "
                        + Texts.shortened(count.getKey()) + " is not 1 or more");
            }
        }
    }

    public byte[] encode() {
        return SingleObject.encode(new io.sluice.avro.Installation(generation, partitionCounts, topicIds));
    }

    /** @throws UndecodableException if the bytes are not what an installation consists of */
    public static InstallationRecord decode(SingleObject singleObject, byte[] bytes) {
        io.sluice.avro.Installation pinned = singleObject.decode(bytes, io.sluice.avro.Installation.class);
        try {
            return new InstallationRecord(
                    pinned.getGeneration(),
                    new TreeMap<>(pinned.getPartitionCounts()),
                    new TreeMap<>(pinned.getTopicIds()));
        } catch (IllegalArgumentException e) {
            throw new UndecodableException("installation that cannot be: " + e.getMessage(), e);
        }
    }
}
