package io.sluice.service.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Reply;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Purpose: the steps of the demo that send commands, and what must come of them.
 *
 * <p>Threading: one thread.
 *
 * <p>Invariant: {@link ExpectedFlows} follows every accepted command, and no refused one.
 */
final class CommandSteps {
    private static final Pattern CODE_IN_COMMENT = Pattern.compile("\\(([A-Z_]+)\\)$");
    private static final String MOVED_CATALOG = "plant";
    private static final String MOVED_NAME = "turbine_output_1m";
    private static final String DROPPED_CATALOG = "retail";
    private static final String DROPPED_NAME = "stock_alert";
    private static final String FIRST_COMMAND_ID = "demo-1";

    private final DemoReport report;
    private final DemoSamples samples;
    private final ExpectedFlows expected;

    /** The answer to the very first command. */
    private JsonNode firstOutcome;

    CommandSteps(DemoReport report, DemoSamples samples, ExpectedFlows expected) {
        this.report = report;
        this.samples = samples;
        this.expected = expected;
    }

    /** Creates every sample. */
    void apply(ServiceClient client) {
        TextTable table = new TextTable("CODE", "FLOW", "ID", "REVISION", "ROUTES (PARTITION:FLOWNODE)");
        int number = 0;
        for (ObjectNode sample : samples.accepted()) {
            number++;
            ObjectNode body = sample.deepCopy().put("command_id", "demo-" + number);
            Reply reply = create(client, body);
            DemoFlow flow = created(body, reply);
            if (number == 1) {
                firstOutcome = reply.body();
            }
            table.row(
                    reply.code(),
                    flow.catalog() + "." + flow.name(),
                    reply.body().path("flow_id").asText(),
                    reply.body().path("revision").asText(),
                    flow.isPending() ? "none yet: a source does not exist" : flow.routesText());
        }
        report.table(table);
    }

    /** Sends what must be refused. */
    void refuse(ServiceClient client) {
        report.check("samples that are to be refused", true, !samples.refused().isEmpty());
        for (ObjectNode body : samples.refused()) {
            Matcher code = CODE_IN_COMMENT.matcher(body.path("comment").asText());
            if (!code.find()) {
                throw new DemoException(
                        "the comment of " + nameOf(body) + " in refused.jsonl does not end with (CODE)");
            }
            expectCode("create " + nameOf(body), code.group(1), create(client, body));
        }
    }

    /** Moves a flow, drops another, and says something twice. */
    void change(ServiceClient client) {
        move(client);
        report.line("");
        drop(client);
    }

    /** A flownode comes up elsewhere; what a former process of it says too late changes nothing. */
    void register(ServiceClient client) {
        long flownodeId = expected.flownodes().first();
        String path = ServiceClient.path("v1", "flownodes", Long.toString(flownodeId), "address");
        String address = "10.9.9." + flownodeId + ":6800";
        expectCode(
                "register flownode " + flownodeId + " at " + address + ", epoch 2",
                "OK",
                client.send("PUT", path, address(address, 2), Map.of()));
        expected.register(flownodeId, address);
        expectCode(
                "register it at 10.1.0." + flownodeId + ":6800, epoch 1",
                "REVISION_MISMATCH",
                client.send("PUT", path, address("10.1.0." + flownodeId + ":6800", 1), Map.of()));
    }

    private static ObjectNode address(String address, long epoch) {
        return JsonNodeFactory.instance.objectNode().put("addr", address).put("epoch", epoch);
    }

    /** Sends the very first command once more. */
    void repeatFirst(ServiceClient client) {
        ObjectNode body = samples.accepted().get(0).deepCopy().put("command_id", FIRST_COMMAND_ID);
        Reply reply = create(client, body);
        if (report.check("the answer to command " + FIRST_COMMAND_ID + " sent again", firstOutcome, reply.body())) {
            report.line("command " + FIRST_COMMAND_ID + " sent again: its first outcome, "
                    + reply.body().path("position").asText() + ", and nothing is done twice");
        }
    }

