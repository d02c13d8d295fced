package io.sluice.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Sends requests to a door and gives the answers in a form that tests can look at. Thread-safe. */
final class HttpCaller {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final String base;

    HttpCaller(int port) {
        base = "http://127.0.0.1:" + port;
    }

    /** An answer; {@code json} is null when the body is empty. */
    record Answered(HttpResponse<String> response, JsonNode json) {
        int status() {
            return response.statusCode();
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse(null);
        }

        String text(String field) {
            return json.path(field).asText();
        }

        @Override
        public String toString() {
            return status() + " " + response.headers().map() + " " + response.body();
        }
    }

    Answered get(String pathAndQuery, String... headers) {
        return send("GET", pathAndQuery, null, headers);
    }

    Answered post(String pathAndQuery, String body, String... headers) {
        return send("POST", pathAndQuery, body, headers);
    }

    Answered send(String method, String pathAndQuery, String body, String... headers) {
        return sendAsync(method, pathAndQuery, body, headers).join();
    }

    CompletableFuture<Answered> sendAsync(String method, String pathAndQuery, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + pathAndQuery))
                .timeout(Duration.ofSeconds(60))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return http.sendAsync(request.build(), BodyHandlers.ofString()).thenApply(HttpCaller::answered);
    }

    private static Answered answered(HttpResponse<String> response) {
        try {
            return new Answered(response, response.body().isEmpty() ? null : MAPPER.readTree(response.body()));
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + response + " " + response.body(), e);
        }
    }
}
