package io.sluice.topology.common;

import io.sluice.schemas.common.InstallationRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Purpose: compares what is pinned, what is wished and what the cluster has, and says which topics there have to be.
 * Only the topics of this version's table are compared: what a newer version has pinned besides is kept and left alone.
 *
 * <p>Threading: immutable. Pure: the same arguments give the same answer.
 *
 * <p>Invariants: a count is pinned together with the first topic of its family, never before. So a pinned count always
 * has topics behind it, and two instances that start at once cannot pin different ones: the cluster made each topic once.
 */
final class InstallationCheck {
    private static final long FIRST_GENERATION = 1;

    private final TopicTable unpinned;
    private final InstallationWishes wishes;

    /** A topic as the cluster has it. */
    record Found(String topicId, int partitionCount) {
        Found {
            Objects.requireNonNull(topicId, "topicId");
        }
    }

    /**
     * @param unpinned the table as it is when nothing exists and nothing is wished
     * @param wishes counts that somebody has asked for
     */
    InstallationCheck(TopicTable unpinned, InstallationWishes wishes) {
        this.unpinned = Objects.requireNonNull(unpinned, "unpinned");
        this.wishes = Objects.requireNonNull(wishes, "wishes");
    }

    /**
     * The table to be had: with the pinned counts; else with those of the topics that exist; else with the wished ones;
     * else with the defaults. Topics of it that are neither pinned nor found are to be created.
     *
     * @param pinned what is pinned, empty before the first start
     * @param found the topics of the table that exist, by name
     * @throws TopicCreationException when the installation is not what was pinned, or not what is wished
     */
    TopicTable require(Optional<InstallationRecord> pinned, Map<String, Found> found) {
        pinned.ifPresent(record -> {
            // First: whoever asks for another count is told so, whatever else is wrong.
            requireWishesArePinned(record);
            requireTopicsAreThePinnedOnes(record, found);
        });
        TopicTable table = expected(pinned, found);
        for (TopicSpec spec : table.specs()) {
            Found topic = found.get(spec.name());
            if (topic != null && topic.partitionCount() != spec.partitionCount()) {
                throw InstallationRefusals.count(spec, topic.partitionCount(), pinned);
            }
        }
        return table;
    }

    /** As {@link #require}, without comparing what is found with it. */
    TopicTable expected(Optional<InstallationRecord> pinned, Map<String, Found> found) {
        pinned.ifPresent(this::requireWishesArePinned);
        return TopicTable.of(unpinned.profile(), unpinned.limits(), counts(pinned, found));
    }

    /**
     * What has to be pinned once all topics exist: what is pinned already, and what the table has besides.
     *
     * @param table as {@link #require} gave it for the same arguments
     * @param found every topic of the table, by name
     */
    static InstallationRecord complete(
            Optional<InstallationRecord> pinned, TopicTable table, Map<String, Found> found) {
        SortedMap<String, Integer> counts = new TreeMap<>();
        SortedMap<String, String> ids = new TreeMap<>();
        pinned.ifPresent(record -> {
            counts.putAll(record.partitionCounts());
            ids.putAll(record.topicIds());
        });
        for (TopicSpec spec : table.specs()) {
            if (spec.family() != PartitionFamily.SINGLE) {
                counts.put(spec.family().label(), spec.partitionCount());
            }
            ids.put(spec.name(), found.get(spec.name()).topicId());
        }
        return new InstallationRecord(pinned.map(InstallationRecord::generation).orElse(FIRST_GENERATION), counts, ids);
    }

    private void requireWishesArePinned(InstallationRecord pinned) {
        for (PartitionFamily family : PartitionFamily.values()) {
            OptionalInt wish = wishes.of(family);
            Integer count = pinned.partitionCounts().get(family.label());
            if (wish.isPresent() && count != null && wish.getAsInt() != count) {
                throw InstallationRefusals.wish(family, wish.getAsInt(), count);
            }
        }
    }

    private void requireTopicsAreThePinnedOnes(InstallationRecord pinned, Map<String, Found> found) {
        SortedMap<String, String> missing = new TreeMap<>();
        SortedMap<String, String> replaced = new TreeMap<>();
        for (TopicSpec spec : unpinned.specs()) {
            String pinnedId = pinned.topicIds().get(spec.name());
            Found topic = found.get(spec.name());
            if (pinnedId != null && topic == null) {
                missing.put(spec.name(), pinnedId);
            } else if (pinnedId != null && !topic.topicId().equals(pinnedId)) {
                replaced.put(spec.name(), "pinned id " + pinnedId + ", id now " + topic.topicId());
            }
        }
        if (!missing.isEmpty()) {
            throw InstallationRefusals.missing(missing);
        }
        if (!replaced.isEmpty()) {
            throw InstallationRefusals.replaced(replaced);
        }
    }

    private PartitionCounts counts(Optional<InstallationRecord> pinned, Map<String, Found> found) {
        int flow = count(PartitionFamily.FLOW, pinned, found);
        int flownode = count(PartitionFamily.FLOWNODE, pinned, found);
        int region = count(PartitionFamily.REGION, pinned, found);
        try {
            return new PartitionCounts(flow, flownode, region);
        } catch (IllegalArgumentException e) {
            throw InstallationRefusals.outOfRange(e, pinned.isPresent());
        }
    }

    private int count(PartitionFamily family, Optional<InstallationRecord> pinned, Map<String, Found> found) {
        Optional<Integer> pinnedCount =
                pinned.map(record -> record.partitionCounts().get(family.label()));
        if (pinnedCount.isPresent()) {
            return pinnedCount.get();
        }
        if (wishes.of(family).isPresent()) {
            return wishes.of(family).getAsInt();
        }
        List<TopicSpec> existing = new ArrayList<>();
        for (TopicSpec spec : unpinned.specs()) {
            if (spec.family() == family && found.containsKey(spec.name())) {
                existing.add(spec);
            }
        }
        List<Integer> different = existing.stream()
                .map(spec -> found.get(spec.name()).partitionCount())
                .distinct()
                .toList();
        if (different.size() > 1) {
            SortedMap<String, Integer> each = new TreeMap<>();
            existing.forEach(
                    spec -> each.put(spec.name(), found.get(spec.name()).partitionCount()));
            throw InstallationRefusals.inconsistent(family, each);
        }
        return different.isEmpty() ? unpinned.counts().of(family) : different.get(0);
    }
}
