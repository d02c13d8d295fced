package io.sluice.service.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.Reply;
import io.sluice.service.client.ServiceClient;
import java.util.Map;
import java.util.TreeMap;

/**
 * Purpose: looks things up over HTTP, and remembers every answer, so that it can be asked for again later.
 *
 * <p>Threading: one thread.
 */
final class IndexReader {
    private final ServiceClient client;
    private final Map<String, String> answers = new TreeMap<>();

    IndexReader(ServiceClient client) {
        this.client = client;
    }

    /** The answer to a look-up. */
    JsonNode get(String path) {
        Reply reply = client.get(path);
        answers.put(path, Json.line(reply.body()));
        return reply.body();
    }

    /** Every answer so far, by path. */
    Map<String, String> answers() {
        return new TreeMap<>(answers);
    }
}
