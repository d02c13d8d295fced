package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import io.sluice.service.common.Finding;
import io.sluice.service.manifest.ManifestComparison;
import io.sluice.service.manifest.ManifestComparison.Difference;
import io.sluice.service.manifest.ManifestOpening;
import io.sluice.service.manifest.ManifestOpening.Opened;
import io.sluice.service.manifest.ManifestOpening.Refused;
import io.sluice.service.manifest.ManifestReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Purpose: {@code sluice region verify}: proves that a manifest directory holds what the service says the region is.
 *
 * <p>The two move while they are looked at: a version is on the disk before the service says it is real. So the service is asked
 * first, and the directory is compared as of its version; more versions than that are writes in flight if the region moves on.
 *
 * <p>Threading: one thread. Invariant: changes nothing, neither here nor there.
 */
@Command(
        name = "verify",
        description = {
            "Compares a manifest directory with what the service says the region is: every field, every file.",
            "Removed files that were confirmed to be deleted may still stand in the directory. Exit code 1 on any difference."
        })
final class RegionVerifyCommand extends ClientCommand {
    private static final long LOOK_EVERY_MS = 100;
    private static final int SHOWN = 20;
    private static final int SHOWN_CHARS = 60;

    @Mixin
    private RegionParameter region;

    @Mixin
    private ManifestFolder folder;

    @Option(
            names = "--wait",
            paramLabel = "MS",
            converter = Numbers.WaitMs.class,
            defaultValue = "5000",
            description =
                    "How long to look again while the versions differ, in milliseconds (default: ${DEFAULT-VALUE}).")
    private long waitMs;

    /**
     * What one look at both saw.
     *
     * @param directoryVersion the bits of a u64; null when the directory could not be opened
     * @param comparison null when they could not be compared
     * @param trouble what is wrong and what to do; null when they are the same
     * @param isFinal whether another look would see the same
     */
    private record Look(
            long serviceVersion,
            Long directoryVersion,
            List<Finding> findings,
            ManifestComparison comparison,
            String trouble,
            boolean isFinal) {}

    @Override
    int run(ServiceClient client) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
        Look first = look(client, null);
        Look last = first;
        while (!last.isFinal() && System.nanoTime() - deadline < 0) {
            pause();
            last = look(client, first.serviceVersion());
        }
        report(last);
        return last.trouble() == null ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    /** @param firstVersion that the service said at the first look; null when this is it */
    private Look look(ServiceClient client, Long firstVersion) {
        Path directory = folder.region();
        RegionManifest real = RegionSnapshots.lookUp(client, region);
        ManifestReader reader = folder.reader(new ManifestReader.Options(false, ManifestComparison.UNDATED_MS, null));
        try {
            ManifestOpening opening = reader.open();
            List<Finding> findings = new ArrayList<>(opening.findings());
            if (!(opening instanceof Opened opened)) {
                if (opening instanceof Refused refused) {
                    findings.add(refused.reason());
                }
                // Also while it is written anew.
                return new Look(real.manifestVersion(), null, findings, null, unusable(opening, directory), false);
            }
            String id = U64.text(opened.manifest().metadata().regionId());
            if (!id.equals(region.id())) {
                String trouble =
                        directory + " is of region " + id + ", not of " + region.id() + ". Check the path after -d.";
                return new Look(
                        real.manifestVersion(), opened.manifest().manifestVersion(), findings, null, trouble, true);
            }
            return compare(directory, real, opened, reader, firstVersion);
        } catch (IOException e) {
            return new Look(real.manifestVersion(), null, List.of(), null, e.getMessage() + ". Verify again.", false);
        }
    }

