package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.client.FlownodeRoutes;
import io.sluice.client.RouteEvent;
import io.sluice.client.RouteEvent.AddressChanged;
import io.sluice.client.RouteEvent.CaughtUp;
import io.sluice.client.RouteEvent.Unreadable;
import io.sluice.client.RouteSettings;
import io.sluice.service.client.Json;
import io.sluice.service.client.TextTable;
import io.sluice.service.json.RouteEventJson;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Purpose: {@code sluice flownode watch}: what a flownode is told to run, as it reads it from Kafka.
 *
 * <p>Threading: events are printed on the follower's thread; the command's own waits.
 *
 * <p>Invariant: standard output gets what happens to partitions, one line each; everything else goes to standard error.
 */
@Command(
        name = "watch",
        description = {
            "Follows what a flownode has to run, in Kafka itself, and prints what is assigned, updated and revoked.",
            "First one line for each partition that it holds now, then every change as it happens (Ctrl-C ends it)."
        })
final class FlownodeWatchCommand implements Callable<Integer> {
    private static final long LOOK_EVERY_MS = 100;

    @Mixin
    private FlownodeParameter flownode;

    @Mixin
    private KafkaOptions kafka;

    @Option(names = "--once", description = "End when what there is now was printed (default: go on).")
    private boolean once;

    @Option(names = "--json", description = "Print JSON, each event on one line (default: text for people).")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        RouteSettings settings =
                RouteSettings.of(flownode.bits(), kafka.bootstrap()).withKafka(kafka.clientConfig());
        try (StopSignal stop = new StopSignal();
                FlownodeRoutes routes = open(settings)) {
            while (!routes.ended().isDone() && !(once && routes.caughtUp().isDone())) {
                if (stop.await(LOOK_EVERY_MS, TimeUnit.MILLISECONDS)) {
                    return ExitCodes.DONE;
                }
            }
            return routes.ended().isDone() ? failed(routes) : ExitCodes.DONE;
        }
    }

    private FlownodeRoutes open(RouteSettings settings) {
        try {
            return FlownodeRoutes.open(settings, this::print);
        } catch (IllegalStateException | AuthenticationException | AuthorizationException e) {
            throw new CommandFailure(ExitCodes.FAILED, e.getMessage(), e);
        } catch (ConfigException e) {
            throw new CommandFailure(ExitCodes.FAILED, e.getMessage() + ". Check --command-config.", e);
        } catch (KafkaException e) {
            throw new CommandFailure(
                    ExitCodes.UNREACHABLE,
                    "cannot reach Kafka at " + kafka.bootstrap() + ": " + reason(e) + ". Check --bootstrap, and whether"
                            + " the brokers run.",
                    e);
        }
    }

    /** Clients say "failed to construct" and the like themselves, and in the cause why. */
    private static String reason(KafkaException e) {
        return e.getCause() instanceof KafkaException cause ? cause.getMessage() : e.getMessage();
    }

    private int failed(FlownodeRoutes routes) {
        try {
            routes.ended().join();
            return ExitCodes.DONE;
        } catch (CompletionException e) {
            throw new CommandFailure(ExitCodes.FAILED, "cannot follow any more: " + e.getCause(), e);
        }
    }

    private void print(RouteEvent event) {
        Optional<? extends JsonNode> line = RouteEventJson.write(event);
        if (line.isPresent()) {
            spec.commandLine().getOut().println(json ? Json.line(line.get()) : text(line.get()));
            spec.commandLine().getOut().flush();
        } else if (event instanceof AddressChanged changed) {
            tell(flownode.shown() + (changed.addr() == null ? " has no address any more" : " is at " + changed.addr()));
        } else if (event instanceof Unreadable broken) {
            tell("cannot read " + broken.topic() + "-" + broken.partition() + " at offset " + broken.offset() + ", key "
                    + broken.key() + ": " + broken.reason() + ". What " + flownode.shown() + " holds stays as it is.");
        } else if (event instanceof CaughtUp caughtUp) {
            tell("caught up: " + flownode.shown() + " holds "
                    + caughtUp.checkpoint().held().size() + " partitions");
        }
    }

    private void tell(String line) {
        spec.commandLine().getErr().println(TextTable.oneLine(line));
        spec.commandLine().getErr().flush();
    }

    private static String text(JsonNode event) {
        return TextTable.oneLine(String.format(
                "%-8s  %s  id %s  partition %s  revision %s",
                event.path("event").asText(),
                OutcomeText.flow(
                        event.path("catalog").asText(), event.path("flow_name").asText()),
                event.path("flow_id").asText(),
                event.path("partition_id").asText(),
                event.path("revision").asText()));
    }
}
