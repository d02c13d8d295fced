package io.sluice.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.topology.common.CommandKind;
import org.junit.jupiter.api.Test;

/** What is counted is shown, as Prometheus reads it. */
class MetersTest {
    private final Meters meters = new Meters();

    @Test
    void commandsAreCountedByFamilyKindAndCode() {
        DecisionMetrics decisions = new DecisionMetrics(meters);
        decisions.settled(CommandFamily.FLOW, CommandKind.CREATE_FLOW, OutcomeCode.OK);
        decisions.settled(CommandFamily.FLOW, CommandKind.CREATE_FLOW, OutcomeCode.OK);
        decisions.settled(CommandFamily.REGION, CommandKind.NONE, OutcomeCode.MALFORMED);

        assertThat(meters.exposition())
                .contains(
                        "# TYPE sluice_commands_total counter",
                        "sluice_commands_total{code=\"OK\",family=\"flow\",kind=\"create_flow\"} 2.0",
                        "sluice_commands_total{code=\"MALFORMED\",family=\"region\",kind=\"none\"} 1.0");
    }

    @Test
    void theTimeToADecisionIsShownByBuckets() {
        DecisionMetrics decisions = new DecisionMetrics(meters);
        decisions.taken(CommandFamily.FLOW, 3);
        decisions.taken(CommandFamily.FLOW, 700);

        assertThat(meters.exposition())
                .contains(
                        "sluice_decision_latency_seconds_bucket{family=\"flow\",le=\"0.002\"} 0",
                        "sluice_decision_latency_seconds_bucket{family=\"flow\",le=\"0.005\"} 1",
                        "sluice_decision_latency_seconds_bucket{family=\"flow\",le=\"1.0\"} 2",
                        "sluice_decision_latency_seconds_count{family=\"flow\"} 2",
                        "sluice_decision_latency_seconds_max{family=\"flow\"} 0.7");
    }

    @Test
    void reasonsOfDeadLettersAreShownBeforeTheFirstOne() {
        DecisionMetrics decisions = new DecisionMetrics(meters);
        assertThat(meters.exposition())
                .contains("sluice_dead_letters_total{family=\"flownode\",reason=\"MISROUTED\"} 0.0");

        decisions.deadLettered(CommandFamily.FLOWNODE, OutcomeCode.MISROUTED);

        assertThat(meters.exposition())
                .contains("sluice_dead_letters_total{family=\"flownode\",reason=\"MISROUTED\"} 1.0");
    }

    /** An increase is only seen of a row that was there before. */
    @Test
    void faultsOfTheInstanceAreShownBeforeTheFirstOneAndRefusalsAreNone() {
        HttpMetrics http = new HttpMetrics(meters);
        assertThat(meters.exposition()).contains("\nsluice_http_failures_total 0.0\n");

        http.answered("GET", "/v1/catalogs", 500, 1);
        http.answered("GET", "/v1/catalogs", 503, 1);
        http.answered(HttpMetrics.NO_ROUTE, HttpMetrics.NO_ROUTE, 404, 1);

        assertThat(meters.exposition()).contains("\nsluice_http_failures_total 1.0\n");
    }

    @Test
    void rowsThatAreNotShownAgainAreGone() {
        Meters.Rows lags = meters.rows(MetricsTable.PARTITION_LAG);
        lags.add(7, "flow", "0").add(8, "flow", "1").show();
        assertThat(meters.exposition()).contains("partition=\"0\"} 7.0", "partition=\"1\"} 8.0");

        lags.add(9, "flow", "1").show();
        assertThat(meters.exposition()).contains("partition=\"1\"} 9.0").doesNotContain("partition=\"0\"");
    }

    @Test
    void aLookThatFailsHidesNothingElse() {
        meters.beforeShowing(() -> {
            throw new IllegalStateException("stream threads are changing");
        });
        meters.gauge(MetricsTable.IN_FLIGHT, () -> 5);

        assertThat(meters.exposition()).contains("sluice_commands_in_flight 5.0");
    }

    @Test
    void labelsAreThoseOfTheTable() {
        assertThatThrownBy(() -> meters.counter(MetricsTable.COMMANDS_REPEATED))
                .hasMessageContaining("sluice_commands_repeated_total has the labels [family], given are 0 values");
        assertThatThrownBy(() -> meters.counter(MetricsTable.READY)).hasMessageContaining("is a GAUGE, not a COUNTER");
    }
}
