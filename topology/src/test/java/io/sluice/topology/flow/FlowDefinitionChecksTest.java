package io.sluice.topology.flow;

import static io.sluice.topology.flow.FlowCommands.comment;
import static io.sluice.topology.flow.FlowCommands.create;
import static io.sluice.topology.flow.FlowCommands.drop;
import static io.sluice.topology.flow.FlowCommands.replace;
import static io.sluice.topology.flow.FlowSamples.context;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flow.Peer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The field table 2.2, row by row. */
class FlowDefinitionChecksTest {
    private final FlowScenario flows = new FlowScenario();

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "a b", "a/b", "a\n", "a\u0000b", "流"})
    void catalogMustMatchTheNamePatternInEveryCommand(String catalog) {
        flows.when(create("f").catalog(catalog)).expectInvalid("catalog", "[a-zA-Z_:-]");
        flows.when(replace("f").catalog(catalog)).expectInvalid("catalog");
        flows.when(drop("f").catalog(catalog).ifExists()).expectInvalid("catalog");
        flows.when(comment("f", "x").catalog(catalog)).expectInvalid("catalog");
    }

    @Test
    void longValuesAreShortenedInMessages() {
        String huge = "9".repeat(100_000);
        flows.when(create("f").catalog(huge)).expectInvalid("catalog", "(100000 characters)", "[a-zA-Z_:-]");
        flows.when(create(huge)).expectInvalid("flow_name", "(100000 characters)");
        flows.when(create("f").option(huge, "1")).expectInvalid("options", "(100000 characters)", "flow_type");
        flows.when(create("f").option("flow_type", huge)).expectInvalid("flow_type", "(100000 characters)", "batching");
        flows.when(create("f").expireAfter(huge))
                .expectInvalid("expire_after", "(100000 characters)", "9223372036854775 seconds");
        flows.when(create("f").evalInterval("1" + "x".repeat(100_000)))
                .expectInvalid("eval_interval_secs", "(100001 characters)", "second, minute, hour, day, week");
    }

    @Test
    void aLongDurationThatIsOneIsAccepted() {
        flows.when(create("f").expireAfter("1s ".repeat(100))).expectOk(1024, 1);
        assertThat(flows.flow("f").expireAfterSecs()).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 4294967296L, Long.MIN_VALUE, Long.MAX_VALUE})
    void flowIdMustBeAU32(long flowId) {
        String shown = Long.toString(flowId);
        flows.when(create("f").id(flowId)).expectInvalid("flow_id", shown, "0 to 4294967295");
        flows.when(replace("f").id(flowId)).expectInvalid("flow_id", shown);
        flows.when(drop("f").id(flowId)).expectInvalid("flow_id", shown);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1023, 1024, 4294967295L})
    void anyU32IsAFlowId(long flowId) {
        flows.when(create("f").id(flowId)).expectOk(flowId, 1);
    }

    @Test
    void partitionIdsAreKeptAsGiven() {
        flows.when(create("f").routes("7:1,2:1,4294967295:3"))
                .expectOk(1024, 1)
                .expectRoutes(1024, "2:1,7:1,4294967295:3");
    }

    @Test
    void partitionIdsAreU32() {
        flows.when(create("f").routes("4294967296:1")).expectInvalid("flow_routes partition_id", "4294967296");
        flows.when(create("f").noRoutes().flownodeIds("-1:1")).expectInvalid("flownode_ids partition_id", "-1");
    }

    @Test
    void flownodeIdsAreU64() {
        flows.when(create("f").routes("0:18446744073709551615")).expectOk(1024, 1);
        flows.expectRoutes(1024, "0:18446744073709551615");
    }

    @Test
    void aPartitionGivenTwiceIsRefused() {
        flows.when(create("f").routes("0:1,0:1")).expectInvalid("flow_routes", "partition 0", "once");
        flows.when(create("f").noRoutes().flownodeIds("3:1,3:2")).expectInvalid("flownode_ids", "partition 3", "once");
        flows.when(create("f").flownodeIds("0:1,0:1")).expectInvalid("flownode_ids", "partition 0", "once");
    }

    @Test
    void routesByIdHaveAnEmptyAddress() {
        flows.when(create("f").noRoutes().flownodeIds("0:1")).expectOk(1024, 1);
        assertThat(flows.flow("f").routes().get(0L)).isEqualTo(new Peer(1, ""));
    }

    @Test
    void agreeingRoutesAndIdsKeepTheAddress() {
        flows.when(create("f").routes("0:1,1:2").flownodeIds("1:2,0:1")).expectOk(1024, 1);
        assertThat(flows.flow("f").routes().get(1L)).isEqualTo(new Peer(2, "10.0.0.2:6800"));
    }

    @Test
    void routesAndIdsMustNameTheSamePartitionsAndFlownodes() {
        flows.when(create("f").routes("0:1,1:2").flownodeIds("0:1")).expectInvalid("flownode_ids", "[0]", "[0, 1]");
        flows.when(create("f").routes("0:1").flownodeIds("0:1,1:2")).expectInvalid("flownode_ids", "[0, 1]", "[0]");
        flows.when(create("f").routes("0:1").flownodeIds("0:18446744073709551615"))
                .expectInvalid("flownode_ids", "partition 0", "18446744073709551615", "flownode 1");
        flows.when(create("f").routes("0:1").flownodeIds("")).expectInvalid("flownode_ids", "[]", "[0]");
    }

    @Test
    void aNewActiveFlowNeedsARoute() {
        flows.when(create("f").noRoutes()).expectInvalid("flow_routes", "at least one", "greptime.f");
        flows.when(create("f").routes("")).expectInvalid("flow_routes", "at least one");
        flows.when(create("f").noRoutes().flownodeIds("").orReplace()).expectInvalid("flow_routes", "at least one");
    }

    @Test
    void aNewPendingFlowNeedsNoRoute() {
        flows.when(create("f").noRoutes().unresolved("greptime.public.late").deferOnMissingSource())
                .expectOk(1024, 1)
                .expectRows(1024, 2);
    }

    @Test
    void anExistingFlowKeepsItsRoutesWhenNoneAreGiven() {
        flows.given(create("f").routes("3:1,9:2"))
                .when(create("f").noRoutes().orReplace().sql("S2"))
                .expectOk(1024, 2)
                .expectRoutes(1024, "3:1,9:2");
    }

    @Test
    void anActiveFlowDoesNotLoseItsLastRoute() {
        flows.given(create("f"))
                .when(replace("f").routes(""))
                .expectRefused(OutcomeCode.INVALID_ARGUMENT, 1024, 1, "flow_routes", "at least one", "keep");
    }

    @Test
    void aFlownodeMayCarrySeveralPartitions() {
        flows.when(create("f").routes("0:1,1:1")).expectOk(1024, 1).expectRows(1024, 8);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "3600 s, 3600", "2 days 1h, 176400", "1W, 604800", "9223372036854775 seconds, 9223372036854775"
    })
    void expireAfterIsADuration(String text, long seconds) {
        if (text.equals("0")) {
            flows.given(create("f").expireAfter(0));
        } else {
            flows.given(create("f").expireAfter(text));
        }
        assertThat(flows.flow("f").expireAfterSecs()).isEqualTo(seconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 month", "2 years", "", "-1s", "soon", "1", "1.5h", "9223372036854776 seconds"})
    void otherDurationsAreRefused(String text) {
        flows.when(create("f").expireAfter(text)).expectInvalid("expire_after", '"' + text + '"', "second");
        flows.when(create("f").evalInterval(text)).expectInvalid("eval_interval_secs", '"' + text + '"', "second");
    }

    @Test
    void secondsMustBeInRange() {
        flows.when(create("f").expireAfter(-1)).expectInvalid("expire_after", "-1", "0 seconds or more");
        flows.when(create("f").expireAfter(9223372036854776L)).expectInvalid("expire_after", "9223372036854775");
        flows.when(create("f").evalInterval(-5)).expectInvalid("eval_interval_secs", "-5");
        flows.when(create("f").evalInterval(0)).expectInvalid("eval_interval_secs", "0", "at least 1");
        flows.when(create("f").evalInterval("0s")).expectInvalid("eval_interval_secs", "\"0s\"", "at least 1");
    }

    @Test
    void absentDurationsMeanNeverAndNoSchedule() {
        flows.given(create("f"));
        assertThat(flows.flow("f").expireAfterSecs()).isNull();
        assertThat(flows.flow("f").evalIntervalSecs()).isNull();
        assertThat(flows.flow("f").evalSchedule()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"foo", "eval_interval_anchor", "access_key_id", "__greptime_internal_eval_schedule", "Flow_Type"
            })
    void unknownOptionsAreRefusedByName(String key) {
        flows.when(create("f").option(key, "1"))
                .expectInvalid('"' + key + '"', "defer_on_missing_source", "experimental_enable_incremental_read");
    }

    @ParameterizedTest
    @CsvSource({"flow_type, Batching", "flow_type, ''", "defer_on_missing_source, yes", "defer_on_missing_source, ''"})
    void optionValuesAreChecked(String key, String value) {
        flows.when(create("f").option(key, value)).expectInvalid(key, '"' + value + '"');
    }

    @Test
    void optionsAreStoredAsGivenAndFlowTypeAlways() {
        flows.given(create("f")
                .option("defer_on_missing_source", " TRUE ")
                .option("experimental_enable_incremental_read", "whatever"));
        assertThat(flows.flow("f").options())
                .isEqualTo(Map.of(
                        "defer_on_missing_source", " TRUE ",
                        "experimental_enable_incremental_read", "whatever",
                        "flow_type", "batching"));
        flows.given(create("g").option("flow_type", "streaming").option("defer_on_missing_source", "False"));
        assertThat(flows.flow("g").options()).containsEntry("flow_type", "streaming");
    }

    @Test
    void anAbsentCommentIsTheEmptyText() {
        flows.given(create("f"), create("g").comment(""), create("h").comment("it's\nlong"));
        assertThat(flows.flow("f").comment()).isEmpty();
        assertThat(flows.flow("g").comment()).isEmpty();
        assertThat(flows.flow("h").comment()).isEqualTo("it's\nlong");
    }

    @Test
    void sourceIdsAreDistinctU32() {
        flows.when(create("f").sources(1024, 1025, 1024)).expectInvalid("source_table_ids", "1024", "once");
        flows.when(create("f").sources(4294967296L)).expectInvalid("source_table_ids", "4294967296", "4294967295");
        flows.when(create("f").sources(-1)).expectInvalid("source_table_ids", "-1");
        flows.when(create("f").sources(0, 4294967295L)).expectOk(1024, 1);
    }

    @Test
    void nameListsMayHaveAnyLength() {
        flows.when(create("f").sourceNames()).expectOk(1024, 1);
        flows.when(create("g").sources(1, 2, 3).sourceNames("a.b.c")).expectOk(1025, 1);
        flows.when(create("h").sources(1).sourceNames("a.b.c", "a.b.d")).expectOk(1026, 1);
    }

    @Test
    void channelIsAU8() {
        flows.when(create("f").context(context("public", 256, Map.of()))).expectInvalid("channel", "256", "0 to 255");
        flows.when(create("f").context(context("public", -1, Map.of()))).expectInvalid("channel", "-1");
        flows.when(create("f").context(context("public", 255, Map.of()))).expectOk(1024, 1);
        assertThat(flows.flow("f").queryContext().channel()).isEqualTo(255);
    }

    @Test
    void theScheduledTimeOfOneRunIsNotStored() {
        Map<String, String> extensions = Map.of("flow.scheduled_time_millis", "17", "read_preference", "leader");
        flows.given(create("f").context(context("public", 1, extensions)));
        assertThat(flows.flow("f").queryContext().extensions()).isEqualTo(Map.of("read_preference", "leader"));
        // So giving it again, for another run, is the same definition.
        flows.when(replace("f")
                        .context(context(
                                "public", 1, Map.of("flow.scheduled_time_millis", "18", "read_preference", "leader"))))
                .expectUnchanged(1024, 1);
    }

    @Test
    void fieldsAreCheckedBeforeTheFlowIsLookedUp() {
        flows.when(replace("absent").option("foo", "1")).expectInvalid("foo");
        flows.when(replace("absent").routes("0:1,0:2")).expectInvalid("partition 0");
        flows.given(create("f"));
        flows.when(replace("f").id(3000).evalInterval(0)).expectInvalid("eval_interval_secs");
        flows.when(create("f").orReplace().createIfNotExists().evalInterval(0)).expectInvalid("eval_interval_secs");
    }

    @Test
    void bothFlagsAreNoFieldError() {
        flows.when(create("f").orReplace().createIfNotExists()).expectUnsupported("or_replace", "create_if_not_exists");
    }
}
