package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.Samples.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bytes of one record of every kind, checked in. They change only with the fingerprint of a schema; then they are
 * written anew with {@code -Dsluice.golden.write=true}.
 */
class GoldenFileTest {
    private static final int BYTES_PER_LINE = 32;

    static List<Sample> samples() {
        return Samples.all();
    }

    @BeforeAll
    static void writeTheFilesOnRequest() throws IOException {
        if (Boolean.getBoolean("sluice.golden.write")) {
            for (Sample sample : samples()) {
                Files.writeString(
                        ModuleFiles.path("src/test/resources/golden").resolve(fileName(sample)), lines(sample.bytes()));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void encodesToTheBytesOfTheFile(Sample sample) throws IOException {
        assertThat(lines(sample.bytes())).isEqualTo(text(sample));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void decodesTheFileToTheValue(Sample sample) throws IOException {
        byte[] golden = HexFormat.of().parseHex(text(sample).replace("\n", ""));

        assertThat(sample.decode().apply(golden)).isEqualTo(sample.value());
    }

    @Test
    void everyFileHasASample() throws IOException {
        try (Stream<Path> files = Files.list(ModuleFiles.path("src/test/resources/golden"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            samples().stream().map(GoldenFileTest::fileName).toList());
        }
    }

    private static String lines(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (int from = 0; from < bytes.length; from += BYTES_PER_LINE) {
            int to = Math.min(bytes.length, from + BYTES_PER_LINE);
            text.append(HexFormat.of().formatHex(bytes, from, to)).append('\n');
        }
        return text.toString();
    }

    private static String text(Sample sample) throws IOException {
        try (InputStream in = GoldenFileTest.class.getResourceAsStream("/golden/" + fileName(sample))) {
            assertThat(in).as("golden file of %s", sample).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static String fileName(Sample sample) {
        return sample.name() + ".hex";
    }
}
