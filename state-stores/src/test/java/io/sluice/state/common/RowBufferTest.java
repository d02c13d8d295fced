package io.sluice.state.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RowBufferTest {
    private static final byte[] A = bytes("0a");
    private static final byte[] B = bytes("0b");
    private static final byte[] C = bytes("0c");

    private final RecordingRows store = new RecordingRows();
    private RowBuffer buffer;

    @BeforeEach
    void givenAStoreWithRowA() {
        InMemoryRows rows = store.rows();
        rows.put(A, bytes("01"));
        buffer = new RowBuffer(store);
    }

    @Test
    void rowsThatWereNotWrittenAreReadFromTheStore() {
        assertThat(buffer.get(A)).isEqualTo(bytes("01"));
        assertThat(buffer.get(B)).isNull();
    }

    @Test
    void writtenRowsAreReadBackBeforeTheyAreFlushed() {
        buffer.put(A, bytes("02"));
        buffer.put(B, bytes(""));
        assertThat(buffer.get(A)).isEqualTo(bytes("02"));
        assertThat(buffer.get(B)).isEmpty();
    }

    @Test
    void deletedRowsAreGoneBeforeTheyAreFlushed() {
        buffer.delete(A);
        assertThat(buffer.get(A)).isNull();
    }

    @Test
    void nothingReachesTheStoreBeforeFlush() {
        buffer.put(B, bytes("02"));
        buffer.delete(A);
        assertThat(store.writes()).isEmpty();
    }

    @Test
    void theLastWriteOfAKeyCounts() {
        buffer.delete(A);
        buffer.put(A, bytes("03"));
        buffer.put(B, bytes("04"));
        buffer.delete(B);
        buffer.flushTo(store);
        assertThat(store.writes())
                .containsExactly(new RecordingRows.Write("0a", "03"), new RecordingRows.Write("0b", null));
    }

    @Test
    void flushWritesInTheOrderInWhichKeysWereFirstWritten() {
        buffer.put(C, bytes("01"));
        buffer.put(B, bytes("01"));
        buffer.delete(A);
        buffer.put(C, bytes("02"));
        buffer.flushTo(store);
        assertThat(store.writtenKeys()).containsExactly("0c", "0b", "0a");
    }

    @Test
    void flushedWritesAreNotFlushedAgain() {
        buffer.put(B, bytes("01"));
        buffer.flushTo(store);
        buffer.flushTo(store);
        assertThat(store.writes()).hasSize(1);
        assertThat(buffer.sizeBytes()).isZero();
    }

    @Test
    void sizeIsTheSumOfKeysAndValuesAsTheyWillBeWritten() {
        buffer.put(B, bytes("0102"));
        buffer.put(B, bytes("010203"));
        buffer.delete(A);
        buffer.put(bytes("0d0e"), bytes(""));
        assertThat(buffer.sizeBytes()).isEqualTo((1 + 3) + 1 + 2);
    }

    @Test
    void aScanSeesWhatWasWrittenAndWhatIsBelowInOrder() {
        store.rows().put(C, bytes("03"));
        store.rows().put(bytes("0d"), bytes("04"));
        buffer.put(B, bytes("12"));
        buffer.put(bytes("0a01"), bytes("11"));
        buffer.delete(C);
        buffer.put(A, bytes("10"));
        buffer.put(bytes("0e"), bytes("99"));
        assertThat(scanned("0a", "0e")).containsExactly("0a=10", "0a01=11", "0b=12", "0d=04");
        assertThat(scanned("0a", "0a")).isEmpty();
        assertThat(scanned("0a01", "0c")).containsExactly("0a01=11", "0b=12");
    }

    @Test
    void aScanEndsWhenItsVisitorHasSeenEnough() {
        store.rows().put(C, bytes("03"));
        buffer.put(B, bytes("12"));
        for (int enough = 1; enough <= 3; enough++) {
            List<String> seen = new ArrayList<>();
            int most = enough;
            buffer.scan(A, bytes("0f"), (key, value) -> {
                seen.add(Keys.hex(key));
                return seen.size() < most;
            });
            assertThat(seen).hasSize(enough).isEqualTo(List.of("0a", "0b", "0c").subList(0, enough));
        }
    }

    private List<String> scanned(String from, String to) {
        List<String> seen = new ArrayList<>();
        buffer.scan(bytes(from), bytes(to), (key, value) -> seen.add(Keys.hex(key) + "=" + Keys.hex(value)));
        return seen;
    }

    @Test
    void nullIsNoValue() {
        assertThatNullPointerException().isThrownBy(() -> buffer.put(B, null));
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
