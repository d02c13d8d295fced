package io.sluice.topology.flow;

import static io.sluice.schemas.common.Texts.shortened;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flow.FlowNames;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.state.flow.FlowView;

/**
 * What the name in a command stands for (docs/behaviour.md G14): the exact name if it exists, else, when it is wrapped
 * in one pair of backticks or double quotes, the name inside.
 *
 * <p>Immutable.
 *
 * @param flowName the name that was found; when none was, the one a new flow would get
 * @param flowId what the name row says, null when there is none
 * @param flow null when there is no such flow; null beside an id when the store is damaged: the name row has no record
 * of that name
 */
record FlowTarget(String catalog, String flowName, Long flowId, FlowRecord flow) {

    static FlowTarget find(FlowView view, String catalog, String givenName) {
        FlowTarget exact = exact(view, catalog, givenName);
        String inner = FlowNames.unquoted(givenName);
        return exact.isNew() && !inner.equals(givenName) ? exact(view, catalog, inner) : exact;
    }

    /** What the very name stands for: one that is stored may have quotes of its own. */
    static FlowTarget exact(FlowView view, String catalog, String flowName) {
        Long flowId = view.flowIdOf(catalog, flowName);
        FlowRecord flow = flowId == null ? null : view.flow(catalog, flowId);
        // A record of another name is not the one this name stands for: acting on it would hit somebody else's flow.
        boolean own = flow != null && flow.flowName().equals(flowName);
        return new FlowTarget(catalog, flowName, flowId, own ? flow : null);
    }

    /** Whether nothing has this name. */
    boolean isNew() {
        return flowId == null;
    }

    /** Whether the name is held by a row whose record is gone. */
    boolean isDamaged() {
        return flowId != null && flow == null;
    }

    Decision refused(OutcomeCode code, String message) {
        return Decision.refused(code, message, flowId, revision());
    }

    Decision unchanged() {
        return Decision.unchanged(flowId, revision());
    }

    private Long revision() {
        return flow == null ? null : flow.revision();
    }

    /** As messages name it. */
    @Override
    public String toString() {
        return shortened(catalog + "." + flowName);
    }
}
