package io.sluice.service.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.streams.state.HostInfo;

/** Another instance, or what stands in its place: answers HTTP as a test says, and keeps what it was asked. Thread-safe. */
public final class FakePeer implements AutoCloseable {
    public static final Answer OK = json(200, "{}");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Asked> asked = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch closing = new CountDownLatch(1);
    private final HttpServer server;
    private volatile Behaviour behaviour = request -> OK;

    /** What it does about a request; may block. */
    public interface Behaviour {
        Answer answer(Asked request) throws InterruptedException;
    }

    /** How far it gets with an answer. */
    private enum Extent {
        WHOLE,
        /** Half of the body, then it cuts the connection. */
        CUT_OFF,
        /** Half of the body, then nothing more. */
        STALLED,
        /** Nothing at all; the connection stays. */
        HUNG
    }

    /**
     * A request.
     *
     * @param headers with names in lower case
     */
    public record Asked(String method, String uri, Map<String, String> headers, String body) {
        /** The value of a header, or null. */
        public String header(String name) {
            return headers.get(name.toLowerCase());
        }
    }

    /** An answer. */
    public record Answer(int status, String body, Map<String, String> headers, Extent extent) {
        public Answer {
            headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        }

        public Answer with(String header, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(header, value);
            return new Answer(status, body, more, extent);
        }

        /** With the decisions that it reflects. */
        public Answer at(String positions) {
            return with(Headers.POSITION, positions);
        }

        /** Cut off in its body. */
        public Answer cutOff() {
            return new Answer(status, body, headers, Extent.CUT_OFF);
        }

        /** Begun and never ended. */
        public Answer stalled() {
            return new Answer(status, body, headers, Extent.STALLED);
        }
    }

    public FakePeer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    public static Answer json(int status, String body) {
        return new Answer(status, body, Map.of("Content-Type", "application/json"), Extent.WHOLE);
    }

    public static Answer problem(int status, String code) {
        return new Answer(
                status,
                "{\"status\":" + status + ",\"code\":\"" + code + "\",\"detail\":\"because\"}",
                Map.of("Content-Type", "application/problem+json"),
                Extent.WHOLE);
    }

    /** No answer, ever. */
    public static Answer never() {
        return new Answer(0, "", Map.of(), Extent.HUNG);
    }

    /** An address at which nobody listens. */
    public static HostInfo nobody() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new HostInfo("127.0.0.1", socket.getLocalPort());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public void answers(Answer answer) {
        behaviour = request -> answer;
    }

    public void answers(Behaviour how) {
        behaviour = how;
    }

    public HostInfo address() {
        return new HostInfo("127.0.0.1", server.getAddress().getPort());
    }

    public String hostAndPort() {
        return address().host() + ":" + address().port();
    }

    public List<Asked> asked() {
        return List.copyOf(asked);
    }

    /** The one request that came. */
    public Asked onlyAsked() {
        List<Asked> all = asked();
        if (all.size() != 1) {
            throw new AssertionError("expected one request, there were " + all);
        }
        return all.get(0);
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(), String.join(",", values)));
        Asked request = new Asked(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                headers,
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        asked.add(request);
        try (exchange) {
            write(exchange, behaviour.answer(request));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(HttpExchange exchange, Answer answer) throws IOException, InterruptedException {
        if (answer.extent() == Extent.HUNG) {
            closing.await();
            return;
        }
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        if (answer.extent() == Extent.WHOLE) {
            exchange.getResponseBody().write(body);
            return;
        }
        exchange.getResponseBody().write(body, 0, body.length / 2);
        exchange.getResponseBody().flush();
        if (answer.extent() == Extent.STALLED) {
            closing.await();
        }
    }
}
