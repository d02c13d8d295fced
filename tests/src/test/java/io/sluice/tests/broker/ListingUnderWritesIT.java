package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FlowQueries;
import io.sluice.service.query.FlowQueries.Page;
import io.sluice.state.flow.FlowTextKeys.Layout;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.TestSize;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A long listing is of one state, however many commits pass meanwhile, and is answered all the same. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ListingUnderWritesIT {
    private static final String CATALOG = "greptime";
    private static final int FLOWS = TestSize.of(800, 5_000);
    private static final int LISTINGS = TestSize.of(60, 300);

    @TempDir
    private Path data;

    @Test
    void listingsOfAWholeCatalogAreAnsweredFromOneStateWhileItsFlowsComeAndGo() throws Exception {
        try (LocalSluice sluice = LocalSluice.on(data).start()) {
            sluice.settle(IntStream.range(0, FLOWS)
                    .mapToObj(i -> Flows.create(CATALOG, "c-" + i, "f_" + i, Flows.definition("S1")))
                    .toList());
            AtomicBoolean done = new AtomicBoolean();
            AtomicInteger written = new AtomicInteger();
            Thread writer = new Thread(() -> {
                for (int i = 0; !done.get(); i++) {
                    // The last flow leaves as the first one comes back: at each moment one of both is there, never
                    // none.
                    settle(sluice, Flows.create(CATALOG, "a-" + i, "a_moving", Flows.definition("S1")));
                    settle(sluice, Flows.drop(CATALOG, "b-" + i, "z_moving"));
                    settle(sluice, Flows.create(CATALOG, "d-" + i, "z_moving", Flows.definition("S1")));
                    settle(sluice, Flows.drop(CATALOG, "e-" + i, "a_moving"));
                    written.addAndGet(4);
                }
            });
            settle(sluice, Flows.create(CATALOG, "z", "z_moving", Flows.definition("S1")));
            writer.start();
            try {
                for (int i = 0; i < LISTINGS; i++) {
                    requireOneState(sluice.queries());
                }
            } finally {
                done.set(true);
                writer.join();
            }
            assertThat(written.get())
                    .as("writes meanwhile; else this proves nothing")
                    .isGreaterThan(20);
        }
    }

    private static void requireOneState(FlowQueries queries) {
        Answer<Page> listing = queries.list(CATALOG, "", null, 0);
        Set<String> names =
                listing.value().flows().stream().map(flow -> flow.flowName()).collect(Collectors.toSet());
        assertThat(names).hasSizeGreaterThan(FLOWS).containsAnyOf("a_moving", "z_moving");

        List<String> keys = queries.keys(CATALOG, Layout.FLOW).value();
        Set<String> infos = idsOf(keys, "__flow/info/", 2);
        assertThat(idsOf(keys, "__flow/route/", 2)).as("flows with routes").isEqualTo(infos);
        assertThat(idsOf(keys, "__flow/flownode/", 3)).as("flows on flownodes").isEqualTo(infos);
        assertThat(keys.stream().filter(key -> key.startsWith("__flow/name/"))).hasSameSizeAs(infos);
    }

    private static Set<String> idsOf(List<String> keys, String prefix, int part) {
        return keys.stream()
                .filter(key -> key.startsWith(prefix))
                .map(key -> key.split("/")[part])
                .collect(Collectors.toSet());
    }

    private static void settle(LocalSluice sluice, FlowCommand command) {
        Outcome outcome = sluice.settle(command);
        assertThat(outcome.isOk()).as("%s", outcome).isTrue();
    }
}
