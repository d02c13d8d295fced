package io.sluice.service.http;

import io.sluice.schemas.common.Texts;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Percent-encoded UTF-8 in URIs, decoded strictly: what is no UTF-8 is refused, not replaced by question marks.
 * Stateless.
 */
final class UriText {
    private static final String HEX = "0123456789ABCDEF";

    /** Besides the unreserved ones: what may stand in a path and a query, between their parts, or begin an escape. */
    private static final String ALLOWED = "/?&=%:@!$'()*+,;";

    private UriText() {}

    /** The text of one path segment. A plus sign is a plus sign. */
    static String decodeSegment(String raw) {
        return decode(raw, false, "path segment");
    }

    /** The text of a name or value in a query, where a plus sign is a space. */
    static String decodeQuery(String raw) {
        return decode(raw, true, "query parameter");
    }

    /** A path segment that decodes to the text. */
    static String encodeSegment(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (isUnreserved(c)) {
                encoded.append(c);
            } else {
                encoded.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
            }
        }
        return encoded.toString();
    }

    /** A path and query as they came, with what no URI may hold percent-encoded, and what is so already left as it is. */
    static String encodeForbidden(String pathAndQuery) {
        StringBuilder encoded = new StringBuilder();
        pathAndQuery.codePoints().forEach(character -> {
            if (character < 0x80 && (isUnreserved((char) character) || ALLOWED.indexOf(character) >= 0)) {
                encoded.appendCodePoint(character);
            } else {
                encoded.append(encodeSegment(Character.toString(character)));
            }
        });
        return encoded.toString();
    }

    private static String decode(String raw, boolean plusIsSpace, String what) {
        ByteArrayOutputStream utf8 = new ByteArrayOutputStream(raw.length());
        for (int i = 0; i < raw.length(); ) {
            int character = raw.codePointAt(i);
            if (character == '%') {
                int high = hexDigit(raw, i + 1);
                int low = hexDigit(raw, i + 2);
                if (high < 0 || low < 0) {
                    throw malformed(raw, what);
                }
                utf8.write(high << 4 | low);
                i += 3;
            } else {
                utf8.writeBytes(Character.toString(plusIsSpace && character == '+' ? ' ' : character)
                        .getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(character);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw malformed(raw, what);
        }
    }

    /** The value of a digit, or -1 if there is none. */
    private static int hexDigit(String raw, int index) {
        return index < raw.length() ? HEX.indexOf(Character.toUpperCase(raw.charAt(index))) : -1;
    }

    private static boolean isUnreserved(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || "-._~".indexOf(c) >= 0;
    }

    private static RefusedRequestException malformed(String raw, String what) {
        return RefusedRequestException.invalid(
                what + " \"" + Texts.shortened(raw) + "\" is no percent-encoded UTF-8 text");
    }
}
