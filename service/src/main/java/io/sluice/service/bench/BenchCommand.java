package io.sluice.service.bench;

import picocli.CommandLine.Command;

/** {@code sluice bench}: load on an embedded broker, or on a running Sluice. Prints figures; judges none. */
@Command(
        name = "bench",
        description = "Measures throughput and latency.",
        subcommands = {
            FlowsBenchCommand.class,
            ReadsBenchCommand.class,
            RoutesBenchCommand.class,
            RegionsBenchCommand.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class BenchCommand {}
