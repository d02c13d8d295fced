package io.sluice.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.benchmarks.process.Usage;
import io.sluice.benchmarks.rival.Restored;
import io.sluice.benchmarks.rival.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    private final List<Measured> measured = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    @Test
    void theMedianIsTheMiddleOneOrBetweenTheTwoInTheMiddle() {
        assertThat(Report.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
        assertThat(Report.median(List.of(4.0, 1.0, 9.0, 2.0))).isEqualTo(3);
    }

    @Test
    void aRatioIsOfMediansAndNotOfSingleRounds() {
        given(Setting.SLUICE, 1, 600);
        given(Setting.SLUICE, 2, 900);
        given(Setting.SLUICE, 3, 100);
        given(Setting.ETCD, 1, 50);
        given(Setting.ETCD, 2, 100);
        given(Setting.ETCD, 3, 5_000);

        assertThat(report().sluiceHas(Setting.ETCD, Work.CREATE_1)).contains(6.0);
    }

    @Test
    void whatHasThreeCopiesIsComparedWithThreeCopies() {
        given(Setting.SLUICE, 1, 1_000);
        given(Setting.SLUICE_3, 1, 300);
        given(Setting.ETCD_3_NOSYNC, 1, 100);

        assertThat(report().sluiceHas(Setting.ETCD_3_NOSYNC, Work.CREATE_1)).contains(3.0);
    }

    @Test
    void thereIsNoRatioWithoutSluiceAndNoneOfSluiceItself() {
        given(Setting.ETCD, 1, 100);
        assertThat(report().sluiceHas(Setting.ETCD, Work.CREATE_1)).isEmpty();

        given(Setting.SLUICE, 1, 100);
        assertThat(report().sluiceHas(Setting.SLUICE, Work.CREATE_1)).isEmpty();
    }

    @Test
    void durabilityStandsBesideTheFigures() {
        given(Setting.SLUICE, 1, 1_000);
        given(Setting.POSTGRES, 1, 500);

        for (String shown :
                List.of(report().text(), report().markdown(), report().json().toString())) {
            assertThat(shown).contains(Setting.SLUICE.durability(), Setting.POSTGRES.durability());
            assertThat(shown).doesNotContain(Setting.ETCD_3.durability());
        }
    }

    @Test
    void showsRatesRatiosAndWhatWasLeftOut() {
        given(Setting.SLUICE, 1, 1_000);
        given(Setting.POSTGRES, 1, 400);

        assertThat(report().text()).contains("left out: etcd, no etcd").containsPattern("postgres +400 .* 2.50 x");
        assertThat(report().markdown())
                .contains("left out: etcd, no etcd")
                .contains("| " + Work.CREATE_1.title() + " | postgres | 400 | 1.00 | 2.00 | 3.00 | 2.50 x |");
    }

    @Test
    void jsonHasTheMediansAndEveryMeasurement() {
        given(Setting.SLUICE, 1, 1_000);
        given(Setting.SLUICE, 2, 3_000);
        given(Setting.ETCD, 1, 500);

        JsonNode json = report().json();

        JsonNode medians = json.at("/medians/create-1");
        assertThat(medians.at("/sluice/rate_per_s").asDouble()).isEqualTo(2_000);
        assertThat(medians.at("/etcd/sluice_has_times").asDouble()).isEqualTo(4);
        assertThat(json.get("measured")).hasSize(3);
        assertThat(json.at("/restored/etcd/restore_seconds").asDouble()).isEqualTo(2);
        assertThat(json.at("/missing/etcd").asText()).isEqualTo("no etcd");
    }

    @Test
    void processorTimeIsSummedOverWorksAndMemoryIsTheMost() {
        given(Setting.SLUICE, Work.CREATE_1, 1, new Usage(1, 300), 0);
        given(Setting.SLUICE, Work.CREATE_200, 1, new Usage(2, 200), 0);
        given(Setting.SLUICE, Work.CREATE_1, 2, new Usage(5, 100), 0);

        Usage usage = report().uses(Setting.SLUICE).get("process");

        assertThat(usage.cpuSeconds()).as("median of 3 and 5").isEqualTo(4, offset(1e-9));
        assertThat(usage.memoryBytes()).isEqualTo(300);
    }

    @Test
    void tellsOfErrors() {
        given(Setting.ETCD, Work.FLUSH, 2, Usage.NONE, 7);

        assertThat(report().errors()).singleElement().asString().contains("etcd", "flush", "round 2", "7", "refused");
        assertThat(report().text()).contains(report().errors().get(0));
    }

    @Test
    void tellsOfWhatCouldNotBeMeasured() {
        failures.add("round 1: postgres does not start");

        assertThat(report().errors()).containsExactly("round 1: postgres does not start");
        assertThat(report().text()).contains("postgres does not start");
        assertThat(report().json().get("failures").get(0).asText()).contains("postgres");
    }

    @Test
    void numbersHaveThreeDigits() {
        assertThat(List.of(Report.number(12_345.6), Report.number(12.34), Report.number(1.234)))
                .containsExactly("12346", "12.3", "1.23");
    }

    private Report report() {
        return new Report(new Results(
                "a machine",
                "quick",
                measured,
                Map.of("etcd", new Restored(10, 120, 2, 1, "somehow", Map.of("etcd 1", new Usage(1, 2)))),
                Map.of("etcd", "no etcd"),
                failures));
    }

    private void given(Setting setting, int round, double rate) {
        given(setting, Work.CREATE_1, round, new Usage(1, 1), 0, rate);
    }

    private void given(Setting setting, Work work, int round, Usage usage, long errors) {
        given(setting, work, round, usage, errors, 1);
    }

    private void given(Setting setting, Work work, int round, Usage usage, long errors, double rate) {
        measured.add(new Measured(
                setting.label(),
                work.label(),
                round,
                10,
                rate,
                1,
                2,
                3,
                4,
                errors,
                errors == 0 ? null : "refused",
                null,
                null,
                Map.of("process", usage)));
    }
}
