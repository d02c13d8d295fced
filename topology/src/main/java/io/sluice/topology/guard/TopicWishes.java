package io.sluice.topology.guard;

import io.sluice.topology.common.TopicSpec;
import io.sluice.topology.common.TopicTable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Purpose: what an installation wants of the topics of its cluster.
 *
 * <p>Threading: immutable.
 *
 * @param table the topics, with the partition counts of this installation
 * @param overrides topic to setting to value, wanted instead of what the table says
 * @param pinnedIds name of a topic to the id that it had when it was pinned; empty before the first start
 * @param sessionTimeout that instances ask the brokers for
 */
public record TopicWishes(
        TopicTable table,
        Map<String, Map<String, String>> overrides,
        Map<String, String> pinnedIds,
        Duration sessionTimeout) {
    public TopicWishes {
        Objects.requireNonNull(table, "table");
        Objects.requireNonNull(sessionTimeout, "sessionTimeout");
        overrides = Map.copyOf(overrides);
        pinnedIds = Map.copyOf(pinnedIds);
    }

    /** The settings wanted of a topic, in a fixed order. */
    Map<String, String> settings(TopicSpec spec) {
        Map<String, String> wanted = new LinkedHashMap<>(spec.configs());
        wanted.putAll(overrides.getOrDefault(spec.name(), Map.of()));
        return wanted;
    }
}
