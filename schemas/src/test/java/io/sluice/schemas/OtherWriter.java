package io.sluice.schemas;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

/** A writer whose schemas are older or newer than ours. Stateless. */
public final class OtherWriter {
    private static final int HEADER_BYTES = 10;

    private OtherWriter() {}

    /** A record of ours as a writer with another schema sends it. */
    public static byte[] rewritten(byte[] ours, Schema today, Schema writer, Consumer<GenericRecord> change) {
        try {
            GenericRecord record = new GenericDatumReader<GenericRecord>(today, writer)
                    .read(
                            null,
                            DecoderFactory.get().binaryDecoder(ours, HEADER_BYTES, ours.length - HEADER_BYTES, null));
            change.accept(record);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(new byte[] {(byte) 0xC3, 0x01});
            out.write(ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(KnownSchemas.fingerprint(writer))
                    .array());
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
            new GenericDatumWriter<GenericRecord>(writer).write(record, encoder);
            encoder.flush();
            return out.toByteArray();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A reader of ours that finds the writer's schema. */
    public static SingleObject readerThatFinds(Schema writer) {
        return new SingleObject(new KnownSchemas(fingerprint ->
                fingerprint == KnownSchemas.fingerprint(writer) ? Optional.of(writer) : Optional.empty()));
    }
}
