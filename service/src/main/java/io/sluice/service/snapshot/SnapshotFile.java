package io.sluice.service.snapshot;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.snapshot.BlockInput.Block;
import io.sluice.service.snapshot.BlockInput.DamageException;
import io.sluice.service.snapshot.SnapshotException.Reason;
import io.sluice.service.snapshot.SnapshotHeader.Place;
import io.sluice.service.snapshot.SnapshotJson.OtherFormatException;
import io.sluice.service.snapshot.SnapshotTotals.RowsDigest;
import io.sluice.state.common.CursorRow;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.apache.avro.Schema;

/**
 * A snapshot file that is read from its beginning, as often as one likes. However large it is, a block of it is in memory.
 *
 * <p>Threading: one thread. Invariants: every byte of the file is covered by what is checked; a visitor sees only blocks whose
 * checksum is right, but a file is known to be whole only when {@link #read} has returned.
 */
public final class SnapshotFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 1024 * 1024;

    private final Path path;
    private final FileChannel channel;

    private SnapshotFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * What a snapshot says of itself.
     *
     * @param schemas all that readers of its rows need
     */
    public record Content(SnapshotHeader header, List<Schema> schemas, SnapshotTotals totals) {
        public Content {
            schemas = List.copyOf(schemas);
        }
    }

    /** @throws SnapshotException if it cannot be read */
    public static SnapshotFile open(Path path) {
        try {
            return new SnapshotFile(path, FileChannel.open(path, StandardOpenOption.READ));
        } catch (NoSuchFileException e) {
            throw new SnapshotException(Reason.DISK, "there is no file " + path + ". Check -f.", e);
        } catch (IOException e) {
            throw new SnapshotException(Reason.DISK, path + " cannot be read: " + e + ".", e);
        }
    }

    /** Its size in bytes. */
    public long sizeBytes() {
        try {
            return channel.size();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /**
     * Reads all of it, only to check it.
     *
     * @param progress sees now and then how many bytes were read
     * @throws SnapshotException if it is not a whole and undamaged snapshot
     */
    public Content check(LongConsumer progress) {
        return read(SnapshotVisitor.NONE, progress);
    }

    /**
     * Reads all of it, and checks all of it.
     *
     * @param progress sees now and then how many bytes were read
     * @throws SnapshotException if it is not a whole and undamaged snapshot
     */
    Content read(SnapshotVisitor visitor, LongConsumer progress) {
        try {
            channel.position(0);
            InputStream in = new BufferedInputStream(Channels.newInputStream(channel), BUFFER_BYTES);
            try (BlockInput blocks = new BlockInput(in)) {
                return new Reading(blocks, visitor, progress).all();
            }
        } catch (DamageException e) {
            throw new SnapshotException(
                    Reason.BAD_FILE,
                    path + " is damaged, or no snapshot: " + e.getMessage()
                            + ". Nothing of it is used: take another copy.",
                    e);
        } catch (OtherFormatException e) {
            throw new SnapshotException(
                    Reason.BAD_FILE,
                    path + " is a snapshot in format " + e.format() + ", written by " + e.createdBy()
                            + "; this version reads format " + SnapshotHeader.FORMAT
                            + ". Nothing of it is used: import it with the version that wrote it, or a later one.",
                    e);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private SnapshotException unreadable(IOException e) {
        return new SnapshotException(Reason.DISK, path + " cannot be read: " + e + ". Look after its disk.", e);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It was only read.
        }
    }

    /** One time from the beginning to the end. */
    private static final class Reading {
        private final BlockInput blocks;
        private final SnapshotVisitor visitor;
        private final LongConsumer progress;
        private final SortedMap<FamilyPartition, RowsDigest> digests = new TreeMap<>();
        private Iterator<Place> places;
        private FamilyPartition partition;
        private RowsDigester digester;
        private byte[] lastKey;
        private long largestRowBytes;

        Reading(BlockInput blocks, SnapshotVisitor visitor, LongConsumer progress) {
            this.blocks = blocks;
            this.visitor = visitor;
            this.progress = progress;
        }

        Content all() throws IOException, DamageException, OtherFormatException {
            SnapshotHeader header =
                    SnapshotJson.readHeader(next(BlockType.HEADER).plain());
            List<Schema> schemas =
                    SnapshotJson.readSchemas(next(BlockType.SCHEMAS).plain());
            places = header.partitions().iterator();
            Block block = blocks.next();
            while (block.type() != BlockType.END) {
                if (block.type() == BlockType.PARTITION) {
                    begin(SnapshotJson.readPartition(block.plain()));
                } else if (block.type() == BlockType.ROWS && partition != null) {
                    rows(block);
                } else {
                    throw misplaced(block);
                }
                progress.accept(blocks.at());
                block = blocks.next();
            }
            return new Content(header, schemas, end(block));
        }

        private Block next(BlockType wanted) throws IOException, DamageException {
            Block block = blocks.next();
            if (block.type() != wanted) {
                throw misplaced(block);
            }
            return block;
        }

        private void begin(FamilyPartition next) throws DamageException {
            endPartition();
            if (!places.hasNext() || !places.next().partition().equals(next)) {
                throw new DamageException("partition " + next + " comes where it does not belong");
            }
            partition = next;
            digester = new RowsDigester();
        }

        private void rows(Block block) throws DamageException {
            ByteBuffer plain = ByteBuffer.wrap(block.plain());
            while (plain.hasRemaining()) {
                byte[] key = bytes(plain, block);
                byte[] value = bytes(plain, block);
                if (Arrays.equals(key, CursorRow.key())
                        || lastKey != null && Arrays.compareUnsigned(lastKey, key) >= 0) {
                    throw new DamageException("the rows in the block at byte " + block.at() + " are not in key order");
                }
                lastKey = key;
                largestRowBytes = Math.max(largestRowBytes, (long) key.length + value.length);
                digester.add(key, value);
                visitor.row(partition, key, value);
            }
        }

        private static byte[] bytes(ByteBuffer plain, Block block) throws DamageException {
            try {
                int length = plain.getInt();
                if (length >= 0 && length <= plain.remaining()) {
                    byte[] bytes = new byte[length];
                    plain.get(bytes);
                    return bytes;
                }
            } catch (BufferUnderflowException e) {
                // Said below.
            }
            throw new DamageException("the block at byte " + block.at() + " ends in the middle of a row");
        }

        private void endPartition() {
            if (partition != null) {
                digests.put(partition, digester.digest());
                visitor.end(partition);
                partition = null;
                lastKey = null;
            }
        }

        private SnapshotTotals end(Block block) throws IOException, DamageException {
            endPartition();
            blocks.requireEnd();
            progress.accept(blocks.at());
            if (places.hasNext()) {
                throw new DamageException("partition " + places.next().partition() + " is missing");
            }
            SnapshotTotals said = SnapshotJson.readTotals(block.plain());
            SnapshotTotals counted = new SnapshotTotals(blocks.digest(), largestRowBytes, digests);
            if (!said.equals(counted)) {
                throw new DamageException("its end says " + said + ", its content is " + counted);
            }
            return said;
        }

        private static DamageException misplaced(Block block) {
            return new DamageException("the block at byte " + block.at() + " is of type " + block.type()
                    + ", which does not belong there");
        }
    }
}
