package io.sluice.service.cli;

import picocli.CommandLine.Command;

/** Purpose: {@code sluice export}: what Sluice holds, in its own form or in the formats of others. */
@Command(
        name = "export",
        description = "Writes what Sluice holds, in its own form or in the formats of others.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ExportGreptimeCommand.class, ExportManifestCommand.class, ExportSnapshotCommand.class})
final class ExportGroup {}
