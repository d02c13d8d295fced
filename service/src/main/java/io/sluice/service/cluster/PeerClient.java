package io.sluice.service.cluster;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.service.fault.FaultTable;
import io.sluice.service.json.JsonText;
import io.sluice.service.query.NotReadyException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Asks other instances over HTTP, about one partition at a time.
 *
 * <p>Thread-safe; nothing blocks. Invariant: an answer is handed on only if the instance that gave it held the partition.
 * Whatever else happens (not the owner, not ready, cut off, something that is no Sluice) ends in {@link NotReadyException}
 * saying which address and why, so that whoever asked can look for the owner anew.
 */
public final class PeerClient {
    private static final List<String> HANDED_ON =
            List.of("Content-Type", "Location", "Allow", "Retry-After", Headers.LAG);
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(1);

    /** Time for the way there and back, on top of what the other instance may wait. */
    private static final Duration HOP = Duration.ofSeconds(2);

    /**
     * No instance is let wait longer than this at once: one that has frozen or lost its network does not say so, and whoever has
     * more time shall look again who decides the partition.
     */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private static final int MISDIRECTED = 421;
    private static final int UNAVAILABLE = 503;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_WITHIN)
            .build();

    /** How long an instance may be let wait by somebody who has this much time. */
    public static Duration waitWithin(Duration time) {
        return time.isNegative() ? Duration.ZERO : time.compareTo(LONGEST_WAIT) < 0 ? time : LONGEST_WAIT;
    }

    /** An instance's address as it stands in a URI. */
    public static String address(HostInfo instance) {
        String host = instance.host();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + instance.port();
    }

    /** Asks an instance for its answer about a partition, by a GET. */
    public CompletableFuture<PeerReply> get(
            HostInfo instance,
            FamilyPartition partition,
            String pathAndQuery,
            Map<String, String> headers,
            Duration waits) {
        return ask(instance, partition, pathAndQuery, null, headers, waits);
    }

    /**
     * Asks an instance for its answer about a partition.
     *
     * @param pathAndQuery as it stands in a request line
     * @param question the body of a POST; null for a GET
     * @param headers besides the one that names the partition
     * @param waits how long the other instance may wait before it answers
     */
    public CompletableFuture<PeerReply> ask(
            HostInfo instance,
            FamilyPartition partition,
            String pathAndQuery,
            byte[] question,
            Map<String, String> headers,
            Duration waits) {
        HttpRequest.Builder request;
        try {
            request = HttpRequest.newBuilder(URI.create("http://" + address(instance) + pathAndQuery));
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(
                    notReady(instance, partition, "that is no address for HTTP: " + e.getMessage(), List.of(), e));
        }
        request.header(Headers.PARTITION, partition.toString());
        headers.forEach(request::header);
        if (question != null) {
            request.POST(BodyPublishers.ofByteArray(question));
        }
        return whole(request.build(), waits.plus(HOP)).handle((response, failure) -> {
            if (failure != null) {
                throw new CompletionException(unreachable(instance, partition, FaultTable.unwrapped(failure)));
            }
            return checked(instance, partition, response);
        });
    }

    /** The answer with its whole body in time; the timeout of a request would end with its headers. */
    private CompletableFuture<HttpResponse<byte[]>> whole(HttpRequest request, Duration within) {
        CompletableFuture<HttpResponse<byte[]>> sent = http.sendAsync(request, BodyHandlers.ofByteArray());
        CompletableFuture<HttpResponse<byte[]>> whole = sent.copy().orTimeout(within.toNanos(), TimeUnit.NANOSECONDS);
        whole.whenComplete((response, failure) -> {
            if (failure != null) {
                // Ends the exchange and with it the connection.
                sent.cancel(true);
            }
        });
        return whole;
    }

    private static PeerReply checked(HostInfo instance, FamilyPartition partition, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        List<Position> positions = positions(response);
        if (status == MISDIRECTED) {
            throw notReady(instance, partition, "it does not hold it now", positions, null);
        }
        if (status == UNAVAILABLE) {
            throw notReady(instance, partition, "it is not ready" + detail(response), positions, null);
        }
        boolean proven = positions.stream().anyMatch(partition::has);
        boolean refusal = status >= 400
                && status != 404
                && response.headers()
                        .firstValue("Content-Type")
                        .filter(type -> type.startsWith("application/problem+json"))
                        .isPresent();
        if (!proven && !refusal) {
            throw notReady(
                    instance,
                    partition,
                    "what answers there is no Sluice that holds it (status " + status + ")",
                    positions,
                    null);
        }
        Map<String, String> headers = new HashMap<>();
        HANDED_ON.forEach(name -> response.headers().firstValue(name).ifPresent(value -> headers.put(name, value)));
        return new PeerReply(status, headers, positions, response.body());
    }

    /** What it says about it, if it does. */
    private static String detail(HttpResponse<byte[]> response) {
        try {
            String detail = JsonText.tree(response.body()).path("detail").asText();
            return detail.isEmpty() ? "" : ": " + detail;
        } catch (UncheckedIOException e) {
            return "";
        }
    }

    private static List<Position> positions(HttpResponse<byte[]> response) {
        try {
            return response.headers().allValues(Headers.POSITION).stream()
                    .flatMap(value -> Arrays.stream(value.split(",", -1)))
                    .map(value -> Position.parse(value.strip()))
                    .toList();
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    private static NotReadyException unreachable(HostInfo instance, FamilyPartition partition, Throwable failure) {
        String why = failure instanceof ConnectException
                ? "the connection was refused or timed out"
                : failure instanceof TimeoutException ? "no answer came in time" : "the connection broke: " + failure;
        return notReady(instance, partition, why, List.of(), failure);
    }

    private static NotReadyException notReady(
            HostInfo instance, FamilyPartition partition, String why, List<Position> positions, Throwable cause) {
        Position reached = positions.stream().filter(partition::has).findFirst().orElse(null);
        return new NotReadyException(
                "partition " + partition + " cannot be read now: asked " + address(instance) + " for it, and " + why,
                reached,
                cause);
    }
}
