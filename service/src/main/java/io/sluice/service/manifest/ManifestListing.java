package io.sluice.service.manifest;

import io.sluice.service.common.Finding;
import io.sluice.service.common.Finding.Code;
import io.sluice.service.manifest.ManifestFile.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What stands in a manifest directory, by version (docs/formats.md, section 8.2). Immutable once built.
 *
 * <p>Versions are the bits of u64s, in the order of their unsigned value.
 */
final class ManifestListing {
    private final NavigableMap<Long, Forms> deltas = new TreeMap<>(Long::compareUnsigned);
    private final NavigableMap<Long, Forms> checkpoints = new TreeMap<>(Long::compareUnsigned);
    private final List<Finding> findings = new ArrayList<>();
    private boolean pointer;
    private long sizeBytes;

    private ManifestListing() {}

    /** In which forms a version is there: at least one. */
    record Forms(boolean plain, boolean compressed) {
        boolean both() {
            return plain && compressed;
        }
    }

    static ManifestListing of(ManifestFiles files, List<ManifestFiles.Listed> all) {
        ManifestListing listing = new ManifestListing();
        all.stream()
                .sorted(Comparator.comparing(ManifestFiles.Listed::name))
                .forEach(listed -> listing.add(files, listed));
        return listing;
    }

    private void add(ManifestFiles files, ManifestFiles.Listed listed) {
        String name = listed.name();
        ManifestFile file = listed.isFolder() ? null : ManifestFile.parse(name);
        if (file != null) {
            Forms form = new Forms(!file.compressed(), file.compressed());
            (file.kind() == Kind.DELTA ? deltas : checkpoints)
                    .merge(
                            file.version(),
                            form,
                            (a, b) -> new Forms(a.plain() || b.plain(), a.compressed() || b.compressed()));
            sizeBytes += listed.sizeBytes();
        } else if (!listed.isFolder() && name.equals(ManifestFile.POINTER)) {
            pointer = true;
        } else if (!listed.isFolder() && ManifestFile.isVersioned(name)) {
            findings.add(Finding.error(
                    Code.NONCANONICAL_KEY,
                    files.path(name),
                    "its number is above 18446744073709551615: the file is left out"));
        } else {
            findings.add(
                    Finding.warning(Code.UNKNOWN_FILE, files.path(name), "it is none of a manifest's: it is left out"));
        }
    }

    /** What is there and is not ours. */
    List<Finding> findings() {
        return findings;
    }

    /** Whether nothing of a manifest is there. */
    boolean isEmpty() {
        return !pointer && deltas.isEmpty() && checkpoints.isEmpty();
    }

    NavigableMap<Long, Forms> deltas() {
        return deltas;
    }

    NavigableMap<Long, Forms> checkpoints() {
        return checkpoints;
    }

    boolean hasPointer() {
        return pointer;
    }

    /** Of deltas and checkpoints, as they lie on the disk. */
    long sizeBytes() {
        return sizeBytes;
    }

    /** The deltas above a version; all when that is null. */
    NavigableMap<Long, Forms> deltasAbove(Long version) {
        return version == null ? deltas : deltas.tailMap(version, false);
    }

    /**
     * Which deltas are missing above a version, up to another one.
     *
     * @param start null for from 0 on
     */
    List<VersionRange> gaps(Long start, long last) {
        List<VersionRange> gaps = new ArrayList<>();
        if (start != null && Long.compareUnsigned(start, last) >= 0) {
            return gaps;
        }
        long expected = start == null ? 0 : start + 1;
        for (long version : deltasAbove(start).keySet()) {
            if (Long.compareUnsigned(version, last) > 0) {
                break;
            }
            if (version != expected) {
                gaps.add(new VersionRange(expected, version - 1));
            }
            if (version == last) {
                return gaps;
            }
            expected = version + 1;
        }
        gaps.add(new VersionRange(expected, last));
        return gaps;
    }

    static List<String> names(ManifestFile plain, Forms forms) {
        List<String> names = new ArrayList<>();
        if (forms.plain()) {
            names.add(plain.name());
        }
        if (forms.compressed()) {
            names.add(plain.otherForm().name());
        }
        return names;
    }
}
