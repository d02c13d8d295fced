package io.sluice.service.manifest;

import io.sluice.schemas.common.UndecodableException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Bytes to compressed bytes and back. Stateless. Two encoders differ: compressed bytes are never compared. */
final class Gzip {
    private Gzip() {}

    static byte[] compress(byte[] bytes) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    /**
     * @param file its name, for messages
     * @throws UndecodableException if they are not compressed, or not complete
     */
    static byte[] decompress(byte[] compressed, String file) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UndecodableException(file + " is no complete gzip file: " + e.getMessage(), e);
        }
    }
}
