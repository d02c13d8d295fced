package io.sluice.service.manifest;

import static io.sluice.service.manifest.TestManifests.state;
import static io.sluice.service.manifest.TestManifests.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is read back, whatever a field holds; every seed gives its own manifests. */
class ManifestJsonProperty {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void deltasAreReadBackAsTheyWere(long seed) throws JsonProcessingException {
        RandomManifests random = new RandomManifests(seed);
        for (ManifestDelta delta : random.history(100)) {
            byte[] written = DeltaJson.write(delta);
            assertThat(new String(written, java.nio.charset.StandardCharsets.UTF_8))
                    .doesNotContain("\n")
                    .isEqualTo(TestManifests.text(DeltaJson.write(DeltaJson.read(written, delta.version(), "d"))));
            assertThat(DeltaJson.read(written, delta.version(), "d")).isEqualTo(delta);
            assertThat(DeltaJson.read(shaken(written, random.random()), delta.version(), "d"))
                    .isEqualTo(delta);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void checkpointsAreReadBackAsTheyWere(long seed) throws JsonProcessingException {
        RandomManifests random = new RandomManifests(seed);
        List<ManifestDelta> history = random.history(60);
        for (int version = 0; version < 60; version += 7) {
            RegionManifest state = state(history.subList(0, version + 1));
            Checkpoint checkpoint = new Checkpoint(version, random.below(50), state);
            byte[] written = CheckpointJson.write(checkpoint);
            assertThat(CheckpointJson.read(written, "c")).isEqualTo(checkpoint);
            assertThat(CheckpointJson.write(CheckpointJson.read(written, "c"))).isEqualTo(written);
            assertThat(CheckpointJson.read(shaken(written, random.random()), "c"))
                    .isEqualTo(checkpoint);
        }
    }

    /** Damage is refused with the file's name, or read as something: never anything else. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void damageIsNeverMoreThanARefusal(long seed) {
        RandomManifests manifests = new RandomManifests(seed);
        Random random = manifests.random();
        int refused = 0;
        for (ManifestDelta delta : manifests.history(200)) {
            byte[] damaged = DeltaJson.write(delta);
            for (int i = random.nextInt(3); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = utf8("{}[]\",:0n\\\u0000-e")[random.nextInt(13)];
            }
            try {
                DeltaJson.read(damaged, delta.version(), "the file");
            } catch (UndecodableException e) {
                assertThat(e).hasMessageContaining("the file");
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(50);
    }

    /** The same JSON with its fields in another order, white space, and fields that nobody knows. */
    private static byte[] shaken(byte[] json, Random random) throws JsonProcessingException {
        JsonNode tree = MAPPER.readTree(TestManifests.text(json));
        return utf8(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(shaken(tree, random)));
    }

    private static JsonNode shaken(JsonNode node, Random random) {
        if (node instanceof ArrayNode array) {
            ArrayNode elements = MAPPER.createArrayNode();
            array.forEach(element -> elements.add(shaken(element, random)));
            return elements;
        }
        // What is kept as text, tagged unions and maps stay as they are.
        if (!(node instanceof ObjectNode object) || object.size() < 2 || object.has("data_type")) {
            if (node instanceof ObjectNode single
                    && single.size() == 1
                    && !single.has("File")
                    && !single.has("Index")) {
                String name = single.fieldNames().next();
                return MAPPER.createObjectNode().set(name, shaken(single.get(name), random));
            }
            return node;
        }
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        Collections.shuffle(names, random);
        ObjectNode fields = MAPPER.createObjectNode();
        if (!names.get(0).matches("[0-9a-f-]{36}")) {
            fields.putObject("not known").put("a", 1.5);
        }
        for (String name : names) {
            fields.set(name, shaken(object.get(name), random));
        }
        return fields;
    }
}
