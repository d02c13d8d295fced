package io.sluice.service.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.TopicNames;
import io.sluice.topology.common.Installation;
import io.sluice.topology.common.PartitionCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** E14: stores are kept only while they are of the topics that are there. */
class StoreTopicsTest {
    private static final Installation FIRST = installation(1, "a", "b", "c");

    @TempDir
    private Path stateDir;

    @Test
    void theFileSaysGenerationAndIdsOfTheChangelogs() throws IOException {
        assertThat(StoreTopics.settle(stateDir.resolve("new"), FIRST)).isFalse();

        assertThat(Files.readAllLines(stateDir.resolve("new").resolve(StoreTopics.FILE)))
                .containsExactly(
                        "# Written by Sluice: the topics of which the stores here were made.",
                        "generation=1",
                        "sluice-flow-changelog=a",
                        "sluice-flownode-changelog=b",
                        "sluice-region-changelog=c");
        assertThat(stateDir.resolve("new"))
                .isDirectoryNotContaining(file -> file.toString().endsWith(".tmp"));
    }

    @Test
    void storesOfTheSameTopicsStay() throws IOException {
        StoreTopics.settle(stateDir, FIRST);
        Path store = store();

        assertThat(StoreTopics.settle(stateDir, FIRST)).isFalse();

        assertThat(store).exists();
    }

    @Test
    void storesFromBeforeTheFileStayAndGetIt() throws IOException {
        Path store = store();

        assertThat(StoreTopics.settle(stateDir, FIRST)).isFalse();

        assertThat(store).exists();
        assertThat(stateDir.resolve(StoreTopics.FILE)).exists();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void storesOfAnyOtherTopicOrGenerationAreDeletedAndNothingElse(int changed) throws IOException {
        StoreTopics.settle(stateDir, FIRST);
        Path store = store();
        Path lock = Files.writeString(stateDir.resolve(".sluice-lock"), "1");
        Path foreign = Files.writeString(
                Files.createDirectories(stateDir.resolve("sluice-of-mine")).resolve("x"), "x");

        Installation now = installation(
                changed == 0 ? 2 : 1, changed == 1 ? "x" : "a", changed == 2 ? "x" : "b", changed == 3 ? "x" : "c");
        assertThat(StoreTopics.settle(stateDir, now)).isTrue();

        assertThat(store).doesNotExist();
        assertThat(stateDir.resolve("sluice")).doesNotExist();
        assertThat(lock).exists();
        assertThat(foreign).exists();
        store = store();
        assertThat(StoreTopics.settle(stateDir, now)).isFalse();
        assertThat(store).exists();
    }

    @Test
    void aChangelogThatIsNewInThisVersionDeletesNothing() throws IOException {
        Files.writeString(
                stateDir.resolve(StoreTopics.FILE),
                "generation=1\nsluice-flow-changelog=a\nsluice-other-changelog=z\n");
        Path store = store();

        assertThat(StoreTopics.settle(stateDir, FIRST)).isFalse();

        assertThat(store).exists();
        assertThat(stateDir.resolve(StoreTopics.FILE)).content().contains("sluice-region-changelog=c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\\u12", "sluice-flow-changelog=a"})
    void aFileThatDoesNotSayOfWhichTopicsIsNotTrusted(String content) throws IOException {
        Files.writeString(stateDir.resolve(StoreTopics.FILE), content);
        Path store = store();

        assertThat(StoreTopics.settle(stateDir, FIRST)).isTrue();

        assertThat(store).doesNotExist();
    }

    private Path store() throws IOException {
        Path folder = Files.createDirectories(
                stateDir.resolve("sluice").resolve("0_1").resolve("rocksdb"));
        return Files.writeString(folder.resolve("CURRENT"), "x");
    }

    private static Installation installation(long generation, String flow, String flownode, String region) {
        return new Installation(
                generation,
                new PartitionCounts(4, 4, 4),
                new TreeMap<>(Map.of(
                        TopicNames.FLOW_CHANGELOG, flow,
                        TopicNames.FLOWNODE_CHANGELOG, flownode,
                        TopicNames.REGION_CHANGELOG, region,
                        TopicNames.META, "m")));
    }
}
