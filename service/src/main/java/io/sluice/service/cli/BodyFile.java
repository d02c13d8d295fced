package io.sluice.service.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import picocli.CommandLine.Option;

/**
 * Purpose: the option that names a file with the JSON object that a command sends.
 *
 * <p>Threading: one thread.
 */
final class BodyFile {
    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "The file with one JSON object, or - for standard input.")
    private String file;

    /** What the source is called in messages. */
    String name() {
        return InputText.name(file);
    }

    /**
     * The object that it holds.
     *
     * @param expected its form, for messages
     * @throws CommandFailure if it holds anything else
     */
    ObjectNode read(String expected) {
        try {
            if (Json.MAPPER.readTree(new InputText(file).read()) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            throw new CommandFailure(
                    ExitCodes.FAILED, name() + " is no JSON: " + e.getOriginalMessage() + ". Nothing was sent.", e);
        }
        throw new CommandFailure(
                ExitCodes.FAILED, name() + " holds no JSON object: expected " + expected + ". Nothing was sent.");
    }
}
