package io.sluice.service.common;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * A claim on a folder: while it is held nobody else has it, in this process or in another one. A file in the folder is locked,
 * and says which process holds it.
 *
 * <p>Threading: taken and closed by one thread; the set of those held in this process is guarded by itself.
 *
 * <p>Invariant: the file is never deleted, since a lock on a deleted file protects nothing.
 */
public final class FolderLock implements AutoCloseable {
    /**
     * Locks of this process. Asked before a file is opened: closing any channel of a file gives up all of the process's locks
     * on it.
     */
    private static final Set<Path> HELD = new HashSet<>();

    private final Path file;
    private final FileChannel channel;

    private FolderLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Somebody else holds the lock. */
    public static final class HeldException extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean here;

        HeldException(String holder, boolean here) {
            super(holder);
            this.here = here;
        }

        /** Whether that is somebody in this process; else the message is the other process's id. */
        public boolean isHere() {
            return here;
        }
    }

    /**
     * Takes the lock.
     *
     * @param folder exists, and is given by its real name
     * @param fileName of the file to lock
     * @throws HeldException if somebody else holds it
     */
    public static FolderLock take(Path folder, String fileName) throws IOException, HeldException {
        Path file = folder.resolve(fileName);
        synchronized (HELD) {
            if (!HELD.add(file)) {
                throw new HeldException("this process", true);
            }
        }
        try {
            return new FolderLock(file, lock(file));
        } catch (IOException | HeldException | RuntimeException e) {
            forget(file);
            throw e;
        }
    }

    private static FileChannel lock(Path file) throws IOException, HeldException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw new HeldException(read(channel), false);
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
            return channel;
        } catch (IOException | HeldException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(32);
        channel.read(bytes, 0);
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
    }

    private static void forget(Path file) {
        synchronized (HELD) {
            HELD.remove(file);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The lock goes with the process at the latest.
        } finally {
            forget(file);
        }
    }
}
