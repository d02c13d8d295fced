package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Purpose: the commands of {@code sluice region} that change something. What their files hold is the body of the HTTP request
 * (docs/http.md), so that scripts and people write the same thing.
 */
final class RegionChanges {
    private static final String METADATA = "{\"metadata\":RegionMetadata,\"sst_format\"?,\"append_mode\"?}";
    private static final String EDIT =
            "{\"files_to_add\":[FileMeta],\"files_to_remove\":[FileMeta],\"compaction_time_window\"?,...}";

    private RegionChanges() {}

    /** {@code sluice region create}. */
    @Command(
            name = "create",
            description = {
                "Creates a region.",
                "The file holds " + METADATA + ", and may hold flushed_entry_id and role (leader or follower)."
            })
    static final class Create extends RegionBodyCommand {
        Create() {
            super("", METADATA);
        }

        @Override
        int run(ServiceClient client) {
            ObjectNode body = body();
            JsonNode named = body.path("region_id");
            if (named.isMissingNode()) {
                body.put("region_id", region().id());
            } else if (!named.asText().equals(region().id())) {
                throw new CommandFailure(
                        ExitCodes.FAILED,
                        fileName() + " is about region " + named.asText() + ", but ID is " + region().id()
                                + ". Make them agree, or take region_id out of the file. Nothing was sent.");
            }
            return settle(client, "POST", ServiceClient.path("v1", "regions"), body);
        }
    }

    /** {@code sluice region alter}. */
    @Command(
            name = "alter",
            description = {
                "Changes the schema of a region.",
                "The file holds " + METADATA + ": the whole new metadata, its schema_version one higher."
            })
    static final class Alter extends RegionBodyCommand {
        Alter() {
            super("alter", METADATA);
        }
    }

    /** {@code sluice region edit}. */
    @Command(
            name = "edit",
            description = {"Adds and removes files of a region.", "The file holds " + EDIT + "; absent lists are empty."
            })
    static final class Edit extends RegionBodyCommand {
        Edit() {
            super("edit", EDIT);
        }
    }

    /** {@code sluice region flush}. */
    @Command(
            name = "flush",
            description = {
                "Adds the files of a flush.",
                "The file holds {\"files_to_add\":[FileMeta],\"flushed_entry_id\",\"flushed_sequence\",\"committed_sequence\"?}."
            })
    static final class Flush extends RegionBodyCommand {
        Flush() {
            super("flush", EDIT);
        }
    }

    /** {@code sluice region compact}. */
    @Command(
            name = "compact",
            description = {
                "Puts the files of a compaction in the place of its inputs.",
                "The file holds {\"files_to_add\":[FileMeta],\"files_to_remove\":[FileMeta],\"compaction_time_window\"?}."
            })
    static final class Compact extends RegionBodyCommand {
        Compact() {
            super("compact", EDIT);
        }
    }

    /** {@code sluice region truncate}. */
    @Command(
            name = "truncate",
            description = {"Removes all files of a region, or some of them.", "The file holds " + Truncate.FORM + "."})
    static final class Truncate extends RegionBodyCommand {
        private static final String FORM = "{\"truncated_entry_id\",\"truncated_sequence\"} for all,"
                + " {\"files_to_remove\":[FileMeta]} for these, or {\"time_ranges\":[{\"start\",\"end\"}]} for those inside";

        Truncate() {
            super("truncate", FORM);
        }
    }

    /** {@code sluice region index}. */
    @Command(
            name = "index",
            description = {
                "Publishes a new index of a file that is still what it was.",
                "The file holds " + Index.FORM + "."
            })
    static final class Index extends RegionBodyCommand {
        private static final String FORM = "{\"source\":FileMeta,\"schema_version\",\"available_indexes\",\"indexes\","
                + "\"index_file_size\",\"index_version\"}";

        Index() {
            super("index", FORM);
        }
    }

    /** {@code sluice region discard}. */
    @Command(
            name = "discard",
            description = {
                "Gives up what was written and not flushed: moves the flushed marks forward, and leaves the files.",
                "The file holds " + Discard.FORM + ", the marks to move to."
            })
    static final class Discard extends RegionBodyCommand {
        private static final String FORM = "{\"flushed_entry_id\",\"flushed_sequence\"}";

        Discard() {
            super("discard", FORM);
        }
    }

    /** {@code sluice region deleted}. */
    @Command(
            name = "deleted",
            description = {
                "Says that files are deleted which the region had removed, so that it need not list them any longer.",
                "The file holds " + Deleted.FORM + ", as `sluice region removed` lists them."
            })
    static final class Deleted extends RegionBodyCommand {
        private static final String FORM = "{\"files\":[{\"File\":[id,version or null]},{\"Index\":[id,version]}]}";

        Deleted() {
            super("deleted", FORM);
        }
    }

    /** {@code sluice region drop}. */
    @Command(
            name = "drop",
            description = "Drops a region: its manifest, and the directory of that; data files are not touched.")
    static final class Drop extends RegionChange {
        @Override
        int run(ServiceClient client) {
            return settle(client, "DELETE", region().path(), Json.MAPPER.createObjectNode());
        }

        @Override
        String shown(JsonNode outcome) {
            return super.shown(outcome) + "  dropped";
        }
    }

    /** {@code sluice region role}. */
    @Command(name = "role", description = "Says what a region is from now on.")
    static final class Role extends RegionChange {
        @Parameters(
                index = "1",
                paramLabel = "ROLE",
                description =
                        "leader takes writes; follower does not; downgrading is a leader on its way out, which only"
                                + " finishes what was begun.")
        private RoleName role;

        /** What a region can be told to be. */
        private enum RoleName {
            LEADER,
            FOLLOWER,
            DOWNGRADING;

            @Override
            public String toString() {
                return name().toLowerCase(Locale.ROOT);
            }
        }

        @Override
        int run(ServiceClient client) {
            ObjectNode body = Json.MAPPER.createObjectNode().put("role", role.toString());
            return settle(client, "POST", region().path("role"), body);
        }

        @Override
        String shown(JsonNode outcome) {
            return super.shown(outcome) + "  " + role;
        }
    }
}
