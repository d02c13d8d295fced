package io.sluice.service.guard;

import io.sluice.schemas.common.TopicNames;
import io.sluice.service.common.Folders;
import io.sluice.topology.common.Installation;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Of which topics the stores in a state directory were made. Stores of other topics answer with what those held, and nothing
 * in Kafka notices (docs/kafka.md, E14): they are deleted, and restored from the topics that are there.
 *
 * <pre>
 *  state.dir/.sluice-lock      the claim of an instance, left alone
 *  state.dir/.sluice-topics    generation and ids of the changelogs
 *  state.dir/sluice/...        what Kafka Streams keeps, the stores: all that is ever deleted here
 * </pre>
 *
 * <p>Threading: functions; to be called by the instance that has claimed the directory, before it opens a store.
 *
 * <p>Invariant: while stores and the file are there, the stores are of the topics that the file names. So the stores are
 * deleted before the file is written.
 */
public final class StoreTopics {
    static final String FILE = ".sluice-topics";

    private static final Logger LOG = LoggerFactory.getLogger(StoreTopics.class);
    private static final String GENERATION = "generation";
    private static final List<String> CHANGELOGS =
            List.of(TopicNames.FLOW_CHANGELOG, TopicNames.FLOWNODE_CHANGELOG, TopicNames.REGION_CHANGELOG);

    private StoreTopics() {}

    /**
     * Deletes the stores if they are known to be of other topics, and writes down which topics they are of from now on.
     *
     * @return whether stores were deleted
     * @throws UncheckedIOException when the directory cannot be read or written
     */
    public static boolean settle(Path stateDir, Installation installation) {
        Map<String, String> wanted = of(installation);
        try {
            Files.createDirectories(stateDir);
            Path stores = stateDir.resolve(TopicNames.APPLICATION_ID);
            Optional<Map<String, String>> written = read(stateDir.resolve(FILE));
            Optional<String> difference = written.flatMap(there -> difference(there, wanted));
            boolean wipe = difference.isPresent() && Files.exists(stores);
            if (wipe) {
                LOG.warn(
                        "the stores in {} are of other topics than those that are there ({}): they are deleted, and restored"
                                + " from the topics",
                        stores,
                        difference.get());
                Folders.delete(stores);
            }
            if (!written.equals(Optional.of(wanted))) {
                write(stateDir, wanted);
            }
            return wipe;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the topics of the stores in " + stateDir + " cannot be read or written down: " + e
                            + ". Check the disk, its space and the rights.",
                    e);
        }
    }

    private static Map<String, String> of(Installation installation) {
        Map<String, String> topics = new TreeMap<>();
        topics.put(GENERATION, Long.toString(installation.generation()));
        CHANGELOGS.forEach(
                changelog -> topics.put(changelog, installation.topicIds().get(changelog)));
        return topics;
    }

    /** What is different, in words. A changelog that only one of them knows is new, or of another version. */
    private static Optional<String> difference(Map<String, String> written, Map<String, String> wanted) {
        if (!written.containsKey(GENERATION)) {
            return Optional.of(FILE + " does not say of which topics they are");
        }
        String differences = wanted.entrySet().stream()
                .filter(one -> written.containsKey(one.getKey()))
                .filter(one -> !written.get(one.getKey()).equals(one.getValue()))
                .map(one -> one.getKey() + " " + written.get(one.getKey()) + ", now " + one.getValue())
                .collect(Collectors.joining("; "));
        return differences.isEmpty() ? Optional.empty() : Optional.of(differences);
    }

    private static Optional<Map<String, String>> read(Path file) throws IOException {
        String text;
        try {
            text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IllegalArgumentException e) {
            // Nobody writes such a file; whatever it means, it does not say of which topics the stores are.
            return Optional.of(Map.of());
        }
        return Optional.of(properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, properties::getProperty, (one, other) -> one, TreeMap::new)));
    }

    /** In one step: a crash leaves the former file or this one. */
    private static void write(Path stateDir, Map<String, String> topics) throws IOException {
        String text = "# Written by Sluice: the topics of which the stores here were made.\n"
                + topics.entrySet().stream()
                        .map(one -> one.getKey() + "=" + one.getValue() + "\n")
                        .collect(Collectors.joining());
        Path temporary = stateDir.resolve(FILE + ".tmp");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer left = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        Files.move(
                temporary, stateDir.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
