package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.TextTable;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Purpose: parts of manifests for people.
 *
 * <p>Stateless. Invariant: whatever an answer holds is shown in some way; nothing here refuses.
 */
final class ManifestText {
    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "Second", ChronoUnit.SECONDS,
            "Millisecond", ChronoUnit.MILLIS,
            "Microsecond", ChronoUnit.MICROS,
            "Nanosecond", ChronoUnit.NANOS);

    private ManifestText() {}

    /** A point in time as people write it, or as it came when it is beyond their calendar. */
    static String time(JsonNode timestamp) {
        String value = timestamp.path("value").asText();
        String unit = timestamp.path("unit").asText();
        ChronoUnit known = UNITS.get(unit);
        try {
            if (known != null) {
                return Instant.EPOCH.plus(Long.parseLong(value), known).toString();
            }
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            // As it came.
        }
        return (value + " " + unit).strip();
    }

    static String orDash(JsonNode value) {
        return value.isMissingNode() || value.isNull() ? "-" : value.asText();
    }

    static String list(JsonNode texts) {
        List<String> all = new ArrayList<>();
        texts.forEach(text -> all.add(text.asText()));
        return all.isEmpty() ? "-" : String.join(",", all);
    }

    /** What each version changed. */
    static TextTable deltas(JsonNode deltas) {
        TextTable table = new TextTable("VERSION", "ACTIONS");
        for (JsonNode delta : deltas) {
            List<String> actions = new ArrayList<>();
            for (JsonNode action : delta.path("actions")) {
                action.properties().forEach(only -> actions.add(action(only.getKey(), only.getValue())));
            }
            table.row(delta.path("version").asText(), actions.isEmpty() ? "-" : String.join(", ", actions));
        }
        return table;
    }

    private static String action(String kind, JsonNode content) {
        StringBuilder text = new StringBuilder(kind);
        if (content.has("metadata")) {
            text.append(" to schema ")
                    .append(content.path("metadata").path("schema_version").asText());
        }
        append(text, " +", content.path("files_to_add"));
        append(text, " -", content.path("files_to_remove"));
        for (String mark : List.of("flushed_entry_id", "truncated_entry_id")) {
            if (content.hasNonNull(mark)) {
                text.append(' ')
                        .append(mark)
                        .append(' ')
                        .append(content.get(mark).asText());
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String sign, JsonNode files) {
        if (!files.isEmpty()) {
            text.append(sign).append(files.size());
        }
    }

    /** A manifest with counts in the place of what may be long. */
    static ObjectNode summary(JsonNode snapshot) {
        ObjectNode sum = snapshot.isObject() ? snapshot.deepCopy() : Json.MAPPER.createObjectNode();
        JsonNode metadata = snapshot.path("metadata");
        List<String> columns = new ArrayList<>();
        metadata.path("column_metadatas")
                .forEach(column ->
                        columns.add(column.path("column_schema").path("name").asText()));
        sum.put(
                "metadata",
                "region " + metadata.path("region_id").asText() + ", schema "
                        + metadata.path("schema_version").asText() + ", columns " + String.join(", ", columns));
        sum.put("files", snapshot.path("files").size());
        int removed = 0;
        for (JsonNode once : snapshot.path("removed_files").path("removed_files")) {
            removed += once.path("files").size();
        }
        sum.put("removed_files", removed);
        return sum;
    }

    /** Every file that an answer names, wherever it does, with the name of the list that it is in. */
    static TextTable removed(JsonNode answer) {
        TextTable table = new TextTable("LIST", "WHAT", "FILE_ID", "INDEX_VERSION", "REMOVED_AT");
        answer.properties().forEach(list -> addRemoved(table, list.getKey(), "-", list.getValue()));
        return table;
    }

    private static void addRemoved(TextTable table, String list, String removedAt, JsonNode node) {
        if (node.has("File") || node.has("Index")) {
            JsonNode pair = node.path(node.has("File") ? "File" : "Index");
            table.row(
                    list, node.has("File") ? "data" : "index", pair.path(0).asText(), orDash(pair.path(1)), removedAt);
        } else if (node.has("file_id")) {
            table.row(list, "data", node.path("file_id").asText(), orDash(node.path("index_version")), removedAt);
        } else if (node.isArray()) {
            for (JsonNode element : node) {
                if (element.isTextual()) {
                    table.row(list, "data", element.asText(), "-", removedAt);
                } else {
                    addRemoved(table, list, removedAt, element);
                }
            }
        } else if (node.isObject()) {
            String at = node.has("removed_at")
                    ? Instant.ofEpochMilli(node.path("removed_at").asLong()).toString()
                    : removedAt;
            node.forEach(child -> addRemoved(table, list, at, child));
        }
    }
}
