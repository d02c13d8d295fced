package io.sluice.topology.flownode;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flownode.AddressKey;
import io.sluice.schemas.flownode.FlowStateEntry;
import io.sluice.schemas.flownode.FlownodeCommand;
import io.sluice.schemas.flownode.FlownodeCommandCodec;
import io.sluice.schemas.flownode.FlownodeRecordCodec;
import io.sluice.schemas.flownode.FlownodeReport;
import io.sluice.schemas.flownode.RegisterFlownode;
import io.sluice.schemas.flownode.ReportFlowState;
import io.sluice.state.flownode.FlownodeState;
import io.sluice.topology.common.CommandHandler;
import io.sluice.topology.common.CommandHandler.Settled;
import io.sluice.topology.common.CommandRecord;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.InMemoryRows;
import io.sluice.topology.common.InMemoryRows.Write;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.TopicRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Random registrations and reports against the few lines that say what they mean: after every command the outcome, the rows and
 * what followers of the topics know; after every sequence the rows that are made of all writes again.
 */
class FlownodeModelProperty {
    private static final PartitionCounts ONE = new PartitionCounts(1, 1, 1);
    private static final long NOW_MS = 1_000_000;

    private final SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
    private final FlownodeState state = new FlownodeState(singleObject);
    private final FlownodeRecordCodec codec = new FlownodeRecordCodec(singleObject);

    private record Address(String addr, long epoch) {}

    /** What must be true, by the words of docs/behaviour.md 2.5. */
    private static final class Model {
        private final Map<Long, Address> addresses = new HashMap<>();
        private final Map<Long, List<FlowStateEntry>> reports = new HashMap<>();
        private final Map<String, Outcome> outcomes = new HashMap<>();

        OutcomeCode decide(FlownodeCommand command) {
            if (command instanceof ReportFlowState report) {
                reports.remove(report.flownodeId());
                if (!report.flows().isEmpty()) {
                    reports.put(report.flownodeId(), report.flows());
                }
                return OutcomeCode.OK;
            }
            RegisterFlownode register = (RegisterFlownode) command;
            Address wanted = new Address(register.addr(), register.epoch());
            Address current = addresses.get(register.flownodeId());
            if (register.addr().isEmpty()) {
                return OutcomeCode.INVALID_ARGUMENT;
            }
            if (current == null || Long.compareUnsigned(register.epoch(), current.epoch()) > 0) {
                addresses.put(register.flownodeId(), wanted);
                return OutcomeCode.OK;
            }
            return wanted.equals(current) ? OutcomeCode.OK : OutcomeCode.REVISION_MISMATCH;
        }
    }

    /** What somebody knows who has read the topics from the beginning. */
    private final class Follower {
        private final Map<Long, Address> addresses = new HashMap<>();
        private final Map<Long, List<FlowStateEntry>> reports = new HashMap<>();
        private Cursor cursor = Cursor.START;

        void read(TopicRecord record) {
            assertThat(record.key().partition()).isEqualTo(Partitions.of("any", ONE.flownode()));
            if (AddressKey.isCursor(record.key().bytes())) {
                cursor = Cursor.decode(singleObject, record.value());
            } else if (record.sink().equals(FlownodeTopology.ADDRESSES_SINK)) {
                var address = codec.decodeAddress(record.value());
                assertThat(address.flownodeId())
                        .isEqualTo(AddressKey.decode(record.key().bytes()));
                addresses.put(address.flownodeId(), new Address(address.addr(), address.epoch()));
            } else if (record.value() == null) {
                reports.remove(AddressKey.decode(record.key().bytes()));
            } else {
                FlownodeReport report = codec.decodeReport(record.value());
                reports.put(report.flownodeId(), report.flows());
            }
        }
    }

