package io.sluice.topology.flow;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.schemas.flow.FlowNames;
import io.sluice.schemas.flow.ImportFlow;
import io.sluice.state.common.RowStore;
import io.sluice.state.flow.FlowState;
import io.sluice.state.flow.FlowView;
import io.sluice.topology.common.CommandReader.Refused;
import io.sluice.topology.common.CommandRules;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.DecisionTooLargeException;
import io.sluice.topology.common.RoutedKey;
import io.sluice.topology.common.TopicRecord;
import java.util.List;

/** What is particular to flow commands. One instance per task, used by its stream thread only. */
final class FlowRules implements CommandRules<FlowCommand> {
    private final FlowDecider decider = new FlowDecider();
    private final FlowCommandCodec codec;
    private final FlowState state;
    private final DecisionLimits limits;
    private final int flownodePartitionCount;

    /** @param flownodePartitionCount of the routes topic */
    FlowRules(SingleObject singleObject, DecisionLimits limits, int flownodePartitionCount) {
        this.codec = new FlowCommandCodec(singleObject);
        this.state = new FlowState(singleObject);
        this.limits = limits;
        this.flownodePartitionCount = flownodePartitionCount;
    }

    @Override
    public CommandFamily family() {
        return CommandFamily.FLOW;
    }

    @Override
    public FlowCommand decode(byte[] value) {
        return codec.decode(value);
    }

    @Override
    public Effects decide(FlowCommand command, RowStore rows, Position position, long commandOffset)
            throws DecisionTooLargeException {
        FlowView view = state.view(rows);
        Decision decision = decider.decide(view, command);
        DecisionEffects effects = DecisionEffects.of(decision.facts(), state, view, rows, limits);
        return new Effects(
                Settlement.of(command, decision.toOutcome(command, nameIn(command, view), position)),
                effects.rows(),
                records(effects.routes()));
    }

    @Override
    public Outcome tooLarge(FlowCommand command, String why, RowStore rows, Position position) {
        FlowView view = state.view(rows);
        Decision refused = command.flowName() == null
                ? Decision.refused(OutcomeCode.TOO_LARGE, why, null, null)
                : target(command, view).refused(OutcomeCode.TOO_LARGE, why);
        return refused.toOutcome(command, nameIn(command, view), position);
    }

    @Override
    public Outcome damaged(FlowCommand command, String why, Position position) {
        return Decision.refused(OutcomeCode.UNSUPPORTED, why, null, null)
                .toOutcome(command, command.flowName(), position);
    }

    @Override
    public Outcome undecided(Refused<FlowCommand> refused, String catalog, Position position) {
        return new Outcome(
                refused.commandId(),
                refused.code(),
                refused.reason(),
                catalog,
                null,
                null,
                null,
                false,
                position,
                CommandEnvelope.KAFKA);
    }

    /** What the name stands for: only one in quotes can stand for another. */
    private static String nameIn(FlowCommand command, FlowView view) {
        String given = command.flowName();
        return given == null || FlowNames.unquoted(given).equals(given)
                ? given
                : target(command, view).flowName();
    }

    /** An import brings names that are stored already, quotes and all. */
    private static FlowTarget target(FlowCommand command, FlowView view) {
        return command instanceof ImportFlow
                ? FlowTarget.exact(view, command.catalog(), command.flowName())
                : FlowTarget.find(view, command.catalog(), command.flowName());
    }

    private List<TopicRecord> records(List<RouteChange> routes) {
        return routes.stream()
                .map(route -> new TopicRecord(
                        FlowTopology.ROUTES_SINK,
                        new RoutedKey(
                                route.key().encode(),
                                Partitions.of(route.key().partitionKey(), flownodePartitionCount)),
                        route.value()))
                .toList();
    }
}
