package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.Samples.Sample;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.avro.Schema;

/** Whatever bytes arrive: they decode, or they are undecodable. Nothing else is thrown, nothing large is allocated. */
class BrokenBytesProperty {
    private static final List<Sample> SAMPLES = Samples.all();

    @Property
    void randomBytesAreUndecodable(@ForAll @Size(max = 300) byte[] bytes) {
        decodeAsEveryKind(bytes);
    }

    @Property(tries = 3000)
    void randomBodiesBehindAGoodHeaderDecodeOrAreUndecodable(
            @ForAll("currentSchemas") Schema schema, @ForAll @Size(max = 300) byte[] body) {
        byte[] bytes = ByteBuffer.allocate(10 + body.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0xC3)
                .put((byte) 0x01)
                .putLong(KnownSchemas.fingerprint(schema))
                .put(body)
                .array();

        decodeAsEveryKind(bytes);
    }

    @Property
    void aTruncatedRecordIsUndecodable(
            @ForAll("samples") Sample sample, @ForAll @IntRange(max = 100_000) int keptModulo) {
        byte[] whole = sample.bytes();
        byte[] truncated = Arrays.copyOf(whole, keptModulo % whole.length);

        assertThatThrownBy(() -> sample.decode().apply(truncated)).isInstanceOf(UndecodableException.class);
    }

    @Property
    void aRecordWithAppendedBytesIsUndecodable(
            @ForAll("samples") Sample sample, @ForAll @Size(min = 1, max = 40) byte[] appended) {
        byte[] whole = sample.bytes();
        byte[] longer = Arrays.copyOf(whole, whole.length + appended.length);
        System.arraycopy(appended, 0, longer, whole.length, appended.length);

        assertThatThrownBy(() -> sample.decode().apply(longer)).isInstanceOf(UndecodableException.class);
    }

    @Property(tries = 3000)
    void aRecordWithFlippedBitsDecodesOrIsUndecodable(
            @ForAll("samples") Sample sample,
            @ForAll @Size(min = 1, max = 4) List<@IntRange(max = 1_000_000) Integer> flips) {
        byte[] bytes = sample.bytes();
        for (int flip : flips) {
            int bit = flip % (bytes.length * 8);
            bytes[bit / 8] ^= (byte) (1 << (bit % 8));
        }

        decodeAsEveryKind(bytes);
    }

    /** Puts a length or count of up to 2^63 - 1, of either sign, in the place of any byte of the body. */
    @Property(tries = 3000)
    void aRecordWithAHugeNumberSomewhereDecodesOrIsUndecodable(
            @ForAll("samples") Sample sample,
            @ForAll @IntRange(max = 100_000) int atModulo,
            @ForAll("huge") long number) {
        byte[] whole = sample.bytes();
        int at = 10 + atModulo % (whole.length - 10);
        ByteBuffer bytes = ByteBuffer.allocate(whole.length + 10);
        bytes.put(whole, 0, at);
        putVarint(bytes, number);
        bytes.put(whole, at + 1, whole.length - at - 1);

        decodeAsEveryKind(Arrays.copyOf(bytes.array(), bytes.position()));
    }

    /** What was read can be written, and reads the same again. */
    @Property(tries = 3000)
    void whatDecodesFromADamagedRecordSurvivesARoundTrip(
            @ForAll("samples") Sample sample, @ForAll @IntRange(max = 1_000_000) int flip) {
        byte[] bytes = sample.bytes();
        int bit = flip % (bytes.length * 8);
        bytes[bit / 8] ^= (byte) (1 << (bit % 8));
        Object decoded;
        try {
            decoded = sample.decode().apply(bytes);
        } catch (UndecodableException e) {
            return;
        }

        assertThat(sample.decode().apply(sample.encode().apply(decoded))).isEqualTo(decoded);
    }

    @Provide
    Arbitrary<Sample> samples() {
        return Arbitraries.of(SAMPLES);
    }

    @Provide
    Arbitrary<Schema> currentSchemas() {
        return Arbitraries.of(KnownSchemas.CURRENT);
    }

    @Provide
    Arbitrary<Long> huge() {
        return Arbitraries.oneOf(
                Arbitraries.longs(),
                Arbitraries.of(
                        Long.MIN_VALUE,
                        Long.MAX_VALUE,
                        (long) Integer.MAX_VALUE - 8,
                        (long) Integer.MAX_VALUE,
                        (long) Integer.MIN_VALUE,
                        1L << 28,
                        -(1L << 28)));
    }

    private static void decodeAsEveryKind(byte[] bytes) {
        for (Sample sample : SAMPLES) {
            try {
                sample.decode().apply(bytes.clone());
            } catch (UndecodableException expected) {
                assertThat(expected.getMessage()).isNotBlank().hasSizeLessThan(1_000);
            }
        }
    }

    private static void putVarint(ByteBuffer out, long value) {
        long rest = (value << 1) ^ (value >> 63);
        while ((rest & ~0x7FL) != 0) {
            out.put((byte) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }
}
