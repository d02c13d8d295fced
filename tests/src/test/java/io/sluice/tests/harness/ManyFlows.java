package io.sluice.tests.harness;

import io.sluice.schemas.flow.FlowCommand;
import java.util.List;
import java.util.stream.IntStream;

/** Many flows of 12 rows each, in several catalogs. Stateless. */
public final class ManyFlows {
    /** A client takes only so many commands that nobody has answered yet. */
    private static final int AT_ONCE = 2_000;

    private static final int CATALOGS = 8;

    private ManyFlows() {}

    /** Creates them and waits until all of them can be read. */
    public static void create(LocalSluice sluice, int flows) {
        for (int from = 0; from < flows; from += AT_ONCE) {
            List<FlowCommand> some = IntStream.range(from, Math.min(flows, from + AT_ONCE))
                    .mapToObj(ManyFlows::create)
                    .toList();
            sluice.settle(some).forEach(outcome -> {
                if (!outcome.isOk()) {
                    throw new AssertionError(outcome.toString());
                }
            });
        }
    }

    private static FlowCommand create(int flow) {
        return Flows.create(
                "tenant-" + flow % CATALOGS,
                "create-" + flow,
                "flow_" + flow,
                Flows.definition("S" + flow, 2, flow % 16, Flows.tables(2048 + flow % 500, 3)));
    }
}
