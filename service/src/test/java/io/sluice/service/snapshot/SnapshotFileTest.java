package io.sluice.service.snapshot;

import static io.sluice.service.snapshot.TestSnapshots.FLOW_0;
import static io.sluice.service.snapshot.TestSnapshots.FLOW_1;
import static io.sluice.service.snapshot.TestSnapshots.HEADER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.service.snapshot.SnapshotException.Reason;
import io.sluice.service.snapshot.SnapshotFile.Content;
import io.sluice.service.snapshot.TestSnapshots.Row;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot file gives back what was written, and is refused when a single bit of it is another one. */
class SnapshotFileTest {
    @TempDir
    private Path folder;

    private void assertRefused(byte[] bytes, String what) {
        Path file = TestSnapshots.put(folder, bytes);
        try {
            TestSnapshots.read(file);
        } catch (SnapshotException e) {
            assertThat(e.reason()).as(what).isEqualTo(Reason.BAD_FILE);
            assertThat(e).hasMessageContaining(file.toString());
            return;
        }
        throw new AssertionError(what + " was read as if nothing was wrong");
    }

    @Test
    void whatIsWrittenIsRead() {
        List<Row> seen = new ArrayList<>();
        Content content = TestSnapshots.read(TestSnapshots.put(folder, write()), seen);

        assertThat(content.header()).isEqualTo(HEADER);
        assertThat(content.schemas()).isEqualTo(TestSnapshots.SCHEMAS);
        assertThat(seen).isEqualTo(TestSnapshots.rows());
        assertThat(content.totals().rows()).isEqualTo(6);
        assertThat(content.totals().largestRowBytes()).isEqualTo(257);
        assertThat(content.totals().partitions().get(FLOW_1).rows()).isZero();
    }

    @Test
    void theSameRowsAtTheSameTimeAreTheSameFile() {
        assertThat(write()).isEqualTo(write());
    }

    @Test
    void rowsThatFillManyBlocksAndOneThatIsLargerThanABlockAreRead() {
        Random random = new Random(1);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            rows.add(new Row(FLOW_0, String.format("\u0001%06d", i), random(random, 200)));
        }
        rows.add(new Row(FLOW_0, "\u0002", random(random, 3 * Blocks.ROWS_BYTES)));
        byte[] bytes = TestSnapshots.write(HEADER, rows);

