package io.sluice.service.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file is there whole or not at all, and never in the place of another one. */
class NewFileTest {
    @TempDir
    private Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aFileHasItsNameOnceItIsPublishedAndNothingIsLeftBesideIt() throws IOException {
        try (NewFile file = NewFile.at(folder.resolve("a"))) {
            file.out().write(new byte[] {1, 2});
            assertThat(folder.resolve("a")).doesNotExist();
            file.publish();
        }

        assertThat(folder.resolve("a")).hasBinaryContent(new byte[] {1, 2});
        assertThat(names()).containsExactly("a");
    }

    @Test
    void aFileThatWasNotPublishedLeavesNothing() throws IOException {
        try (NewFile file = NewFile.at(folder.resolve("a"))) {
            file.out().write(1);
        }

        assertThat(names()).isEmpty();
    }

    @Test
    void aFileThatIsThereOrComesMeanwhileStaysAsItIs() throws IOException {
        try (NewFile file = NewFile.at(folder.resolve("a"))) {
            Files.writeString(folder.resolve("a"), "theirs");
            assertThatThrownBy(file::publish).isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThatThrownBy(() -> NewFile.at(folder.resolve("a"))).isInstanceOf(FileAlreadyExistsException.class);

        assertThat(folder.resolve("a")).hasContent("theirs");
        assertThat(names()).containsExactly("a");
    }
}
