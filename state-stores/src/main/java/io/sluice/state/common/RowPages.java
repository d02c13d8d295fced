package io.sluice.state.common;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** The rows under a prefix one by one, on request, in key order: a page of them is held at a time. One thread. */
final class RowPages {
    private static final int PAGE_ROWS = 2_000;

    private final RowScanner rows;
    private final byte[] end;
    private final Deque<Row> page = new ArrayDeque<>(PAGE_ROWS);

    private record Row(byte[] key, byte[] value) {}

    RowPages(RowScanner rows, byte[] prefix) {
        this.rows = rows;
        this.end = Keys.afterPrefix(prefix);
        read(prefix);
    }

    /** Whether there is a row left. */
    boolean isThere() {
        return !page.isEmpty();
    }

    byte[] key() {
        return page.getFirst().key();
    }

    byte[] value() {
        return page.getFirst().value();
    }

    /** How the row that comes next stands to a key; when none is left it is behind every key. */
    int compareTo(byte[] key) {
        return page.isEmpty() ? 1 : Arrays.compareUnsigned(key(), key);
    }

    void advance() {
        byte[] last = page.removeFirst().key();
        if (page.isEmpty()) {
            read(Keys.after(last));
        }
    }

    private void read(byte[] from) {
        rows.scan(from, end, (key, value) -> {
            page.add(new Row(key, value));
            return page.size() < PAGE_ROWS;
        });
    }
}
