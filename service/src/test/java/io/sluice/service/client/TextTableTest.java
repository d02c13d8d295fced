package io.sluice.service.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void columnsAreAligned() {
        String text = new TextTable("A", "LONGER")
                .row("wide cell", 1)
                .row("\uD83D\uDE80", "")
                .text("  ");

        assertThat(text).isEqualTo("  A          LONGER\n  wide cell  1\n  \uD83D\uDE80\n");
    }

    @Test
    void controlCharactersDoNotAct() {
        assertThat(TextTable.oneLine("a\nb\tc\u001b[31m\u0000\u0085\u2028é"))
                .isEqualTo("a\\nb\\tc\\u001b[31m\\u0000\\u0085\\u2028é");
    }

    @Test
    void everyRowHasAllCells() {
        TextTable table = new TextTable("A", "B");

        assertThat(table.isEmpty()).isTrue();
        assertThatThrownBy(() -> table.row("a")).hasMessage("1 cells for 2 columns");
    }
}
