package io.sluice.state.flow;

import io.sluice.schemas.common.Names;
import io.sluice.schemas.common.U32;
import java.util.Objects;

/**
 * A flow key as text, taken apart; {@link FlowTextKeys} reads and writes it. Immutable. Invariant: u32 parts are in
 * range.
 *
 * <p>In layout {@code FLOW} only the name key says its catalog: there the other keys have a null catalog when they were
 * decoded, and lose theirs when they are encoded.
 */
public sealed interface FlowTextKey {
    /** The key family whose rows have this key. */
    FlowKeyFamily family();

    /** The catalog, or null when the key does not say it. */
    String catalog();

    /** The key of a name row. */
    record Name(String catalog, String flowName) implements FlowTextKey {
        public Name {
            Objects.requireNonNull(catalog, "catalog");
            Objects.requireNonNull(flowName, "flowName");
        }

        @Override
        public FlowKeyFamily family() {
            return FlowKeyFamily.NAME;
        }

        /** Whether the flow name is outside the name pattern, as names of older releases may be. */
        public boolean isOdd() {
            return !Names.isName(flowName);
        }
    }

    /**
     * The key of an info row.
     *
     * @param flowId u32
     */
    record Info(String catalog, long flowId) implements FlowTextKey {
        public Info {
            requireU32("flow_id", flowId);
        }

        @Override
        public FlowKeyFamily family() {
            return FlowKeyFamily.INFO;
        }
    }

    /**
     * The key of a route row.
     *
     * @param flowId u32
     * @param partitionId u32
     */
    record Route(String catalog, long flowId, long partitionId) implements FlowTextKey {
        public Route {
            requireU32("flow_id", flowId);
            requireU32("partition_id", partitionId);
        }

        @Override
        public FlowKeyFamily family() {
            return FlowKeyFamily.ROUTE;
        }
    }

    /**
     * The key of a flownode row.
     *
     * @param flownodeId u64
     * @param flowId u32
     * @param partitionId u32
     */
    record Flownode(String catalog, long flownodeId, long flowId, long partitionId) implements FlowTextKey {
        public Flownode {
            requireU32("flow_id", flowId);
            requireU32("partition_id", partitionId);
        }

        @Override
        public FlowKeyFamily family() {
            return FlowKeyFamily.FLOWNODE;
        }
    }

    /**
     * The key of a source_table row.
     *
     * @param tableId u32
     * @param flownodeId u64
     * @param flowId u32
     * @param partitionId u32
     */
    record SourceTable(String catalog, long tableId, long flownodeId, long flowId, long partitionId)
            implements FlowTextKey {
        public SourceTable {
            requireU32("table_id", tableId);
            requireU32("flow_id", flowId);
            requireU32("partition_id", partitionId);
        }

        @Override
        public FlowKeyFamily family() {
            return FlowKeyFamily.SOURCE_TABLE;
        }
    }

    private static void requireU32(String part, long value) {
        if (!U32.fits(value)) {
            throw new IllegalArgumentException(part + " " + value + " is no unsigned 32-bit number");
        }
    }
}
