package io.sluice.topology.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The renderings of the topic table. */
class TopicPlanTest {
    private final TopicPlan plan = new TopicPlan(TopicTable.defaults(Profile.EMBEDDED));

    @Test
    void textIsAligned() {
        List<String> lines = plan.text().lines().toList();
        assertThat(lines).hasSize(20);
        assertThat(lines.get(0)).startsWith("TOPIC ").endsWith("  KEY");
        int keyColumn = lines.get(0).indexOf("KEY");
        assertThat(lines).allSatisfy(line -> {
            assertThat(line.substring(keyColumn - 2, keyColumn)).isBlank();
            assertThat(line.charAt(keyColumn)).isNotEqualTo(' ');
            assertThat(line).isEqualTo(line.stripTrailing());
        });
        assertThat(lines.get(1).split(" {2,}"))
                .containsExactly(
                        "sluice.flow.commands",
                        "4",
                        "1",
                        "1",
                        "compact",
                        "-",
                        "24 h",
                        "7 d",
                        "LogAppendTime",
                        "1 MiB",
                        "<catalog>/<command_id>");
        assertThat(plan.text()).endsWith("\n");
    }

    @Test
    void markdownHasARowForEachTopic() {
        assertThat(plan.markdown().lines())
                .hasSize(21)
                .contains("| `sluice.dead-letters` | 1 | 1 | 1 | delete | 30 d | - | - | LogAppendTime | 3 MiB"
                        + " | &lt;source topic&gt;/&lt;partition&gt;/&lt;offset&gt; |");
    }

    @Test
    void rowsCarryNumbersAndTheSettingsAsWritten() {
        Map<String, Object> row = plan.rows().get(0);
        assertThat(row)
                .containsEntry("topic", "sluice.flow.commands")
                .containsEntry("family", "flow")
                .containsEntry("partitions", 4)
                .containsEntry("replication_factor", 1)
                .containsEntry("min_insync_replicas", 1)
                .containsEntry("cleanup_policy", "compact")
                .containsEntry("retention_ms", null)
                .containsEntry("delete_retention_ms", 86_400_000L)
                .containsEntry("min_compaction_lag_ms", 604_800_000L)
                .containsEntry("timestamp_type", "LogAppendTime")
                .containsEntry("max_message_bytes", 1_048_576)
                .containsEntry("key", "<catalog>/<command_id>")
                .containsKey("why");
        assertThat(row.get("configs"))
                .isEqualTo(TopicTable.defaults(Profile.EMBEDDED).specs().get(0).configs());
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1 ms", "1500,1500 ms", "60000,1 min", "86400000,24 h", "172800000,2 d", "604800000,7 d"})
    void durations(long ms, String text) {
        assertThat(TopicPlan.duration(Duration.ofMillis(ms))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0,0 B", "1000,1000 B", "1024,1 KiB", "1536,1536 B", "524288,512 KiB", "3145728,3 MiB"})
    void sizes(long bytes, String text) {
        assertThat(TopicPlan.size(bytes)).isEqualTo(text);
    }
}
