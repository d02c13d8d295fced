package io.sluice.service.cli;

import picocli.CommandLine.Command;

/** Purpose: {@code sluice import}: takes over what others hold. */
@Command(
        name = "import",
        description = "Takes over what others hold, in their formats. Goes through commands, never past the decider.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = ImportManifestCommand.class)
final class ImportGroup {}
