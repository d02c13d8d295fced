package io.sluice.service.cluster;

import io.sluice.schemas.common.Position;
import io.sluice.service.fault.FaultTable;
import io.sluice.service.query.NotReadyException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Asks other instances over HTTP, about one partition at a time.
 *
 * <p>Thread-safe; nothing blocks. Invariant: an answer is handed on only if the instance that gave it held the partition.
 * Whatever else happens (not the owner, not ready, cut off, something that is no Sluice) ends in {@link NotReadyException}
 * saying which address and why, so that whoever asked can look for the owner anew.
 */
public final class PeerClient {
    /** Header of a request between instances: answer from your own copy of this partition, or say that you hold none. */
    public static final String PARTITION = "Sluice-Partition";

    /** Header of an answer: which decisions it reflects. */
    public static final String POSITION = "Sluice-Position";

    private static final List<String> HANDED_ON =
            List.of("Content-Type", "Location", "Allow", "Retry-After", "Sluice-Lag");
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(1);

    /** Time for the way there and back, on top of what the other instance may wait. */
    private static final Duration HOP = Duration.ofSeconds(2);

    private static final int MISDIRECTED = 421;
    private static final int UNAVAILABLE = 503;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_WITHIN)
            .build();

    /**
     * Asks an instance for its answer about a partition.
     *
     * @param pathAndQuery as it stands in a request line
     * @param headers besides the one that names the partition
     * @param waits how long the other instance may wait before it answers
     */
    public CompletableFuture<PeerReply> get(
            HostInfo instance, int partition, String pathAndQuery, Map<String, String> headers, Duration waits) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://" + instance.host() + ":" + instance.port() + pathAndQuery))
                .timeout(waits.plus(HOP))
                .header(PARTITION, Integer.toString(partition));
        headers.forEach(request::header);
        return http.sendAsync(request.build(), BodyHandlers.ofByteArray()).handle((response, failure) -> {
            if (failure != null) {
                throw new CompletionException(unreachable(instance, partition, FaultTable.unwrapped(failure)));
            }
            return checked(instance, partition, response);
        });
    }

    private static PeerReply checked(HostInfo instance, int partition, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        List<Position> positions = positions(response);
        if (status == MISDIRECTED) {
            throw notReady(instance, partition, "it does not hold it now", positions, null);
        }
        if (status == UNAVAILABLE) {
            throw notReady(instance, partition, "it is not ready", positions, null);
        }
        boolean proven = positions.stream().anyMatch(position -> position.partition() == partition);
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

    private static List<Position> positions(HttpResponse<byte[]> response) {
        try {
            return response.headers().allValues(POSITION).stream()
                    .flatMap(value -> Arrays.stream(value.split(",", -1)))
                    .map(value -> Position.parse(value.strip()))
                    .toList();
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    private static NotReadyException unreachable(HostInfo instance, int partition, Throwable failure) {
        String why = failure instanceof ConnectException
                ? "the connection was refused or timed out"
                : failure instanceof HttpTimeoutException
                        ? "no answer came in time"
                        : "the connection broke: " + failure;
        return notReady(instance, partition, why, List.of(), failure);
    }

    private static NotReadyException notReady(
            HostInfo instance, int partition, String why, List<Position> positions, Throwable cause) {
        Position reached = positions.stream()
                .filter(position -> position.partition() == partition)
                .findFirst()
                .orElse(null);
        return new NotReadyException(
                "partition " + partition + " cannot be read now: asked " + instance.host() + ":" + instance.port()
                        + " for it, and " + why,
                reached,
                cause);
    }
}
