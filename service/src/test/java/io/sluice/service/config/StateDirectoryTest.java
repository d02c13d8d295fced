package io.sluice.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** K-29: a folder that cannot or must not be the state's is refused, with the reason. */
class StateDirectoryTest {
    private static final StateDirectory.FileSystemType DISK = existing -> "ext4";

    @TempDir
    private Path folder;

    @Test
    void aFolderIsMadeWithAllAboveIt() {
        Path wanted = folder.resolve("a").resolve("b");
        try (StateDirectory claimed = StateDirectory.claim(wanted, DISK)) {
            assertThat(claimed.path()).isEqualTo(wanted).isDirectory();
            assertThat(wanted.resolve(StateDirectory.LOCK_FILE)).exists();
        }
    }

    @Test
    void aFolderWithContentIsTakenAsItIs() throws IOException {
        Files.writeString(folder.resolve("store"), "x");
        StateDirectory.claim(folder, DISK).close();

        assertThat(folder.resolve("store")).hasContent("x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tmpfs", "ramfs", "devtmpfs", "TMPFS"})
    void aMemoryFileSystemIsRefusedAndNothingIsMadeThere(String type) {
        Path wanted = folder.resolve("a").resolve("b");
        assertThatThrownBy(() -> StateDirectory.claim(wanted, existing -> {
                    assertThat(existing).as("what exists of the path").isEqualTo(folder);
                    return type;
                }))
                .isInstanceOf(SettingsException.class)
                .hasMessage("state.dir " + wanted + " is on a memory file system (" + type + "), where stores take the"
                        + " memory of everything else and are gone after a restart of the machine. Name a folder on a"
                        + " local disk.");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void theKindOfFileSystemIsTheRealOne() throws IOException {
        boolean memory = Files.getFileStore(folder).type().matches("tmpfs|ramfs|devtmpfs");
        if (memory) {
            assertThatThrownBy(() -> StateDirectory.claim(folder)).hasMessageContaining("memory file system");
        } else {
            StateDirectory.claim(folder).close();
            assertThat(folder.resolve(StateDirectory.LOCK_FILE)).exists();
        }
    }

    @Test
    void aFileIsNoFolder() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> StateDirectory.claim(file, DISK))
                .isInstanceOf(SettingsException.class)
                .hasMessage("state.dir " + file + " is a file, not a folder. Name a folder, existing or new.");
        assertThatThrownBy(() -> StateDirectory.claim(file.resolve("below"), DISK))
                .isInstanceOf(SettingsException.class)
                .hasMessage("state.dir " + file.resolve("below") + " is below " + file
                        + ", which is a file. Name a folder, existing or new.");
    }

    @Test
    void aFolderThatCannotBeWrittenToIsRefused() throws IOException {
        // In the way of the lock file for everyone, whatever the rights of who runs this test.
        Files.createDirectory(folder.resolve(StateDirectory.LOCK_FILE));

        assertThatThrownBy(() -> StateDirectory.claim(folder, DISK))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("state.dir " + folder + " cannot be made or written to: ")
                .hasMessageEndingWith("Check its owner, its rights and free space, or name another folder.");

        Files.delete(folder.resolve(StateDirectory.LOCK_FILE));
        StateDirectory.claim(folder, DISK).close();
    }

    @Test
    void anErrorOfTheFileSystemIsTold() {
        assertThatThrownBy(() -> StateDirectory.claim(folder, existing -> {
                    throw new IOException("no answer");
                }))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("IOException: no answer");
    }

    @Test
    void aSecondInstanceInThisProcessIsRefusedUntilTheFirstIsClosed() throws IOException {
        Path other = folder.resolve("..").resolve(folder.getFileName());
        try (StateDirectory claimed = StateDirectory.claim(folder, DISK)) {
            assertThatThrownBy(() -> StateDirectory.claim(other, DISK))
                    .isInstanceOf(SettingsException.class)
                    .hasMessage(
                            "state.dir " + claimed.path() + " is in use by another instance in this process. Stop that"
                                    + " one, or name another folder: each instance needs one of its own.");
        }
        StateDirectory.claim(other, DISK).close();
    }

    @Test
    void anInstanceInAnotherProcessIsNamed() throws Exception {
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classes(StateDirectory.class) + File.pathSeparator + classes(StateDirectoryHolder.class),
                        StateDirectoryHolder.class.getName(),
                        Files.createDirectory(folder.resolve("state")).toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = holder.inputReader()) {
            assertThat(said.readLine()).startsWith("claimed ");
            assertThatThrownBy(() -> StateDirectory.claim(folder.resolve("state"), DISK))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining("is in use by the process with id " + holder.pid() + ". Stop that one");

            holder.getOutputStream().close();
            assertThat(holder.waitFor(30, TimeUnit.SECONDS)).as("ended").isTrue();
            StateDirectory.claim(folder.resolve("state"), DISK).close();
        } finally {
            holder.destroyForcibly();
        }
    }

    private static String classes(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }
}
