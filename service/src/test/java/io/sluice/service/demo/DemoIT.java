package io.sluice.service.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo as it is, and with samples that do not hold what they promise. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DemoIT {
    private static final Pattern DATA = Pattern.compile("data (/\\S+)");

    @TempDir
    Path folder;

    @Test
    void everythingHolds() {
        Shown shown = run(root());

        assertThat(shown.held()).as(shown.text()).isTrue();
        assertThat(shown.text())
                .contains("OK    plant.meter_load_5m            1024  1         0:1 1:2")
                .contains("create plant.meter_load_5m: FLOW_ALREADY_EXISTS")
                .contains("create retail.orders_into_orders: UNSUPPORTED")
                .contains("routes 0:2 1:3 2:4 became 0:2 1:5 2:1")
                .contains("replace it again if at revision 1: REVISION_MISMATCH")
                .contains("drop it again: FLOW_NOT_FOUND")
                .contains("drop it again, if exists: OK")
                .contains("2         plant/1024/1 plant/1025/1 plant/1028/0 retail/1024/1 retail/1026/0")
                .contains("register flownode 1 at 10.9.9.1:6800, epoch 2: OK")
                .contains("register it at 10.1.0.1:6800, epoch 1: REVISION_MISMATCH")
                .contains("0 -> 1 (10.9.9.1:6800)")
                .contains("25 partitions run now")
                .contains("look-ups answered the same again")
                .contains("create retail.stock_alert: id 1030")
                .contains("a data node that asks now is told to wait (STALL, ALTERING)")
                .contains("(ADMIT, schema version 1)")
                .contains("as files: 00000000000000000000.json")
                .containsPattern("All \\d+ checks held, in 14 steps")
                .doesNotContain("DIFFER");
        assertNothingLeft(shown);
    }

    @Test
    void whatDoesNotHoldIsShownAndFails() throws IOException {
        Path samples = Files.createDirectory(folder.resolve("samples"));
        for (String file : List.of("plant.jsonl", "retail.jsonl", "refused.jsonl")) {
            Files.copy(root().resolve("samples").resolve(file), samples.resolve(file));
        }
        Path refused = samples.resolve("refused.jsonl");
        Files.writeString(refused, Files.readString(refused).replace("(FLOW_ALREADY_EXISTS)", "(FLOW_ID_TAKEN)"));

        Shown shown = run(folder);

        assertThat(shown.held()).isFalse();
        assertThat(shown.text())
                .contains("DIFFERS: the code of: create plant.meter_load_5m")
                .contains("expected FLOW_ID_TAKEN")
                .contains("found    FLOW_ALREADY_EXISTS")
                .containsPattern("FAILED: 1 of \\d+ checks did not hold");
        assertNothingLeft(shown);
    }

    private record Shown(boolean held, String text) {}

    private static Shown run(Path home) {
        StringWriter text = new StringWriter();
        boolean held = new Demo(home, false, new PrintWriter(text)).run();
        return new Shown(held, text.toString());
    }

    /** The data directory that was used is gone. */
    private static void assertNothingLeft(Shown shown) {
        Matcher data = DATA.matcher(shown.text());
        assertThat(data.find()).isTrue();
        assertThat(Path.of(data.group(1))).doesNotExist();
    }

    /** The directory that holds samples/, from wherever the tests run. */
    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (directory != null && !Files.isDirectory(directory.resolve("samples"))) {
            directory = directory.getParent();
        }
        assertThat(directory).as("a directory with samples/").isNotNull();
        return directory;
    }
}
