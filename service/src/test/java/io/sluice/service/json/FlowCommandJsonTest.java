package io.sluice.service.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flow.CommentFlow;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.DropFlow;
import io.sluice.schemas.flow.DurationSpec;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowDefinition.FlownodeIdSpec;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.QueryContext;
import io.sluice.schemas.flow.ReplaceFlow;
import io.sluice.schemas.flow.TableName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlowCommandJsonTest {
    private static final String SINK =
            "'sink_table_name':{'catalog_name':'plant','schema_name':'s','table_name':'out'}";
    private static final String LEAST = "'flow_name':'f','raw_sql':'SELECT 1'," + SINK;
    private static final Instant ARRIVAL = Instant.parse("2026-07-01T06:10:00.123456789Z");

    private final FlowCommandJson json = new FlowCommandJson(InstantSource.fixed(ARRIVAL));

    @Test
    void theLeastBodyTakesEveryDefault() {
        CreateFlow create = create("{" + LEAST + "}");

        assertThat(create.flowName()).isEqualTo("f");
        assertThat(create.flowId()).isNull();
        assertThat(create.orReplace()).isFalse();
        assertThat(create.createIfNotExists()).isFalse();
        assertThat(create.catalog()).isEqualTo("plant");
        assertThat(create.envelope().who()).isEqualTo("me");
        assertThat(create.envelope().commandId()).matches("[0-9a-f-]{36}");
        assertThat(create.envelope().issuedAtNanos()).isEqualTo(1_782_886_200_123_456_789L);
        assertThat(create.definition())
                .isEqualTo(new FlowDefinition(
                        new TableName("plant", "s", "out"),
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        null,
                        null,
                        "SELECT 1",
                        null,
                        null,
                        null,
                        new TreeMap<>()));
    }

    @Test
    void everyFieldIsTaken() {
        CreateFlow create = create("{'command_id':'a:B.c_1-','issued_at':'2026-07-01T08:10:00+02:00',"
                + "'catalog_name':'plant','flow_id':4294967295,'or_replace':true,'create_if_not_exists':false,"
                + "'source_table_ids':[1,4294967295],"
                + "'all_source_table_names':[{'catalog_name':'a','schema_name':'b','table_name':'c'}],"
                + "'unresolved_source_table_names':[{'catalog_name':'x','schema_name':'y','table_name':'z'}],"
                + "'flow_routes':[{'partition_id':7,'peer':{'id':'18446744073709551615','addr':'h:1'}}],"
                + "'flownode_ids':{'7':18446744073709551615},"
                + "'query_context':{'catalog':'plant','schema':'s','timezone':'UTC'},"
                + "'expire_after':'2 days 1h','eval_interval_secs':60,'comment':'it\\u0027s',"
                + "'options':{'flow_type':'streaming'}," + LEAST + "}");

        assertThat(create.envelope().commandId()).isEqualTo("a:B.c_1-");
        assertThat(create.envelope().issuedAtNanos()).isEqualTo(1_782_886_200_000_000_000L);
        assertThat(create.flowId()).isEqualTo(4294967295L);
        assertThat(create.orReplace()).isTrue();
        FlowDefinition definition = create.definition();
        assertThat(definition.sourceTableIds()).containsExactly(1L, 4294967295L);
        assertThat(definition.allSourceTableNames()).containsExactly(new TableName("a", "b", "c"));
        assertThat(definition.unresolvedSourceTableNames()).containsExactly(new TableName("x", "y", "z"));
        assertThat(definition.flowRoutes()).containsExactly(new RouteSpec(7, new Peer(-1, "h:1")));
        assertThat(definition.flownodeIds()).containsExactly(new FlownodeIdSpec(7, -1));
        assertThat(definition.expireAfter()).isEqualTo(DurationSpec.ofText("2 days 1h"));
        assertThat(definition.evalInterval()).isEqualTo(DurationSpec.ofSeconds(60));
        assertThat(definition.comment()).isEqualTo("it's");
        assertThat(definition.options()).isEqualTo(Map.of("flow_type", "streaming"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'query_context':{'current_catalog':'c','current_schema':'jsdp_log','timezone':'UTC','extensions':{},'channel':0}",
                "'flow_context':{'current_catalog':'c','current_schema':'jsdp_log','timezone':'UTC','extensions':{},'channel':0,"
                        + "'snapshot_seqs':{},'sst_min_sequences':{}}",
                "'query_context':{'catalog':'c','schema':'jsdp_log','timezone':'UTC'}",
                "'flow_context':{'catalog':'c','schema':'jsdp_log','timezone':'UTC','extensions':{},'channel':0,"
                        + "'snapshot_seqs':{},'sst_min_sequences':{}}"
            })
    void bothShapesUnderBothNamesMeanTheSameContext(String context) {
        assertThat(create("{" + context + "," + LEAST + "}").definition().queryContext())
                .isEqualTo(
                        new QueryContext("c", "jsdp_log", "UTC", new TreeMap<>(), 0, new TreeMap<>(), new TreeMap<>()));
    }

    @Test
    void theMapsOfAContextKeepUnsignedNumbers() {
        QueryContext context = create("{'flow_context':{'catalog':'c','schema':'s','timezone':'','channel':255,"
                        + "'extensions':{'k':'v'},'snapshot_seqs':{'18446744073709551615':'9223372036854775808'},"
                        + "'sst_min_sequences':{'0':0}}," + LEAST + "}")
                .definition()
                .queryContext();

        assertThat(context.extensions()).isEqualTo(Map.of("k", "v"));
        assertThat(context.channel()).isEqualTo(255);
        assertThat(context.snapshotSeqs()).isEqualTo(Map.of(-1L, Long.MIN_VALUE));
        assertThat(context.sstMinSequences()).isEqualTo(Map.of(0L, 0L));
    }

    @Test
    void nullIsTakenWhereItHasAMeaning() {
        FlowDefinition definition = create("{'expire_after':null,'eval_interval_secs':null,'comment':null,"
                        + "'query_context':null," + LEAST + "}")
                .definition();

        assertThat(definition.expireAfter()).isNull();
        assertThat(definition.evalInterval()).isNull();
        assertThat(definition.comment()).isNull();
        assertThat(definition.queryContext()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'foo':1 | unknown field \"foo\": allowed are all_source_table_names, catalog_name,",
                "'revision':1 | unknown field \"revision\"",
                "'status':'Active' | unknown field \"status\"",
                "'expected_revision':1 | unknown field \"expected_revision\"",
                "'flow_routes':[{'partition_id':0,'peer':{'id':1,'addr':'','port':1}}] | unknown field \"flow_routes[0].peer.port\": in flow_routes[0].peer allowed are addr, id",
                "'flow_routes':[{'partition_id':0,'peer':{'id':1,'addr':''},'node':1}] | unknown field \"flow_routes[0].node\"",
                "'all_source_table_names':[{'catalog_name':'a','schema_name':'b','table_name':'c','id':1}] | unknown field \"all_source_table_names[0].id\"",
                "'query_context':{'catalog':'c','schema':'s','timezone':'','tz':1} | unknown field \"query_context.tz\"",
                "'query_context':{'current_catalog':'c','current_schema':'s','timezone':'','extensions':{},'channel':0,'catalog':'c'} | unknown field \"query_context.catalog\"",
                "'flow_id':null | flow_id is null: allowed is a whole number from 0 to 4294967295",
                "'flow_id':4294967296 | flow_id is 4294967296: allowed is a whole number from 0 to 4294967295",
                "'flow_id':-1 | flow_id is -1",
                "'flow_id':1.0 | flow_id is 1.0",
                "'flow_id':1e3 | flow_id is 1e3",
                "'flow_id':'1024' | flow_id is \"1024\"",
                "'flow_id':true | flow_id is true",
                "'flow_id':{} | flow_id is an object",
                "'flow_id':[] | flow_id is an array",
                "'or_replace':'true' | or_replace is \"true\": allowed is true or false",
                "'or_replace':null | or_replace is null",
                "'create_if_not_exists':1 | create_if_not_exists is 1",
                "'source_table_ids':{} | source_table_ids is an object: allowed is an array",
                "'source_table_ids':null | source_table_ids is null",
                "'source_table_ids':[1,4294967296] | source_table_ids[1] is 4294967296",
                "'source_table_ids':[99999999999999999999] | source_table_ids[0] is 99999999999999999999",
                "'all_source_table_names':['t'] | all_source_table_names[0] is \"t\": allowed is an object",
                "'all_source_table_names':[{'catalog_name':'a','schema_name':'b'}] | all_source_table_names[0].table_name is missing",
                "'unresolved_source_table_names':[{'catalog_name':null,'schema_name':'b','table_name':'c'}] | unresolved_source_table_names[0].catalog_name is null: allowed is text",
                "'flow_routes':null | flow_routes is null",
                "'flow_routes':[{'peer':{'id':1,'addr':''}}] | flow_routes[0].partition_id is missing",
                "'flow_routes':[{'partition_id':4294967296,'peer':{'id':1,'addr':''}}] | flow_routes[0].partition_id is 4294967296",
                "'flow_routes':[{'partition_id':0,'peer':{'id':18446744073709551616,'addr':''}}] | flow_routes[0].peer.id is 18446744073709551616: allowed is a whole number from 0 to 18446744073709551615",
                "'flow_routes':[{'partition_id':0,'peer':{'id':'01','addr':''}}] | flow_routes[0].peer.id is \"01\"",
                "'flow_routes':[{'partition_id':0,'peer':{'id':'-1','addr':''}}] | flow_routes[0].peer.id is \"-1\"",
                "'flow_routes':[{'partition_id':0,'peer':{'id':1}}] | flow_routes[0].peer.addr is missing",
                "'flow_routes':[{'partition_id':0,'peer':{'id':1,'addr':null}}] | flow_routes[0].peer.addr is null",
                "'flownode_ids':[1] | flownode_ids is an array: allowed is an object",
                "'flownode_ids':{'00':1} | flownode_ids.00 has a name that is no partition id",
                "'flownode_ids':{'4294967296':1} | flownode_ids.4294967296 has a name that is no partition id",
                "'flownode_ids':{'0':null} | flownode_ids.0 is null",
                "'expire_after':true | expire_after is true: allowed is a whole number of seconds, text such as",
                "'expire_after':1.5 | expire_after is 1.5",
                "'expire_after':9223372036854775808 | expire_after is 9223372036854775808",
                "'eval_interval_secs':[] | eval_interval_secs is an array",
                "'comment':1 | comment is 1: allowed is text",
                "'options':null | options is null",
                "'options':{'defer_on_missing_source':true} | options.defer_on_missing_source is true: allowed is text",
                "'query_context':[] | query_context is an array: allowed is an object",
                "'query_context':{} | query_context.catalog is missing: allowed is {catalog, schema, timezone}, or {current_catalog",
                "'query_context':{'current_catalog':'c','current_schema':'s','timezone':'','channel':0} | query_context.extensions is missing",
                "'query_context':{'current_catalog':'c','current_schema':'s','timezone':'','extensions':{}} | query_context.channel is missing",
                "'flow_context':{'catalog':'c','schema':'s','timezone':'','channel':256} | flow_context.channel is 256: allowed is a whole number from 0 to 255",
                "'flow_context':{'catalog':'c','schema':'s','timezone':'','extensions':{'a':1}} | flow_context.extensions.a is 1",
                "'flow_context':{'catalog':'c','schema':'s','timezone':'','snapshot_seqs':{'x':1}} | flow_context.snapshot_seqs.x has a name that is no number",
                "'flow_context':{'catalog':'c','schema':'s','timezone':'','sst_min_sequences':{'1':-1}} | flow_context.sst_min_sequences.1 is -1",
                "'flow_context':null,'query_context':null | both query_context and flow_context are given",
                "'command_id':'a/b' | command_id is \"a/b\": allowed is text that matches [A-Za-z0-9._:-]{1,128}",
                "'command_id':'' | command_id is \"\"",
                "'command_id':null | command_id is null",
                "'command_id':7 | command_id is 7",
                "'issued_at':'yesterday' | issued_at is \"yesterday\": allowed is an RFC 3339 time",
                "'issued_at':1782886200 | issued_at is 1782886200: allowed is text",
                "'issued_at':'2263-01-01T00:00:00Z' | issued_at is \"2263-01-01T00:00:00Z\"",
                "'catalog_name':'retail' | catalog_name is \"retail\": allowed is what the path says, \"plant\"",
                "'comment':'a','comment':'b' | comment is given twice",
                "'options':{'flow_type':'batching','flow_type':'batching'} | options.flow_type is given twice",
                "'comment':'\\ud800' | comment holds half of a surrogate pair",
            })
    void whatIsWrongIsNamed(String field, String message) {
        refused(() -> create("{" + field + "," + LEAST + "}"), OutcomeCode.INVALID_ARGUMENT, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'raw_sql':''," + SINK + "} | flow_name is missing: it is required",
                "{'flow_name':'f'," + SINK + "} | raw_sql is missing",
                "{'flow_name':'f','raw_sql':''} | sink_table_name is missing",
                "{'flow_name':null,'raw_sql':''," + SINK + "} | flow_name is null: allowed is text",
                "{'flow_name':'f','raw_sql':'','sink_table_name':'t'} | sink_table_name is \"t\": allowed is an object",
                "{'flow_name':'f','raw_sql':'','sink_table_name':{'table_name':'t'}} | sink_table_name.catalog_name is missing",
                "[] | the body is an array: allowed is an object",
                "null | the body is null",
                "'text' | the body is \"text\"",
            })
    void whatIsMissingIsNamed(String body, String message) {
        refused(() -> create(body), OutcomeCode.INVALID_ARGUMENT, message);
    }

    @ParameterizedTest
    @CsvSource({"plant.jsonl, 8", "retail.jsonl, 6", "refused.jsonl, 3"})
    void theSamplesAreBodies(String file, int bodies) throws IOException {
        Path samples =
                Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolveSibling("samples");
        List<String> lines = Files.readAllLines(samples.resolve(file));

        assertThat(lines).hasSize(bodies).allSatisfy(line -> {
            String catalog = line.replaceAll("^.*?\"catalog_name\":\"([a-z]+)\".*$", "$1");
            CreateFlow create = json.createFlow(line.getBytes(StandardCharsets.UTF_8), catalog, "me");
            assertThat(create.definition().rawSql()).startsWith("SELECT");
        });
    }

    @Test
    void theReplaceBodyMayRepeatThePath() {
        ReplaceFlow replace = json.replaceFlow(
                bytes("{'catalog_name':'plant','flow_id':1030,'command_id':'r1'," + LEAST + "}"),
                "plant",
                "f",
                3L,
                "me");

        assertThat(replace.flowName()).isEqualTo("f");
        assertThat(replace.flowId()).isEqualTo(1030);
        assertThat(replace.expectedRevision()).isEqualTo(3);
        assertThat(replace.definition().flowRoutes()).isNull();
        assertThat(json.replaceFlow(bytes("{'raw_sql':''," + SINK + "}"), "plant", "流 1", null, "me")
                        .flowName())
                .isEqualTo("流 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'flow_name':'g' | flow_name is \"g\": allowed is what the path says, \"f\", or leave it out",
                "'flow_name':'F' | flow_name is \"F\"",
                "'catalog_name':'Plant' | catalog_name is \"Plant\"",
                "'or_replace':true | unknown field \"or_replace\"",
                "'create_if_not_exists':false | unknown field \"create_if_not_exists\"",
                "'flow_id':-1 | flow_id is -1",
            })
    void whatIsWrongInAReplaceIsNamed(String field, String message) {
        refused(
                () -> json.replaceFlow(bytes("{" + field + ",'raw_sql':''," + SINK + "}"), "plant", "f", null, "me"),
                OutcomeCode.INVALID_ARGUMENT,
                message);
    }

    @Test
    void aCommentIsTextOrNull() {
        CommentFlow comment = json.commentFlow(bytes("{'comment':'x','flow_name':'f'}"), "plant", "f", "me");
        assertThat(comment.comment()).isEqualTo("x");
        assertThat(comment.flowName()).isEqualTo("f");
        assertThat(json.commentFlow(bytes("{'comment':null}"), "plant", "f", "me")
                        .comment())
                .isNull();
        refused(
                () -> json.commentFlow(bytes("{}"), "plant", "f", "me"),
                OutcomeCode.INVALID_ARGUMENT,
                "comment is missing");
        refused(
                () -> json.commentFlow(bytes("{'comment':1}"), "plant", "f", "me"),
                OutcomeCode.INVALID_ARGUMENT,
                "comment is 1: allowed is text");
        refused(
                () -> json.commentFlow(bytes("{'comment':'','raw_sql':''}"), "plant", "f", "me"),
                OutcomeCode.INVALID_ARGUMENT,
                "unknown field \"raw_sql\": allowed are catalog_name, command_id, comment, flow_name, issued_at");
        refused(
                () -> json.commentFlow(bytes("{'comment':'','flow_name':'g'}"), "plant", "f", "me"),
                OutcomeCode.INVALID_ARGUMENT,
                "flow_name is \"g\"");
    }

    @Test
    void aDropNeedsNoBody() {
        DropFlow drop = json.dropFlow(new byte[0], "plant", "f", null, true, "me");
        assertThat(drop.ifExists()).isTrue();
        assertThat(drop.flowId()).isNull();
        assertThat(drop.envelope().issuedAtNanos()).isEqualTo(1_782_886_200_123_456_789L);

        DropFlow careful = json.dropFlow(bytes("{'command_id':'d1','flow_id':1024}"), "plant", "f", 2L, false, "me");
        assertThat(careful.envelope().commandId()).isEqualTo("d1");
        assertThat(careful.flowId()).isEqualTo(1024);
        assertThat(careful.expectedRevision()).isEqualTo(2);
        refused(
                () -> json.dropFlow(bytes("{'if_exists':true}"), "plant", "f", null, false, "me"),
                OutcomeCode.INVALID_ARGUMENT,
                "unknown field \"if_exists\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  \n",
                "{",
                "{'flow_name':}",
                "{'flow_name' 'f'}",
                "{flow_name:'f'}",
                "{'a':1,}",
                "{'a':01}",
                "{'a':NaN}",
                "{'a':.5}",
                "{'a':tru}",
                "{'a':1} {}",
                "{'a':1}]",
                "hello",
                "{'\\udc00':1}",
                "\uFEFF{}"
            })
    void textThatIsNoJsonIsMalformed(String text) {
        refused(() -> create(text), OutcomeCode.MALFORMED, "the body ");
    }

    @Test
    void bytesThatAreNoTextAreMalformed() {
        byte[] body = bytes("{'flow_name':'f?'}");
        body[body.length - 3] = (byte) 0xff;
        refused(() -> json.createFlow(body, "plant", "me"), OutcomeCode.MALFORMED, "the body is no UTF-8 text");
    }

    @Test
    void depthIsLimited() {
        String deep = "{'a':" + "[".repeat(100_000) + "}";
        refused(() -> create(deep), OutcomeCode.MALFORMED, "nested too deeply");
    }

    @Test
    void aNumberOfManyDigitsIsRefusedNotRead() {
        refused(
                () -> create("{'flow_id':" + "9".repeat(500_000) + "," + LEAST + "}"),
                OutcomeCode.INVALID_ARGUMENT,
                "flow_id is 999");
    }

    @Test
    void messagesStayShort() {
        assertThatThrownBy(() -> create("{'" + "x".repeat(100_000) + "':1," + LEAST + "}"))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(1_000));
        assertThatThrownBy(() -> create("{'command_id':'" + "x".repeat(100_000) + "'," + LEAST + "}"))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(1_000));
    }

    private CreateFlow create(String body) {
        return json.createFlow(bytes(body), "plant", "me");
    }

    private static void refused(ThrowingCallable call, OutcomeCode code, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        JsonRefusedException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(message);
    }

    /** JSON written with single quotes, for the reader's eyes. */
    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }
}
