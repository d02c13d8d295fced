package io.sluice.schemas.common;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumReader;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * Avro single-object encoding: the marker C3 01, the little-endian CRC-64-AVRO fingerprint of the writer schema, the body.
 * Source: Avro specification 1.12, "Single-object encoding".
 *
 * <p>Thread-safe. Decoding resolves the writer schema against today's, so older and newer records are read alike. A body
 * is read by {@link BodyDecoder}, to its last byte: what follows a record is not ignored.
 */
public final class SingleObject {
    private static final byte MARKER_0 = (byte) 0xC3;
    private static final byte MARKER_1 = 0x01;
    private static final int HEADER_BYTES = 10;

    private static final GeneratedClasses MODEL = GeneratedClasses.MODEL;
    private static final Map<Class<?>, BinaryMessageEncoder<?>> ENCODERS = new ConcurrentHashMap<>();

    private final KnownSchemas schemas;
    private final Map<ReaderKey, DatumReader<?>> readers = new ConcurrentHashMap<>();

    /** A reader resolves one writer schema against one of ours. */
    private record ReaderKey(Class<?> type, long writerFingerprint) {}

    public SingleObject(KnownSchemas schemas) {
        this.schemas = schemas;
    }

    /** Encodes a generated record with its own schema. */
    @SuppressWarnings("unchecked") // the encoder under a class was made for that class
    public static <T extends SpecificRecordBase> byte[] encode(T record) {
        BinaryMessageEncoder<T> encoder = (BinaryMessageEncoder<T>) ENCODERS.computeIfAbsent(
                record.getClass(), type -> new BinaryMessageEncoder<T>(MODEL, record.getSchema()));
        try {
            ByteBuffer buffer = encoder.encode(record);
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            return bytes;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "cannot encode " + record.getSchema().getFullName(), e);
        }
    }

    /**
     * The schema a record was written with.
     *
     * @throws UndecodableException if the bytes are not single-object encoding, or nobody knows the fingerprint
     */
    public Schema writerSchema(byte[] bytes) {
        long fingerprint = fingerprint(bytes);
        Schema schema = schemas.findByFingerprint(fingerprint);
        if (schema == null) {
            throw new UndecodableException(
                    "schema fingerprint " + HexFormat.of().toHexDigits(fingerprint)
                            + " is neither shipped with this version nor published in the schemas topic");
        }
        return schema;
    }

    private static long fingerprint(byte[] bytes) {
        if (bytes.length < HEADER_BYTES || bytes[0] != MARKER_0 || bytes[1] != MARKER_1) {
            throw new UndecodableException(
                    "value of " + bytes.length
                            + " bytes is not Avro single-object encoding: it must begin with C3 01 and an 8-byte schema fingerprint");
        }
        return ByteBuffer.wrap(bytes, 2, Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
    }

    /**
     * Decodes a record into today's class, whatever version of its schema it was written with.
     *
     * @throws UndecodableException if the bytes are not a record of this kind
     */
    public <T extends SpecificRecord> T decode(byte[] bytes, Class<T> type) {
        Schema reader = MODEL.getSchema(type);
        Schema writer = writerSchema(bytes);
        if (!writer.getFullName().equals(reader.getFullName())) {
            throw new UndecodableException(
                    "value is a " + Texts.shortened(writer.getFullName()) + ", expected a " + reader.getFullName());
        }
        @SuppressWarnings("unchecked") // the reader under a class was made for that class
        DatumReader<T> datumReader = (DatumReader<T>) readers.computeIfAbsent(
                new ReaderKey(type, fingerprint(bytes)), key -> MODEL.createDatumReader(writer, reader));
        BodyDecoder body = new BodyDecoder(bytes, HEADER_BYTES);
        T record;
        try {
            record = datumReader.read(null, body);
        } catch (IOException | RuntimeException | StackOverflowError e) {
            // Broken bodies show as a dozen exception types, and as an overflow when a foreign schema nests without
            // end; all
            // of them mean the same here.
            throw new UndecodableException(
                    "body of " + reader.getFullName() + " is broken: "
                            + e.getClass().getSimpleName() + ": " + Texts.shortened(String.valueOf(e.getMessage())),
                    e);
        }
        if (body.remainingBytes() > 0) {
            throw new UndecodableException("body of " + reader.getFullName() + " has " + body.remainingBytes()
                    + (body.remainingBytes() == 1 ? " byte" : " bytes") + " after its end");
        }
        return record;
    }
}
