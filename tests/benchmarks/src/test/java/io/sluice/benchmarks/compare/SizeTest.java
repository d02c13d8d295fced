package io.sluice.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SizeTest {
    @ParameterizedTest
    @EnumSource(Size.class)
    void eachWorkHasSomethingToDoAndOnlyTheColdOneIsNotWarmed(Size size) {
        for (Work work : Work.values()) {
            assertThat(size.count(work)).as(work.label()).isPositive();
            assertThat(size.warmup(work) > 0).as(work.label()).isEqualTo(work != Work.COLD_CREATE);
        }
    }

    @ParameterizedTest
    @EnumSource(Size.class)
    void noFlowMovesTwiceAtATime(Size size) {
        // What is replaced goes round the flows that there are.
        assertThat(size.count(Work.COLD_CREATE) + size.count(Work.CREATE_2000)).isGreaterThan(Work.REPLACE.inFlight());
    }
}
