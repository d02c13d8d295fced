package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.TextTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Purpose: one JSON object for people: a line per field, names and values aligned. Nested values stay JSON.
 *
 * <p>Threading: stateless.
 */
final class FieldList {
    private FieldList() {}

    static String text(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        int width = names.stream().mapToInt(String::length).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (String name : names) {
            String line = name + " ".repeat(width - name.length()) + "  " + value(object.get(name));
            text.append(line.stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static String value(JsonNode value) {
        if (value.isNull()) {
            return "-";
        }
        return value.isContainerNode() ? Json.line(value) : TextTable.oneLine(value.asText());
    }
}
