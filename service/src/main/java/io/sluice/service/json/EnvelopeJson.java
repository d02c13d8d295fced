package io.sluice.service.json;

import io.sluice.client.CommandIds;
import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.CommandKey;
import java.time.InstantSource;

/** What the body of every command may carry: its id, and when it was issued. Thread-safe. */
final class EnvelopeJson {
    private final InstantSource clock;

    /** @param clock says when a command arrived, for those that do not say when they were issued */
    EnvelopeJson(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Takes these fields of a body.
     *
     * @param partitionKey of the path
     * @param who the principal on whose behalf the command is sent
     * @throws JsonRefusedException if one of them cannot be taken
     */
    CommandEnvelope read(JsonFields fields, String partitionKey, String who) {
        return new CommandEnvelope(partitionKey, commandId(fields), issuedAtNanos(fields), who);
    }

    private static String commandId(JsonFields fields) {
        JsonValue value = fields.optional("command_id");
        if (value == null) {
            return CommandIds.random();
        }
        String commandId = value.asText();
        if (!CommandKey.isCommandId(commandId)) {
            throw value.refused("text that matches [A-Za-z0-9._:-]{1,128}");
        }
        return commandId;
    }

    private long issuedAtNanos(JsonFields fields) {
        JsonValue value = fields.optional("issued_at");
        if (value == null) {
            return Rfc3339.nanos(clock.instant());
        }
        String text = value.asText();
        try {
            return Rfc3339.parse(text);
        } catch (IllegalArgumentException e) {
            throw value.refused("an RFC 3339 time between 1677-09-22 and 2262-04-11, such as 2026-07-01T06:10:00.5Z");
        }
    }
}
