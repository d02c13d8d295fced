package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Position;
import io.sluice.service.cluster.Headers;
import io.sluice.service.cluster.PeerReply;
import io.sluice.service.json.OutcomeJson;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpStatus;

/**
 * An answer before it is written. Immutable but for the addresses that {@link PeerOverlay} lays over
 * those in its content, which belongs to it alone.
 *
 * @param headers besides the content type and the positions
 * @param positions the decisions it reflects
 */
record Reply(int status, String contentType, JsonBody content, Map<String, String> headers, List<Position> positions) {
    private static final String CONTENT_TYPE = "Content-Type";
    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";

    Reply {
        headers = Map.copyOf(headers);
        positions = List.copyOf(positions);
    }

    static Reply json(int status, JsonNode json) {
        return new Reply(status, JSON, JsonBody.of(json), Map.of(), List.of());
    }

    static Reply json(byte[] json) {
        return new Reply(200, JSON, JsonBody.of(json), Map.of(), List.of());
    }

    static Reply text(String contentType, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        return new Reply(200, contentType, JsonBody.of(body), Map.of(), List.of());
    }

    /** What another instance answered, as it is. */
    static Reply of(PeerReply peer) {
        Map<String, String> headers = new LinkedHashMap<>(peer.headers());
        String contentType = headers.remove(CONTENT_TYPE);
        return new Reply(
                peer.status(),
                contentType == null ? JSON : contentType,
                JsonBody.of(peer.body()),
                headers,
                peer.positions());
    }

    /** A refusal or failure (RFC 9457). */
    static Reply problem(ErrorTable.Row row, String detail) {
        return problem(row, row.status(), problemFields(row, row.status(), detail));
    }

    /** NOT_READY with more than the text. */
    static Reply notReady(String detail, Consumer<ObjectNode> more) {
        ErrorTable.Row row = ErrorTable.NOT_READY;
        ObjectNode json = problemFields(row, row.status(), detail);
        more.accept(json);
        return problem(row, row.status(), json);
    }

    /** Partitions that could not be asked in time. */
    static Reply missing(MissingPartitionsException missing) {
        return notReady(missing.getMessage(), json -> {
            ArrayNode list = json.putArray("missing_partitions");
            missing.partitions().forEach(partition -> list.add(partition.toString()));
        });
    }

    /** A failure that the log tells more about, under the incident's id. */
    static Reply incident(ErrorTable.Row row, String incident) {
        ObjectNode json = problemFields(
                row, row.status(), "an unexpected error: the service's log tells more, look for incident " + incident);
        json.put("incident", incident);
        return problem(row, row.status(), json);
    }

    /** A refused request. */
    static Reply refused(RefusedRequestException refused) {
        Reply reply = problem(refused.row(), refused.getMessage()).withPositions(refused.positions());
        return refused.allow() == null ? reply : reply.withHeader("Allow", refused.allow());
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

    /** As it is written. */
    byte[] body() {
        return content.bytes();
    }

    JsonNode json() {
        return content.tree();
    }

    /** This answer with other content. */
    Reply withJson(JsonNode json) {
        return new Reply(status, contentType, JsonBody.of(json), headers, positions);
    }

    Reply withHeader(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Reply(status, contentType, content, more, positions);
    }

    /** This answer with the decisions it reflects; unchanged when there are none. */
    Reply withPositions(List<Position> reflected) {
        return reflected.isEmpty() ? this : new Reply(status, contentType, content, headers, reflected);
    }

    /** All headers, as they are written. */
    Map<String, String> writtenHeaders() {
        if (positions.isEmpty()) {
            return headers;
        }
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(Headers.POSITION, positions.stream().map(Position::toString).collect(Collectors.joining(",")));
        return all;
    }

    private static Reply problem(ErrorTable.Row row, int status, ObjectNode json) {
        Reply reply = new Reply(status, PROBLEM, JsonBody.of(json), Map.of(), List.of());
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
