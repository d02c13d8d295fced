package io.sluice.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RestartBudgetTest {
    private static final long WINDOW_MS = 1_000;

    private final RestartBudget budget = new RestartBudget(2, WINDOW_MS);

    @Test
    void asManyRestartsAsAllowedAreGivenAndNoMore() {
        assertThat(budget.take(0)).isTrue();
        assertThat(budget.take(0)).isTrue();
        assertThat(budget.take(0)).isFalse();
    }

    @Test
    void aRestartCountsUntilTheWindowHasPassed() {
        budget.take(100);
        budget.take(100);
        assertThat(budget.take(100 + WINDOW_MS - 1)).isFalse();
        assertThat(budget.take(100 + WINDOW_MS)).isTrue();
    }

    @Test
    void theWindowSlides() {
        budget.take(0);
        budget.take(900);
        assertThat(budget.take(1_000)).as("the first one no longer counts").isTrue();
        assertThat(budget.take(1_100)).as("those of 900 and 1000 still do").isFalse();
        assertThat(budget.take(1_900)).isTrue();
    }

    @Test
    void aRefusedRestartIsNotCounted() {
        budget.take(0);
        budget.take(0);
        assertThat(budget.take(900)).isFalse();
        assertThat(budget.take(1_000)).isTrue();
        assertThat(budget.take(1_000)).isTrue();
    }

    @Test
    void withoutARestartNoneIsGiven() {
        RestartBudget none = new RestartBudget(0, WINDOW_MS);
        assertThat(none.take(0)).isFalse();
        assertThat(none.take(10 * WINDOW_MS)).isFalse();
    }
}
