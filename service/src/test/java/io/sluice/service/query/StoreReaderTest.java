package io.sluice.service.query;

import static io.sluice.service.query.FlowStores.SINGLE_OBJECT;
import static io.sluice.service.query.FlowStores.flow;
import static io.sluice.service.query.FlowStores.position;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.state.common.RowScanner;
import org.junit.jupiter.api.Test;

/** Several reads of a partition are one look-up: of one state, or of none. */
class StoreReaderTest {
    private static final byte[] THERE = {1, 2};
    private static final byte[] VALUE = {42};

    private final FlowStores stores = new FlowStores(4);
    private final StoreReader reader = stores.reader();
    private final MemoryRows rows = stores.partition(2);

    @Test
    void anEmptyPartitionIsBeforeItsFirstDecision() {
        assertThat(reader.position(flow(1))).isEqualTo(position(1, 0));
    }

    @Test
    void aLookUpInAnEmptyPartitionReflectsDecisionZero() {
        assertThat(reader.read(flow(1), scanner -> "nothing").positions()).containsExactly(position(1, 0));
    }

    @Test
    void thePositionIsTheLastDecisionOfThePartitionAskedFor() {
        rows.decided(7);
        stores.partition(3).decided(9);
        assertThat(reader.position(flow(2))).isEqualTo(position(2, 7));
    }

    @Test
    void anAnswerIsOfTheDecisionItNames() {
        rows.put(THERE, VALUE);
        rows.decided(7);
        Answer<byte[]> answer = reader.read(flow(2), scanner -> scanner.get(THERE));
        assertThat(answer.value()).isEqualTo(VALUE);
        assertThat(answer.positions()).containsExactly(position(2, 7));
    }

    @Test
    void anAnswerThatThereIsNothingIsAnAnswer() {
        Answer<Object> answer = reader.read(flow(2), scanner -> null);
        assertThat(answer.value()).isNull();
        assertThat(answer.positions()).containsExactly(position(2, 0));
    }

    @Test
    void aPartitionThatCannotBeReadIsSaidToBeNotReady() {
        NotReadyException closed = new NotReadyException("partition 0 cannot be read now", null, null);
        StoreReader unreadable = new StoreReader(
                FlowStores.readsOf(partition -> new RowScanner() {
                    @Override
                    public byte[] get(byte[] key) {
                        throw closed;
                    }

                    @Override
                    public void scan(byte[] from, byte[] toExclusive, RowVisitor visitor) {
                        throw closed;
                    }
                }),
                SINGLE_OBJECT,
                FlowStores.partitionsOf(1));
        assertThatThrownBy(() -> unreadable.position(flow(0))).isSameAs(closed);
        assertThatThrownBy(() -> unreadable.read(flow(0), scanner -> "read")).isSameAs(closed);
    }
}
