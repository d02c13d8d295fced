package io.sluice.tests.harness;

import io.sluice.service.runtime.InstanceSettings;
import io.sluice.service.runtime.SluiceInstance;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * An instance in a process of its own, without its HTTP door, so that it can be killed. It says when it begins and when
 * every partition can be read, and stops properly when its input ends: it outlives no test.
 *
 * <p>Arguments: bootstrap servers, state directory.
 */
public final class InstanceMain {
    static final String BEGINS = "instance begins";
    static final String READY = "instance is ready";

    private static final Duration READY_WITHIN = Duration.ofMinutes(2);

    private InstanceMain() {}

    public static void main(String[] args) throws IOException {
        System.out.println(BEGINS);
        Path state = Path.of(args[1]);
        InstanceSettings settings = withTwoThreads(
                InstanceSettings.embedded(args[0], state, state.resolveSibling("manifests"), "127.0.0.1:0"));
        try (SluiceInstance instance = SluiceInstance.start(settings)) {
            instance.awaitReady(READY_WITHIN);
            System.out.println(READY);
            while (System.in.read() >= 0) {
                continue;
            }
        }
    }

    /** Each stream thread has transactions of its own, over the partitions it decides. */
    public static InstanceSettings withTwoThreads(InstanceSettings settings) {
        return settings.withStreamThreads(2);
    }
}
