package io.sluice.tests.harness;

import io.sluice.tests.harness.HttpApi.Answer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Asks any of several instances, and tries again as the documentation tells callers to: after 503, or when no answer came, at
 * the next instance; a command always with the same id. Used by one thread.
 */
public final class RetryingClient {
    private static final Duration WITHIN = LocalSluice.WITHIN;
    private static final long PAUSE_MS = 50;

    private final List<HttpApi> instances;
    private int next;
    private long retried;

    /** @param first which instance is asked first */
    public RetryingClient(List<String> urls, int first) {
        this.instances = urls.stream().map(HttpApi::new).toList();
        this.next = first;
    }

    /** How often something was tried again. */
    public long retried() {
        return retried;
    }

    /** A read; each attempt may wait a little at the instance that is asked. */
    public Answer get(String path, String... headers) throws InterruptedException {
        return until("GET", path, null, headers);
    }

    /**
     * A command, until its outcome is known.
     *
     * @param body with its command_id
     */
    public Answer command(String method, String path, String body) throws InterruptedException {
        return until(method, path, body);
    }

    private Answer until(String method, String path, String body, String... headers) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + WITHIN.toNanos();
        while (true) {
            Answer answer = instances.get(next % instances.size()).send(method, path, body, headers);
            // 202: taken, and nobody knows yet what became of it. The same command with the same id is safe.
            if (!answer.mayTryAgain() && answer.status() != 202) {
                return answer;
            }
            if (System.nanoTime() > deadlineNanos) {
                throw new AssertionError(method + " " + path + " got no answer within " + WITHIN + ": " + answer);
            }
            retried++;
            next++;
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
    }
}
