package io.sluice.service.runtime;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.service.metrics.Meters;
import io.sluice.service.metrics.Meters.Rows;
import io.sluice.service.metrics.MetricsTable;
import io.sluice.service.runtime.HealthReport.Here;
import io.sluice.service.runtime.HealthReport.PartitionHealth;
import io.sluice.service.runtime.RestoreProgress.OfStore;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Shows how an instance is, as numbers: all of it from one report.
 *
 * <p>Threading: looked at by one thread at a time.
 */
final class HealthGauges {
    private static final List<Here> COPIES = List.of(Here.ACTIVE, Here.STANDBY, Here.MOVING);

    private final Health health;
    private final int standbysWanted;
    private final Rows lags;
    private volatile HealthReport last;

    private HealthGauges(Health health, int standbysWanted, Rows lags) {
        this.health = health;
        this.standbysWanted = standbysWanted;
        this.lags = lags;
        this.last = health.report();
    }

    /** @param standbysWanted of each partition, beside the one that decides it */
    static void showIn(Meters meters, Health health, int standbysWanted) {
        HealthGauges gauges = new HealthGauges(health, standbysWanted, meters.rows(MetricsTable.PARTITION_LAG));
        meters.beforeShowing(gauges::look);
        meters.gauge(MetricsTable.READY, () -> gauges.last.notReady().isEmpty() ? 1 : 0);
        meters.gauge(MetricsTable.BROKEN, () -> gauges.last.process().broken().isPresent() ? 1 : 0);
        meters.gauge(
                MetricsTable.PARTITIONS_UNOWNED,
                () -> gauges.count(partition -> partition.owner().isEmpty()));
        meters.gauge(
                MetricsTable.STANDBYS_MISSING,
                () -> gauges.count(partition -> partition.standbys().size() < gauges.standbysWanted));
        for (CommandFamily family : CommandFamily.values()) {
            meters.gauge(
                    MetricsTable.RESTORE_REMAINING,
                    () -> gauges.restoring(family, store -> store.offsetsTotal() - store.offsetsDone()),
                    family.label());
            meters.gauge(
                    MetricsTable.RESTORE_RECORDS, () -> gauges.restoring(family, OfStore::records), family.label());
            for (Here here : COPIES) {
                meters.gauge(
                        MetricsTable.PARTITIONS,
                        () -> gauges.count(
                                partition -> partition.partition().family() == family && partition.here() == here),
                        family.label(),
                        here.name().toLowerCase(Locale.ROOT));
            }
        }
    }

    private void look() {
        last = health.report();
        for (PartitionHealth one : last.partitions()) {
            one.lag()
                    .ifPresent(lag -> lags.add(
                            lag,
                            one.partition().family().label(),
                            Integer.toString(one.partition().partition())));
        }
        lags.show();
    }

    private long count(Predicate<PartitionHealth> which) {
        return last.partitions().stream().filter(which).count();
    }

    private long restoring(CommandFamily family, ToLongFunction<OfStore> what) {
        return last.restoring().stores().stream()
                .filter(store -> store.store().equals(family.store()))
                .mapToLong(what)
                .sum();
    }
}
