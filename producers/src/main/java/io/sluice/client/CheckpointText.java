package io.sluice.client;

import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.FlownodeRouteKey;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The text of a {@link RoutesCheckpoint}. Lines end with a line feed; fields are separated by one tab, and in them backslash,
 * tab, line feed and carriage return are written {@code \\}, {@code \t}, {@code \n} and {@code \r}:
 *
 * <pre>
 * sluice routes checkpoint 1
 * flownode     id
 * topic-id     id
 * partition    number    count
 * offset       number
 * held         number of lines that follow
 * key          revision  command id  flow name
 * end
 * </pre>
 *
 * <p>Stateless. One checkpoint, one text: numbers are decimal without leading zeros, keys are in order. Anything else is refused,
 * since a checkpoint that is read wrongly revokes flows.
 */
final class CheckpointText {
    private static final String NAME = "sluice routes checkpoint ";
    private static final String FIRST_LINE = NAME + "1";
    private static final String LAST_LINE = "end";

    private CheckpointText() {}

    static String encode(RoutesCheckpoint checkpoint) {
        StringBuilder text = new StringBuilder();
        line(text, FIRST_LINE);
        line(text, "flownode", U64.text(checkpoint.flownodeId()));
        line(text, "topic-id", checkpoint.topicId());
        line(text, "partition", "" + checkpoint.partition(), "" + checkpoint.partitionCount());
        line(text, "offset", "" + checkpoint.offset());
        line(text, "held", "" + checkpoint.held().size());
        checkpoint
                .held()
                .forEach((key, held) ->
                        line(text, key.toString(), U64.text(held.revision()), held.commandId(), held.flowName()));
        line(text, LAST_LINE);
        return text.toString();
    }

    static RoutesCheckpoint decode(String text) {
        return new Reader(text).checkpoint();
    }

    private static void line(StringBuilder text, String... fields) {
        for (int i = 0; i < fields.length; i++) {
            text.append(i == 0 ? "" : "\t").append(escaped(fields[i]));
        }
        text.append('\n');
    }

    private static String escaped(String field) {
        return field.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }

    /** One text, line by line. One thread. */
    private static final class Reader {
        private final String[] lines;
        private int next;

        Reader(String text) {
            this.lines = text.split("\n", -1);
        }

        RoutesCheckpoint checkpoint() {
            String first = lines[next++];
            if (!first.equals(FIRST_LINE)) {
                throw wrong(
                        first.startsWith(NAME)
                                ? "another version: this library reads \"" + FIRST_LINE + "\""
                                : "no checkpoint: expected \"" + FIRST_LINE + "\"");
            }
            long flownodeId = u64(fields("flownode", 2)[1]);
            String topicId = fields("topic-id", 2)[1];
            String[] partition = fields("partition", 3);
            int number = count(partition[1]);
            int of = count(partition[2]);
            long offset = number(fields("offset", 2)[1]);
            int held = count(fields("held", 2)[1]);
            Map<FlownodeRouteKey, HeldRoute> routes = new TreeMap<>(HeldRoutes.KEY_ORDER);
            FlownodeRouteKey last = null;
            for (int i = 0; i < held; i++) {
                String[] fields = fields("a key", 4);
                FlownodeRouteKey key = key(fields[0]);
                if (last != null && HeldRoutes.KEY_ORDER.compare(last, key) >= 0) {
                    throw wrong("keys in ascending order expected, \"" + Texts.shortened(fields[0]) + "\" is not");
                }
                routes.put(key, new HeldRoute(fields[3], u64(fields[1]), fields[2]));
                last = key;
            }
            if (next + 2 != lines.length || !lines[next].equals(LAST_LINE) || !lines[next + 1].isEmpty()) {
                next++;
                throw wrong("expected \"" + LAST_LINE + "\" and a line feed, and nothing more");
            }
            try {
                return new RoutesCheckpoint(flownodeId, topicId, number, of, offset, routes);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("checkpoint: " + e.getMessage(), e);
            }
        }

        /** The next line, which begins with that name if it is not a key. */
        private String[] fields(String name, int count) {
            String line = next < lines.length ? lines[next] : "";
            next++;
            String[] fields = line.split("\t", -1);
            if (fields.length != count || count < 4 && !fields[0].equals(name)) {
                throw wrong("expected " + count + " fields that begin with " + name + ", found \""
                        + Texts.shortened(line) + "\"");
            }
            for (int i = 0; i < count; i++) {
                fields[i] = unescaped(fields[i]);
            }
            return fields;
        }

        private String unescaped(String field) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < field.length(); i++) {
                char c = field.charAt(i);
                if (c == '\\') {
                    i++;
                    int kind = i < field.length() ? "\\tnr".indexOf(field.charAt(i)) : -1;
                    if (kind < 0) {
                        throw wrong(
                                "a backslash goes before \\, t, n or r, not so in \"" + Texts.shortened(field) + "\"");
                    }
                    text.append("\\\t\n\r".charAt(kind));
                } else if (c == '\r') {
                    throw wrong("a carriage return is written \\r; was the file changed by an editor?");
                } else {
                    text.append(c);
                }
            }
            return text.toString();
        }

        private FlownodeRouteKey key(String text) {
            try {
                return FlownodeRouteKey.decode(text.getBytes(StandardCharsets.UTF_8));
            } catch (UndecodableException e) {
                throw wrong(e.getMessage());
            }
        }

        private long u64(String text) {
            try {
                return U64.parse(text);
            } catch (IllegalArgumentException e) {
                throw wrong(e.getMessage());
            }
        }

        private long number(String text) {
            long number = u64(text);
            if (number < 0) {
                throw wrong(text + " is larger than any offset");
            }
            return number;
        }

        private int count(String text) {
            long number = number(text);
            if (number > Integer.MAX_VALUE) {
                throw wrong(text + " is larger than any count");
            }
            return (int) number;
        }

        private IllegalArgumentException wrong(String why) {
            return new IllegalArgumentException("checkpoint, line " + next + ": " + why);
        }
    }
}
