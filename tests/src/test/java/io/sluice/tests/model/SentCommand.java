package io.sluice.tests.model;

import io.sluice.schemas.flow.FlowCommand;

/**
 * One record as some producer puts it into the commands topic.
 *
 * @param key as text
 * @param value the bytes, whatever they are
 * @param header the header {@code sluice-command-id}; null when there is none
 * @param body what the value decodes to; null when it is no flow command
 */
public record SentCommand(String key, byte[] value, String header, FlowCommand body) {
    @Override
    public String toString() {
        return key + (header == null ? "" : " [header " + header + "]") + " "
                + (body == null ? value.length + " bytes that are no command" : body.toString());
    }
}
