package io.sluice.client;

import static io.sluice.client.TestRoutes.FLOWNODE;
import static io.sluice.client.TestRoutes.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.flow.FlownodeRouteKey;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Text and file of a checkpoint, and what it refuses to stand for. */
class RoutesCheckpointTest {
    private static final String TOPIC_ID = "lk3RAMKBQpqIUz5TfbdEHA";
    private static final String TEXT = "sluice routes checkpoint 1\n"
            + "flownode\t7\n"
            + "topic-id\tlk3RAMKBQpqIUz5TfbdEHA\n"
            + "partition\t3\t16\n"
            + "offset\t1234\n"
            + "held\t3\n"
            + "7/plant/9/0\t18446744073709551615\tc-9\todd \\\\ \\t \\n \\r name 流\n"
            + "7/plant/10/2\t1\tc-1\thourly\n"
            + "7/plant/10/11\t1\tc-1\thourly\n"
            + "end\n";

    @TempDir
    Path folder;

    private static RoutesCheckpoint checkpoint() {
        return new RoutesCheckpoint(
                FLOWNODE,
                TOPIC_ID,
                3,
                16,
                1234,
                Map.of(
                        key("plant", 10, 11), new HeldRoute("hourly", 1, "c-1"),
                        key("plant", 10, 2), new HeldRoute("hourly", 1, "c-1"),
                        key("plant", 9, 0), new HeldRoute("odd \\ \t \n \r name 流", -1, "c-9")));
    }

    @Test
    void oneCheckpointOneText() {
        assertThat(checkpoint().encode()).isEqualTo(TEXT);
        assertThat(RoutesCheckpoint.decode(TEXT)).isEqualTo(checkpoint());
        RoutesCheckpoint nothing = new RoutesCheckpoint(-1, TOPIC_ID, 0, 1, 0, Map.of());
        assertThat(RoutesCheckpoint.decode(nothing.encode())).isEqualTo(nothing);
    }

