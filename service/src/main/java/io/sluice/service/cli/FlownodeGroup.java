package io.sluice.service.cli;

import picocli.CommandLine.Command;

/** Purpose: {@code sluice flownode}: what concerns one flownode. */
@Command(
        name = "flownode",
        description = "Looks up what a flownode runs, follows it, and speaks for a flownode.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            FlownodeFlowsCommand.class,
            FlownodeWatchCommand.class,
            FlownodeAddressCommand.class,
            FlownodeRegisterCommand.class,
            FlownodeReportCommand.class
        })
final class FlownodeGroup {}
