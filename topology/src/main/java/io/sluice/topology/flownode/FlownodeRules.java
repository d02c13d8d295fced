package io.sluice.topology.flownode;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flownode.AddressKey;
import io.sluice.schemas.flownode.FlownodeCommand;
import io.sluice.schemas.flownode.FlownodeCommandCodec;
import io.sluice.schemas.flownode.FlownodeRecordCodec;
import io.sluice.schemas.flownode.FlownodeReport;
import io.sluice.state.common.RowBuffer;
import io.sluice.state.common.RowStore;
import io.sluice.state.flownode.FlownodeFact;
import io.sluice.state.flownode.FlownodeFact.AddressRegistered;
import io.sluice.state.flownode.FlownodeFact.StateReported;
import io.sluice.state.flownode.FlownodeState;
import io.sluice.topology.common.CommandReader.Refused;
import io.sluice.topology.common.CommandRules;
import io.sluice.topology.common.RoutedKey;
import io.sluice.topology.common.TopicRecord;
import java.util.List;

/**
 * What is particular to flownode commands. Addresses and reports go to topics of their own, in the partition of the commands; with
 * the addresses goes the cursor, since every instance follows them and has to know which decisions they reflect.
 *
 * <p>One instance per task, used by its stream thread only.
 */
final class FlownodeRules implements CommandRules<FlownodeCommand> {
    private final FlownodeDecider decider = new FlownodeDecider();
    private final FlownodeCommandCodec codec;
    private final FlownodeState state;
    private final int partition;

    FlownodeRules(SingleObject singleObject, int partition) {
        this.codec = new FlownodeCommandCodec(singleObject);
        this.state = new FlownodeState(singleObject);
        this.partition = partition;
    }

    @Override
    public CommandFamily family() {
        return CommandFamily.FLOWNODE;
    }

    @Override
    public FlownodeCommand decode(byte[] value) {
        return codec.decode(value);
    }

    @Override
    public Effects decide(FlownodeCommand command, RowStore rows, Position position, long commandOffset) {
        FlownodeDecision decision = decider.decide(state.view(rows), command);
        RowBuffer buffer = new RowBuffer(rows);
        decision.facts().forEach(fact -> state.apply(fact, buffer));
        return new Effects(
                Settlement.of(command, decision.toOutcome(command, position)),
                buffer,
                decision.facts().stream().map(this::record).toList());
    }

    /** Never: what is written is no larger than the command. */
    @Override
    public Outcome tooLarge(FlownodeCommand command, String why, RowStore rows, Position position) {
        return FlownodeDecision.refused(OutcomeCode.TOO_LARGE, why, null).toOutcome(command, position);
    }

    @Override
    public Outcome damaged(FlownodeCommand command, String why, Position position) {
        return FlownodeDecision.refused(OutcomeCode.UNSUPPORTED, why, null).toOutcome(command, position);
    }

    @Override
    public Outcome undecided(Refused<FlownodeCommand> refused, String partitionKey, Position position) {
        return Outcome.ofFlownode(
                refused.commandId(),
                refused.code(),
                refused.reason(),
                // Null when the key's text is no flownode id: then it is nobody's.
                partitionKey == null ? null : U64.parseOrNull(partitionKey),
                null,
                false,
                position,
                CommandEnvelope.KAFKA);
    }

    @Override
    public List<TopicRecord> progress(Cursor cursor) {
        return List.of(new TopicRecord(
                FlownodeTopology.ADDRESSES_SINK, new RoutedKey(AddressKey.cursor(), partition), cursor.encode()));
    }

    private TopicRecord record(FlownodeFact fact) {
        if (fact instanceof AddressRegistered registered) {
            return new TopicRecord(
                    FlownodeTopology.ADDRESSES_SINK,
                    new RoutedKey(AddressKey.of(registered.address().flownodeId()), partition),
                    FlownodeRecordCodec.encode(registered.address()));
        }
        FlownodeReport report = ((StateReported) fact).report();
        return new TopicRecord(
                FlownodeTopology.STATES_SINK,
                new RoutedKey(AddressKey.of(report.flownodeId()), partition),
                report.flows().isEmpty() ? null : FlownodeRecordCodec.encode(report));
    }
}
