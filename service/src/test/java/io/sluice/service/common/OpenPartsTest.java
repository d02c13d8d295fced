package io.sluice.service.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenPartsTest {
    private final List<String> closed = new ArrayList<>();
    private final OpenParts parts = new OpenParts("a test");

    @Test
    void theLastOpenedIsClosedFirst() {
        parts.add(() -> closed.add("first"));
        parts.add(() -> closed.add("second"));
        parts.close();
        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void onePartThatFailsKeepsNoOtherFromBeingClosed() {
        parts.add(() -> closed.add("first"));
        parts.add(() -> {
            throw new IllegalStateException("does not close");
        });
        parts.close();
        assertThat(closed).containsExactly("first");
    }

    @Test
    void closingTwiceClosesOnce() {
        parts.add(() -> closed.add("part"));
        parts.close();
        parts.close();
        assertThat(closed).containsExactly("part");
    }
}
