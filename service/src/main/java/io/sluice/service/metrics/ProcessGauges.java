package io.sluice.service.metrics;

import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.DiskSpaceMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.sluice.state.common.RocksDbSettings;
import java.nio.file.Path;

/** What is measured of the process, whatever it does. Stateless. */
public final class ProcessGauges {
    private ProcessGauges() {}

    /** @param stateDir says which disk matters */
    public static void showIn(Meters meters, Path stateDir) {
        meters.bind(new JvmMemoryMetrics());
        meters.bind(new JvmGcMetrics());
        meters.bind(new JvmThreadMetrics());
        meters.bind(new ProcessorMetrics());
        meters.bind(new FileDescriptorMetrics());
        meters.bind(new UptimeMetrics());
        meters.bind(new DiskSpaceMetrics(stateDir.toFile()));
        meters.gauge(MetricsTable.RESIDENT, ProcessMemory::residentBytes);
        meters.gauge(MetricsTable.ROCKSDB_MEMORY, () -> RocksDbSettings.memory().usedBytes(), "used");
        meters.gauge(MetricsTable.ROCKSDB_MEMORY, () -> RocksDbSettings.memory().pinnedBytes(), "pinned");
        meters.gauge(MetricsTable.ROCKSDB_LIMIT, () -> RocksDbSettings.memory().limitBytes());
    }
}
