package io.sluice.state.flownode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flownode.FlowStateEntry;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeReport;
import io.sluice.state.common.InMemoryRows;
import io.sluice.state.common.Keys;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.state.flownode.FlownodeFact.AddressRegistered;
import io.sluice.state.flownode.FlownodeFact.StateReported;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlownodeStateTest {
    private static final long LARGEST = -1;

    private final FlownodeState state = new FlownodeState(new SingleObject(KnownSchemas.shipped()));
    private final InMemoryRows rows = new InMemoryRows();

    @Test
    void keysAreFrozen() {
        assertThat(Keys.hex(FlownodeAddressIndex.key(LARGEST))).isEqualTo("01ffffffffffffffff");
        assertThat(Keys.hex(FlownodeReportIndex.key(258))).isEqualTo("020000000000000102");
        assertThat(FlownodeAddressIndex.decodeKey(FlownodeAddressIndex.key(LARGEST)))
                .isEqualTo(LARGEST);
        assertThat(FlownodeReportIndex.decodeKey(FlownodeReportIndex.key(258))).isEqualTo(258);
    }

    @Test
    void bytesThatAreNoKeyAreRefused() {
        assertThatThrownBy(() -> FlownodeAddressIndex.decodeKey(FlownodeReportIndex.key(1)))
                .isInstanceOf(NoncanonicalKeyException.class);
        assertThatThrownBy(() -> FlownodeReportIndex.decodeKey(new byte[] {2, 0}))
                .isInstanceOf(NoncanonicalKeyException.class);
    }

    @Test
    void anAddressTakesThePlaceOfTheFormerOne() {
        apply(address(1, "b:1", 5));
        apply(address(1, "d:1", 6));

        assertThat(state.view(rows).address(1)).isEqualTo(address(1, "d:1", 6));
        assertThat(rows.size()).isEqualTo(1);
    }

    @Test
    void anotherFlownodeHasItsOwn() {
        apply(address(1, "b:1", 5));

        assertThat(state.view(rows).address(LARGEST)).isNull();
    }

    @Test
    void aRowThatIsNoAddressCountsAsNone() {
        rows.put(FlownodeAddressIndex.key(1), new byte[] {1});

        assertThat(state.view(rows).address(1)).isNull();
    }

    @Test
    void aReportTakesThePlaceOfTheFormerOne() {
        apply(report(1, entry(1024, 100)));
        apply(report(1, entry(1025, 5)));

        assertThat(state.reports().all(rows)).containsExactly(report(1, entry(1025, 5)));
    }

    @Test
    void anEmptyReportTakesAwayOnlyItsOwnFlows() {
        apply(report(1, entry(1024, 100)));
        apply(report(2, entry(1024, 70)));
        apply(report(1));

        assertThat(state.reports().all(rows)).containsExactly(report(2, entry(1024, 70)));
        assertThat(rows.size()).isEqualTo(1);
    }

    @Test
    void anEmptyReportOfAFlownodeThatNeverReportedIsNoError() {
        apply(report(1));

        assertThat(rows.size()).isZero();
    }

    @Test
    void reportsComeInUnsignedOrderAndABrokenOneHidesNoOther() {
        apply(report(LARGEST, entry(1, 1)));
        apply(report(2, entry(2, 2)));
        rows.put(FlownodeReportIndex.key(1), new byte[] {1});
        apply(address(3, "c:1", 1));

        assertThat(state.reports().all(rows)).containsExactly(report(2, entry(2, 2)), report(LARGEST, entry(1, 1)));
    }

    private void apply(FlownodeAddress address) {
        state.apply(new AddressRegistered(address), rows);
    }

    private void apply(FlownodeReport report) {
        state.apply(new StateReported(report), rows);
    }

    private static FlownodeAddress address(long flownodeId, String addr, long epoch) {
        return new FlownodeAddress(flownodeId, addr, epoch, "c-1");
    }

    private static FlownodeReport report(long flownodeId, FlowStateEntry... flows) {
        return new FlownodeReport(flownodeId, List.of(flows), "c-2");
    }

    private static FlowStateEntry entry(long flowId, long lastExecTimeMs) {
        return new FlowStateEntry("greptime", flowId, 0, lastExecTimeMs, null);
    }
}
