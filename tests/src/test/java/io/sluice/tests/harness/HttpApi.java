package io.sluice.tests.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Asks a service over HTTP as any program would. Thread-safe. */
public final class HttpApi {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    private final String base;

    public HttpApi(String base) {
        this.base = base;
    }

    /**
     * An answer, or none.
     *
     * @param status 0 when no answer came
     * @param json null when no answer came
     * @param position of the header Sluice-Position, or null
     * @param lag of the header Sluice-Lag, or null
     */
    public record Answer(int status, JsonNode json, String position, String lag) {
        /** Whether the same request may succeed a moment later, here or at another instance. */
        public boolean mayTryAgain() {
            return status == 0 || status == 503;
        }

        public String text(String field) {
            return json.path(field).asText();
        }
    }

    public Answer get(String pathAndQuery, String... headers) {
        return send("GET", pathAndQuery, null, headers);
    }

    /** @param body JSON, or null */
    public Answer send(String method, String pathAndQuery, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + pathAndQuery))
                .timeout(WITHIN)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
            return new Answer(
                    response.statusCode(),
                    MAPPER.readTree(response.body()),
                    response.headers().firstValue("Sluice-Position").orElse(null),
                    response.headers().firstValue("Sluice-Lag").orElse(null));
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON from " + base + pathAndQuery, e);
        } catch (IOException e) {
            return new Answer(0, MAPPER.createObjectNode().put("detail", e.toString()), null, null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
