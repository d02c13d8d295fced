package io.sluice.service.serve;

import io.sluice.service.cluster.SelfCheck;
import io.sluice.service.common.OpenParts;
import io.sluice.service.config.ServiceSettings;
import io.sluice.service.config.StateDirectory;
import io.sluice.service.http.HttpServer;
import io.sluice.service.http.HttpSettings;
import io.sluice.service.runtime.InstanceSettings;
import io.sluice.service.runtime.SluiceInstance;
import io.sluice.state.common.RocksDbSettings;
import io.sluice.topology.common.InstallationWishes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * An instance on a cluster, with its HTTP door.
 *
 * <p>Start: the door opens before the instance takes part in deciding, so whoever is told that it decides a partition finds it
 * there. Stop: readiness goes off first, then the partitions go to the others while the door still answers, then the door
 * closes.
 *
 * <p>Threading: start and close from one thread. Invariant: when the start fails nothing is left running.
 */
public final class ServiceProcess implements AutoCloseable {
    private static final Duration SELF_CHECK_WITHIN = Duration.ofSeconds(5);

    private final Duration drainGrace;
    private final OpenParts open = new OpenParts("the service");
    private SluiceInstance instance;

    private ServiceProcess(Duration drainGrace) {
        this.drainGrace = drainGrace;
    }

    /**
     * Starts everything, and returns while stores may still be restored.
     *
     * @throws RuntimeException saying what is wrong and what to do
     */
    public static ServiceProcess start(ServiceSettings settings) {
        ServiceProcess process = new ServiceProcess(settings.drainGrace());
        try {
            process.run(settings);
            return process;
        } catch (RuntimeException e) {
            process.open.close();
            throw e;
        }
    }

    private void run(ServiceSettings settings) {
        open.add(StateDirectory.claim(settings.stateDir()));
        instance = open.add(SluiceInstance.open(instanceSettings(settings)));
        open.add(HttpServer.start(httpSettings(settings), instance.service(), instance.health()));
        SelfCheck.require(
                settings.applicationServer(), instance.health().process().incarnation(), SELF_CHECK_WITHIN);
        instance.join();
    }

    public SluiceInstance instance() {
        return instance;
    }

    @Override
    public void close() {
        instance.drain();
        try {
            Thread.sleep(drainGrace.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        instance.leave();
        open.close();
    }

    private static InstanceSettings instanceSettings(ServiceSettings settings) {
        return new InstanceSettings(
                settings.bootstrapServers(),
                settings.instanceId(),
                settings.applicationServer(),
                settings.stateDir(),
                settings.streamThreads(),
                settings.standbyReplicas(),
                Duration.ofMillis(settings.sessionTimeoutMs()),
                settings.profile(),
                settings.limits(),
                new InstallationWishes(
                        settings.flowPartitions(), settings.flownodePartitions(), settings.regionPartitions()),
                Map.of(),
                settings.topicsCheckInterval(),
                settings.decisionLimits(),
                settings.manifests(),
                settings.kafka(),
                forStreams(settings));
    }

    private static Map<String, Object> forStreams(ServiceSettings settings) {
        Map<String, Object> streams = new HashMap<>(settings.allForStreams());
        streams.put(RocksDbSettings.BLOCK_CACHE_BYTES, settings.rocksDbBlockCacheBytes());
        streams.put(RocksDbSettings.WRITE_BUFFER_BYTES, settings.rocksDbWriteBufferBytes());
        return streams;
    }

    private static HttpSettings httpSettings(ServiceSettings settings) {
        HttpSettings defaults = HttpSettings.of(settings.httpHost(), settings.httpPort());
        return new HttpSettings(
                defaults.host(),
                defaults.port(),
                settings.httpMaxBodyBytes(),
                settings.httpThreads(),
                defaults.drainWithin(),
                defaults.clock());
    }
}
