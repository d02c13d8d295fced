package io.sluice.service.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Supplier;

/** The requests about the service itself. Thread-safe. */
final class ServiceEndpoints {
    private final Supplier<Optional<String>> notReady;

    /** @param notReady why the service cannot answer now; empty when it can */
    ServiceEndpoints(Supplier<Optional<String>> notReady) {
        this.notReady = notReady;
    }

    Reply live(Request request) {
        return status("live");
    }

    Reply ready(Request request) {
        return notReady.get()
                .map(why -> Reply.problem(ErrorTable.NOT_READY, "not ready: " + why))
                .orElseGet(() -> status("ready"));
    }

    Reply version(Request request) {
        return Reply.json(
                200,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("name", "sluice")
                        .put("version", version())
                        .put("java", Runtime.version().toString()));
    }

    Reply openApi(Request request) {
        try (InputStream in = ServiceEndpoints.class.getResourceAsStream("/openapi.json")) {
            return Reply.json(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the jar says; a build that runs from its classes has none. */
    private static String version() {
        String version = ServiceEndpoints.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private static Reply status(String status) {
        return Reply.json(200, JsonNodeFactory.instance.objectNode().put("status", status));
    }
}
