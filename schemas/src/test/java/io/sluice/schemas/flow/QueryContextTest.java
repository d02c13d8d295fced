package io.sluice.schemas.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.Samples;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class QueryContextTest {
    @Test
    void u64KeysAreInUnsignedOrder() {
        assertThat(Samples.context().snapshotSeqs().keySet()).containsExactly(1L, Samples.U64_MAX);
    }

    @Test
    void extensionsAreInTheirNaturalOrderWhateverTheGivenOrder() {
        SortedMap<String, String> backwards = new TreeMap<>(Comparator.reverseOrder());
        backwards.putAll(Map.of("a", "1", "b", "2", "c", "3"));

        assertThat(context(backwards).extensions().keySet()).containsExactly("a", "b", "c");
    }

    @Test
    void aContextDoesNotFollowTheMapItWasMadeFrom() {
        SortedMap<String, String> given = new TreeMap<>(Map.of("a", "1"));
        QueryContext context = context(given);

        given.put("b", "2");

        assertThat(context.extensions()).containsOnlyKeys("a");
    }

    @Test
    void theScheduledTimeIsTakenOutAndNothingElse() {
        QueryContext context = context(new TreeMap<>(Map.of("a", "1", "flow.scheduled_time_millis", "5", "z", "2")));

        assertThat(context.withoutScheduledTime()).isEqualTo(context(new TreeMap<>(Map.of("a", "1", "z", "2"))));
    }

    @Test
    void aContextWithoutScheduledTimeStaysAsItIs() {
        assertThat(Samples.context().withoutScheduledTime()).isEqualTo(Samples.context());
    }

    @Test
    void onlyTheExactNameIsTheScheduledTime() {
        QueryContext context =
                context(new TreeMap<>(Map.of("flow.scheduled_time_millis2", "5", "Flow.Scheduled_Time_Millis", "6")));

        assertThat(context.withoutScheduledTime()).isEqualTo(context);
    }

    private static QueryContext context(SortedMap<String, String> extensions) {
        return new QueryContext("c", "s", "UTC", extensions, 0, new TreeMap<>(), new TreeMap<>());
    }
}
