package io.sluice.service.demo;

import io.sluice.client.FlownodeRoutes;
import io.sluice.client.RouteEvent;
import io.sluice.client.RouteEvent.Assigned;
import io.sluice.client.RouteEvent.CaughtUp;
import io.sluice.client.RouteEvent.Revoked;
import io.sluice.client.RouteEvent.Updated;
import io.sluice.client.RouteSettings;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.service.client.TextTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.common.KafkaException;

/**
 * Purpose: the step of the demo that shows the routes as flownodes see them, each following its own, and compares them with the
 * commands. A new follower is told what it holds now, and nothing of what came and went.
 *
 * <p>Threading: one thread; events come on the followers'.
 */
final class RoutesStep {
    private static final Duration WITHIN = Duration.ofSeconds(30);

    private RoutesStep() {}

    static void run(DemoReport report, ExpectedFlows expected, String bootstrapServers) {
        TextTable table = new TextTable("FLOWNODE", "ADDRESS", "IS TOLD TO RUN (CATALOG.FLOW/PARTITION)");
        int partitions = 0;
        for (long flownodeId : expected.flownodesEver()) {
            List<String> told = Collections.synchronizedList(new ArrayList<>());
            try (FlownodeRoutes routes =
                    FlownodeRoutes.open(RouteSettings.of(flownodeId, bootstrapServers), event -> keep(event, told))) {
                routes.awaitCaughtUp(WITHIN);
                report.check(
                        "what flownode " + flownodeId + " is told",
                        expected.toldTo(flownodeId),
                        told.stream().sorted().toList());
                List<FlownodeRoute> held = List.copyOf(routes.routes().values());
                report.check(
                        "the addresses in the routes of flownode " + flownodeId,
                        expected.addressesOf(flownodeId),
                        held.stream().map(route -> route.peer().addr()).toList());
                partitions += held.size();
                table.row(
                        flownodeId,
                        held.stream()
                                .map(route -> route.peer().addr())
                                .filter(addr -> !addr.isEmpty())
                                .findFirst()
                                .orElse("-"),
                        held.isEmpty()
                                ? "nothing any more"
                                : String.join(
                                        " ",
                                        held.stream().map(RoutesStep::shown).toList()));
            } catch (KafkaException | IllegalStateException e) {
                throw new DemoException("flownode " + flownodeId + " cannot follow its routes: " + e.getMessage(), e);
            }
        }
        report.table(table);
        report.line(
                partitions + " partitions run now; whoever begins to follow is told these, and nothing of what came and"
                        + " went");
    }

    private static void keep(RouteEvent event, List<String> told) {
        if (event instanceof Assigned assigned) {
            told.add("assigned " + shown(assigned.route()) + " revision "
                    + assigned.route().flow().revision());
        } else if (event instanceof Updated || event instanceof Revoked) {
            told.add(event.toString());
        } else if (!(event instanceof CaughtUp) && !(event instanceof RouteEvent.AddressChanged)) {
            told.add("not expected: " + event);
        }
    }

    private static String shown(FlownodeRoute route) {
        return route.flow().catalog() + "." + route.flow().flowName() + "/" + route.partitionId();
    }
}
