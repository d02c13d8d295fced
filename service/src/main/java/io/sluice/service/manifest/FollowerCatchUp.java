package io.sluice.service.manifest;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.service.common.Finding;
import io.sluice.service.common.Finding.Code;
import io.sluice.service.manifest.ManifestSnapshot.ChangedException;
import io.sluice.state.region.ManifestBuilder;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Brings a follower's manifest to a version, from the directory that the leader writes to (docs/behaviour.md, section 4.8, install
 * target T on a follower at c).
 *
 * <p>Stateless: nothing stays open, and what is given is not changed. Invariant: the answer is never below what was given.
 */
public final class FollowerCatchUp {
    private FollowerCatchUp() {}

    /** What came of it. Immutable. */
    public sealed interface Result {
        /** @param manifest the same if it was there already; may be above the target */
        record Installed(RegionManifest manifest) implements Result {}

        /** NO_CHECKPOINT or TARGET_UNAVAILABLE: the follower stays where it is, and may try again. */
        record Unavailable(Finding reason) implements Result {}
    }

    /**
     * @param region the directory that has {@code manifest/} in it
     * @param current the follower's manifest
     * @param target the bits of a u64
     * @param undatedMs as for {@link ManifestReader.Options}
     * @throws IOException if something cannot be read, or the directory keeps changing
     */
    public static Result install(Path region, RegionManifest current, long target, long undatedMs) throws IOException {
        return install(new DirectoryFiles(region), current, target, undatedMs);
    }

    static Result install(ManifestFiles files, RegionManifest current, long target, long undatedMs) throws IOException {
        long at = current.manifestVersion();
        if (Long.compareUnsigned(target, at) <= 0) {
            return new Result.Installed(current);
        }
        try {
            if (files.isDropping()) {
                return unavailable(files, target, "the region is being dropped");
            }
            return new Result.Installed(
                    ManifestSnapshot.attempt(files, false, snapshot -> install(snapshot, current, target, undatedMs)));
        } catch (ManifestRefusedException e) {
            Finding finding = e.finding();
            return finding.code() == Code.NO_CHECKPOINT || finding.code() == Code.TARGET_UNAVAILABLE
                    ? new Result.Unavailable(finding)
                    : unavailable(files, target, finding.toString());
        }
    }

    private static RegionManifest install(
            ManifestSnapshot snapshot, RegionManifest current, long target, long undatedMs)
            throws IOException, ManifestRefusedException, ChangedException {
        ManifestListing listing = snapshot.listing();
        long at = current.manifestVersion();
        if (listing.gaps(at, target).isEmpty()) {
            return apply(snapshot, ManifestBuilder.from(current), at, target, undatedMs);
        }
        Long newest =
                listing.checkpoints().isEmpty() ? null : listing.checkpoints().lastKey();
        if (newest == null && !listing.deltas().containsKey(at + 1)) {
            throw snapshot.refused(
                    Code.NO_CHECKPOINT, "delta " + U64.text(at + 1) + " is not there, and no checkpoint is");
        }
        if (newest == null || Long.compareUnsigned(newest, at) <= 0) {
            throw snapshot.refused(
                    Code.TARGET_UNAVAILABLE, reason(target, "versions that are missing: " + listing.gaps(at, target)));
        }
        if (!listing.gaps(newest, target).isEmpty()) {
            throw snapshot.refused(
                    Code.TARGET_UNAVAILABLE,
                    reason(
                            target,
                            "versions that are missing after checkpoint " + U64.text(newest) + ": "
                                    + listing.gaps(newest, target)));
        }
        Pointer pointer = snapshot.pointer();
        Checkpoint checkpoint =
                snapshot.checkpoint(newest, pointer != null && pointer.version() == newest ? pointer.checksum() : null);
        ManifestBuilder builder =
                checkpoint.state() == null ? new ManifestBuilder() : ManifestBuilder.from(checkpoint.state());
        builder.setMarks(builder.marks().atVersion(newest));
        return apply(snapshot, builder, newest, target, undatedMs);
    }

    private static RegionManifest apply(
            ManifestSnapshot snapshot, ManifestBuilder builder, long above, long target, long undatedMs)
            throws IOException, ManifestRefusedException, ChangedException {
        if (Long.compareUnsigned(above, target) < 0) {
            for (long version : snapshot.listing()
                    .deltas()
                    .subMap(above, false, target, true)
                    .keySet()) {
                builder.apply(snapshot.delta(version), undatedMs);
            }
        }
        if (!builder.hasMetadata()) {
            throw snapshot.refused(Code.TARGET_UNAVAILABLE, reason(target, "no action brings the region's metadata"));
        }
        return builder.build();
    }

    private static Result unavailable(ManifestFiles files, long target, String why) {
        return new Result.Unavailable(Finding.error(Code.TARGET_UNAVAILABLE, files.path(), reason(target, why)));
    }

    private static String reason(long target, String why) {
        return "version " + U64.text(target) + " cannot be reached: " + why;
    }
}
