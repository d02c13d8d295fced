package io.sluice.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FiguresPageTest {
    private static final String PAGE = "before\n" + FiguresPage.BEGIN + "\nold\n" + FiguresPage.END + "\nafter\n";

    @Test
    void replacesWhatIsBetweenTheMarksAndNothingElse() {
        assertThat(FiguresPage.with(PAGE, "\nnew\n"))
                .isEqualTo("before\n" + FiguresPage.BEGIN + "\nnew\n" + FiguresPage.END + "\nafter\n");
    }

    @Test
    void replacingTwiceIsReplacingOnce() {
        String once = FiguresPage.with(PAGE, "new");

        assertThat(FiguresPage.with(once, "new")).isEqualTo(once);
    }

    @Test
    void refusesAPageWithoutItsMarks() {
        assertThatThrownBy(() -> FiguresPage.with("nothing here", "new"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(FiguresPage.BEGIN);
    }

    @Test
    void theDocumentationHasTheMarks() throws Exception {
        String page = Files.readString(Path.of("../../docs/performance.md"));

        assertThat(FiguresPage.with(page, "new")).contains("\nnew\n");
    }
}
