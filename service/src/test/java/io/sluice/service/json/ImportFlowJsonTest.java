package io.sluice.service.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.ImportFlow;
import io.sluice.schemas.flow.ImportFlowIds;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.TableName;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies of the requests that import. */
class ImportFlowJsonTest {
    private static final String SINK =
            "'sink_table_name':{'catalog_name':'plant','schema_name':'s','table_name':'out'}";
    private static final String LEAST =
            "'flow_id':7,'catalog_name':'plant','flow_name':'a b','raw_sql':'S','comment':'',"
                    + "'options':{'k':'v'},'flownode_ids':{'0':3},"
                    + SINK;

    private final FlowCommandJson json = new FlowCommandJson(InstantSource.system());

    @Test
    void whatALookUpShowsIsABodyThatImportsTheSame() {
        TreeMap<Long, Peer> routes = new TreeMap<>(Map.of(0L, new Peer(3, "a:1"), 9L, new Peer(Long.MIN_VALUE, "")));
        FlowRecord flow = least().withRoutes(routes).withRevision(-5, "c-1");
        ObjectNode body = JsonText.tree("{}".getBytes(StandardCharsets.UTF_8)).deepCopy();
        body.set("flow", FlowRecordJson.write(flow));

        assertThat(json.importFlow(JsonText.write(body), "plant", "me").flow()).isEqualTo(flow.withRevision(-5, ""));
    }

    @Test
    void theLeastBodyTakesTheDefaultsOfTheFormat() {
        ImportFlow read = imported("{'flow':{" + LEAST + "}}");

        assertThat(read.flow()).isEqualTo(least());
        assertThat(read.orReplace()).isFalse();
        assertThat(read.envelope().partitionKey()).isEqualTo("plant");
        assertThat(imported("{'flow':{" + LEAST + "},'or_replace':true,'catalog_name':'plant'}")
                        .orReplace())
                .isTrue();
    }

    @Test
    void aScheduleHasDefaultsToo() {
        assertThat(imported("{'flow':{" + LEAST + ",'eval_schedule':{'anchor_secs':1,'start_secs':-2}}}")
                        .flow()
                        .evalSchedule())
                .isEqualTo(new EvalSchedule(1, -2, "bounded_catch_up", 3, 300));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{}|flow",
                "{'flow':{}}|flow_id",
                "{'flow':{'flow_id':-1}}|flow_id",
                "{'flow':{@,'revision':-1}}|flow.revision",
                "{'flow':{@,'task_name':'x'}}|flow.task_name",
                "{'flow':{@,'status':'Paused'}}|flow.status",
                "{'flow':{@,'created_time':'yesterday'}}|flow.created_time",
                "{'flow':{@,'expire_after':'1h'}}|flow.expire_after",
                "{'flow':{@,'eval_schedule':{'anchor_secs':1}}}|flow.eval_schedule.start_secs",
                "{'flow':{@,'eval_schedule':{'anchor_secs':1,'start_secs':1,'missed_tick_policy':'x'}}}|bounded_catch_up skip",
                "{'flow':{@,'flow_routes':[{'partition_id':0,'peer':{'id':4,'addr':''}}]}}|flownode 3 for partition 0",
                "{'flow':{@,'flow_routes':[{'partition_id':1,'peer':{'id':3,'addr':''}}]}}|no partition 1",
                "{'flow':{@},'catalog_name':'other'}|catalog_name"
            })
    void whatCannotBeTakenIsNamed(String body, String named) {
        assertThatThrownBy(() -> imported(body.replace("@", LEAST)))
                .isInstanceOf(JsonRefusedException.class)
                .hasMessageContaining(named);
    }

    @Test
    void aPartitionWithTwoAddressesIsRefused() {
        String route = "{'partition_id':0,'peer':{'id':3,'addr':'a'}}";

        assertThatThrownBy(() -> imported("{'flow':{" + LEAST + ",'flow_routes':[" + route + "," + route + "]}}"))
                .hasMessageContaining("given twice");
    }

    @Test
    void theNextIdMayBeTheOneThatIsNone() {
        assertThat(ids("{'next_flow_id':4294967296}").nextFlowId()).isEqualTo(4_294_967_296L);
        assertThatThrownBy(() -> ids("{'next_flow_id':4294967297}")).hasMessageContaining("0 to 4294967296");
        assertThatThrownBy(() -> ids("{}")).hasMessageContaining("next_flow_id is missing");
    }

    private ImportFlow imported(String body) {
        return json.importFlow(bytes(body), "plant", "me");
    }

    private ImportFlowIds ids(String body) {
        return json.importFlowIds(bytes(body), "plant", "me");
    }

    private static byte[] bytes(String body) {
        return body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private static FlowRecord least() {
        return new FlowRecord(
                "plant",
                7,
                "a b",
                1,
                "",
                List.of(),
                List.of(),
                List.of(),
                new TableName("plant", "s", "out"),
                new TreeMap<>(Map.of(0L, new Peer(3, ""))),
                null,
                "S",
                null,
                null,
                "",
                new TreeMap<>(Map.of("k", "v")),
                FlowStatus.ACTIVE,
                0,
                0,
                null);
    }
}
