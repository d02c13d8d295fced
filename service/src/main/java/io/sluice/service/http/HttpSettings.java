package io.sluice.service.http;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/**
 * How the HTTP door is opened. Immutable.
 *
 * @param host address to listen on
 * @param port 0 for any free one
 * @param maxBodyBytes the largest request body
 * @param maxThreads the most threads that serve requests, those of the network included
 * @param drainWithin how long closing waits for requests that are being answered
 * @param clock says when a command arrived
 */
public record HttpSettings(
        String host, int port, int maxBodyBytes, int maxThreads, Duration drainWithin, InstantSource clock) {
    public static final int DEFAULT_MAX_BODY_BYTES = 1024 * 1024;
    public static final int DEFAULT_MAX_THREADS = 64;
    public static final Duration DEFAULT_DRAIN_WITHIN = Duration.ofSeconds(15);

    /** Fewer would leave none for requests beside those that accept and select. */
    private static final int MIN_THREADS = 8;

    public HttpSettings {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(drainWithin, "drainWithin");
        Objects.requireNonNull(clock, "clock");
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("the HTTP port is " + port + ": allowed is 0 to 65535");
        }
        if (maxBodyBytes < 1) {
            throw new IllegalArgumentException("the body limit is " + maxBodyBytes + " bytes: allowed is 1 or more");
        }
        if (maxThreads < MIN_THREADS) {
            throw new IllegalArgumentException(
                    "HTTP threads are " + maxThreads + ": allowed is " + MIN_THREADS + " or more");
        }
    }

    public static HttpSettings of(String host, int port) {
        return new HttpSettings(
                host, port, DEFAULT_MAX_BODY_BYTES, DEFAULT_MAX_THREADS, DEFAULT_DRAIN_WITHIN, InstantSource.system());
    }

    /** A door for this machine only. */
    public static HttpSettings local(int port) {
        return of("127.0.0.1", port);
    }

    /** These settings with another body limit. */
    public HttpSettings withMaxBodyBytes(int bytes) {
        return new HttpSettings(host, port, bytes, maxThreads, drainWithin, clock);
    }
}
