package io.sluice.service.manifest;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** The single steps that a disk does, so that tests can stop between any two. Stateless where it is real. */
interface Disk {
    /** @param isFolder a folder itself, not a link to one */
    record Entry(String name, long sizeBytes, boolean isFolder) {}

    /** @throws NoSuchFileException if the folder is not there */
    List<Entry> list(Path folder) throws IOException;

    /** @throws NoSuchFileException if it is not there */
    byte[] read(Path file) throws IOException;

    /** Whether there is a file or folder of this name. */
    boolean exists(Path path) throws IOException;

    /** Writes a file, new or in place of its content, down to the disk; its name is there only after {@link #sync}. */
    void write(Path file, byte[] content) throws IOException;

    /** Gives a file a second name. @throws java.nio.file.FileAlreadyExistsException if there is something of that name */
    void link(Path name, Path file) throws IOException;

    /** Gives a file another name, in the place of the file that has it. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file or an empty folder; one that is not there is deleted already. */
    void delete(Path path) throws IOException;

    /** Makes a folder; its parent is there. One that is there is made already. */
    void makeFolder(Path folder) throws IOException;

    /** Brings the names in a folder down to the disk. */
    void sync(Path folder) throws IOException;
}