    /** Creates the dropped flow again: ids are not used twice. */
    void createDroppedAgain(ServiceClient client) {
        ObjectNode body = samples.require(DROPPED_CATALOG, DROPPED_NAME);
        DemoFlow flow = created(body, create(client, body));
        report.line("create " + nameOf(body) + ": id " + flow.id() + ", a dropped flow's id is not used again");
    }

    private void move(ServiceClient client) {
        DemoFlow before = expected.require(MOVED_CATALOG, MOVED_NAME);
        String path = ServiceClient.path("v1", "catalogs", MOVED_CATALOG, "flows", MOVED_NAME);
        ObjectNode body = samples.require(MOVED_CATALOG, MOVED_NAME).deepCopy();
        moveRoutes((ArrayNode) body.get("flow_routes"));
        DemoFlow after = DemoFlow.of(body, before.id(), before.revision() + 1);

        Reply reply = client.send("PUT", path, body, Map.of("If-Match", "\"1\""));
        expectCode("replace " + nameOf(body) + " if at revision 1", "OK", reply);
        report.check(
                "revision after the replace",
                after.revision(),
                reply.body().path("revision").asLong());
        expected.put(after);
        report.line("   routes " + before.routesText() + " became " + after.routesText()
                + ", in one step for everybody who looks");
        expectCode(
                "replace it again if at revision 1",
                "REVISION_MISMATCH",
                client.send("PUT", path, body, Map.of("If-Match", "\"1\"")));
    }

    /** All partitions but the first go to flownodes that did not run the flow. */
    private static void moveRoutes(ArrayNode routes) {
        List<Long> free = List.of(5L, 1L);
        for (int i = 1; i < routes.size(); i++) {
            long flownodeId = free.get((i - 1) % free.size());
            ((ObjectNode) routes.get(i).get("peer"))
                    .put("id", flownodeId)
                    .put("addr", "10.1.0." + flownodeId + ":6800");
        }
    }

    private void drop(ServiceClient client) {
        DemoFlow flow = expected.require(DROPPED_CATALOG, DROPPED_NAME);
        String path = ServiceClient.path("v1", "catalogs", DROPPED_CATALOG, "flows", DROPPED_NAME);
        expectCode("drop retail." + DROPPED_NAME, "OK", client.send("DELETE", path, null, Map.of()));
        expected.remove(flow);
        expectCode("drop it again", "FLOW_NOT_FOUND", client.send("DELETE", path, null, Map.of()));
        Reply ifExists = client.send("DELETE", path + "?if_exists=true", null, Map.of());
        expectCode("drop it again, if exists", "OK", ifExists);
        report.check(
                "applied, when there was nothing to drop",
                false,
                ifExists.body().path("applied").asBoolean(true));
    }

    /** Takes over what a create must have made, and claims that it did. */
    private DemoFlow created(ObjectNode body, Reply reply) {
        DemoFlow flow =
                DemoFlow.of(body, expected.takeId(body.path("catalog_name").asText()), 1);
        expected.put(flow);
        JsonNode outcome = reply.body();
        report.check(
                "the outcome of creating " + nameOf(body),
                "201 OK id " + flow.id() + " revision 1 applied true",
                reply.status() + " " + reply.code() + (reply.isOk() ? "" : " " + reply.message()) + " id "
                        + outcome.path("flow_id").asText() + " revision "
                        + outcome.path("revision").asText() + " applied "
                        + outcome.path("applied").asText());
        return flow;
    }

    private void expectCode(String what, String code, Reply reply) {
        if (report.check("the code of: " + what, code, reply.code())) {
            report.line(what + ": " + code);
            if (!reply.isOk()) {
                report.text(reply.message());
            }
        } else {
            report.text(reply.message());
        }
    }

    private static Reply create(ServiceClient client, ObjectNode body) {
        return client.send(
                "POST",
                ServiceClient.path("v1", "catalogs", body.path("catalog_name").asText(), "flows"),
                body,
                Map.of());
    }

    private static String nameOf(JsonNode body) {
        return body.path("catalog_name").asText() + "." + body.path("flow_name").asText();
    }
}