    @Property(tries = 300)
    void everySequenceDoesWhatTheModelSays(@ForAll("sequences") List<FlownodeCommand> commands) {
        Model model = new Model();
        Follower follower = new Follower();
        InMemoryRows rows = new InMemoryRows();
        List<Write> writes = new ArrayList<>();
        CommandHandler<FlownodeCommand> handler =
                FlownodeTopology.handler(singleObject, DecisionLimits.of(Limits.defaults()), 0, ONE);
        long decisions = 0;
        for (int offset = 0; offset < commands.size(); offset++) {
            FlownodeCommand command = commands.get(offset);
            Settled settled = handler.settle(
                    new CommandRecord(command.key().encode(), FlownodeCommandCodec.encode(command), null, 0, offset),
                    rows,
                    NOW_MS);
            settled.records().forEach(follower::read);
            writes.addAll(rows.takeWrites());

            Outcome first = model.outcomes.get(command.key().toString());
            if (first == null) {
                decisions++;
                Address before = model.addresses.get(command.flownodeId());
                OutcomeCode code = model.decide(command);
                assertThat(settled.outcome().code())
                        .as("%s after %s", command, before)
                        .isEqualTo(code);
                assertThat(settled.outcome().position().decision()).isEqualTo(decisions);
                assertThat(settled.outcome().flownodeId()).isEqualTo(command.flownodeId());
                model.outcomes.put(command.key().toString(), settled.outcome());
            } else {
                assertThat(settled.outcome()).as("retry of %s", command.key()).isEqualTo(first);
                assertThat(settled.records()).isEmpty();
            }
            assertThat(addresses(rows, command.flownodeId())).isEqualTo(model.addresses.get(command.flownodeId()));
            assertThat(reports(rows)).isEqualTo(model.reports);
            assertThat(follower.addresses).isEqualTo(model.addresses);
            assertThat(follower.reports).isEqualTo(model.reports);
            assertThat(follower.cursor.decision()).isEqualTo(decisions);
        }
        InMemoryRows again = new InMemoryRows();
        writes.forEach(write -> {
            if (write.isDelete()) {
                again.delete(write.key());
            } else {
                again.put(write.key(), write.value());
            }
        });
        assertThat(again.toHex()).isEqualTo(rows.toHex());
    }

    private Address addresses(InMemoryRows rows, long flownodeId) {
        var found = state.view(rows).address(flownodeId);
        return found == null ? null : new Address(found.addr(), found.epoch());
    }

    private Map<Long, List<FlowStateEntry>> reports(InMemoryRows rows) {
        Map<Long, List<FlowStateEntry>> reports = new HashMap<>();
        state.reports().all(rows).forEach(report -> reports.put(report.flownodeId(), report.flows()));
        return reports;
    }

    @Provide
    Arbitrary<List<FlownodeCommand>> sequences() {
        Arbitrary<Long> flownodes = Arbitraries.of(1L, 2L, -1L);
        Arbitrary<String> ids = Arbitraries.integers().between(0, 30).map(number -> "c" + number);
        Arbitrary<FlownodeCommand> registrations = Combinators.combine(
                        flownodes,
                        ids,
                        Arbitraries.of("a:1", "b:1", "c:1", ""),
                        Arbitraries.of(0L, 1L, 2L, 3L, Long.MAX_VALUE, Long.MIN_VALUE, -1L))
                .as((flownode, id, addr, epoch) -> new RegisterFlownode(flownode, id, 0, "kafka", addr, epoch));
        Arbitrary<FlowStateEntry> entries = Combinators.combine(
                        Arbitraries.of(1024L, 1025L), Arbitraries.longs(), Arbitraries.longs())
                .as((flow, size, lastExec) -> new FlowStateEntry("greptime", flow, size, lastExec, null));
        Arbitrary<FlownodeCommand> reports = Combinators.combine(
                        flownodes, ids, entries.list().ofMaxSize(2))
                .as((flownode, id, flows) -> new ReportFlowState(flownode, id, 0, "kafka", flows));
        return Arbitraries.oneOf(registrations, reports).list().ofMaxSize(40);
    }
}
