package io.sluice.topology.flownode;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flownode.FlowStateEntry;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeReport;
import io.sluice.schemas.flownode.RegisterFlownode;
import io.sluice.schemas.flownode.ReportFlowState;
import io.sluice.state.flownode.FlownodeFact.AddressRegistered;
import io.sluice.state.flownode.FlownodeFact.StateReported;
import io.sluice.state.flownode.FlownodeView;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table B-F6 of docs/behaviour.md as decisions, and reports. */
class FlownodeDeciderTest {
    private static final FlownodeAddress REGISTERED = new FlownodeAddress(1, "b:1", 5, "c-0");
    private static final FlownodeView NONE = flownodeId -> null;
    private static final FlownodeView SOME = flownodeId -> flownodeId == 1 ? REGISTERED : null;

    private final FlownodeDecider decider = new FlownodeDecider();

    @ParameterizedTest
    @CsvSource({"0", "5", "18446744073709551615"})
    void theFirstRegistrationTakesAnyEpoch(String epoch) {
        FlownodeDecision decision = decider.decide(NONE, register(epoch, "b:1"));

        assertThat(decision).isEqualTo(registered(epoch, "b:1"));
    }

    @ParameterizedTest
    @CsvSource({"6", "9223372036854775808", "18446744073709551615"})
    void aLargerEpochChangesTheAddressComparedUnsigned(String epoch) {
        assertThat(decider.decide(SOME, register(epoch, "d:1"))).isEqualTo(registered(epoch, "d:1"));
    }

    @Test
    void aLargerEpochCountsAlsoWithTheSameAddress() {
        assertThat(decider.decide(SOME, register("6", "b:1"))).isEqualTo(registered("6", "b:1"));
    }

    @ParameterizedTest
    @CsvSource({"4, c:1", "4, b:1", "0, b:1", "5, d:1", "5, B:1"})
    void aSmallerEpochOrTheSameWithAnotherAddressIsRefusedWithTheStoredEpoch(String epoch, String addr) {
        FlownodeDecision decision = decider.decide(SOME, register(epoch, addr));

        assertThat(decision.code()).isEqualTo(OutcomeCode.REVISION_MISMATCH);
        assertThat(decision.epoch()).isEqualTo(5);
        assertThat(decision.facts()).isEmpty();
        assertThat(decision.applied()).isFalse();
        assertThat(decision.message()).contains("flownode 1", "\"b:1\"", "epoch 5", "epoch is " + epoch);
    }

    @Test
    void theSameRegistrationAgainChangesNothing() {
        FlownodeDecision decision = decider.decide(SOME, register("5", "b:1"));

        assertThat(decision).isEqualTo(FlownodeDecision.unchanged(5L));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, FlownodeDecider.ADDR_MAX_BYTES + 1})
    void anAddressThatIsEmptyOrLongIsRefused(int bytes) {
        FlownodeDecision decision = decider.decide(SOME, register("7", "x".repeat(bytes)));

        assertThat(decision.code()).isEqualTo(OutcomeCode.INVALID_ARGUMENT);
        assertThat(decision.epoch()).as("filled in on refusals too").isEqualTo(5);
        assertThat(decision.facts()).isEmpty();
        assertThat(decision.message()).contains("addr", Integer.toString(bytes), "allowed");
    }

    @Test
    void theLongestAddressIsTaken() {
        String addr = "x".repeat(FlownodeDecider.ADDR_MAX_BYTES);

        assertThat(decider.decide(NONE, register("7", addr))).isEqualTo(registered("7", addr));
    }

    @Test
    void anotherFlownodeIsAnotherNode() {
        FlownodeDecision decision = decider.decide(SOME, new RegisterFlownode(2, "c-1", 0, "kafka", "z:1", 1));

        assertThat(decision.facts()).containsExactly(new AddressRegistered(new FlownodeAddress(2, "z:1", 1, "c-1")));
    }

    @Test
    void aReportIsTakenAsItIs() {
        List<FlowStateEntry> flows =
                List.of(entry("greptime", 4_294_967_295L, 100), entry("greptime", 0, -5), entry("greptime", 0, 7));

        FlownodeDecision decision = decider.decide(NONE, new ReportFlowState(1, "c-1", 0, "kafka", flows));

        assertThat(decision)
                .isEqualTo(FlownodeDecision.applied(new StateReported(new FlownodeReport(1, flows, "c-1")), null));
    }

    @Test
    void aReportOfNothingIsTaken() {
        FlownodeDecision decision = decider.decide(NONE, new ReportFlowState(1, "c-1", 0, "kafka", List.of()));

        assertThat(decision.code()).isEqualTo(OutcomeCode.OK);
        assertThat(decision.applied()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"greptime, -1, flow_id", "greptime, 4294967296, flow_id", "a b, 1024, catalog", "'', 1024, catalog"})
    void aReportAboutWhatCannotBeAFlowIsRefusedByField(String catalog, long flowId, String field) {
        FlownodeDecision decision = decider.decide(
                NONE,
                new ReportFlowState(
                        1, "c-1", 0, "kafka", List.of(entry("greptime", 1024, 1), entry(catalog, flowId, 1))));

        assertThat(decision.code()).isEqualTo(OutcomeCode.INVALID_ARGUMENT);
        assertThat(decision.facts()).isEmpty();
        assertThat(decision.message()).contains(field, "allowed");
    }

    private static FlownodeDecision registered(String epoch, String addr) {
        long bits = Long.parseUnsignedLong(epoch);
        return FlownodeDecision.applied(new AddressRegistered(new FlownodeAddress(1, addr, bits, "c-1")), bits);
    }

    private static RegisterFlownode register(String epoch, String addr) {
        return new RegisterFlownode(1, "c-1", 0, "kafka", addr, Long.parseUnsignedLong(epoch));
    }

    private static FlowStateEntry entry(String catalog, long flowId, long lastExecTimeMs) {
        return new FlowStateEntry(catalog, flowId, 0, lastExecTimeMs, null);
    }
}
