package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.sluice.client.ClientSettings;
import io.sluice.client.OutcomeUnknownException;
import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A caller that got no answer in time knows the id to ask by, and asking again is safe (docs/kafka.md, K-32). */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class OutcomeUnknownIT {
    @TempDir
    Path data;

    @Test
    void aTimeoutNamesTheCommandIdAndTheSameIdSentAgainReturnsItsOneOutcome() {
        try (LocalSluice sluice = LocalSluice.on(data).start()) {
            sluice.stopInstance();
            CreateFlow create = Flows.create("greptime", "patient-1", "patient", Flows.definition("S1"));
            ClientSettings hasty =
                    ClientSettings.of(sluice.bootstrapServers()).withOutcomeTimeout(Duration.ofMillis(300));

            try (SluiceClient client = SluiceClient.connect(hasty)) {
                CompletionException thrown = catchThrowableOfType(
                        CompletionException.class, () -> client.send(create).join());
                assertThat(thrown.getCause())
                        .isInstanceOfSatisfying(
                                OutcomeUnknownException.class,
                                unknown -> assertThat(unknown.key()).isEqualTo(new CommandKey("greptime", "patient-1")))
                        .hasMessageContaining("\"patient-1\"")
                        .hasMessageContaining("send it again with the same command id");
                assertThat(client.inFlight()).as("nobody waits any more").isZero();
            }

            sluice.startInstance();
            Outcome outcome = sluice.settle(create);
            assertThat(outcome.isOk()).isTrue();
            assertThat(outcome.position().decision()).as("decided once").isEqualTo(1);
            assertThat(sluice.queries().outcome("greptime", "patient-1").value())
                    .isEqualTo(outcome);
            assertThat(sluice.settle(create)).isEqualTo(outcome);
            // The retry's own answer may still be on its way: the first record's outcome answers both.
            await().atMost(LocalSluice.WITHIN)
                    .untilAsserted(() -> assertThat(sluice.topics().outcomesOf("greptime", "patient-1"))
                            .as("one answer per record")
                            .hasSize(3)
                            .containsOnly(outcome));
        }
    }
}
