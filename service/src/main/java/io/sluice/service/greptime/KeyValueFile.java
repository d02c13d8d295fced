package io.sluice.service.greptime;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.schemas.common.Texts;
import io.sluice.service.common.LosslessJson;
import io.sluice.service.json.JsonRefusedException;
import io.sluice.service.json.KeyValueJson;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.util.Set;

/**
 * Reads a file of keys and values: JSON lines, or the output of {@code etcdctl get -w json} (docs/formats.md 7.1, 7.2). Which of the
 * two it is, the name of its first field says.
 *
 * <p>Threading: one thread. Invariants: a row at a time is held, however large the file is; of JSON lines one that cannot be read costs
 * nothing but itself; a value that is absent in the output of etcdctl has zero bytes.
 */
final class KeyValueFile {
    private static final int BUFFER_BYTES = 1024 * 1024;
    private static final int LOOK_AHEAD_BYTES = 4 * 1024;
    private static final Set<String> OF_LINES = Set.of("key", "value", "encoding");
    private static final Set<String> OF_ETCD = Set.of("header", "kvs", "count", "more");

    private final BufferedInputStream in;
    private final KeyValueRows rows;

    private KeyValueFile(InputStream in, KeyValueRows rows) {
        this.in = new BufferedInputStream(in, BUFFER_BYTES);
        this.rows = rows;
    }

    /** @throws BrokenFileException if it is neither of the two, or what follows on a place in it cannot be read any more */
    static void read(InputStream in, KeyValueRows rows) throws IOException, BrokenFileException {
        new KeyValueFile(in, rows).read();
    }

    private void read() throws IOException, BrokenFileException {
        String first = firstField();
        if (OF_LINES.contains(first)) {
            readLines();
        } else if (OF_ETCD.contains(first)) {
            readEtcd();
        } else {
            throw new BrokenFileException(
                    "its first field is \"" + Texts.shortened(first)
                            + "\": expected JSON lines {\"key\":...,\"value\":...}, or the output of etcdctl get --prefix ... -w json");
        }
    }

    private String firstField() throws IOException, BrokenFileException {
        in.mark(LOOK_AHEAD_BYTES);
        byte[] head = in.readNBytes(LOOK_AHEAD_BYTES);
        in.reset();
        try (JsonParser parser = LosslessJson.FACTORY.createParser(head)) {
            JsonToken token = parser.nextToken();
            if (token == null) {
                throw new BrokenFileException("it is empty");
            }
            if (token == JsonToken.START_OBJECT && parser.nextToken() == JsonToken.FIELD_NAME) {
                return parser.currentName();
            }
        } catch (JsonProcessingException e) {
            throw new BrokenFileException("it does not begin with a JSON object", e);
        }
        throw new BrokenFileException("it does not begin with a JSON object that has fields");
    }

    private void readLines() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        long number = 1;
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                readLine(number++, line.toByteArray());
                line.reset();
            } else {
                line.write(next);
            }
        }
        readLine(number, line.toByteArray());
    }

    private void readLine(long number, byte[] line) {
        if (isBlank(line)) {
            return;
        }
        String place = "line " + number;
        KeyValueJson.Row row;
        try {
            row = KeyValueJson.read(line);
        } catch (JsonRefusedException e) {
            rows.unreadable(place, e.getMessage());
            return;
        }
        rows.row(place, row.key(), row.value());
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }

    /** One document, or several one after the other. */
    private void readEtcd() throws IOException, BrokenFileException {
        try (JsonParser parser = LosslessJson.FACTORY.createParser(in)) {
            long number = 0;
            while (parser.nextToken() != null) {
                require(parser, JsonToken.START_OBJECT, "an object with the fields header, kvs and count");
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    if (name.equals("kvs") && parser.currentToken() != JsonToken.VALUE_NULL) {
                        number = readEntries(parser, number);
                    } else {
                        parser.skipChildren();
                    }
                }
            }
        } catch (JsonProcessingException e) {
            throw new BrokenFileException(
                    "it is broken at line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ", and may be cut off: "
                            + Texts.shortened(e.getOriginalMessage()),
                    e);
        }
    }

    private long readEntries(JsonParser parser, long before) throws IOException, BrokenFileException {
        require(parser, JsonToken.START_ARRAY, "a list under kvs");
        long number = before;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            readEntry(parser, ++number);
        }
        return number;
    }

    private void readEntry(JsonParser parser, long number) throws IOException, BrokenFileException {
        require(parser, JsonToken.START_OBJECT, "an object in the list kvs");
        String key = null;
        // A value of zero bytes is left out there.
        String value = "";
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "key" -> key = text(parser, "key");
                case "value" -> value = text(parser, "value");
                default -> parser.skipChildren();
            }
        }
        String place = "entry " + number;
        if (key == null) {
            rows.unreadable(place, "key is missing");
            return;
        }
        byte[] decodedValue;
        String decodedKey;
        try {
            decodedKey = LosslessJson.text(KeyValueJson.bytes(key));
            decodedValue = KeyValueJson.bytes(value);
        } catch (CharacterCodingException e) {
            rows.unreadable(place, "its key is no UTF-8 text: " + Texts.shortened(key) + " in base64");
            return;
        } catch (IllegalArgumentException e) {
            rows.unreadable(place, "key or value is no base64 with its padding; the key is " + Texts.shortened(key));
            return;
        }
        rows.row(place, decodedKey, decodedValue);
    }

    private static String text(JsonParser parser, String name) throws IOException, BrokenFileException {
        require(parser, JsonToken.VALUE_STRING, "base64 text under " + name);
        return parser.getText();
    }

    private static void require(JsonParser parser, JsonToken expected, String what) throws BrokenFileException {
        if (parser.currentToken() != expected) {
            throw new BrokenFileException("at line "
                    + parser.currentTokenLocation().getLineNr() + ", column "
                    + parser.currentTokenLocation().getColumnNr() + " expected " + what);
        }
    }
}
