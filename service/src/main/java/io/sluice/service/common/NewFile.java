package io.sluice.service.common;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that is there whole or not at all: written under another name beside it, brought down to the disk, then given its name. A
 * file that has the name is never written over.
 *
 * <p>Threading: one thread.
 */
public final class NewFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 1024 * 1024;

    private final Path path;
    private final Path temporary;
    private final FileChannel channel;
    private final OutputStream out;

    private NewFile(Path path, Path temporary, FileChannel channel) {
        this.path = path;
        this.temporary = temporary;
        this.channel = channel;
        this.out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES);
    }

    /**
     * Begins to write.
     *
     * @throws FileAlreadyExistsException if there is something of that name
     */
    public static NewFile at(Path wanted) throws IOException {
        Path path = wanted.toAbsolutePath().normalize();
        if (Files.exists(path)) {
            throw new FileAlreadyExistsException(path.toString());
        }
        Path temporary = Files.createTempFile(path.getParent(), path.getFileName() + ".", ".part");
        return new NewFile(path, temporary, FileChannel.open(temporary, StandardOpenOption.WRITE));
    }

    /** Where to write; stays this one's to close. */
    public OutputStream out() {
        return out;
    }

    /**
     * Gives it its name, now that it is whole.
     *
     * @throws FileAlreadyExistsException if there is something of that name by now
     */
    public void publish() throws IOException {
        out.flush();
        channel.force(true);
        Files.createLink(path, temporary);
        try (FileChannel folder = FileChannel.open(path.getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    /** Leaves nothing behind but what was published. */
    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
