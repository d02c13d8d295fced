package io.sluice.service.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Purpose: asks a Sluice service over HTTP.
 *
 * <p>Threading: thread-safe; every call blocks until the answer is there.
 *
 * <p>Invariant: a {@link Reply} always holds a JSON object. Whatever else answers is no Sluice, and is reported as such.
 */
public final class ServiceClient {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
    /** Longer than the service itself waits for an outcome, so that it is the one to say that it is unknown. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    private final String base;
    private final HttpClient http;
    private final Duration answerWithin;

    private ServiceClient(String base, HttpClient http, Duration answerWithin) {
        this.base = base;
        this.http = http;
        this.answerWithin = answerWithin;
    }

    /**
     * A client of the service at a URL; connects when something is asked.
     *
     * @throws IllegalArgumentException saying what is wrong with the URL
     */
    public static ServiceClient of(String url) {
        URI uri;
        try {
            uri = URI.create(url.strip());
        } catch (IllegalArgumentException e) {
            throw invalid(url, e.getMessage());
        }
        if (!"http".equalsIgnoreCase(uri.getScheme()) && !"https".equalsIgnoreCase(uri.getScheme())) {
            throw invalid(url, "it does not begin with http:// or https://");
        }
        if (uri.getHost() == null) {
            throw invalid(url, "it names no host");
        }
        if (uri.getPort() > 65_535) {
            throw invalid(url, "port " + uri.getPort() + " does not exist");
        }
        if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw invalid(url, "it has a query or a fragment");
        }
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_WITHIN)
                .build();
        return new ServiceClient(uri.toString().replaceAll("/+$", ""), http, ANSWER_WITHIN);
    }

    /** The same client, for a service that was told to wait so long before it answers. */
    public ServiceClient whenServiceWaits(Duration wait) {
        return new ServiceClient(base, http, wait.plus(ANSWER_WITHIN));
    }

    /** The URL that was given. */
    public String url() {
        return base;
    }

    /** The path of these segments, each percent-encoded. */
    public static String path(String... segments) {
        return Arrays.stream(segments).map(ServiceClient::encode).collect(Collectors.joining("/", "/", ""));
    }

    /** A text as part of a path or a query. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public Reply get(String pathAndQuery) {
        return send("GET", pathAndQuery, null, Map.of());
    }

    /**
     * Sends a request and waits for the answer, whatever it says.
     *
     * @param body null for none
     * @throws ServiceException if none came
     */
    public Reply send(String method, String pathAndQuery, JsonNode body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + pathAndQuery))
                .timeout(answerWithin)
                .header("Accept", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.line(body)));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        headers.forEach(request::header);
        try {
            return reply(http.send(request.build(), BodyHandlers.ofString()));
        } catch (ConnectException | HttpConnectTimeoutException e) {
            throw new ServiceException(
                    "no service answers at " + base + " (" + reason(e) + "). Start one with `sluice dev`, or name the"
                            + " right one with --server or SLUICE_SERVER.",
                    true,
                    e);
        } catch (HttpTimeoutException e) {
            throw new ServiceException(
                    "the service at " + base + " did not answer within " + answerWithin.toSeconds()
                            + " s. Look at its log, or try again.",
                    false,
                    e);
        } catch (IOException e) {
            throw new ServiceException(
                    "the connection to " + base + " broke before the answer was there (" + reason(e)
                            + "). Is the service still running?",
                    false,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted while waiting for " + base, false, e);
        }
    }

    private Reply reply(HttpResponse<String> response) {
        try {
            JsonNode body = Json.MAPPER.readTree(response.body());
            if (body != null && body.isObject()) {
                return new Reply(response.statusCode(), body, response.body());
            }
        } catch (JsonProcessingException e) {
            throw noSluice(response, e);
        }
        throw noSluice(response, null);
    }

    private ServiceException noSluice(HttpResponse<String> response, Exception cause) {
        return new ServiceException(
                "what answers at " + base + " is no Sluice: "
                        + response.request().method() + " "
                        + response.request().uri().getRawPath() + " gave status " + response.statusCode()
                        + " without a JSON object. Name the right one with --server or SLUICE_SERVER.",
                false,
                cause);
    }

    private static String reason(IOException e) {
        String message = e.getMessage();
        if (message != null) {
            return message;
        }
        return e instanceof ConnectException
                ? "connection refused"
                : e.getClass().getSimpleName();
    }

    private static IllegalArgumentException invalid(String url, String why) {
        return new IllegalArgumentException("the service's URL \"" + url + "\" cannot be used: " + why
                + ". Expected something like http://127.0.0.1:7878.");
    }
}
