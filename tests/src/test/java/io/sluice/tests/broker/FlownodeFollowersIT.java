package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.TableName;
import io.sluice.state.flow.FlownodeIndex;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.FollowingFlownode;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.Parallel;
import io.sluice.tests.harness.TestSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Flownodes that follow their routes end with exactly what the flownode index says, whoever was restarted in between. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FlownodeFollowersIT {
    private static final int FLOWNODES = 20;
    private static final int FLOWS = TestSize.of(400, 3_000);
    private static final int IN_FLIGHT = 500;
    private static final int THREADS = 10;
    private static final List<String> CATALOGS = List.of("greptime", "plant", "retail", "edge");
    private static final long SEED = 20_261_201;

    @TempDir
    Path data;

    private final Random random = new Random(SEED);
    private final List<FollowingFlownode> flownodes = new ArrayList<>();
    // Flows that exist, or did: a replace or drop of one that is gone is refused, which must leave no trace either.
    private final List<String> names = new ArrayList<>();
    private LocalSluice sluice;
    private int sent;
    private int applied;

    @BeforeEach
    void start() {
        sluice = LocalSluice.on(data).start();
        for (long id = 1; id <= FLOWNODES; id++) {
            flownodes.add(new FollowingFlownode(id));
        }
    }

    @AfterEach
    void stop() {
        stopFollowers();
        sluice.close();
    }

    @Test
    void everyFlownodeEndsWithExactlyWhatTheIndexSays() {
        startFollowers();
        change(FLOWS, 1.0);
        change(2 * FLOWS, 0.2);
        assertAllAgree("live");

        stopFollowers();
        change(FLOWS / 2, 0.3);
        startFollowers();
        assertAllAgree("after a restart of the followers");

        sluice.stopInstance().wipeState().startInstance();
        change(FLOWS / 2, 0.3);
        assertAllAgree("after a restart of the service");

        stopFollowers();
        sluice.stopInstance().startInstance();
        change(FLOWS / 2, 0.1);
        startFollowers();
        assertAllAgree("after a restart of both");

        assertThat(flownodes)
                .allSatisfy(flownode -> assertThat(flownode.objections()).isEmpty());
        assertNewFollowersAreToldOnlyWhatIsHeld();
        System.out.printf(
                "followers: %d flownodes, %d commands, %d of them changed something, %d partitions are held at the end%n",
                FLOWNODES,
                sent,
                applied,
                flownodes.stream().mapToInt(one -> one.runs().size()).sum());
        assertThat(applied).as("too little happened to prove anything").isGreaterThan(2 * FLOWS);
    }

    private void startFollowers() {
        String brokers = sluice.bootstrapServers();
        forEach(flownode -> flownode.start(brokers));
    }

    private void stopFollowers() {
        forEach(FollowingFlownode::stop);
    }

    /** Several at a time: opening and closing clients is mostly waiting. */
    private void forEach(Consumer<FollowingFlownode> work) {
        Parallel.run(THREADS, thread -> {
            for (int i = thread; i < flownodes.size(); i += THREADS) {
                work.accept(flownodes.get(i));
            }
            return null;
        });
    }

    /** Sends so many commands at random, of which that share creates new flows. */
    private void change(int count, double creates) {
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        try (SluiceClient client = sluice.connect()) {
            for (int i = 0; i < count; i++) {
                if (outcomes.size() % IN_FLIGHT == IN_FLIGHT - 1) {
                    LocalSluice.within(outcomes.get(outcomes.size() - 1));
                }
                outcomes.add(client.send(next(creates)));
            }
            for (CompletableFuture<Outcome> outcome : outcomes) {
                applied += LocalSluice.within(outcome).applied() ? 1 : 0;
            }
        }
    }

    private FlowCommand next(double creates) {
        String commandId = "c" + sent++;
        if (names.isEmpty() || random.nextDouble() < creates) {
            String name = "f" + sent;
            names.add(name);
            return Flows.create(catalogOf(name), commandId, name, definition());
        }
        String name = names.get(random.nextInt(names.size()));
        if (random.nextInt(3) == 0) {
            // Some are created again under their name: a new id, and revision 1 once more.
            return random.nextBoolean()
                    ? Flows.drop(catalogOf(name), commandId, name)
                    : Flows.create(catalogOf(name), commandId, name, definition());
        }
        return Flows.replace(catalogOf(name), commandId, name, definition());
    }

    private static String catalogOf(String name) {
        return CATALOGS.get(Math.floorMod(name.hashCode(), CATALOGS.size()));
    }

    private FlowDefinition definition() {
        List<RouteSpec> routes = new ArrayList<>();
        int partitions = 1 + random.nextInt(3);
        for (int partition = 0; partition < partitions; partition++) {
            long flownodeId = 1 + random.nextInt(FLOWNODES);
            routes.add(new RouteSpec(partition, new Peer(flownodeId, Flows.address(flownodeId))));
        }
        return new FlowDefinition(
                new TableName("greptime", "public", "out"),
                List.of(1024L),
                List.of(new TableName("greptime", "public", "req")),
                List.of(),
                routes,
                null,
                null,
                "SELECT " + random.nextInt(1_000),
                null,
                null,
                null,
                new TreeMap<>());
    }

    private void assertAllAgree(String when) {
        for (FollowingFlownode flownode : flownodes) {
            await(when)
                    .atMost(LocalSluice.WITHIN)
                    .untilAsserted(() -> assertThat(flownode.runs())
                            .as("what flownode %d runs %s", flownode.flownodeId(), when)
                            .isEqualTo(inIndex(flownode.flownodeId())));
            assertThat(flownode.held()).isEqualTo(flownode.runs());
        }
    }

    /** What the flownode index says, with the version that the flow's record has. */
    private Map<String, String> inIndex(long flownodeId) {
        Map<String, String> index = new TreeMap<>();
        for (FlownodeIndex.Key key :
                sluice.everywhere(partition -> sluice.queries().flowsOfFlownode(partition, flownodeId))) {
            FlowRecord flow = sluice.queries().flow(key.catalog(), key.flowId()).value();
            index.put(
                    key.catalog() + "/" + key.flowId() + "/" + key.partitionId(),
                    flow.revision() + " " + flow.commandId());
        }
        return index;
    }

    private void assertNewFollowersAreToldOnlyWhatIsHeld() {
        String brokers = sluice.bootstrapServers();
        forEach(known -> {
            try (FollowingFlownode fresh = new FollowingFlownode(known.flownodeId()).start(brokers)) {
                assertThat(fresh.runs()).isEqualTo(known.runs());
                assertThat(fresh.takeEvents())
                        .hasSameSizeAs(known.runs().keySet())
                        .allMatch(event -> event.startsWith("assigned "));
            }
        });
        assertThat(new TreeSet<>(
                        flownodes.stream().map(one -> one.runs().size()).toList()))
                .as("some flownode holds something")
                .isNotEqualTo(new TreeSet<>(List.of(0)));
    }
}
