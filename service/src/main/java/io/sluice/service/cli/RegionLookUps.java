package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Reply;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Purpose: the commands of {@code sluice region} that look something up. */
final class RegionLookUps {
    private RegionLookUps() {}

    /** {@code sluice region list}. */
    @Command(name = "list", description = "Lists the regions in the order of their ids.")
    static final class All extends ClientCommand {
        @Option(
                names = "--table-id",
                paramLabel = "T",
                converter = Numbers.U32.class,
                description = "Only regions of this table (default: all).")
        private Long tableId;

        @Override
        int run(ServiceClient client) {
            String path = ServiceClient.path("v1", "regions");
            ObjectNode all = lookUpAll(client, tableId == null ? path : path + "?table_id=" + tableId, "regions");
            TextTable table = new TextTable("REGION_ID", "ROLE", "STATE", "VERSION", "FILES");
            all.path("regions")
                    .forEach(region -> table.row(
                            region.path("region_id").asText(),
                            region.path("role").asText(),
                            region.path("state").asText(),
                            region.path("manifest_version").asText(),
                            region.path("file_count").asText()));
            show(all, table, "no regions");
            return ExitCodes.DONE;
        }
    }

    /** {@code sluice region get}. */
    @Command(name = "get", description = "Shows what a region is and what it is doing.")
    static final class Get extends RegionLookUp {
        @Override
        String path() {
            return region().path();
        }
    }

    /** {@code sluice region files}. */
    @Command(name = "files", description = "Lists the files of a region in the order of their ids.")
    static final class Files extends RegionLookUp {
        @Override
        String path() {
            return region().path("files");
        }

        @Override
        void showFound(JsonNode found) {
            TextTable table = new TextTable("FILE_ID", "LEVEL", "BYTES", "ROWS", "FROM", "TO", "SEQUENCE", "INDEXES");
            found.path("files")
                    .forEach(file -> table.row(
                            file.path("file_id").asText(),
                            file.path("level").asText(),
                            file.path("file_size").asText(),
                            file.path("num_rows").asText(),
                            ManifestText.time(file.path("time_range").path(0)),
                            ManifestText.time(file.path("time_range").path(1)),
                            ManifestText.orDash(file.path("sequence")),
                            ManifestText.list(file.path("available_indexes"))));
            show(found, table, "no files");
        }
    }

    /** {@code sluice region manifest}. */
    @Command(
            name = "manifest",
            description = {
                "Shows the manifest of a region, or what changed since a version.",
                "For people a manifest is summed up; --json prints all of it."
            })
    static final class Manifest extends RegionLookUp {
        @Option(
                names = "--from",
                paramLabel = "V",
                converter = Numbers.U64.class,
                description =
                        "Only the changes after this version, as long as they are kept (default: the whole state).")
        private String from;

        @Override
        String path() {
            return region().path("manifest") + (from == null ? "" : "?from=" + from);
        }

        @Override
        void showFound(JsonNode found) {
            if (isJson() || found.has("deltas")) {
                show(found, ManifestText.deltas(found.path("deltas")), "no changes");
                return;
            }
            if (from != null) {
                err().println("The changes after version " + from + " are not all kept: this is the whole state.");
            }
            show(ManifestText.summary(found.path("snapshot")));
        }
    }

    /** {@code sluice region admission}. */
    @Command(
            name = "admission",
            description = "Says whether a region takes writes: ADMIT, STALL (not now, ask again) or REJECT.")
    static final class Admission extends RegionLookUp {
        @Override
        String path() {
            return region().path("admission");
        }
    }

    /** {@code sluice region removed}. */
    @Command(
            name = "removed",
            description =
                    "Lists the files that a region removed or never took, and nobody has confirmed to be deleted.")
    static final class Removed extends RegionLookUp {
        @Override
        String path() {
            return region().path("removed");
        }

        @Override
        void showFound(JsonNode found) {
            show(found, ManifestText.removed(found), "no files");
        }
    }

    /** {@code sluice region deletable}. */
    @Command(
            name = "deletable",
            description = {
                "Says which of the removed files nobody refers to any longer, so that they may be deleted.",
                "The file holds " + Deletable.FORM + ": all that readers still use, as of that version."
            })
    static final class Deletable extends RegionLookUp {
        private static final String FORM = "{\"manifest_version\",\"references\":[...]}";

        @Mixin
        private BodyFile file;

        @Override
        int run(ServiceClient client) {
            Reply reply = client.send("POST", path(), file.read(FORM), Map.of());
            if (!reply.isOk()) {
                throw CommandFailure.refused(reply);
            }
            showFound(reply.body());
            return ExitCodes.DONE;
        }

        @Override
        String path() {
            return region().path("deletable");
        }

        @Override
        void showFound(JsonNode found) {
            show(found, ManifestText.removed(found), "no files");
        }
    }
}
