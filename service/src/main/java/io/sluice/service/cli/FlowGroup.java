package io.sluice.service.cli;

import picocli.CommandLine.Command;

/** Purpose: {@code sluice flow}: flows of a catalog. */
@Command(
        name = "flow",
        description = "Creates, changes, drops and looks up flows.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            FlowApplyCommand.class,
            FlowGetCommand.class,
            FlowListCommand.class,
            FlowDropCommand.class,
            FlowCommentCommand.class,
            FlowRoutesCommand.class
        })
final class FlowGroup {}
