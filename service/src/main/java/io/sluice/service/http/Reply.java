package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Position;
import io.sluice.service.json.JsonText;
import io.sluice.service.json.OutcomeJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpStatus;

/**
 * An answer before it is written. Immutable; the body is not copied, nobody changes it.
 *
 * @param headers besides the content type
 */
record Reply(int status, String contentType, byte[] body, Map<String, String> headers) {
    static final String POSITION = "Sluice-Position";
    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";

    Reply {
        headers = Map.copyOf(headers);
    }

    static Reply json(int status, JsonNode json) {
        return new Reply(status, JSON, JsonText.write(json), Map.of());
    }

    static Reply json(byte[] json) {
        return new Reply(200, JSON, json, Map.of());
    }

    /** A refusal or failure (RFC 9457). */
    static Reply problem(ErrorTable.Row row, String detail) {
        return problem(row, row.status(), problemFields(row, row.status(), detail));
    }

    /** A failure that the log tells more about, under the incident's id. */
    static Reply incident(ErrorTable.Row row, String incident) {
        ObjectNode json = problemFields(
                row, row.status(), "an unexpected error: the service's log tells more, look for incident " + incident);
        json.put("incident", incident);
        return problem(row, row.status(), json);
    }

    /** A refused command: the problem and all fields of its outcome. */
    static Reply refusal(Outcome outcome) {
        ErrorTable.Row row = ErrorTable.of(outcome.code());
        ObjectNode json = problemFields(row, row.status(), outcome.message());
        OutcomeJson.writeInto(json, outcome);
        return problem(row, row.status(), json);
    }

    /** A problem that the HTTP server found before any endpoint, with the status it gives. */
    static Reply httpProblem(int status, String detail) {
        ErrorTable.Row row = ErrorTable.ofHttp(status);
        return problem(row, status, problemFields(row, status, detail));
    }

    Reply withHeader(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Reply(status, contentType, body, more);
    }

    /** This answer with the decisions it reflects; unchanged when there are none. */
    Reply withPositions(List<Position> positions) {
        return positions.isEmpty()
                ? this
                : withHeader(
                        POSITION, positions.stream().map(Position::toString).collect(Collectors.joining(",")));
    }

    boolean hasPositions() {
        return headers.containsKey(POSITION);
    }

    private static Reply problem(ErrorTable.Row row, int status, ObjectNode json) {
        Reply reply = new Reply(status, PROBLEM, JsonText.write(json), Map.of());
        return row.retryAfterSecs() == 0
                ? reply
                : reply.withHeader("Retry-After", Integer.toString(row.retryAfterSecs()));
    }

    private static ObjectNode problemFields(ErrorTable.Row row, int status, String detail) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("type", "about:blank");
        json.put("title", HttpStatus.getMessage(status));
        json.put("status", status);
        json.put("detail", detail);
        json.put("code", row.code());
        return json;
    }
}
