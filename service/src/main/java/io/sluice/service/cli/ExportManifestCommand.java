package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.common.FolderLock;
import io.sluice.service.manifest.ManifestComparison;
import io.sluice.service.manifest.ManifestDirectory;
import io.sluice.service.manifest.ManifestOpening;
import io.sluice.service.manifest.ManifestOpening.NoRegion;
import io.sluice.service.manifest.ManifestOpening.Opened;
import io.sluice.service.manifest.ManifestReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Purpose: {@code sluice export manifest}: a region's manifest as a directory that stands for itself: a checkpoint at the current
 * version, and the pointer to it.
 *
 * <p>Threading: one thread.
 *
 * <p>Invariants: what was in the directory is never changed; what is said to be written was read back and is the same.
 */
@Command(
        name = "manifest",
        description = {
            "Writes the manifest of a region into DIR/manifest/: a checkpoint at the current version, and the pointer to it.",
            "DIR must not have a manifest yet. The file DIR.lock stays beside it."
        })
final class ExportManifestCommand extends ClientCommand {
    private static final ManifestReader.Options AS_WRITTEN =
            new ManifestReader.Options(false, ManifestComparison.UNDATED_MS, null);

    @Mixin
    private RegionParameter region;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "DIR",
            description = "The directory to have manifest/ in it; made if it is not there.")
    private Path directory;

    @Override
    int run(ServiceClient client) {
        Path to = directory.toAbsolutePath().normalize();
        if (to.getFileName() == null) {
            throw wrong("-o " + directory + " has no name. Name a directory below it.");
        }
        RegionManifest manifest;
        try {
            requireNoManifest(to);
            manifest = RegionSnapshots.lookUp(client, region);
            write(manifest, to);
        } catch (IOException e) {
            throw new CommandFailure(ExitCodes.FAILED, "the export failed: " + e.getMessage(), e);
        }
        if (isJson()) {
            ObjectNode done = Json.MAPPER.createObjectNode();
            Json.putU64(done, "region_id", manifest.metadata().regionId());
            Json.putU64(done, "manifest_version", manifest.manifestVersion());
            done.put("file_count", manifest.files().size());
            done.put("directory", to.toString());
            out().println(Json.line(done));
        } else {
            out().println("OK  region " + region.id() + "  version " + U64.text(manifest.manifestVersion()) + "  "
                    + manifest.files().size() + " files  in " + to);
        }
        return ExitCodes.DONE;
    }

    private static void requireNoManifest(Path to) throws IOException {
        ManifestOpening there = new ManifestReader(to, AS_WRITTEN).open();
        if (!(there instanceof NoRegion none)) {
            throw new CommandFailure(
                    ExitCodes.FAILED,
                    to + " has a manifest already, which is left as it is. Name another directory with -o.");
        }
        if (none.dropping()) {
            throw new CommandFailure(
                    ExitCodes.FAILED,
                    to
                            + " is of a region that is being dropped (it has a .dropping mark). Name another directory with -o.");
        }
    }

    private static void write(RegionManifest manifest, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        try (ManifestDirectory written = ManifestDirectory.open(to, new ManifestDirectory.Settings(0, false))) {
            // Once more, now that nobody else writes there.
            requireNoManifest(to);
            written.catchUp(manifest, null);
        } catch (FolderLock.HeldException e) {
            throw new CommandFailure(
                    ExitCodes.FAILED,
                    "process " + e.getMessage() + " writes to " + to + ". Name another directory with -o.",
                    e);
        }
        if (!(new ManifestReader(to, AS_WRITTEN).open() instanceof Opened opened)
                || !ManifestComparison.of(opened.manifest(), manifest)
                        .differences()
                        .isEmpty()) {
            throw new CommandFailure(
                    ExitCodes.FAILED,
                    to + " does not hold what was written to it. Delete it, look after its disk, and export again.");
        }
    }
}
