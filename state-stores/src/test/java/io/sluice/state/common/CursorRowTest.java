package io.sluice.state.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.FlowRecordCodec;
import org.junit.jupiter.api.Test;

class CursorRowTest {
    private static final CursorRow CURSOR = new CursorRow(new SingleObject(KnownSchemas.shipped()));

    private final InMemoryRows rows = new InMemoryRows();

    @Test
    void anEmptyStoreIsBeforeTheFirstDecision() {
        assertThat(CURSOR.read(rows)).isEqualTo(new Cursor(0, -1));
    }

    @Test
    void theLastWrittenCursorIsRead() {
        CursorRow.write(rows, new Cursor(1, 0));
        CursorRow.write(rows, new Cursor(2, 4_000_000_000L));
        assertThat(CURSOR.read(rows)).isEqualTo(new Cursor(2, 4_000_000_000L));
        assertThat(rows.size()).isEqualTo(1);
    }

    @Test
    void aRowThatIsNoCursorIsAnError() {
        rows.put(CursorRow.key(), FlowRecordCodec.encodeFlowId(1024));
        assertThatThrownBy(() -> CURSOR.read(rows)).isInstanceOf(UndecodableException.class);
    }
}
