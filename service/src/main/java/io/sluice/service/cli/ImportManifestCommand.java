package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.service.cli.CommandSender.Attempt;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import io.sluice.service.common.Finding;
import io.sluice.service.common.Finding.Code;
import io.sluice.service.json.RegionManifestJson;
import io.sluice.service.manifest.ManifestOpening;
import io.sluice.service.manifest.ManifestOpening.Opened;
import io.sluice.service.manifest.ManifestOpening.Refused;
import io.sluice.service.manifest.ManifestReader;
import io.sluice.service.manifest.VersionRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Purpose: {@code sluice import manifest}: makes a region out of a manifest directory, our own or a foreign one.
 *
 * <p>Threading: one thread.
 *
 * <p>Invariants: the directory is only read; nothing is sent unless all of it could be read, but for the one gap that was named.
 */
@Command(
        name = "manifest",
        description = {
            "Makes a region out of a manifest directory: version, files and marks are kept.",
            "Nothing is imported when a version is missing, a checksum is wrong, or a file cannot be read."
        })
final class ImportManifestCommand extends SingleCommand {
    @Mixin
    private ManifestFolder folder;

    @Option(
            names = "--region",
            paramLabel = "ID",
            converter = Numbers.U64.class,
            description = "The region that it has to be (default: whichever the directory is of).")
    private String regionId;

    @Option(
            names = "--accept-gap",
            paramLabel = "FROM-TO",
            converter = VersionRangeConverter.class,
            description =
                    "Import although exactly these versions are missing, both included (default: none may be missing).")
    private VersionRange acceptedGap;

    @Option(names = "--role", paramLabel = "ROLE", description = "leader or follower (default: leader).")
    private RoleName role;

    @Option(
            names = "--or-replace",
            description =
                    "Put it in the place of a region that is there with another manifest (default: that is refused).")
    private boolean orReplace;

    @Option(names = "--dry-run", description = "Read and report, and send nothing (default: import).")
    private boolean dryRun;

    /** What an imported region can be. */
    private enum RoleName {
        LEADER,
        FOLLOWER
    }

    @Override
    int run(ServiceClient client) {
        Path region = folder.region();
        ManifestOpening opening = open();
        List<Finding> findings = new ArrayList<>(opening.findings());
        if (opening instanceof Refused refused) {
            findings.add(refused.reason());
        }
        FindingsText.print(findings, err());
        RegionManifest manifest = opening instanceof Opened opened ? opened.manifest() : null;
        String refusal = refusal(opening, region);
        Attempt attempt = refusal == null && !dryRun ? send(client, manifest) : null;
        if (isJson()) {
            out().println(Json.line(report(region, manifest, findings, refusal, attempt)));
        }
        if (refusal != null) {
            err().println(refusal + " Nothing was imported.");
            return ExitCodes.FAILED;
        }
        String summary = summary(manifest);
        if (attempt == null) {
            print("dry run  " + summary + "  nothing was sent");
            return ExitCodes.DONE;
        }
        if (!attempt.isOk()) {
            err().println("region " + U64.text(manifest.metadata().regionId()) + ": "
                    + attempt.complaint(client.url()));
        } else {
            JsonNode outcome = attempt.reply().body();
            print("OK  " + summary + (outcome.path("applied").asBoolean(true) ? "" : "  nothing had to change"));
        }
        return attempt.exitCode();
    }

    private ManifestOpening open() {
        try {
            // What says no time was removed when it was imported, at the latest.
            return folder.reader(new ManifestReader.Options(false, System.currentTimeMillis(), acceptedGap))
                    .open();
        } catch (IOException e) {
            throw new CommandFailure(ExitCodes.FAILED, e.getMessage() + ". Nothing was imported.", e);
        }
    }

    /** Why it must not be imported; null when it may. */
    private String refusal(ManifestOpening opening, Path region) {
        if (opening instanceof Refused refused && refused.reason().code() == Code.VERSION_GAP) {
            return acceptedGap == null
                    ? "Versions are missing. Look for them where the directory came from; only if they are known to be of no"
                            + " account, name exactly them with --accept-gap."
                    : "The missing versions are not exactly those of --accept-gap " + acceptedGap + ".";
        }
        if (opening instanceof Refused) {
            return region + " is damaged, as said above. Import another copy of it.";
        }
        if (!(opening instanceof Opened opened)) {
            return ManifestFolder.whyNot(opening, region);
        }
        String id = U64.text(opened.manifest().metadata().regionId());
        if (regionId != null && !regionId.equals(id)) {
            return region + " is of region " + id + ", not of " + regionId + " as --region says.";
        }
        if (FindingsText.errors(opened.findings()) > 0) {
            return "Something in " + region + " is left out, as said above. Take it away, or import another copy.";
        }
        if (acceptedGap != null
                && opened.findings().stream().noneMatch(finding -> finding.code() == Code.VERSION_GAP)) {
            return "Versions " + acceptedGap + " are not missing in " + region
                    + ". Is it the right directory? Leave --accept-gap away if it is.";
        }
        return null;
    }

    private Attempt send(ServiceClient client, RegionManifest manifest) {
        String id = U64.text(manifest.metadata().regionId());
        ObjectNode body = Json.MAPPER.createObjectNode();
        // As it is: types and defaults of columns are kept as they are written.
        body.putRawValue(
                "manifest", new RawValue(new String(RegionManifestJson.write(manifest), StandardCharsets.UTF_8)));
        if (role != null) {
            body.put("role", role.name().toLowerCase(Locale.ROOT));
        }
        if (orReplace) {
            body.put("or_replace", true);
        }
        return send(
                client,
                "POST",
                ServiceClient.path("v1", "regions", id, "import"),
                CommandScope.region(id),
                body,
                Map.of());
    }

    private void print(String line) {
        if (!isJson()) {
            out().println(TextTable.oneLine(line));
        }
    }

    private String summary(RegionManifest manifest) {
        return "region " + U64.text(manifest.metadata().regionId()) + "  version "
                + U64.text(manifest.manifestVersion()) + "  "
                + manifest.files().size() + " files"
                + (acceptedGap == null ? "" : "  without versions " + acceptedGap + ", as accepted");
    }

    private ObjectNode report(
            Path region, RegionManifest manifest, List<Finding> findings, String refusal, Attempt attempt) {
        ObjectNode report = Json.MAPPER.createObjectNode();
        report.put("directory", region.toString());
        if (manifest != null) {
            Json.putU64(report, "region_id", manifest.metadata().regionId());
            Json.putU64(report, "manifest_version", manifest.manifestVersion());
            report.put("file_count", manifest.files().size());
        }
        if (acceptedGap != null) {
            ObjectNode gap = report.putObject("accepted_gap");
            Json.putU64(gap, "first", acceptedGap.first());
            Json.putU64(gap, "last", acceptedGap.last());
        }
        report.put("dry_run", dryRun);
        report.set("findings", FindingsText.json(findings));
        report.put("refused", refusal);
        report.set(
                "outcome",
                attempt == null || attempt.reply() == null
                        ? null
                        : attempt.reply().body());
        return report;
    }
}
