package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.TextTable;
import io.sluice.service.common.Finding;
import io.sluice.service.manifest.ManifestOpening;
import io.sluice.service.manifest.ManifestOpening.NoRegion;
import io.sluice.service.manifest.ManifestOpening.Refused;
import io.sluice.service.manifest.ManifestReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/**
 * Purpose: the option that names a manifest directory to read, and what was found in one, for people and for scripts.
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

    /** A line per finding, the bad ones first. */
    static void print(List<Finding> findings, PrintWriter to) {
        findings.stream()
                .sorted((a, b) -> a.level().compareTo(b.level()))
                .forEach(finding -> to.println(level(finding) + ": " + TextTable.oneLine(finding.toString())));
        to.flush();
    }

    static ArrayNode json(List<Finding> findings) {
        ArrayNode all = Json.MAPPER.createArrayNode();
        for (Finding finding : findings) {
            ObjectNode one = all.addObject();
            one.put("level", level(finding));
            one.put("code", finding.code().name());
            one.put("where", finding.where());
            one.put("message", finding.message());
        }
        return all;
    }

    /** How many findings say that something is left out or refused. */
    static long errors(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.level() == Finding.Level.ERROR)
                .count();
    }

    private static String level(Finding finding) {
        return finding.level().name().toLowerCase(Locale.ROOT);
    }
}
