package io.sluice.service.cli;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.TextTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Purpose: finds the JSON objects of a text that is an array, one object, objects one after the other, or JSON lines.
 *
 * <p>They are all the same to it: objects with blanks and, within brackets, commas between them. So one broken element costs
 * nothing but itself, in whichever form it comes.
 *
 * <p>Threading: one thread, one text.
 *
 * <p>Invariant: every character is part of an object, stands between two, or lies in lines that are reported.
 */
final class FlowFile {
    private static final int EXCERPT = 40;

    private final char[] text;
    private final List<Entry> entries = new ArrayList<>();
    private int at;
    private int line = 1;
    private int openArrayLine;

    private FlowFile(String text) {
        this.text = text.toCharArray();
    }

    /**
     * What stands at a place in the file.
     *
     * @param line where it begins, from 1
     * @param body null when it is no JSON object
     * @param error what is wrong; null when nothing is
     */
    record Entry(int line, ObjectNode body, String error) {}

    /** Everything in a text, in its order. */
    static List<Entry> read(String text) {
        FlowFile file = new FlowFile(text.startsWith("\uFEFF") ? text.substring(1) : text);
        file.readAll();
        return file.entries;
    }

    private void readAll() {
        while (at < text.length) {
            char c = text[at];
            if (c == '\n') {
                line++;
                at++;
            } else if (c == ' ' || c == '\t' || c == '\r' || (c == ',' && openArrayLine > 0)) {
                at++;
            } else if (c == '[' && openArrayLine == 0) {
                openArrayLine = line;
                at++;
            } else if (c == ']' && openArrayLine > 0) {
                openArrayLine = 0;
                at++;
            } else if (c == '{') {
                readObject();
            } else {
                int begin = at;
                skipLine();
                entries.add(new Entry(line, null, "expected a JSON object, found " + excerpt(begin, at)));
            }
        }
        if (openArrayLine > 0) {
            entries.add(
                    new Entry(openArrayLine, null, "the array that begins here has no end, the file may be cut off"));
        }
    }

    private void readObject() {
        try (JsonParser parser = Json.MAPPER.getFactory().createParser(text, at, text.length - at)) {
            JsonNode object = Json.MAPPER.readTree(parser);
            entries.add(new Entry(line, (ObjectNode) object, null));
            skipTo(at + Math.toIntExact(parser.currentLocation().getCharOffset()));
        } catch (JsonProcessingException e) {
            skipBroken(e);
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory can be read", e);
        }
    }

    /**
     * Goes on behind a broken object: at the next line, or, if it was laid out over several, at the next one that begins at
     * the margin as an object's first line does.
     */
    private void skipBroken(JsonProcessingException e) {
        int begin = line;
        JsonLocation where = e.getLocation();
        String place = where == null
                ? ""
                : " (line " + (begin + where.getLineNr() - 1) + ", column "
                        + (where.getLineNr() == 1 ? columnOf(at) + where.getColumnNr() - 1 : where.getColumnNr()) + ")";
        skipLine();
        int last = begin;
        while (at < text.length && isContinuation(at + 1)) {
            at++;
            last = ++line;
            skipLine();
        }
        String left = last > begin ? "; lines " + begin + " to " + last + " are left out" : "";
        entries.add(new Entry(begin, null, "no JSON: " + e.getOriginalMessage() + place + left));
    }

    private boolean isContinuation(int lineStart) {
        if (lineStart >= text.length) {
            return false;
        }
        char c = text[lineStart];
        return c == ' ' || c == '\t' || c == '}' || c == '"' || (c == ']' && openArrayLine == 0);
    }

    private int columnOf(int position) {
        int start = position;
        while (start > 0 && text[start - 1] != '\n') {
            start--;
        }
        return position - start + 1;
    }

    /** To the end of the line, in front of its line feed. */
    private void skipLine() {
        while (at < text.length && text[at] != '\n') {
            at++;
        }
    }

    private void skipTo(int end) {
        for (; at < end; at++) {
            if (text[at] == '\n') {
                line++;
            }
        }
    }

    private String excerpt(int begin, int end) {
        int length = Math.min(EXCERPT, end - begin);
        return "\"" + TextTable.oneLine(new String(text, begin, length).stripTrailing())
                + (length < end - begin ? "..." : "") + "\"";
    }
}
