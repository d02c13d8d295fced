package io.sluice.service.greptime;

import io.sluice.service.common.Finding.Code;
import io.sluice.state.flow.FlowTextKey;
import io.sluice.state.flow.FlowTextKeys;
import io.sluice.state.flow.FlowTextKeys.Layout;

/** What a key of a file is about. Immutable. */
sealed interface SnapshotKey {
    /** What the keys of flownodes' addresses begin with; those of other roles are not about flows. */
    String ADDRESS_PREFIX = "__node_address/2/";

    /** The key of {@link Sequence}. */
    String SEQUENCE = "__meta_seq-flow_id";

    /** A row of a flow. */
    record OfFlow(Generation generation, FlowTextKey key) implements SnapshotKey {}

    /** What flownodes report. */
    record State() implements SnapshotKey {}

    /** The address of a flownode. */
    record Address(long flownodeId) implements SnapshotKey {}

    /** Which flow ids are used up. */
    record Sequence() implements SnapshotKey {}

    /** About something else than flows. */
    record NotOurs() implements SnapshotKey {}

    /** One that should be about flows, and cannot be read. */
    record Broken(Code code, String message) implements SnapshotKey {}

    /** A layout of the keys of flows (docs/formats.md 5.1). */
    enum Generation {
        /** {@code __flow/info/{id}}: only names say their catalog. */
        TODAY,
        /** {@code __flow_task/{catalog}/info/{id}}. */
        FLOW_TASK,
        /** {@code __flow/{catalog}/info/{id}}: of two days in April 2024. */
        BETWEEN;

        /** The text of a key in this layout. */
        String text(FlowTextKey key) {
            return switch (this) {
                case TODAY -> FlowTextKeys.encode(key, Layout.FLOW);
                case FLOW_TASK -> FlowTextKeys.encode(key, Layout.FLOW_TASK);
                case BETWEEN -> replaced(FlowTextKeys.encode(key, Layout.FLOW_TASK), Layout.FLOW_TASK, Layout.FLOW);
            };
        }

        /** @throws FlowTextKeys.TextKeyException if it is no key of this layout */
        FlowTextKey key(String text) {
            return switch (this) {
                case TODAY -> FlowTextKeys.decode(text, Layout.FLOW);
                case FLOW_TASK -> FlowTextKeys.decode(text, Layout.FLOW_TASK);
                case BETWEEN -> FlowTextKeys.decode(replaced(text, Layout.FLOW, Layout.FLOW_TASK), Layout.FLOW_TASK);
            };
        }

        private static String replaced(String text, Layout from, Layout to) {
            return to.prefix() + text.substring(from.prefix().length());
        }
    }
}
