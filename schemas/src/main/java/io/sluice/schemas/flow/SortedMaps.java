package io.sluice.schemas.flow;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Unmodifiable copies of maps in the one order they are encoded in. Package-private helper of the value classes.
 *
 * <p>Stateless. A plain {@code new TreeMap<>(sortedMap)} would keep the order of the map it is given.
 */
final class SortedMaps {
    private SortedMaps() {}

    /** In the natural order of the keys. */
    static <V> SortedMap<String, V> ofTexts(SortedMap<String, V> map) {
        SortedMap<String, V> sorted = new TreeMap<>();
        sorted.putAll(map);
        return Collections.unmodifiableSortedMap(sorted);
    }

    /** In the unsigned order of the keys. */
    static <V> SortedMap<Long, V> ofU64(SortedMap<Long, V> map) {
        SortedMap<Long, V> sorted = new TreeMap<>(Long::compareUnsigned);
        sorted.putAll(map);
        return Collections.unmodifiableSortedMap(sorted);
    }
}
