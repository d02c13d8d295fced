package io.sluice.topology.region;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.ManifestReport;
import io.sluice.schemas.region.ManifestReportCodec;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionCommandCodec;
import io.sluice.state.common.RowBuffer;
import io.sluice.state.common.RowStore;
import io.sluice.state.region.RegionStateStore;
import io.sluice.topology.common.CommandReader.Refused;
import io.sluice.topology.common.CommandRules;
import io.sluice.topology.common.DecisionLimits;
import java.util.List;

/**
 * What is particular to region commands, and to the reports of those who write manifests. One instance per task, used by its stream
 * thread only.
 */
final class RegionRules implements CommandRules<RegionCommand> {
    private final RegionDecider decider;
    private final RegionCommandCodec commands;
    private final ManifestReportCodec reports;
    private final RegionStateStore state;
    private final RegionRecords records;

    RegionRules(SingleObject singleObject, DecisionLimits limits, int partition) {
        this.decider = new RegionDecider(RegionLimits.of(limits.commandMaxBytes(), limits.keptDeltas()));
        this.commands = new RegionCommandCodec(singleObject);
        this.reports = new ManifestReportCodec(singleObject);
        this.state = new RegionStateStore(singleObject);
        this.records = new RegionRecords(partition);
    }

    @Override
    public CommandFamily family() {
        return CommandFamily.REGION;
    }

    @Override
    public RegionCommand decode(byte[] value) {
        return commands.decode(value);
    }

    @Override
    public Effects decide(RegionCommand command, RowStore rows, Position position, long commandOffset) {
        RegionDecision decision = decider.decide(state.view(rows), command, position.decision(), commandOffset);
        return effects(decision, rows, position);
    }

    @Override
    public Reported report(byte[] value, RowStore rows, Position position) {
        ManifestReport report = reports.decode(value);
        RegionDecision decision = decider.decide(state.view(rows), report, position.decision());
        if (decision.ignored() != null) {
            return new Reported.Ignored(decision.ignored(), records.ofIgnored(report, decision));
        }
        return new Reported.Decided(U64.text(report.regionId()), effects(decision, rows, position));
    }

    private Effects effects(RegionDecision decision, RowStore rows, Position position) {
        RowBuffer buffer = new RowBuffer(rows);
        decision.facts().forEach(fact -> state.apply(fact, buffer));
        List<Settlement> settled = decision.outcomes().stream()
                .map(outcome -> new Settlement(outcome.kind(), outcome.at(position)))
                .toList();
        return new Effects(settled, buffer, records.of(decision, buffer, position.decision()));
    }

    @Override
    public boolean isPending(CommandKey key, RowStore rows) {
        Long regionId = U64.parseOrNull(key.partitionKey());
        return regionId != null && RegionDecider.isPending(state.view(rows), regionId, key.commandId());
    }

    /** Never: what a decision writes is bounded where it is decided; only what takes away may be more. */
    @Override
    public Outcome tooLarge(RegionCommand command, String why, RowStore rows, Position position) {
        return refused(command, OutcomeCode.TOO_LARGE, why, position);
    }

    @Override
    public Outcome damaged(RegionCommand command, String why, Position position) {
        return refused(command, OutcomeCode.UNSUPPORTED, why, position);
    }

    private static Outcome refused(RegionCommand command, OutcomeCode code, String why, Position position) {
        return Outcome.ofRegion(
                command.envelope().commandId(),
                code,
                why,
                command.regionId(),
                null,
                false,
                position,
                command.envelope().who());
    }

    @Override
    public Outcome undecided(Refused<RegionCommand> refused, String partitionKey, Position position) {
        return Outcome.ofRegion(
                refused.commandId(),
                refused.code(),
                refused.reason(),
                // Null when the key's text is no region id: then it is nobody's.
                partitionKey == null ? null : U64.parseOrNull(partitionKey),
                null,
                false,
                position,
                CommandEnvelope.KAFKA);
    }
}
