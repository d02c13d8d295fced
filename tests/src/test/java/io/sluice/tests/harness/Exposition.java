package io.sluice.tests.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an instance shows at {@code /metrics}, read as Prometheus reads it. Immutable.
 *
 * @param types of the metrics, by name
 */
public record Exposition(String contentType, Map<String, String> types, List<Sample> samples) {
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\w+) (\\w+)");
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\",?");

    /** One value. */
    public record Sample(String name, Map<String, String> labels, double value) {}

    public static Exposition of(String url) {
        try {
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(url + "/metrics")).build(), BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new AssertionError("status " + response.statusCode() + " from " + url + ": " + response.body());
            }
            return parse(response.headers().firstValue("Content-Type").orElse(""), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Exposition parse(String contentType, String text) {
        Map<String, String> types = new TreeMap<>();
        List<Sample> samples = new ArrayList<>();
        for (String line : text.lines().toList()) {
            Matcher type = TYPE.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (type.matches()) {
                types.put(type.group(1), type.group(2));
            } else if (sample.matches()) {
                samples.add(new Sample(sample.group(1), labels(sample.group(2)), Double.parseDouble(sample.group(3))));
            } else if (!line.startsWith("# HELP ")) {
                throw new AssertionError("no line that Prometheus reads: " + line);
            }
        }
        return new Exposition(contentType, types, samples);
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new HashMap<>();
        if (text != null) {
            Matcher label = LABEL.matcher(text);
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
        }
        return labels;
    }

    /** The sum of all samples of a name that have these labels, given as name and value in turn; NaN when there is none. */
    public double sum(String name, String... labels) {
        return samples.stream()
                .filter(sample -> sample.name().equals(name))
                .filter(sample -> {
                    for (int i = 0; i < labels.length; i += 2) {
                        if (!labels[i + 1].equals(sample.labels().get(labels[i]))) {
                            return false;
                        }
                    }
                    return true;
                })
                .mapToDouble(Sample::value)
                .reduce(Double::sum)
                .orElse(Double.NaN);
    }
}
