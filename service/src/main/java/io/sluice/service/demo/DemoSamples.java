package io.sluice.service.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Purpose: the flows in {@code samples/}: those to be accepted, and those to be refused.
 *
 * <p>Threading: immutable, as long as nobody changes the bodies.
 *
 * @param accepted CreateFlow bodies, files in name order and lines in theirs
 * @param refused CreateFlow bodies, with the code in brackets at the end of their comment
 */
record DemoSamples(List<ObjectNode> accepted, List<ObjectNode> refused) {
    private static final String REFUSED = "refused.jsonl";

    /** @throws DemoException if they are not there, or are not what they should be */
    static DemoSamples read(Path home) {
        Path folder = home.resolve("samples").toAbsolutePath().normalize();
        if (!Files.isDirectory(folder)) {
            throw new DemoException("there is no directory " + folder
                    + ". Run it from Sluice's root, or set -Dsluice.home to the directory that holds samples/.");
        }
        List<ObjectNode> accepted = new ArrayList<>();
        for (Path file : filesOf(folder)) {
            if (!file.getFileName().toString().equals(REFUSED)) {
                accepted.addAll(bodies(file));
            }
        }
        if (accepted.isEmpty()) {
            throw new DemoException("there is no flow in " + folder + "/*.jsonl");
        }
        return new DemoSamples(accepted, bodies(folder.resolve(REFUSED)));
    }

    /** The sample of a name. */
    ObjectNode require(String catalog, String flowName) {
        return accepted.stream()
                .filter(body -> catalog.equals(body.path("catalog_name").asText())
                        && flowName.equals(body.path("flow_name").asText()))
                .findFirst()
                .orElseThrow(() -> new DemoException(
                        "the samples have no flow " + catalog + "." + flowName + ", which the demo changes"));
    }

    private static List<Path> filesOf(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new DemoException("cannot read " + folder + ": " + e, e);
        }
    }

    private static List<ObjectNode> bodies(Path file) {
        List<ObjectNode> bodies = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file)) {
                JsonNode body = Json.MAPPER.readTree(line);
                if (body instanceof ObjectNode object) {
                    bodies.add(object);
                }
            }
            return bodies;
        } catch (JsonProcessingException e) {
            throw new DemoException(file + ", line " + (bodies.size() + 1) + ": " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new DemoException("cannot read " + file + ": " + e, e);
        }
    }
}
