package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.service.runtime.EmbeddedInstallation;
import io.sluice.state.common.RowDigest;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.TestSize;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An embedded installation keeps everything when it is started again: on other ports, and without its local stores. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RestartWithDataIT {
    private static final List<String> CATALOGS = List.of("greptime", "plant", "retail");

    @TempDir
    Path data;

    /** What readers see of an installation. */
    private record Seen(Map<FlowKeyFamily, RowDigest> digests, List<FlowRecord> flows, List<Outcome> outcomes) {}

    @Test
    void aRestartOnOtherPortsAndOneWithoutLocalStoresShowTheSameFlowsAndOutcomes() throws IOException {
        List<FlowCommand> commands = commands(TestSize.of(40, 1_000));
        Seen before;
        int otherPort;
        String firstAddress;
        try (EmbeddedInstallation first = start(0)) {
            firstAddress = first.broker().bootstrapServers();
            otherPort = freePort();
            settle(first, commands);
            before = see(first, commands);
            assertThat(before.digests().get(FlowKeyFamily.INFO).rows()).isPositive();
        }

        try (EmbeddedInstallation second = start(otherPort)) {
            assertThat(second.broker().bootstrapServers()).isNotEqualTo(firstAddress);
            assertThat(see(second, commands)).as("with its stores").isEqualTo(before);
            assertNextIdGoesOn(second, "with-stores", before);
            before = see(second, commands);
        }

        LocalSluice.deleteTree(EmbeddedInstallation.stateDirectory(data));
        try (EmbeddedInstallation third = start(0)) {
            assertThat(see(third, commands)).as("restored from the topics").isEqualTo(before);
            assertNextIdGoesOn(third, "restored", before);
        }
    }

    private EmbeddedInstallation start(int kafkaPort) {
        return EmbeddedInstallation.start(data, kafkaPort, "127.0.0.1:0", settings -> settings);
    }

    private static List<FlowCommand> commands(int flowsPerCatalog) {
        List<FlowCommand> commands = new ArrayList<>();
        for (String catalog : CATALOGS) {
            for (int flow = 0; flow < flowsPerCatalog; flow++) {
                String name = "flow_" + flow;
                commands.add(Flows.create(
                        catalog,
                        "create-" + flow,
                        name,
                        Flows.definition("S1", 2, flow, Flows.tables(1024 + flow, 3))));
                if (flow % 3 == 0) {
                    commands.add(Flows.replace(
                            catalog,
                            "replace-" + flow,
                            name,
                            Flows.definition("S2", 3, flow + 1, Flows.tables(1025, 2))));
                }
                if (flow % 4 == 0) {
                    commands.add(Flows.drop(catalog, "drop-" + flow, name));
                }
                if (flow % 5 == 0) {
                    commands.add(Flows.comment(catalog, "comment-" + flow, name, "kept"));
                }
            }
        }
        return commands;
    }

    private static void settle(EmbeddedInstallation installation, List<FlowCommand> commands) {
        commands.stream()
                .map(command -> installation.instance().service().settle(command, LocalSluice.WITHIN))
                .toList()
                .forEach(LocalSluice::within);
    }

    private static Seen see(EmbeddedInstallation installation, List<FlowCommand> commands) {
        var queries = installation.instance().service().queries().flows();
        return new Seen(
                queries.digests().value(),
                CATALOGS.stream()
                        .flatMap(catalog -> queries.list(catalog, "", null, 0).value().flows().stream())
                        .toList(),
                commands.stream()
                        .map(command -> queries.outcome(
                                        command.catalog(), command.envelope().commandId())
                                .value())
                        .toList());
    }

    private static void assertNextIdGoesOn(EmbeddedInstallation installation, String name, Seen seen) {
        long highest = seen.flows().stream()
                .filter(flow -> flow.catalog().equals("plant"))
                .mapToLong(FlowRecord::flowId)
                .max()
                .orElseThrow();
        Outcome outcome = LocalSluice.within(installation
                .instance()
                .service()
                .settle(Flows.create("plant", "next-" + name, name, Flows.definition("S1")), LocalSluice.WITHIN));
        assertThat(outcome.isOk()).as("%s", outcome).isTrue();
        assertThat(outcome.flowId()).isEqualTo(highest + 1);
        assertThat(installation
                        .instance()
                        .service()
                        .queries()
                        .flows()
                        .flow("plant", name)
                        .value())
                .isNotNull();
    }

    /** A port that nobody uses now, the running broker included. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
