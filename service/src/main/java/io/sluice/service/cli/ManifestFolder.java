package io.sluice.service.cli;

import io.sluice.service.manifest.ManifestOpening;
import io.sluice.service.manifest.ManifestOpening.NoRegion;
import io.sluice.service.manifest.ManifestOpening.Refused;
import io.sluice.service.manifest.ManifestReader;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/**
 * Purpose: the option that names a manifest directory to read.
 *
 * <p>Threading: one thread.
 */
final class ManifestFolder {
    private static final String MANIFEST = "manifest";

    @Option(
            names = {"-d", "--directory"},
            required = true,
            paramLabel = "DIR",
            description = "The directory of the region, which has manifest/ in it; or manifest/ itself.")
    private Path directory;

    /** The directory of the region. */
    Path region() {
        Path given = directory.toAbsolutePath().normalize();
        if (!Files.isDirectory(given)) {
            throw new CommandFailure(
                    ExitCodes.FAILED, "there is no directory " + directory + ". Check the path after -d.");
        }
        boolean isManifest = given.endsWith(MANIFEST) && !Files.isDirectory(given.resolve(MANIFEST));
        return isManifest ? given.getParent() : given;
    }

    /** A reader of it. */
    ManifestReader reader(ManifestReader.Options options) {
        return new ManifestReader(region(), options);
    }

    /** Why there is no manifest in what was opened; null when there is one. */
    static String whyNot(ManifestOpening opening, Path region) {
        if (opening instanceof Refused refused) {
            return refused.reason().toString();
        }
        if (opening instanceof NoRegion none) {
            return none.dropping()
                    ? region + " is of a region that is being dropped (it has a .dropping mark)."
                    : region + " holds no manifest: expected deltas or a checkpoint in " + region.resolve(MANIFEST)
                            + ". Check the path after -d.";
        }
        return null;
    }
}
