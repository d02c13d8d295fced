package io.sluice.schemas.common;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The key of a command and of its outcome: {@code <partition key>/<command id>}, split at the last slash.
 *
 * <p>Immutable. One command, one key: compaction can therefore never remove a command that is not yet decided.
 *
 * @param partitionKey a catalog, or a flownode or region id in decimal; not empty
 * @param commandId matches {@code [A-Za-z0-9._:-]{1,128}}
 */
public record CommandKey(String partitionKey, String commandId) {
    private static final Pattern COMMAND_ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

    public CommandKey {
        Objects.requireNonNull(partitionKey, "partitionKey");
        if (partitionKey.isEmpty()) {
            throw new IllegalArgumentException("the partition key before the last \"/\" is empty");
        }
        if (!Texts.isUnicode(partitionKey)) {
            throw new IllegalArgumentException("the partition key holds half of a surrogate pair, which is no text");
        }
        // Row keys end text with it, so no row could be kept under such a key.
        if (partitionKey.indexOf(0) >= 0) {
            throw new IllegalArgumentException("the partition key holds a zero character");
        }
        if (!isCommandId(commandId)) {
            throw new IllegalArgumentException(
                    "command id \"" + Texts.shortened(commandId) + "\" does not match [A-Za-z0-9._:-]{1,128}");
        }
    }

    public static boolean isCommandId(String text) {
        return COMMAND_ID.matcher(text).matches();
    }

    public byte[] encode() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    /** @throws UndecodableException naming the key and the form that is expected */
    public static CommandKey decode(byte[] key) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(key))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UndecodableException("key of " + key.length + " bytes is not UTF-8 text", e);
        }
        int slash = text.lastIndexOf('/');
        if (slash < 0) {
            throw new UndecodableException("key \"" + Texts.shortened(text)
                    + "\" has no \"/\": expected <partition key>/<command id>, for flows <catalog>/<command id>");
        }
        try {
            return new CommandKey(text.substring(0, slash), text.substring(slash + 1));
        } catch (IllegalArgumentException e) {
            throw new UndecodableException("key \"" + Texts.shortened(text) + "\": " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return partitionKey + "/" + commandId;
    }
}