        assertThat(bytes.length).isGreaterThan(5 * Blocks.ROWS_BYTES);
        assertThat(TestSnapshots.read(TestSnapshots.put(folder, bytes))).isEqualTo(rows);
    }

    @Test
    void everyFlippedBitIsRefused() {
        byte[] bytes = write();
        for (int at = 0; at < bytes.length; at++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] flipped = bytes.clone();
                flipped[at] ^= (byte) (1 << bit);
                assertRefused(flipped, "bit " + bit + " of byte " + at);
            }
        }
    }

    @Test
    void everyFileThatIsCutShortIsRefused() {
        byte[] bytes = write();
        for (int length = 0; length < bytes.length; length++) {
            assertRefused(Arrays.copyOf(bytes, length), "the first " + length + " bytes");
        }
    }

    @Test
    void aFileThatGoesOnBehindItsEndIsRefused() {
        byte[] bytes = write();
        assertRefused(Arrays.copyOf(bytes, bytes.length + 1), "a byte more");
        byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length);
        System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
        assertRefused(twice, "the same again");
    }

    @Test
    void blocksThatWereSwappedLeftOutOrRepeatedAreRefusedThoughEachIsWhole() throws Exception {
        List<byte[]> blocks = blocks(write());
        for (int i = 0; i < blocks.size(); i++) {
            List<byte[]> without = new ArrayList<>(blocks);
            without.remove(i);
            assertRefused(joined(without), "without block " + i);
            List<byte[]> twice = new ArrayList<>(blocks);
            twice.add(i, blocks.get(i));
            assertRefused(joined(twice), "block " + i + " twice");
            if (i > 0) {
                List<byte[]> swapped = new ArrayList<>(blocks);
                swapped.set(i, blocks.get(i - 1));
                swapped.set(i - 1, blocks.get(i));
                assertRefused(joined(swapped), "block " + i + " before the one before it");
            }
        }
    }

    @Test
    void aLengthThatNobodyHasMemoryForIsRefusedBeforeAnythingOfThatSizeIsMade() {
        byte[] bytes = Arrays.copyOf(Blocks.magic(), Blocks.magic().length + Blocks.HEAD_BYTES);
        byte[] head = Blocks.head(BlockType.HEADER.code(), Integer.MAX_VALUE - 8, Integer.MAX_VALUE - 8);
        System.arraycopy(head, 0, bytes, Blocks.magic().length, head.length);

        assertRefused(bytes, "a block of 2 GiB");
    }

    @Test
    void aLaterFormatIsRefusedByItsNumber() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (BlockOutput blocks = new BlockOutput(out)) {
            blocks.write(
                    BlockType.HEADER,
                    TestSnapshots.bytes("{\"format\":2,\"created_by\":\"sluice 9.0.0\",\"new\":true}"));
        }
        Path file = TestSnapshots.put(folder, out.toByteArray());

        assertThatThrownBy(() -> TestSnapshots.read(file))
                .isInstanceOf(SnapshotException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("format 2, written by sluice 9.0.0; this version reads format 1")
                .hasMessageNotContaining("damaged");
    }

    @Test
    void aFileThatIsNotThereIsNoDamage() {
        assertThatThrownBy(() -> TestSnapshots.read(folder.resolve("nothing")))
                .isInstanceOfSatisfying(
                        SnapshotException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DISK));
    }

    @Test
    void theFileThatIsCheckedInIsStillRead() throws Exception {
        Path golden = Path.of("src/test/resources/snapshots/format-1.sluice");
        if (Boolean.getBoolean("sluice.golden.write")) {
            Files.createDirectories(golden.getParent());
            Files.write(golden, write());
        }
        List<Row> seen = new ArrayList<>();
        Content content = TestSnapshots.read(golden, seen);

        assertThat(content.header()).isEqualTo(HEADER);
        assertThat(content.schemas()).isEqualTo(TestSnapshots.SCHEMAS);
        assertThat(seen).isEqualTo(TestSnapshots.rows());
        // Another version of the compression may store the same in other bytes: what it is of must stay the same.
        assertThat(plain(Files.readAllBytes(golden))).isEqualTo(plain(write()));
    }

    private static byte[] write() {
        return TestSnapshots.write(HEADER, TestSnapshots.rows());
    }

    private static String random(Random random, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) random.nextInt(256));
        }
        return text.toString();
    }

    /** The blocks as they lie in a file. */
    private static List<byte[]> blocks(byte[] file) {
        List<byte[]> blocks = new ArrayList<>();
        int at = Blocks.magic().length;
        while (at < file.length) {
            int stored = ByteBuffer.wrap(file, at + 1, Integer.BYTES).getInt();
            int end = at + Blocks.HEAD_BYTES + stored + Blocks.CHECKSUM_BYTES;
            blocks.add(Arrays.copyOfRange(file, at, end));
            at = end;
        }
        return blocks;
    }

    private static byte[] joined(List<byte[]> blocks) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(Blocks.magic());
        blocks.forEach(out::writeBytes);
        return out.toByteArray();
    }

    /** The content of all blocks but the last, which has a digest of how they are stored. */
    private static List<String> plain(byte[] file) throws Exception {
        List<String> contents = new ArrayList<>();
        try (BlockInput blocks = new BlockInput(new ByteArrayInputStream(file))) {
            BlockInput.Block block = blocks.next();
            while (block.type() != BlockType.END) {
                contents.add(block.type() + " " + Arrays.toString(block.plain()));
                block = blocks.next();
            }
        }
        return contents;
    }
}
