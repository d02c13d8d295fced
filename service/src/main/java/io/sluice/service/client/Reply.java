package io.sluice.service.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.HttpURLConnection;

/**
 * Purpose: what the service answered: an outcome, a problem (RFC 9457), or what was looked up.
 *
 * <p>Threading: immutable, as long as nobody changes the body.
 *
 * @param status of HTTP
 * @param body a JSON object
 * @param text the body as it came, for those who must not lose how something is written
 */
public record Reply(int status, JsonNode body, String text) {
    /** Whether a command was done, or a look-up found something. */
    public boolean isOk() {
        return status >= HttpURLConnection.HTTP_OK && status < 300 && !isUnknown();
    }

    /** Whether the command was taken, and nobody knows yet what became of it. */
    public boolean isUnknown() {
        return status == HttpURLConnection.HTTP_ACCEPTED;
    }

    /** The stable code; empty when the answer has none. */
    public String code() {
        return body.path("code").asText();
    }

    /** What went wrong, for people; empty when nothing did. */
    public String message() {
        String detail = body.path("detail").asText();
        return detail.isEmpty() ? body.path("message").asText() : detail;
    }
}