    private Look compare(Path directory, RegionManifest real, Opened opened, ManifestReader reader, Long firstVersion)
            throws IOException {
        long wanted = real.manifestVersion();
        long there = opened.manifest().manifestVersion();
        RegionManifest held = opened.manifest();
        if (Long.compareUnsigned(there, wanted) > 0 && reader.open(wanted) instanceof Opened before) {
            held = before.manifest();
        }
        if (held.manifestVersion() != wanted) {
            String trouble = Long.compareUnsigned(held.manifestVersion(), wanted) < 0
                    ? behind(directory, there, wanted)
                    : ahead(directory, there, wanted);
            return new Look(wanted, there, opened.findings(), null, trouble, false);
        }
        ManifestComparison comparison = ManifestComparison.of(held, real);
        String trouble = null;
        boolean isFinal = true;
        if (!comparison.differences().isEmpty()) {
            trouble = directory + " and the service differ at version " + U64.text(wanted) + ", "
                    + comparison.differences().size() + " times. What the service says is true:"
                    + " the instance that owns the region writes the directory anew with the region's next change;"
                    + " `sluice export manifest` writes it elsewhere at once.";
        } else if (FindingsText.errors(opened.findings()) > 0) {
            trouble = "Something in " + directory + " is no part of the manifest, as said above. Take it away.";
        } else if (there != wanted) {
            boolean isMoving = firstVersion != null && firstVersion != wanted;
            trouble = isMoving ? null : ahead(directory, there, wanted);
            isFinal = isMoving;
        }
        return new Look(wanted, there, opened.findings(), comparison, trouble, isFinal);
    }

    private static String unusable(ManifestOpening opening, Path directory) {
        return opening instanceof Refused
                ? directory
                        + " cannot be opened, as said above. What the service says is not affected: the instance that owns"
                        + " the region writes the directory anew with the region's next change; `sluice export manifest`"
                        + " writes it elsewhere at once."
                : ManifestFolder.whyNot(opening, directory);
    }

    private static String behind(Path directory, long there, long wanted) {
        return directory + " is at version " + U64.text(there) + ", the service at " + U64.text(wanted)
                + ". Is it the directory of the instance that owns the region, and is that instance running"
                + " with manifest.storage=dir?";
    }

    private static String ahead(Path directory, long there, long wanted) {
        return directory + " has versions up to " + U64.text(there) + ", the service is at " + U64.text(wanted)
                + ": what is above never became real, unless a write takes very long (`sluice region get` shows the"
                + " state). The instance that owns the region takes it away soon, with the next change at the latest.";
    }

    private void report(Look look) {
        FindingsText.print(look.findings(), err());
        if (isJson()) {
            out().println(Json.line(json(look)));
        } else if (look.trouble() == null) {
            int acknowledged = look.comparison().acknowledged();
            out().println("OK  region " + region.id() + "  version " + U64.text(look.serviceVersion())
                    + "  the directory is the same"
                    + (acknowledged == 0
                            ? ""
                            : ", but for " + acknowledged + " removed files that are confirmed to be deleted"));
        } else if (look.comparison() != null && !look.comparison().differences().isEmpty()) {
            out().print(table(look.comparison().differences()).text(""));
            int more = look.comparison().differences().size() - SHOWN;
            if (more > 0) {
                out().println("and " + more + " more; --json shows all");
            }
        }
        if (look.trouble() != null) {
            err().println(look.trouble());
        }
    }

    private static TextTable table(List<Difference> differences) {
        TextTable table = new TextTable("WHERE", "DIRECTORY", "SERVICE");
        differences.stream()
                .limit(SHOWN)
                .forEach(difference ->
                        table.row(difference.where(), shown(difference.directory()), shown(difference.real())));
        return table;
    }

    private static String shown(String json) {
        if (json == null) {
            return "-";
        }
        return json.length() <= SHOWN_CHARS ? json : json.substring(0, SHOWN_CHARS) + "...";
    }

    private ObjectNode json(Look look) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        Json.putU64(json, "region_id", region.bits());
        json.put("directory", folder.region().toString());
        json.put("same", look.trouble() == null);
        Json.putU64(json, "service_version", look.serviceVersion());
        if (look.directoryVersion() != null) {
            Json.putU64(json, "directory_version", look.directoryVersion());
        }
        ArrayNode differences = json.putArray("differences");
        if (look.comparison() != null) {
            for (Difference difference : look.comparison().differences()) {
                differences
                        .addObject()
                        .put("where", difference.where())
                        .put("directory", difference.directory())
                        .put("service", difference.real());
            }
            json.put("acknowledged", look.comparison().acknowledged());
        }
        json.set("findings", FindingsText.json(look.findings()));
        json.put("trouble", look.trouble());
        return json;
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCodes.FAILED, "interrupted while waiting for a write to finish", e);
        }
    }
}
