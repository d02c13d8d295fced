package io.sluice.state.flow;

import static io.sluice.state.flow.TestFlows.STATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.state.common.InMemoryRows;
import org.junit.jupiter.api.Test;

class FlowCursorTest {
    private final InMemoryRows rows = new InMemoryRows();

    @Test
    void anEmptyStoreIsBeforeTheFirstDecision() {
        assertThat(STATE.cursor().read(rows)).isEqualTo(new Cursor(0, -1));
    }

    @Test
    void theLastWrittenCursorIsRead() {
        FlowCursor.write(rows, new Cursor(1, 0));
        FlowCursor.write(rows, new Cursor(2, 4_000_000_000L));
        assertThat(STATE.cursor().read(rows)).isEqualTo(new Cursor(2, 4_000_000_000L));
        assertThat(rows.size()).isEqualTo(1);
    }

    @Test
    void aRowThatIsNoCursorIsAnError() {
        rows.put(FlowCursor.key(), FlowRecordCodec.encodeFlowId(1024));
        assertThatThrownBy(() -> STATE.cursor().read(rows)).isInstanceOf(UndecodableException.class);
    }
}