    @Test
    void whatIsHeldIsInTheOrderOfNumbersAndCannotBeChanged() {
        Map<FlownodeRouteKey, HeldRoute> held = checkpoint().held();

        assertThat(held.keySet()).containsExactly(key("plant", 9, 0), key("plant", 10, 2), key("plant", 10, 11));
        assertThatThrownBy(() -> held.remove(key("plant", 9, 0))).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void everyShorterTextIsRefused() {
        for (int length = 0; length < TEXT.length(); length++) {
            String cut = TEXT.substring(0, length);
            assertThatIllegalArgumentException()
                    .as("the first %d characters", length)
                    .isThrownBy(() -> RoutesCheckpoint.decode(cut))
                    .withMessageStartingWith("checkpoint, line ");
        }
    }

    @Test
    void anythingElseIsRefusedWithItsLine() {
        Map<String, String> wrong = new HashMap<>();
        wrong.put(TEXT.replace("checkpoint 1", "checkpoint 2"), "line 1: another version");
        wrong.put("{}", "line 1: no checkpoint");
        wrong.put(TEXT.replace("flownode\t7", "flownode\t07"), "line 2");
        wrong.put(TEXT.replace("flownode\t7", "flownode\t-7"), "line 2");
        wrong.put(TEXT.replace("flownode\t7", "flownode 7"), "line 2");
        wrong.put(TEXT.replace("topic-id", "topic"), "line 3");
        wrong.put(TEXT.replace("partition\t3\t16", "partition\t3"), "line 4");
        wrong.put(TEXT.replace("3\t16", "3\t9999999999"), "line 4");
        wrong.put(TEXT.replace("3\t16", "16\t16"), "partition 16 of 16");
        wrong.put(TEXT.replace("offset\t1234", "offset\t9223372036854775808"), "line 5");
        wrong.put(TEXT.replace("held\t3", "held\t4"), "line 10");
        wrong.put(TEXT.replace("held\t3", "held\t2"), "line 9");
        wrong.put(TEXT.replace("7/plant/9/0", "7/plant/09/0"), "line 7");
        wrong.put(TEXT.replace("7/plant/9/0", "7/plant/11/0"), "line 8: keys in ascending order");
        wrong.put(TEXT.replace("7/plant/10/11", "7/plant/10/2"), "line 9: keys in ascending order");
        wrong.put(TEXT.replace("7/plant/9/0", "6/plant/9/0"), "not one of flownode 7");
        wrong.put(TEXT.replace("\\r name", "\\x name"), "line 7: a backslash");
        wrong.put(TEXT.replace("\n", "\r\n"), "line 1");
        wrong.put(TEXT.replace("hourly\n", "hourly\r\n"), "line 8: a carriage return");
        wrong.put(TEXT + "\n", "line 10");
        wrong.put(TEXT + "more", "line 10");
        wrong.forEach((text, message) -> assertThatIllegalArgumentException()
                .as(text)
                .isThrownBy(() -> RoutesCheckpoint.decode(text))
                .withMessageContaining(message));
    }

    // ---- files

    @Test
    void aFileHoldsTheLastOneSavedAndNothingIsLeftBesideIt() throws IOException {
        Path file = folder.resolve("routes");
        new RoutesCheckpoint(FLOWNODE, TOPIC_ID, 3, 16, 1, Map.of()).saveTo(file);
        checkpoint().saveTo(file);

        assertThat(RoutesCheckpoint.loadFrom(file)).isEqualTo(checkpoint());
        assertThat(Files.readString(file)).isEqualTo(TEXT);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void whatCannotBeSavedLeavesTheFileOfBefore() throws IOException {
        Path file = folder.resolve("routes");
        checkpoint().saveTo(file);
        RoutesCheckpoint half = new RoutesCheckpoint(
                FLOWNODE, TOPIC_ID, 3, 16, 1, Map.of(key("plant", 1, 1), new HeldRoute("half \ud800", 1, "c")));

        assertThatThrownBy(() -> half.saveTo(file)).isInstanceOf(CharacterCodingException.class);

        assertThat(RoutesCheckpoint.loadFrom(file)).isEqualTo(checkpoint());
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aFileThatIsNoneIsNamed() throws IOException {
        Path file = folder.resolve("routes");
        assertThatThrownBy(() -> RoutesCheckpoint.loadFrom(file)).isInstanceOf(NoSuchFileException.class);

        Files.writeString(file, "sluice");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RoutesCheckpoint.loadFrom(file))
                .withMessageContaining(file.toString())
                .withMessageContaining("line 1");
    }

    // ---- refusals

    @Test
    void itStandsForItsFlownodeTopicAndPartitionsOnly() {
        RoutesCheckpoint checkpoint = checkpoint();
        assertThatCode(() -> checkpoint.requireOf(FLOWNODE, TOPIC_ID, 16)).doesNotThrowAnyException();
        assertThatCode(() -> checkpoint.requireNotBeyond(1234)).doesNotThrowAnyException();

        refused(() -> checkpoint.requireOf(8, TOPIC_ID, 16), "flownode 7", "flownode 8");
        refused(() -> checkpoint.requireOf(FLOWNODE, "other", 16), TOPIC_ID, "other", "without the checkpoint");
        refused(
                () -> checkpoint.requireOf(FLOWNODE, TOPIC_ID, 17),
                "16 partitions",
                "has 17",
                "without the checkpoint");
        refused(() -> checkpoint.requireNotBeyond(1233), "1234", "1233", "sluice.flownode.routes-3", "without the");
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String... texts) {
        assertThatThrownBy(call)
                .isInstanceOf(CheckpointRefusedException.class)
                .satisfies(e -> assertThat(List.of(texts))
                        .allSatisfy(text -> assertThat(e).hasMessageContaining(text)));
    }
}
