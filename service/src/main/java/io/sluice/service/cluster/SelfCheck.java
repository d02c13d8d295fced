package io.sluice.service.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.json.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

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
        URI uri = URI.create("http://" + applicationServer + "/health/live");
        while (true) {
            try {
                requireSelf(applicationServer, incarnation, ask(http, uri));
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadlineNanos) {
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

    private static HttpResponse<byte[]> ask(HttpClient http, URI uri) throws IOException {
        try {
            return http.send(HttpRequest.newBuilder(uri).timeout(ATTEMPT_WITHIN).build(), BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static void requireSelf(String applicationServer, String incarnation, HttpResponse<byte[]> answer) {
        JsonNode live;
        try {
            live = JsonText.tree(answer.body());
        } catch (UncheckedIOException e) {
            throw another(applicationServer, "something that is no Sluice (status " + answer.statusCode() + ")");
        }
        if (!live.has("incarnation")) {
            throw another(applicationServer, "something that is no Sluice (status " + answer.statusCode() + ")");
        }
        if (!live.get("incarnation").asText().equals(incarnation)) {
            throw another(
                    applicationServer, "instance " + live.path("instance_id").asText());
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
