package io.sluice.service.query;

import static io.sluice.service.query.FlowStores.SINGLE_OBJECT;
import static io.sluice.service.query.FlowStores.position;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.state.common.RowScanner;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Several reads of a partition are one look-up: of one state, or of none. */
class StoreReaderTest {
    private static final byte[] HERE = {1, 1};
    private static final byte[] THERE = {1, 2};
    private static final byte[] VALUE = {42};

    private final FlowStores stores = new FlowStores(4);
    private final StoreReader reader = stores.reader();
    private final MemoryRows rows = stores.partition(2);
    private final AtomicInteger lookUps = new AtomicInteger();

    private String lookUp(RowScanner scanner, Runnable meanwhile) {
        lookUps.incrementAndGet();
        boolean here = scanner.get(HERE) != null;
        meanwhile.run();
        boolean there = scanner.get(THERE) != null;
        return (here ? "here" : "") + (there ? "there" : "");
    }

    /** One decision, committed as a whole: what was there is here now. */
    private void move(byte[] from, byte[] to, long decision) {
        rows.delete(from);
        rows.put(to, VALUE);
        rows.decided(decision);
    }

    @Test
    void anEmptyPartitionIsBeforeItsFirstDecision() {
        assertThat(reader.position(1)).isEqualTo(position(1, 0));
    }

    @Test
    void aLookUpInAnEmptyPartitionReflectsDecisionZero() {
        assertThat(reader.read(1, scanner -> "nothing").positions()).containsExactly(position(1, 0));
    }

    @Test
    void thePositionIsTheLastDecisionOfThePartitionAskedFor() {
        rows.decided(7);
        stores.partition(3).decided(9);
        assertThat(reader.position(2)).isEqualTo(position(2, 7));
    }

    @Test
    void whileTheCursorStaysOneLookUpIsTheAnswer() {
        rows.put(THERE, VALUE);
        rows.decided(7);
        Answer<String> answer = reader.read(2, scanner -> lookUp(scanner, () -> {}));
        assertThat(answer.value()).isEqualTo("there");
        assertThat(answer.positions()).containsExactly(position(2, 7));
        assertThat(lookUps).hasValue(1);
    }

    @Test
    void aCursorThatMovesMakesTheLookUpStartOverSoThatItIsOfOneState() {
        rows.put(THERE, VALUE);
        rows.decided(7);
        // "here" is looked at before the row is moved there from "there": both reads together find nothing.
        Answer<String> answer = reader.read(
                2,
                scanner -> lookUp(scanner, () -> {
                    if (lookUps.get() == 1) {
                        move(THERE, HERE, 8);
                    }
                }));
        assertThat(answer.value()).isEqualTo("here");
        assertThat(answer.positions()).containsExactly(position(2, 8));
        assertThat(lookUps).hasValue(2);
    }

    @Test
    void aFirstDecisionMovesTheCursorToo() {
        rows.put(THERE, VALUE);
        Answer<String> answer = reader.read(
                2,
                scanner -> lookUp(scanner, () -> {
                    if (lookUps.get() == 1) {
                        move(THERE, HERE, 1);
                    }
                }));
        assertThat(answer.value()).isEqualTo("here");
        assertThat(answer.positions()).containsExactly(position(2, 1));
    }

    @Test
    void anAnswerThatThereIsNothingIsAnAnswer() {
        Answer<Object> answer = reader.read(2, scanner -> null);
        assertThat(answer.value()).isNull();
        assertThat(answer.positions()).containsExactly(position(2, 0));
    }

    @Test
    void aCursorThatNeverRestsEndsWithThePositionThatWasReached() {
        AtomicLong decision = new AtomicLong(100);
        NotReadyException notReady = catchThrowableOfType(
                NotReadyException.class,
                () -> reader.read(2, scanner -> lookUp(scanner, () -> move(THERE, HERE, decision.incrementAndGet()))));
        assertThat(lookUps.get()).isGreaterThan(1);
        assertThat(notReady.reached()).isEqualTo(position(2, 100 + lookUps.get()));
        assertThat(notReady).hasMessageContaining("partition 2 changed");
    }

    @Test
    void aPartitionThatCannotBeReadIsSaidToBeNotReady() {
        NotReadyException closed = new NotReadyException("partition 0 cannot be read now", null, null);
        StoreReader unreadable = new StoreReader(
                partition -> new RowScanner() {
                    @Override
                    public byte[] get(byte[] key) {
                        throw closed;
                    }

                    @Override
                    public void scan(byte[] from, byte[] toExclusive, RowVisitor visitor) {
                        throw closed;
                    }
                },
                SINGLE_OBJECT,
                1);
        assertThatThrownBy(() -> unreadable.position(0)).isSameAs(closed);
        assertThatThrownBy(() -> unreadable.read(0, scanner -> "read")).isSameAs(closed);
    }
}
