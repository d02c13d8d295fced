package io.sluice.service.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.service.common.LosslessJson;
import io.sluice.service.json.RegionManifestJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How the manifest that a directory holds differs from the one that is real. Immutable.
 *
 * <p>A removed file whose deletion was acknowledged is forgotten without a version, so a directory may still list it: that is no
 * difference, as long as it lists no fewer.
 *
 * @param differences field by field and file by file, in the order of the fields
 * @param acknowledged how many removed files only the directory still lists
 */
public record ManifestComparison(List<Difference> differences, int acknowledged) {
    /** To open a directory with when it is to be compared: when something was removed that says no time, any time is right. */
    public static final long UNDATED_MS = Long.MIN_VALUE;

    private static final JsonMapper TREES = JsonMapper.builder(LosslessJson.FACTORY)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    public ManifestComparison {
        differences = List.copyOf(differences);
    }

    /**
     * Something that is not the same.
     *
     * @param where path of the field, as in a checkpoint: {@code files.<id>.level}
     * @param directory what the directory holds there, as JSON; null for nothing
     * @param real what is real there, as JSON; null for nothing
     */
    public record Difference(String where, String directory, String real) {}

    /** @param directory opened with {@link #UNDATED_MS} */
    public static ManifestComparison of(RegionManifest directory, RegionManifest real) {
        List<Difference> differences = new ArrayList<>();
        compare("", tree(directory), tree(real), differences);
        int acknowledged = compareRemoved(directory, real, differences);
        return new ManifestComparison(differences, acknowledged);
    }

    private static void compare(String where, JsonNode directory, JsonNode real, List<Difference> differences) {
        if (directory != null && real != null && directory.isObject() && real.isObject()) {
            Set<String> names = new LinkedHashSet<>();
            real.fieldNames().forEachRemaining(names::add);
            directory.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                String field = where.isEmpty() ? name : where + "." + name;
                compare(field, directory.get(name), real.get(name), differences);
            }
        } else if (directory != null && real != null && directory.isArray() && real.isArray()) {
            for (int i = 0; i < Math.max(directory.size(), real.size()); i++) {
                compare(where + "[" + i + "]", directory.get(i), real.get(i), differences);
            }
        } else if (!Objects.equals(directory, real)) {
            differences.add(new Difference(where, text(directory), text(real)));
        }
    }

    /** @return how many files only the directory lists */
    private static int compareRemoved(RegionManifest directory, RegionManifest real, List<Difference> differences) {
        Map<RemovedFile, SortedSet<Long>> listed = removed(directory);
        Map<RemovedFile, SortedSet<Long>> wanted = removed(real);
        wanted.forEach((file, times) -> {
            SortedSet<Long> found = listed.get(file);
            if (found == null || !found.contains(UNDATED_MS) && !found.containsAll(times)) {
                differences.add(new Difference(
                        "removed_files." + shown(file), found == null ? null : found.toString(), times.toString()));
            }
        });
        listed.keySet().removeAll(wanted.keySet());
        return listed.size();
    }

    private static Map<RemovedFile, SortedSet<Long>> removed(RegionManifest manifest) {
        Map<RemovedFile, SortedSet<Long>> removed = new TreeMap<>(RemovedFile.ORDER);
        for (RemovedFiles once : manifest.removedFiles()) {
            for (RemovedFile file : once.files()) {
                removed.computeIfAbsent(file, none -> new TreeSet<>()).add(once.removedAtMs());
            }
        }
        return removed;
    }

    private static String shown(RemovedFile removed) {
        if (removed instanceof IndexFile index) {
            return index.fileId() + " (only index " + U64.text(index.version()) + ")";
        }
        Long version = ((DataFile) removed).indexVersion();
        return removed.fileId() + (version == null ? "" : " (with index " + U64.text(version) + ")");
    }

    private static JsonNode tree(RegionManifest manifest) {
        try {
            ObjectNode tree = (ObjectNode) TREES.readTree(RegionManifestJson.write(manifest));
            tree.remove("removed_files");
            return tree;
        } catch (IOException e) {
            throw new UncheckedIOException("what was just written can be read", e);
        }
    }

    private static String text(JsonNode value) {
        try {
            return value == null ? null : TREES.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("every tree can be written", e);
        }
    }
}
