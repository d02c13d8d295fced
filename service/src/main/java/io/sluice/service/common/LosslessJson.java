package io.sluice.service.common;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * How JSON that others wrote is read, in requests and in manifest files: strictly, and without limits that would refuse what is
 * sound. Stateless.
 */
public final class LosslessJson {
    /**
     * Levels of nesting. Bodies and files have a size limit, so lengths need none; deep nesting would cost stack. Other readers
     * and writers of manifests go as deep as 128.
     */
    public static final int MAX_DEPTH = 200;

    public static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            // Names come from outside: keeping them for all time would be a leak.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private LosslessJson() {}

    /** @throws CharacterCodingException if the bytes are no UTF-8: nothing is replaced */
    public static String text(byte[] utf8) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    }
}
