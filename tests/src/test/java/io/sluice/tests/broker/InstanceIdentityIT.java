package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.FreePorts;
import io.sluice.tests.harness.Alone;
import io.sluice.tests.harness.BuildDirectory;
import io.sluice.tests.harness.HttpApi;
import io.sluice.tests.harness.ServeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What two processes must not have in common is noticed, and said. */
@Alone
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class InstanceIdentityIT {
    @TempDir(factory = BuildDirectory.class)
    private Path directory;

    @Test
    void ofTwoProcessesWithTheSameInstanceIdOneEndsAndSaysWhy() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.builder(directory.resolve("kafka"))
                        .build()
                        .start();
                ServeProcess first = instance("first", broker).start().awaitReady();
                ServeProcess second = instance("second", broker).start().awaitReady()) {
            // Kafka lets the one that came last have the name.
            assertThat(first.jvm().awaitEnd()).isEqualTo(1);
            assertThat(String.join("\n", first.said()))
                    .contains("another process runs with the same instance.id")
                    .contains("this instance has given up deciding and must be started again");
            assertThat(new HttpApi(second.url()).get("/health/ready").status()).isEqualTo(200);
        }
    }

    /** In a folder of its own and at an address of its own, but with the same name. */
    private ServeProcess instance(String folder, EmbeddedBroker broker) throws IOException {
        return ServeProcess.of(
                Files.createDirectory(directory.resolve(folder)),
                "same",
                FreePorts.one(),
                broker.bootstrapServers(),
                Map.of("session.timeout.ms", "6000"));
    }
}
