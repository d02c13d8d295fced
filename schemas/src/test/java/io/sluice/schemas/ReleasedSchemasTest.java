package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.KnownSchemas;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * Schemas only change compatibly, in both directions and against every released version. The folder of the version
 * that is being made is written with {@code -Dsluice.schemas.write=true}; those of versions that are out never change.
 */
class ReleasedSchemasTest {
    private static final String ROOT = "schemas/released/";
    private static final Path RELEASED = ModuleFiles.path("released");

    /** A schema of a released version. */
    private record Released(String path, Schema schema) {
        String kind() {
            return schema.getFullName();
        }
    }

    @BeforeAll
    static void writeTheFolderOfThisVersionOnRequest() throws IOException {
        if (!Boolean.getBoolean("sluice.schemas.write")) {
            return;
        }
        Path folder = RELEASED.resolve(releaseOf(projectVersion()));
        Files.createDirectories(folder);
        for (Schema schema : KnownSchemas.CURRENT) {
            Files.writeString(folder.resolve(fileName(schema)), SchemaJson.released(schema));
        }
        Files.writeString(RELEASED.resolve("index.txt"), String.join("\n", resourcePaths()) + "\n");
    }

    @Test
    void everyCurrentSchemaIsFullyCompatibleWithEveryReleasedVersion() throws IOException {
        List<String> breaks = new ArrayList<>();
        int compared = 0;
        for (Released released : released()) {
            for (Schema current : KnownSchemas.CURRENT) {
                if (current.getFullName().equals(released.kind())) {
                    compared++;
                    breaks(current, released.schema()).forEach(problem -> breaks.add(released.path() + ": " + problem));
                }
            }
        }

        assertThat(breaks).isEmpty();
        assertThat(compared).isGreaterThanOrEqualTo(KnownSchemas.CURRENT.size());
    }

    @Test
    void everyReleasedKindOfRecordStillExists() throws IOException {
        List<String> current =
                KnownSchemas.CURRENT.stream().map(Schema::getFullName).toList();

        assertThat(released().stream().map(Released::kind)).isSubsetOf(current);
    }

    @Test
    void theIndexListsExactlyTheFilesThereAre() throws IOException {
        assertThat(KnownSchemas.releasedPaths()).containsExactlyElementsOf(resourcePaths());
    }

    @Test
    void aReleasedFileIsNamedAfterItsRecord() throws IOException {
        assertThat(released())
                .allSatisfy(released -> assertThat(released.path())
                        .endsWith("/" + released.schema().getName() + ".avsc"));
    }

    @Test
    void theFolderOfThisVersionHoldsTheCurrentSchemas() throws IOException {
        Path folder = RELEASED.resolve(releaseOf(projectVersion()));
        for (Schema schema : KnownSchemas.CURRENT) {
            assertThat(folder.resolve(fileName(schema)))
                    .as("run once with -Dsluice.schemas.write=true")
                    .hasContent(SchemaJson.released(schema));
        }
    }

    @Test
    void aReleasedSchemaHasTheFingerprintOfTheClassItCameFrom() {
        assertThat(KnownSchemas.CURRENT)
                .allSatisfy(schema -> assertThat(
                                KnownSchemas.fingerprint(new Schema.Parser().parse(SchemaJson.released(schema))))
                        .isEqualTo(KnownSchemas.fingerprint(schema)));
    }

    @Test
    void aFieldAddedWithoutADefaultIsFoundIncompatible() {
        ObjectNode changed = SchemaJson.toJson(io.sluice.avro.DropFlow.getClassSchema());
        SchemaJson.addField(changed, "reason", "\"string\"", null);

        assertThat(breaks(SchemaJson.toSchema(changed), io.sluice.avro.DropFlow.getClassSchema()))
                .singleElement()
                .asString()
                .contains("reason");
    }

    @Test
    void aRemovedFieldWithoutADefaultIsFoundIncompatible() {
        ObjectNode older = SchemaJson.toJson(io.sluice.avro.DropFlow.getClassSchema());
        SchemaJson.addField(older, "reason", "\"string\"", null);

        assertThat(breaks(io.sluice.avro.DropFlow.getClassSchema(), SchemaJson.toSchema(older)))
                .hasSize(1);
    }

    @Test
    void aFieldOfAnotherTypeIsFoundIncompatible() {
        ObjectNode changed = SchemaJson.toJson(io.sluice.avro.Peer.getClassSchema());
        SchemaJson.field(changed, "id").put("type", "string");

        assertThat(breaks(SchemaJson.toSchema(changed), io.sluice.avro.Peer.getClassSchema()))
                .hasSize(2);
    }

    @Test
    void aNewBranchOfAUnionIsFoundIncompatible() {
        ObjectNode changed = SchemaJson.toJson(io.sluice.avro.DropFlow.getClassSchema());
        SchemaJson.field(changed, "flow_id").withArray("type").add("boolean");

        assertThat(breaks(SchemaJson.toSchema(changed), io.sluice.avro.DropFlow.getClassSchema()))
                .hasSize(1);
    }

    @Test
    void anAddedOptionalFieldIsCompatible() {
        ObjectNode changed = SchemaJson.toJson(io.sluice.avro.DropFlow.getClassSchema());
        SchemaJson.addField(changed, "reason", "[\"null\", \"string\"]", "null");

        assertThat(breaks(SchemaJson.toSchema(changed), io.sluice.avro.DropFlow.getClassSchema()))
                .isEmpty();
    }

    /** What is wrong between two versions of a schema, in both directions. */
    private static List<String> breaks(Schema current, Schema other) {
        return Stream.of(
                        SchemaCompatibility.checkReaderWriterCompatibility(current, other),
                        SchemaCompatibility.checkReaderWriterCompatibility(other, current))
                .filter(pair -> pair.getType() != SchemaCompatibilityType.COMPATIBLE)
                .map(pair -> pair.getResult().getIncompatibilities().toString())
                .toList();
    }

    private static List<Released> released() throws IOException {
        List<Released> all = new ArrayList<>();
        for (String path : resourcePaths()) {
            Path file = RELEASED.resolve(path.substring(ROOT.length()));
            all.add(new Released(path, new Schema.Parser().parse(file.toFile())));
        }
        return all;
    }

    private static List<String> resourcePaths() throws IOException {
        try (Stream<Path> files = Files.walk(RELEASED)) {
            return files.filter(file -> file.toString().endsWith(".avsc"))
                    .map(file -> ROOT + RELEASED.relativize(file).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        }
    }

    private static String fileName(Schema schema) {
        return schema.getName() + ".avsc";
    }

    private static String releaseOf(String version) {
        return version.replace("-SNAPSHOT", "");
    }

    private static String projectVersion() {
        try {
            String pom = Files.readString(ModuleFiles.path("pom.xml"));
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(pom)))
                    .getElementsByTagName("version")
                    .item(0)
                    .getTextContent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParserConfigurationException | SAXException e) {
            throw new IllegalStateException("cannot read the version in pom.xml", e);
        }
    }
}
