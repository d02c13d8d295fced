package io.sluice.topology.flow;

import io.sluice.schemas.flow.DurationSpec;
import io.sluice.schemas.flow.FlowRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a record has that no create or replace would have accepted (docs/behaviour.md 2.2, 2.3): an import keeps it, and whoever
 * imports wants to know. Stateless.
 */
public final class UncommonValues {
    private UncommonValues() {}

    /** One message for each, which names the field, its value and what a command may say; the name of the flow is not looked at. */
    public static List<String> of(FlowRecord flow) {
        List<String> found = new ArrayList<>();
        note(found, () -> FlowDefinitionChecks.requireDistinctU32("source_table_ids", flow.sourceTableIds()));
        note(found, () -> FlowDefinitionChecks.seconds("expire_after", seconds(flow.expireAfterSecs())));
        note(found, () -> FlowDefinitionChecks.evalIntervalSecs(seconds(flow.evalIntervalSecs())));
        flow.options().forEach((key, value) -> note(found, () -> FlowDefinitionChecks.requireOption(key, value)));
        if (flow.isActive() && flow.routes().isEmpty()) {
            found.add(
                    "flownode_ids names no partition of an active flow: it runs nowhere, and cannot be dropped before it is"
                            + " replaced");
        }
        if (flow.isActive() && !flow.unresolvedSourceTableNames().isEmpty()) {
            found.add("unresolved_source_table_names is not empty although the flow is active");
        }
        if (Stream.of(flow.allSourceTableNames(), flow.unresolvedSourceTableNames())
                .anyMatch(names -> names.contains(flow.sinkTableName()))) {
            found.add("sink_table_name " + flow.sinkTableName() + " is also a source of the flow");
        }
        return found;
    }

    private static DurationSpec seconds(Long seconds) {
        return seconds == null ? null : DurationSpec.ofSeconds(seconds);
    }

    private static void note(List<String> found, Runnable check) {
        try {
            check.run();
        } catch (InvalidFieldException e) {
            found.add(e.getMessage());
        }
    }
}
