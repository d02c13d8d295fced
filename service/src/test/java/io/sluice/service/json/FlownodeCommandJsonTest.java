package io.sluice.service.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flownode.FlowStateEntry;
import io.sluice.schemas.flownode.RegisterFlownode;
import io.sluice.schemas.flownode.ReportFlowState;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlownodeCommandJsonTest {
    private static final Instant ARRIVAL = Instant.parse("2026-07-01T06:10:00.123456789Z");

    private final FlownodeCommandJson json = new FlownodeCommandJson(InstantSource.fixed(ARRIVAL));

    private static byte[] utf8(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private RegisterFlownode register(String body) {
        return json.registerFlownode(utf8(body), -1, "me");
    }

    private ReportFlowState report(String body) {
        return json.reportFlowState(utf8(body), 7, "me");
    }

    @Test
    void aRegistrationIsAboutTheFlownodeOfThePath() {
        RegisterFlownode command = register("{'addr':'b:1','epoch':5}");

        assertThat(command.flownodeId()).isEqualTo(-1);
        assertThat(command.addr()).isEqualTo("b:1");
        assertThat(command.epoch()).isEqualTo(5);
        assertThat(command.envelope().partitionKey()).isEqualTo("18446744073709551615");
        assertThat(command.envelope().commandId()).matches("[0-9a-f-]{36}");
        assertThat(command.envelope().issuedAtNanos()).isEqualTo(1_782_886_200_123_456_789L);
        assertThat(command.envelope().who()).isEqualTo("me");
    }

    @Test
    void whatEveryBodyMayCarryIsTaken() {
        RegisterFlownode command = register(
                "{'addr':'b:1','epoch':'18446744073709551615','command_id':'c-1','issued_at':'1970-01-01T00:00:01Z'}");

        assertThat(command.epoch()).isEqualTo(-1);
        assertThat(command.envelope().commandId()).isEqualTo("c-1");
        assertThat(command.envelope().issuedAtNanos()).isEqualTo(1_000_000_000L);
        assertThat(report("{'flows':[],'command_id':'c-2'}").envelope().commandId())
                .isEqualTo("c-2");
    }

    @Test
    void aReportIsTakenAsItIs() {
        ReportFlowState command = report("{'flows':["
                + "{'catalog':'a','flow_id':4294967295,'state_size':'18446744073709551615','last_exec_time_ms':-5},"
                + "{'catalog':'a','flow_id':1,'state_size':0,'last_exec_time_ms':100,'start_time_ms':7}]}");

        assertThat(command.flownodeId()).isEqualTo(7);
        assertThat(command.envelope().partitionKey()).isEqualTo("7");
        assertThat(command.flows())
                .containsExactly(
                        new FlowStateEntry("a", 4294967295L, -1, -5, null), new FlowStateEntry("a", 1, 0, 100, 7L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'epoch':5} | addr is missing",
                "{'addr':'b:1'} | epoch is missing",
                "{'addr':7,'epoch':5} | addr is 7",
                "{'addr':'b:1','epoch':-1} | epoch is -1",
                "{'addr':'b:1','epoch':18446744073709551616} | epoch is 18446744073709551616",
                "{'addr':'b:1','epoch':1.5} | epoch is 1.5",
                "{'addr':'b:1','epoch':5,'flownode_id':1} | unknown field \"flownode_id\"",
                "{'addr':'b:1','epoch':5,'command_id':'a b'} | command_id is",
            })
    void aRegistrationThatCannotBeIsRefusedByName(String body, String message) {
        refusedWith(() -> register(body), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{} | flows is missing",
                "{'flows':{}} | flows is an object",
                "{'flows':[7]} | flows[0] is 7",
                "{'flows':[{'flow_id':1,'state_size':0,'last_exec_time_ms':1}]} | flows[0].catalog is missing",
                "{'flows':[{'catalog':'a','flow_id':4294967296,'state_size':0,'last_exec_time_ms':1}]} | flows[0].flow_id",
                "{'flows':[{'catalog':'a','flow_id':1,'state_size':-1,'last_exec_time_ms':1}]} | flows[0].state_size",
                "{'flows':[{'catalog':'a','flow_id':1,'state_size':0}]} | flows[0].last_exec_time_ms is missing",
                "{'flows':[{'catalog':'a','flow_id':1,'state_size':0,'last_exec_time_ms':1,'start_time_ms':null}]}"
                        + " | flows[0].start_time_ms is null",
                "{'flows':[{'catalog':'a','flow_id':1,'state_size':0,'last_exec_time_ms':1,'size':2}]}"
                        + " | unknown field \"flows[0].size\"",
            })
    void aReportThatCannotBeIsRefusedByName(String body, String message) {
        refusedWith(() -> report(body), message);
    }

    private static void refusedWith(Runnable reading, String message) {
        assertThatThrownBy(reading::run)
                .isInstanceOfSatisfying(
                        JsonRefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(OutcomeCode.INVALID_ARGUMENT))
                .hasMessageContaining(message);
    }

    @Test
    void whatIsWrittenInAViewCanBeReadAgain() {
        FlowStateEntry large = new FlowStateEntry("a", 4294967295L, -1, Long.MIN_VALUE, null);
        FlowStateEntry small = new FlowStateEntry("a", 1, (1L << 53) - 1, Long.MAX_VALUE, -7L);

        String written = FlowStateJson.write(java.util.List.of(large, small)).toString();

        assertThat(written)
                .contains("\"state_size\":\"18446744073709551615\"")
                .contains("\"state_size\":9007199254740991,")
                .containsOnlyOnce("start_time_ms");
        assertThat(report(written).flows()).containsExactly(large, small);
        assertThat(FlowStateJson.entries(JsonText.tree(written.getBytes(StandardCharsets.UTF_8))))
                .containsExactly(large, small);
    }
}
