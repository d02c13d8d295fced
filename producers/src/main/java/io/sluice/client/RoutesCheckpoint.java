package io.sluice.client;

import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.FlownodeRouteKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a flownode ran at a moment, and how far it had read by then. A follower that resumes from it tells only what has changed
 * since.
 *
 * <p>Immutable. The offset is a guard and no place to start from: deletes may have been forgotten since, so the topic is read
 * whole, and a topic that ends before the offset has lost records.
 *
 * @param flownodeId the bits of a u64
 * @param topicId of the routes topic, as Kafka writes it
 * @param partition of the routes topic, which is computed from the id and the number of partitions
 * @param partitionCount of the routes topic
 * @param offset of the next record to read; 0 when the topic was not read whole yet
 * @param held by key, in the order of catalog, flow and partition
 */
public record RoutesCheckpoint(
        long flownodeId,
        String topicId,
        int partition,
        int partitionCount,
        long offset,
        Map<FlownodeRouteKey, HeldRoute> held) {

    private static final String REMEDY =
            ". Nothing is revoked: what is missing there proves nothing. If the topics are the right ones, stop every flow of"
                    + " this flownode and start without the checkpoint: it is then told all that it has to run";

    public RoutesCheckpoint {
        Objects.requireNonNull(topicId, "topicId");
        if (topicId.isBlank() || partition < 0 || partition >= partitionCount || offset < 0) {
            throw new IllegalArgumentException("no checkpoint: topic id \"" + topicId + "\", partition " + partition
                    + " of " + partitionCount + ", offset " + offset);
        }
        SortedMap<FlownodeRouteKey, HeldRoute> sorted = new TreeMap<>(HeldRoutes.KEY_ORDER);
        sorted.putAll(held);
        for (FlownodeRouteKey key : sorted.keySet()) {
            if (key.flownodeId() != flownodeId) {
                throw new IllegalArgumentException("key " + key + " is not one of flownode " + U64.text(flownodeId));
            }
        }
        held = Collections.unmodifiableSortedMap(sorted);
    }

    /** As text; {@link CheckpointText} says in what form. Equal checkpoints have equal texts. */
    public String encode() {
        return CheckpointText.encode(this);
    }

    /** @throws IllegalArgumentException naming the line and what is expected there */
    public static RoutesCheckpoint decode(String text) {
        return CheckpointText.decode(text);
    }

    /**
     * Replaces the file, so that after a crash it holds the checkpoint of before or this one, whole.
     *
     * @throws IOException if that was not possible; the file of before is then still there
     */
    public void saveTo(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Path temporary = Files.createTempFile(folder, file.getFileName() + ".", ".new");
        try {
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                // By the strict encoder: half a surrogate pair must not become a question mark.
                ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(encode()));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
        forceFolder(folder);
    }

    /**
     * Reads what {@link #saveTo} wrote.
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     * @throws IllegalArgumentException naming the file, the line and what is expected there
     */
    public static RoutesCheckpoint loadFrom(Path file) throws IOException {
        String text = Files.readString(file);
        try {
            return decode(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /** @throws CheckpointRefusedException if it says something about another flownode or another topic */
    void requireOf(long expectedFlownodeId, String expectedTopicId, int expectedPartitionCount) {
        if (flownodeId != expectedFlownodeId) {
            throw new CheckpointRefusedException("the checkpoint is of flownode " + U64.text(flownodeId)
                    + ", asked for was flownode " + U64.text(expectedFlownodeId) + ": use the checkpoint of that one");
        }
        if (!topicId.equals(expectedTopicId)) {
            throw otherTopic(topicId, expectedTopicId);
        }
        if (partitionCount != expectedPartitionCount) {
            throw new CheckpointRefusedException("topic " + TopicNames.FLOWNODE_ROUTES + " had " + partitionCount
                    + " partitions when the checkpoint was taken, now it has " + expectedPartitionCount + REMEDY);
        }
    }

    /** @throws CheckpointRefusedException if the partition ends before the checkpoint's offset */
    void requireNotBeyond(long end) {
        if (end < offset) {
            throw lostRecords(partition, offset, "it ends at " + end);
        }
    }

    static CheckpointRefusedException otherTopic(String knownId, String foundId) {
        return new CheckpointRefusedException("topic " + TopicNames.FLOWNODE_ROUTES + " had the id " + knownId
                + ", now it is another topic with the id " + foundId + REMEDY);
    }

    static CheckpointRefusedException lostRecords(int partition, long offset, String found) {
        return new CheckpointRefusedException("records were lost: partition " + TopicNames.FLOWNODE_ROUTES + "-"
                + partition + " was read up to offset " + offset + ", but " + found + REMEDY);
    }

    private static void forceFolder(Path folder) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(folder, StandardOpenOption.READ);
        } catch (IOException e) {
            // Some systems open no folders; there the move is as durable as the system makes it.
            return;
        }
        try (channel) {
            channel.force(true);
        }
    }
}
