package io.sluice.topology.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.state.flow.FlowFact;
import io.sluice.state.flow.FlowFact.FlowIdsUsed;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * given / when / expect for the flow decider: {@code given} brings a state about, {@code when} decides one command and
 * applies its facts, {@code expect...} checks the decision. Every decision is taken twice and must be the same both
 * times.
 *
 * <p>Used by one thread.
 */
final class FlowScenario {
    static final String CATALOG = "greptime";

    private final FlowDecider decider = new FlowDecider();
    private final FlowMaps flows = new FlowMaps();
    private Map<String, Object> before;
    private Decision decision;

    /** Commands that must be accepted. */
    FlowScenario given(FlowCommands... commands) {
        for (FlowCommands command : commands) {
            when(command);
            assertThat(decision.code()).as(decision.message()).isEqualTo(OutcomeCode.OK);
        }
        return this;
    }

    /** A flow that came by import. */
    FlowScenario givenImported(FlowRecord flow) {
        flows.apply(new FlowRecorded(flow));
        flows.apply(new FlowIdsUsed(flow.catalog(), Math.max(flows.nextFlowId(flow.catalog()), flow.flowId() + 1)));
        return this;
    }

    /** A store that lost the record of a flow and kept its name. */
    FlowScenario givenLostRecord(long flowId) {
        flows.loseRecord(CATALOG, flowId);
        return this;
    }

    /** A store whose name row stands for another flow. */
    FlowScenario givenNameOf(String flowName, long flowId) {
        flows.pointName(CATALOG, flowName, flowId);
        return this;
    }

    FlowScenario when(FlowCommands commands) {
        return when(commands.build());
    }

    FlowScenario when(FlowCommand command) {
        before = flows.contents();
        decision = decider.decide(flows, command);
        assertThat(decider.decide(flows, command)).as("decided again").isEqualTo(decision);
        decision.facts().forEach(flows::apply);
        return this;
    }

    /** OK, and something changed. */
    FlowScenario expectOk(long flowId, long revision) {
        expectAnswer(OutcomeCode.OK, flowId, revision);
        assertThat(decision.applied()).isTrue();
        assertThat(decision.facts()).isNotEmpty();
        assertThat(decision.message()).isEmpty();
        return this;
    }

    /** OK, and nothing changed. */
    FlowScenario expectUnchanged(Long flowId, Long revision) {
        expectAnswer(OutcomeCode.OK, flowId, revision);
        assertThat(decision.message()).isEmpty();
        return expectNoEffect();
    }

    FlowScenario expectUnchanged(long flowId, long revision) {
        return expectUnchanged((Long) flowId, (Long) revision);
    }

    /** Refused with a flow the name resolves to; the message has all these parts. */
    FlowScenario expectRefused(OutcomeCode code, long flowId, long revision, String... messageParts) {
        return expectRefusal(code, flowId, revision, messageParts);
    }

    /** Refused, and no flow is known by the name. */
    FlowScenario expectRefused(OutcomeCode code, String... messageParts) {
        return expectRefusal(code, null, null, messageParts);
    }

    /** Refused because the name row has no record. */
    FlowScenario expectRecordGone(long flowId) {
        return expectRefusal(OutcomeCode.FLOW_NOT_FOUND, flowId, null, Long.toString(flowId), "sluice rebuild");
    }

    private FlowScenario expectRefusal(OutcomeCode code, Long flowId, Long revision, String... messageParts) {
        expectAnswer(code, flowId, revision);
        assertThat(decision.message()).contains(messageParts);
        assertThat(decision.message().length()).as("length of message").isBetween(1, 1500);
        return expectNoEffect();
    }

    FlowScenario expectInvalid(String... messageParts) {
        return expectRefused(OutcomeCode.INVALID_ARGUMENT, messageParts);
    }

    FlowScenario expectUnsupported(String... messageParts) {
        return expectRefused(OutcomeCode.UNSUPPORTED, messageParts);
    }

    FlowScenario expectRows(long flowId, int count) {
        assertThat(flows.rows(CATALOG, flowId)).hasSize(count);
        return this;
    }

    FlowScenario expectRoutes(long flowId, String routes) {
        String actual = flow(flowId).routes().entrySet().stream()
                .map(e -> e.getKey() + ":" + Long.toUnsignedString(e.getValue().id()))
                .collect(Collectors.joining(","));
        assertThat(actual).isEqualTo(routes);
        return this;
    }

    /** The facts of the last decision, nothing left out. */
    FlowScenario expectFacts(FlowFact... facts) {
        assertThat(decision.facts()).containsExactly(facts);
        return this;
    }

    private void expectAnswer(OutcomeCode code, Long flowId, Long revision) {
        assertThat(decision.code()).as(decision.message()).isEqualTo(code);
        assertThat(decision.flowId()).as("flow id").isEqualTo(flowId);
        assertThat(decision.revision()).as("revision").isEqualTo(revision);
    }

    private FlowScenario expectNoEffect() {
        assertThat(decision.facts()).isEmpty();
        assertThat(decision.applied()).isFalse();
        assertThat(flows.contents()).isEqualTo(before);
        return this;
    }

    /** The flow by its name, through the name row; null when there is none. */
    FlowRecord flow(String flowName) {
        return flow(CATALOG, flowName);
    }

    FlowRecord flow(String catalog, String flowName) {
        Long flowId = flows.flowIdOf(catalog, flowName);
        return flowId == null ? null : flows.flow(catalog, flowId);
    }

    FlowRecord flow(long flowId) {
        return flows.flow(CATALOG, flowId);
    }

    long nextFlowId() {
        return flows.nextFlowId(CATALOG);
    }

    SortedSet<String> rows(long flowId) {
        return flows.rows(CATALOG, flowId);
    }

    SortedSet<String> flownode(long flownodeId) {
        return flows.flownode(CATALOG, flownodeId);
    }

    SortedSet<Long> flownodesOfTable(long tableId) {
        return flows.flownodesOfTable(CATALOG, tableId);
    }
}
