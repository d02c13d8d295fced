package io.sluice.service.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Answers HTTP as a test says, and keeps what it was asked. Thread-safe. */
final class FakeService implements AutoCloseable {
    private static final int THREADS = 16;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final List<Asked> asked = Collections.synchronizedList(new ArrayList<>());
    private final HttpServer server;
    private volatile Function<Asked, Answer> answers = request -> new Answer(200, "{}");

    /** A request. */
    record Asked(String method, String uri, String body, String ifMatch) {}

    /** An answer; one without a body breaks the connection. */
    record Answer(int status, String body) {}

    FakeService() throws IOException {
        this(0);
    }

    /** @param port 0 for any */
    FakeService(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    void answer(int status, String body) {
        answers = request -> new Answer(status, body);
    }

    void answer(Function<Asked, Answer> how) {
        answers = how;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    int port() {
        return server.getAddress().getPort();
    }

    List<Asked> asked() {
        return List.copyOf(asked);
    }

    Asked onlyAsked() {
        List<Asked> all = asked();
        if (all.size() != 1) {
            throw new AssertionError("expected one request, there were " + all);
        }
        return all.get(0);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Asked request = new Asked(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                body,
                exchange.getRequestHeaders().getFirst("If-Match"));
        asked.add(request);
        Answer answer = answers.apply(request);
        if (answer.body() == null) {
            exchange.close();
            return;
        }
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
