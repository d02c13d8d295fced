package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.tests.harness.Alone;
import io.sluice.tests.harness.ChildJvm;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.ReadersAgainstClosesMain;
import io.sluice.tests.harness.TestSize;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A read that meets the close of its store is refused; it does not kill the process, and no answer is wrong
 * (docs/kafka.md, K-42).
 */
@Alone
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class StoreCloseGuardIT {
    private static final int FLOWS_PER_CATALOG = 100;
    private static final Pattern FIGURES =
            Pattern.compile("answers=(\\d+) rawReads=(\\d+) notReady=\\d+ closes=(\\d+) wrong=(\\d+)");

    @TempDir
    Path data;

    @Test
    void readersSurviveTheClosesOfTheStoresTheyReadAndGetNoWrongAnswer() throws IOException, InterruptedException {
        int closes = TestSize.of(100, 500);
        try (LocalSluice sluice = LocalSluice.on(data)
                .withInstance(ReadersAgainstClosesMain::withManyPartitions)
                .start()) {
            List<FlowCommand> commands = new ArrayList<>();
            for (String catalog : ReadersAgainstClosesMain.CATALOGS) {
                for (int i = 0; i < FLOWS_PER_CATALOG; i++) {
                    commands.add(Flows.create(catalog, "c" + i, "flow_" + i, Flows.definition("S" + i)));
                }
            }
            assertThat(sluice.settle(commands)).allMatch(Outcome::isOk);
            sluice.stopInstance();

            ChildJvm.Ended child = ChildJvm.run(
                    data,
                    ReadersAgainstClosesMain.class,
                    Duration.ofMinutes(TestSize.of(6, 12)),
                    sluice.bootstrapServers(),
                    sluice.stateDirectory().toString(),
                    Integer.toString(closes),
                    Integer.toString(FLOWS_PER_CATALOG));

            assertThat(child.exitStatus()).as(child.said()).isZero();
            Matcher figures = FIGURES.matcher(child.said());
            assertThat(figures.find()).as(child.said()).isTrue();
            assertThat(Long.parseLong(figures.group(1)))
                    .as("answered look-ups: %s", child.said())
                    .isGreaterThan(1_000);
            assertThat(Long.parseLong(figures.group(2)))
                    .as("reads that may meet a close: %s", child.said())
                    .isGreaterThan(100_000);
            System.out.println(figures.group());
            assertThat(Integer.parseInt(figures.group(3))).isGreaterThanOrEqualTo(closes);
        }
    }
}
