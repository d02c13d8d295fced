package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.local.LocalSluice;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's "Try it" works as written: every curl line is sent, in order, and answered as its comment says. */
class ReadmeIT {
    private static final String DOCUMENTED_URL = "http://127.0.0.1:7878";
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    @TempDir
    private Path data;

    @Test
    void everyCurlLineIsAnsweredAsItsCommentSays() throws Exception {
        List<String> curls = curlsOf(Files.readString(readme()));

        try (LocalSluice sluice = LocalSluice.start(data, 0, 0)) {
            List<HttpResponse<String>> answers = new ArrayList<>();
            for (String curl : curls) {
                answers.add(send(curl, sluice.url()));
            }

            assertThat(answers)
                    .extracting(HttpResponse::statusCode)
                    .as("create, five look-ups, replace, drop")
                    .containsExactly(201, 200, 200, 200, 200, 200, 200, 200);
            assertThat(answers.get(0).body()).contains("\"flow_id\":1024", "\"revision\":1");
            assertThat(answers.get(1).body()).contains("\"flow_name\":\"soil_hourly\"", "\"expire_after\":176400");
            assertThat(answers.get(2).body())
                    .as("by id")
                    .isEqualTo(answers.get(1).body());
            assertThat(answers.get(3).body()).contains("\"addr\":\"10.1.0.1:6800\"", "\"addr\":\"10.1.0.2:6800\"");
            assertThat(answers.get(4).body()).contains("\"flownode_id\":1", "\"flownode_id\":2");
            assertThat(answers.get(5).body()).contains("\"catalog\":\"farm\"", "\"partition_id\":1");
            assertThat(answers.get(6).body()).contains("\"revision\":2");
            assertThat(send(curls.get(6), sluice.url()).statusCode())
                    .as("replace after the drop")
                    .isEqualTo(404);
            for (String lookUp : curls.subList(3, 6)) {
                assertThat(send(lookUp, sluice.url()).body())
                        .as("rows after the drop")
                        .doesNotContain("10.1.0.");
            }
        }
    }

    /** The commands of the block behind "In a second terminal", continued lines put together. */
    private static List<String> curlsOf(String readme) {
        String block = readme.substring(readme.indexOf("In a second terminal"));
        block = block.substring(block.indexOf("```bash") + "```bash".length());
        block = block.substring(0, block.indexOf("```"));
        List<String> curls = new ArrayList<>();
        Matcher starts = Pattern.compile("(?m)^curl .*?(?=^curl |^#|\\z)", Pattern.DOTALL)
                .matcher(block);
        while (starts.find()) {
            curls.add(starts.group().strip());
        }
        return curls;
    }

    /** Sends what curl would send, as far as the README uses its options; any other option fails the test. */
    private static HttpResponse<String> send(String curl, String url) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(curl);
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        String method = "GET";
        String body = "";
        HttpRequest.Builder request = HttpRequest.newBuilder();
        for (int i = 1; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-s" -> {}
                case "-X" -> method = words.get(++i);
                case "-d" -> body = words.get(++i);
                case "-H" -> {
                    String[] header = words.get(++i).split(": ", 2);
                    request.header(header[0], header[1]);
                }
                default -> {
                    assertThat(words.get(i)).startsWith(DOCUMENTED_URL);
                    request.uri(URI.create(words.get(i).replace(DOCUMENTED_URL, url)));
                }
            }
        }
        return HttpClient.newHttpClient()
                .send(
                        request.method(method, HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private static Path readme() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("README.md")) || !Files.exists(directory.resolve("samples"))) {
            directory = directory.getParent();
        }
        return directory.resolve("README.md");
    }
}
