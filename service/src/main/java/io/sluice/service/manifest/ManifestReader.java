package io.sluice.service.manifest;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.service.common.Finding;
import io.sluice.service.common.Finding.Code;
import io.sluice.service.manifest.ManifestListing.Forms;
import io.sluice.service.manifest.ManifestOpening.NoRegion;
import io.sluice.service.manifest.ManifestOpening.Opened;
import io.sluice.service.manifest.ManifestOpening.Refused;
import io.sluice.service.manifest.ManifestSnapshot.ChangedException;
import io.sluice.state.region.ManifestBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;

/**
 * Opens the manifest directory of a region, our own or a foreign one, while others may be writing to it (docs/behaviour.md, section
 * 4.8, open 1 to 4). Changes nothing.
 *
 * <p>Threading: one thread. Invariant: a manifest that is returned lacks no version, but those that were named as missing.
 */
public final class ManifestReader {
    private final ManifestFiles files;
    private final Options options;

    /**
     * How to open.
     *
     * @param preferCompressed which form of a checkpoint is looked at first
     * @param undatedMs removal time of what was removed by an action that does not say when, epoch milliseconds
     * @param acceptedGap the one gap of versions that may be there; or null
     */
    public record Options(boolean preferCompressed, long undatedMs, VersionRange acceptedGap) {}

    /** @param region the directory that has {@code manifest/} in it */
    public ManifestReader(Path region, Options options) {
        this(new DirectoryFiles(region), options);
    }

    ManifestReader(ManifestFiles files, Options options) {
        this.files = files;
        this.options = options;
    }

    /** @throws IOException if something cannot be read, or the directory keeps changing */
    public ManifestOpening open() throws IOException {
        return open(null);
    }

    /**
     * Opens it as of a version: what lies above is not looked at.
     *
     * @param upTo the bits of a u64; null for all there is
     * @throws IOException if something cannot be read, or the directory keeps changing
     */
    public ManifestOpening open(Long upTo) throws IOException {
        List<Finding> findings = new ArrayList<>();
        if (files.isDropping()) {
            return new NoRegion(true, findings);
        }
        if (files.hasStaging()) {
            findings.add(
                    Finding.warning(
                            Code.STAGING_PRESENT,
                            files.path(),
                            "there are staged changes beside it, which are left out: they are no part of the region's history"));
        }
        List<Finding> ofLastAttempt = new ArrayList<>();
        ManifestOpening opening;
        try {
            opening = ManifestSnapshot.attempt(files, options.preferCompressed(), snapshot -> {
                ofLastAttempt.clear();
                try {
                    return open(snapshot, upTo);
                } finally {
                    ofLastAttempt.addAll(snapshot.findings());
                }
            });
        } catch (ManifestRefusedException e) {
            opening = new Refused(e.finding(), List.of());
        }
        findings.addAll(ofLastAttempt);
        if (opening instanceof Opened opened) {
            return new Opened(opened.manifest(), opened.checkpointVersion(), findings);
        }
        return opening instanceof Refused refused
                ? new Refused(refused.reason(), findings)
                : new NoRegion(false, findings);
    }

    private ManifestOpening open(ManifestSnapshot snapshot, Long upTo)
            throws IOException, ManifestRefusedException, ChangedException {
        Pointer pointer = snapshot.pointer();
        ManifestListing listing = snapshot.listing();
        if (pointer == null && listing.isEmpty()) {
            return new NoRegion(false, List.of());
        }
        Long start = null;
        Long checksum = null;
        if (pointer != null && listing.checkpoints().containsKey(pointer.version())) {
            start = pointer.version();
            checksum = pointer.checksum();
        } else if (pointer != null) {
            snapshot.requireSamePointer();
            start = otherStart(snapshot, pointer.version());
        }
        NavigableMap<Long, Forms> deltas = listing.deltasAbove(start);
        if (upTo != null) {
            boolean isPast = start != null && Long.compareUnsigned(start, upTo) >= 0;
            deltas = isPast ? Collections.emptyNavigableMap() : deltas.headMap(upTo, true);
        }
        if (!deltas.isEmpty()) {
            requireNoGap(snapshot, listing.gaps(start, deltas.lastKey()));
        }
        return replay(snapshot, start, checksum, deltas);
    }

    private ManifestOpening replay(
            ManifestSnapshot snapshot, Long start, Long checksum, NavigableMap<Long, Forms> deltas)
            throws IOException, ManifestRefusedException, ChangedException {
        ManifestBuilder builder = new ManifestBuilder();
        if (start != null) {
            Checkpoint checkpoint = snapshot.checkpoint(start, checksum);
            if (checkpoint.state() != null) {
                builder = ManifestBuilder.from(checkpoint.state());
            }
            builder.setMarks(builder.marks().atVersion(start));
        }
        for (long version : deltas.keySet()) {
            ManifestDelta delta = snapshot.delta(version);
            builder.apply(delta, options.undatedMs());
        }
        if (!builder.hasMetadata()) {
            throw snapshot.refused(Code.NO_METADATA, "no action in it brings the region's metadata");
        }
        return new Opened(builder.build(), start, List.of());
    }

    /** Where to begin instead of with the checkpoint that the pointer names and that is not there; null for with version 0. */
    private Long otherStart(ManifestSnapshot snapshot, long wanted) throws ManifestRefusedException {
        ManifestListing listing = snapshot.listing();
        long reach = wanted;
        if (!listing.deltas().isEmpty() && Long.compareUnsigned(listing.deltas().lastKey(), wanted) > 0) {
            reach = listing.deltas().lastKey();
        }
        List<Long> candidates =
                new ArrayList<>(listing.checkpoints().descendingMap().keySet());
        candidates.add(null);
        for (Long candidate : candidates) {
            if (unaccepted(listing.gaps(candidate, reach)).isEmpty()) {
                snapshot.findings()
                        .add(Finding.warning(
                                Code.CHECKPOINT_MISSING,
                                files.path(ManifestFile.POINTER),
                                "it names checkpoint " + U64.text(wanted) + ", which is not there: begun with "
                                        + (candidate == null ? "version 0" : "checkpoint " + U64.text(candidate))
                                        + " instead, from where no version is missing"));
                return candidate;
            }
        }
        throw snapshot.refused(
                Code.CHECKPOINT_MISSING,
                ManifestFile.POINTER,
                "it names checkpoint " + U64.text(wanted)
                        + ", which is not there, and from no other beginning all versions up to it are there");
    }

    private void requireNoGap(ManifestSnapshot snapshot, List<VersionRange> gaps) throws ManifestRefusedException {
        List<VersionRange> unaccepted = unaccepted(gaps);
        if (!unaccepted.isEmpty()) {
            throw snapshot.refused(Code.VERSION_GAP, "versions that are missing: " + shown(unaccepted));
        }
        if (!gaps.isEmpty()) {
            snapshot.findings()
                    .add(Finding.warning(
                            Code.VERSION_GAP, files.path(), "versions that are missing, as accepted: " + shown(gaps)));
        }
    }

    private List<VersionRange> unaccepted(List<VersionRange> gaps) {
        return gaps.stream().filter(gap -> !gap.equals(options.acceptedGap())).toList();
    }

    private static String shown(List<VersionRange> gaps) {
        return String.join(", ", gaps.stream().map(VersionRange::toString).toList());
    }
}
