package io.sluice.service.manifest;

import static io.sluice.service.manifest.TestManifests.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manifest directory on a real disk, and what is said when the disk does not want to. */
class DirectoryFilesTest {
    private static final String NAME = "00000000000000000001.json";

    @TempDir
    private Path parent;

    private Path region;
    private Path manifest;
    private DirectoryFiles files;

    @BeforeEach
    void begin() throws IOException {
        region = parent.resolve("1");
        manifest = region.resolve("manifest");
        files = new DirectoryFiles(region);
        files.prepare();
    }

    private List<String> names() throws IOException {
        try (var paths = Files.list(manifest)) {
            return paths.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void whatIsCreatedIsThereOnceAndNothingBesides() throws IOException {
        files.create(NAME, utf8("a"));
        assertThat(files.read(NAME)).isEqualTo(utf8("a"));
        assertThat(names()).containsExactly(NAME);
        assertThat(files.list()).containsExactly(new ManifestFiles.Listed(NAME, 1, false));
        assertThat(Files.getAttribute(manifest.resolve(NAME), "unix:nlink")).isEqualTo(1);
    }

    @Test
    void whatIsThereIsNotCreatedAgain() throws IOException {
        files.create(NAME, utf8("a"));
        assertThatThrownBy(() -> files.create(NAME, utf8("b"))).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(files.read(NAME)).isEqualTo(utf8("a"));
        assertThat(names()).containsExactly(NAME);
    }

    @Test
    void whatIsThereIsReplaced() throws IOException {
        files.replace(ManifestFile.POINTER, utf8("a"));
        files.replace(ManifestFile.POINTER, utf8("b"));
        assertThat(files.read(ManifestFile.POINTER)).isEqualTo(utf8("b"));
        assertThat(names()).containsExactly(ManifestFile.POINTER);
    }

    @Test
    void whatIsNotThereIsSaidToBeSoAndIsDeletedAlready() throws IOException {
        assertThatThrownBy(() -> files.read(NAME)).isInstanceOf(NoSuchFileException.class);
        files.delete(NAME);
        files.deleteAll(List.of(NAME, "00000000000000000002.json"));
    }

    @Test
    void whatIsHalfWrittenIsNotListedAndIsTakenAway() throws IOException {
        Files.write(manifest.resolve(".sluice-" + NAME + ".tmp"), utf8("{\"act"));
        assertThat(files.list()).isEmpty();
        files.create(NAME, utf8("a"));
        assertThat(names()).containsExactly(NAME);
        Files.write(manifest.resolve(".sluice-_last_checkpoint.tmp"), utf8("{"));
        files.prepare();
        assertThat(names()).containsExactly(NAME);
    }

    @Test
    void aTemporaryNameIsNoneOfAManifest() {
        assertThat(ManifestFile.parse(".sluice-" + NAME + ".tmp")).isNull();
    }

    @Test
    void aDirectoryThatIsMissingIsEmptyToReadAndAnErrorToWrite() throws IOException {
        DirectoryFiles none = new DirectoryFiles(parent.resolve("2"));
        assertThat(none.list()).isEmpty();
        assertThat(none.isDropping()).isFalse();
        assertThat(none.hasStaging()).isFalse();
        assertThatThrownBy(() -> none.create(NAME, utf8("a")))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(NoSuchFileException.class)
                .hasMessageContaining(
                        parent.resolve("2").resolve("manifest").resolve(NAME).toString())
                .hasMessageContaining("not there");
        none.removeRegion();
    }

    @Test
    void removalTakesLinksButNotWhatTheyLeadTo() throws IOException {
        Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
        Files.write(elsewhere.resolve("kept"), utf8("a"));
        Files.createSymbolicLink(region.resolve("link"), elsewhere);
        files.create(NAME, utf8("a"));
        files.markDropping();
        assertThat(files.isDropping()).isTrue();
        files.removeRegion();
        assertThat(region).doesNotExist();
        assertThat(elsewhere.resolve("kept")).exists();
        files.removeRegion();
    }

    @Test
    void theMarkIsTakenBack() throws IOException {
        files.markDropping();
        files.unmarkDropping();
        assertThat(files.isDropping()).isFalse();
    }

    @Test
    void aFileInPlaceOfTheDirectoryIsAnError() throws IOException {
        Files.write(parent.resolve("3"), utf8("a"));
        assertThatThrownBy(() -> new DirectoryFiles(parent.resolve("3")).prepare())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(parent.resolve("3").toString());
    }

    @Test
    void errorsSayWhereAndWhatToDo() {
        Path path = Path.of("/data/x");
        assertThat(DirectoryFiles.explained("write", path, new IOException("No space left on device")))
                .hasMessage("cannot write /data/x: the disk is full: free some space there");
        assertThat(DirectoryFiles.explained(
                        "write", path, new FileSystemException("/data/x", null, "Read-only file system")))
                .hasMessageContaining("/data/x: the file system is read-only: mount it for writing");
        assertThat(DirectoryFiles.explained("write", path, new AccessDeniedException("/data/x")))
                .hasMessageContaining("/data/x: permission denied: allow this process's user");
        assertThat(DirectoryFiles.explained("write", path, new NoSuchFileException("/data/x")))
                .hasMessageContaining("/data/x: the directory is not there");
        assertThat(DirectoryFiles.explained(
                        "write", path, new FileSystemException("/data/x", "/data/y", "Operation not permitted")))
                .hasMessageContaining("/data/x: the file system has no hard links");
        assertThat(DirectoryFiles.explained("read", path, new IOException("Input/output error")))
                .hasMessage("cannot read /data/x: Input/output error");
    }
}
