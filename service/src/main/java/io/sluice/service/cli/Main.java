package io.sluice.service.cli;

import io.sluice.service.bench.BenchCommand;
import io.sluice.service.client.ServiceException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Purpose: the program {@code sluice}: all commands, and how each of them ends.
 *
 * <p>Threading: one thread.
 *
 * <p>Invariants: whatever happens, the exit code is one of {@link ExitCodes}, and what went wrong is said on standard error.
 * Output is UTF-8 everywhere, since JSON is.
 */
@Command(
        name = "sluice",
        description = "Keeps the metadata of a distributed time-series database, event-sourced on Kafka.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 3 service or broker not reachable.",
            "-- ends the options, for names that begin with -."
        },
        subcommands = {
            DemoCommand.class,
            DevCommand.class,
            ServeCommand.class,
            FlowGroup.class,
            TableGroup.class,
            FlownodeGroup.class,
            RegionGroup.class,
            OutcomeCommand.class,
            KeysCommand.class,
            TopicsGroup.class,
            VerifyCommand.class,
            RebuildCommand.class,
            ExportGroup.class,
            ImportGroup.class,
            BenchCommand.class
        })
public final class Main {
    private static final int HELP_WIDTH = 110;

    private Main() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] args) {
        PrintWriter out = writer(FileDescriptor.out);
        PrintWriter err = writer(FileDescriptor.err);
        int exitCode = commandLine(out, err).execute(args);
        out.flush();
        err.flush();
        System.exit(exitCode);
    }

    /** The command line, to be executed in this process. */
    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        CommandLine commandLine = new CommandLine(new Main());
        commandLine.setOut(out);
        commandLine.setErr(err);
        // A comment may begin with @ and still be a comment.
        commandLine.setExpandAtFiles(false);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpWidth(HELP_WIDTH);
        commandLine.setParameterExceptionHandler(Main::onWrongUsage);
        commandLine.setExecutionExceptionHandler(Main::onFailure);
        addStandardOptions(commandLine.getCommandSpec());
        return commandLine;
    }

    private static void addStandardOptions(CommandSpec spec) {
        if (!spec.mixinStandardHelpOptions()) {
            spec.mixinStandardHelpOptions(true);
        }
        spec.versionProvider(Main::version);
        spec.usageMessage().sortOptions(false);
        spec.subcommands().values().forEach(subcommand -> addStandardOptions(subcommand.getCommandSpec()));
    }

    private static String[] version() {
        return new String[] {nameAndVersion()};
    }

    /** What this program is. */
    static String nameAndVersion() {
        String version = Main.class.getPackage().getImplementationVersion();
        return "sluice " + (version == null ? "(not packaged)" : version);
    }

    private static int onWrongUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(e.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return ExitCodes.USAGE;
    }

    private static int onFailure(Exception e, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        int exitCode = ExitCodes.FAILED;
        if (e instanceof CommandFailure failure) {
            err.println(failure.getMessage());
            exitCode = failure.exitCode();
        } else if (e instanceof ServiceException unreachable) {
            err.println(unreachable.getMessage());
            exitCode = ExitCodes.UNREACHABLE;
        } else {
            err.println("'" + command.getCommandSpec().qualifiedName()
                    + "' failed in a way that Sluice does not know; please report this:");
            e.printStackTrace(err);
        }
        err.flush();
        return exitCode;
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
