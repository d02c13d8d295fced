package io.sluice.service.cluster;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.common.DaemonThreads;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.LagInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far this instance's copies are behind their changelogs, in records, looked at every second: asking the brokers each
 * time would make a standby's answer as slow as the owner's. Markers of transactions count as records, so a copy that has
 * everything may be 1 or 2 behind. While the brokers do not answer the lags are those that were seen last.
 *
 * <p>Threading: one thread of its own looks; {@link #of} may be called by any.
 */
public final class LocalLags implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalLags.class);
    private static final long LOOK_EVERY_MS = 1_000;

    private final KafkaStreams streams;
    private final ScheduledExecutorService looker =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("sluice-lags"));
    private volatile Map<FamilyPartition, Long> byPartition = Map.of();

    public LocalLags(KafkaStreams streams) {
        this.streams = streams;
    }

    public void start() {
        looker.scheduleWithFixedDelay(this::look, 0, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    /** The lag of the copy that this instance holds; empty when it holds none, or has not looked yet. */
    public OptionalLong of(FamilyPartition partition) {
        Long lag = byPartition.get(partition);
        return lag == null ? OptionalLong.empty() : OptionalLong.of(lag);
    }

    private void look() {
        try {
            Map<FamilyPartition, Long> seen = new HashMap<>();
            Map<String, Map<Integer, LagInfo>> byStore = streams.allLocalStorePartitionLags();
            for (CommandFamily family : CommandFamily.values()) {
                byStore.getOrDefault(family.store(), Map.of())
                        .forEach((partition, lag) ->
                                seen.put(new FamilyPartition(family, partition), Math.max(0, lag.offsetLag())));
            }
            byPartition = Map.copyOf(seen);
        } catch (RuntimeException e) {
            // Streams that are rebalancing or closing, or brokers that do not answer: what was seen last stands.
            LOG.debug("cannot look at the lags now", e);
        }
    }

    @Override
    public void close() {
        looker.shutdownNow();
    }
}
