package io.sluice.schemas;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import org.apache.avro.Schema;

/** Schemas as JSON: printed for other languages, and edited to make older and newer versions of them. Stateless. */
public final class SchemaJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");

    private SchemaJson() {}

    /** The schema as it is released: self-contained, without what only concerns Java. */
    public static String released(Schema schema) {
        try {
            JsonNode json = withoutJavaTypes(MAPPER.readTree(schema.toString()));
            DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
            printer.indentArraysWith(INDENTER);
            printer.indentObjectsWith(INDENTER);
            return MAPPER.writer(printer).writeValueAsString(json) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public static ObjectNode toJson(Schema schema) {
        try {
            return (ObjectNode) MAPPER.readTree(schema.toString());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public static Schema toSchema(ObjectNode json) {
        return new Schema.Parser().parse(json.toString());
    }

    /** The field of a record schema. */
    public static ObjectNode field(ObjectNode record, String name) {
        for (JsonNode field : record.withArray("fields")) {
            if (field.path("name").asText().equals(name)) {
                return (ObjectNode) field;
            }
        }
        throw new IllegalArgumentException(record.path("name") + " has no field " + name);
    }

    /** Gives a field or a named type another name; the present one becomes its only alias. */
    public static void rename(ObjectNode named, String newName) {
        String name = named.path("name").asText();
        named.put("name", newName);
        named.putArray("aliases").add(name);
    }

    /** Adds a field; {@code type} and {@code defaultValue} are JSON, the latter null for none. */
    public static void addField(ObjectNode record, String name, String type, String defaultValue) {
        try {
            ObjectNode field = record.withArray("fields").addObject();
            field.put("name", name);
            field.set("type", MAPPER.readTree(type));
            if (defaultValue != null) {
                field.set("default", MAPPER.readTree(defaultValue));
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static JsonNode withoutJavaTypes(JsonNode node) {
        if (node instanceof ArrayNode array) {
            ArrayNode kept = MAPPER.createArrayNode();
            array.forEach(element -> kept.add(withoutJavaTypes(element)));
            return kept;
        }
        if (!(node instanceof ObjectNode object)) {
            return node;
        }
        ObjectNode kept = MAPPER.createObjectNode();
        object.properties().stream()
                .filter(property -> !property.getKey().equals("avro.java.string"))
                .forEach(property -> kept.set(property.getKey(), withoutJavaTypes(property.getValue())));
        boolean isPlainType = kept.properties().size() == 1
                && kept.path("type").isTextual()
                && Set.of("string", "long", "int", "boolean")
                        .contains(kept.path("type").asText());
        return isPlainType ? kept.get("type") : kept;
    }
}
