package io.sluice.service.cli;

import picocli.CommandLine.Command;

/** Purpose: {@code sluice import}: takes over what others hold. */
@Command(
        name = "import",
        description = {
            "Takes over what others hold, in their formats: through commands, never past the decider.",
            "A snapshot of Sluice itself is taken over as it is, into an empty installation."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ImportGreptimeCommand.class, ImportManifestCommand.class, ImportSnapshotCommand.class})
final class ImportGroup {}
