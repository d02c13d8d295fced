package io.sluice.topology.flow;

import static io.sluice.topology.flow.ForeignFlow.foreign;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.flow.FlowStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UncommonValuesTest {
    @Test
    void whatACreateTakesIsCommon() {
        assertThat(UncommonValues.of(common().record())).isEmpty();
    }

    @Test
    void aPendingFlowHasNoPartitionsAndIsCommon() {
        assertThat(UncommonValues.of(common().unresolved("greptime.public.late")
                        .status(FlowStatus.PENDING_SOURCES)
                        .routes(Map.of())
                        .record()))
                .isEmpty();
    }

    @Test
    void everyUncommonValueIsNamedWithWhatIsAllowed() {
        List<String> found = UncommonValues.of(foreign("f")
                .sources(1024L, 1024L)
                .expireAfter(-1L)
                .evalInterval(0L)
                .options(Map.of("access_key_id", "k", "flow_type", "batch", "defer_on_missing_source", "yes"))
                .routes(Map.of())
                .unresolved("greptime.public.out")
                .record());

        assertThat(found).hasSize(9).anySatisfy(text -> assertThat(text).contains("source_table_ids", "1024"));
        assertThat(found).anySatisfy(text -> assertThat(text).contains("expire_after", "-1"));
        assertThat(found).anySatisfy(text -> assertThat(text).contains("eval_interval_secs", "0"));
        assertThat(found).anySatisfy(text -> assertThat(text).contains("access_key_id"));
        assertThat(found).anySatisfy(text -> assertThat(text).contains("flow_type", "batch"));
        assertThat(found).anySatisfy(text -> assertThat(text).contains("defer_on_missing_source", "yes"));
        assertThat(found).anySatisfy(text -> assertThat(text).contains("flownode_ids"));
        assertThat(found).anySatisfy(text -> assertThat(text).contains("unresolved_source_table_names"));
        assertThat(found).anySatisfy(text -> assertThat(text).contains("greptime.public.out"));
    }

    private static ForeignFlow common() {
        return foreign("f").expireAfter(null).options(Map.of());
    }
}
