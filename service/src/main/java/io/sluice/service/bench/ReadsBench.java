package io.sluice.service.bench;

import io.sluice.service.common.DaemonThreads;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;

/**
 * Looks flows up by name at one instance. An answer is right if it is 200
 * and names the flow that was asked for.
 *
 * <p>Threading: {@link #run} sends from the calling thread; answers are looked at on threads of its own. See {@link SendLoop}.
 */
final class ReadsBench implements AutoCloseable {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
    private static final int MIN_WORKERS = 2;

    private final String url;
    private final ExecutorService workers;
    private final HttpClient http;

    /** @param url of the instance, without a slash at its end */
    ReadsBench(String url) {
        this.url = url;
        workers = Executors.newFixedThreadPool(
                Math.max(MIN_WORKERS, Runtime.getRuntime().availableProcessors()), DaemonThreads.named("bench-reads"));
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_WITHIN)
                .executor(workers)
                .build();
    }

    /**
     * Does so many look-ups, of each flow in turn, and measures them.
     *
     * @param flows at least one
     * @param onAnswered is told how many are answered so far
     */
    BenchFigures run(List<LookedUpFlow> flows, long count, Pace pace, LongConsumer onAnswered)
            throws InterruptedException {
        List<LookUp> lookUps = flows.stream().map(this::lookUp).toList();
        return new SendLoop(number -> answered(lookUps.get((int) (number % lookUps.size()))))
                .run(0, count, pace, onAnswered);
    }

    /** Does not wait for what is still in flight. */
    @Override
    public void close() {
        workers.shutdownNow();
    }

    /**
     * What is the same every time a flow is looked up. Immutable.
     *
     * @param right what is in the right answer, and in no other
     */
    private record LookUp(HttpRequest request, String right) {}

    private LookUp lookUp(LookedUpFlow flow) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + flow.path()))
                .timeout(ANSWER_WITHIN)
                .build();
        // The service writes no spaces. Looking for the text costs the measured machine less than parsing would.
        return new LookUp(request, "\"flow_name\":\"" + flow.flowName() + "\"");
    }

    private CompletableFuture<?> answered(LookUp lookUp) {
        return http.sendAsync(lookUp.request(), BodyHandlers.ofString())
                .thenAccept(response -> requireRight(lookUp, response));
    }

    private static void requireRight(LookUp lookUp, HttpResponse<String> response) {
        if (response.statusCode() != 200 || !response.body().contains(lookUp.right())) {
            throw new IllegalStateException(
                    lookUp.request().uri() + " was answered with " + response.statusCode() + " " + response.body());
        }
    }
}
