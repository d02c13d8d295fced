package io.sluice.service.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.service.json.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks the address under which the others shall reach this instance who answers there: an address that leads nowhere, or to
 * another instance, would break the reads of everybody (docs/kafka.md, K-22). Done before the instance takes part in deciding.
 *
 * <p>Stateless.
 */
public final class SelfCheck {
    private static final Duration ATTEMPT_WITHIN = Duration.ofSeconds(2);
    private static final long PAUSE_MS = 100;

    private SelfCheck() {}

    /**
     * Returns if this very process answers at the address.
     *
     * @param applicationServer host:port
     * @param incarnation of this process
     * @throws IllegalStateException saying who or what answers there instead, and what to do
     */
    public static void require(String applicationServer, String incarnation, Duration within) {
        long deadlineNanos = System.nanoTime() + within.toNanos();
        HttpClient http = HttpClient.newBuilder().connectTimeout(ATTEMPT_WITHIN).build();
        HttpRequest request = request(applicationServer);
        while (true) {
            try {
                requireSelf(applicationServer, incarnation, ask(http, request));
                return;
            } catch (IOException e) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new IllegalStateException(
                            "application.server is " + applicationServer + ", but nobody answers there (" + e
                                    + "). It must be the address under which the other instances reach this one: check"
                                    + " host, port, name resolution and firewall.",
                            e);
                }
            }
            pause();
        }
    }

    private static HttpRequest request(String applicationServer) {
        try {
            return HttpRequest.newBuilder(URI.create("http://" + applicationServer + "/health/live"))
                    .build();
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    "application.server is " + applicationServer + ", which no HTTP client takes (" + e.getMessage()
                            + "): give this machine a name without an underscore, or use its IP address.",
                    e);
        }
    }

    private static HttpResponse<byte[]> ask(HttpClient http, HttpRequest request) throws IOException {
        // Whatever answers there may not end its answer, which the timeout of a request would not cover.
        CompletableFuture<HttpResponse<byte[]>> sent = http.sendAsync(request, BodyHandlers.ofByteArray());
        try {
            return sent.get(ATTEMPT_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + ATTEMPT_WITHIN.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            sent.cancel(true);
        }
    }

    private static void requireSelf(String applicationServer, String incarnation, HttpResponse<byte[]> answer) {
        JsonNode live = tree(answer.body());
        if (!live.has("incarnation")) {
            throw another(applicationServer, "something that is no Sluice (status " + answer.statusCode() + ")");
        }
        if (!live.get("incarnation").asText().equals(incarnation)) {
            throw another(
                    applicationServer, "instance " + live.path("instance_id").asText());
        }
    }

    /** What is no JSON has no fields either. */
    private static JsonNode tree(byte[] body) {
        try {
            return JsonText.tree(body);
        } catch (UncheckedIOException e) {
            return MissingNode.getInstance();
        }
    }

    private static IllegalStateException another(String applicationServer, String who) {
        return new IllegalStateException("application.server is " + applicationServer + ", but there answers " + who
                + " and not this instance. Each instance needs an address of its own: correct application.server here or"
                + " there.");
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while starting", e);
    }
}
