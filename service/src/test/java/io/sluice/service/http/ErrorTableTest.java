package io.sluice.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.CommandNotSentException;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.service.fault.Fault;
import io.sluice.service.http.ErrorTable.Row;
import io.sluice.service.json.FlowCommandJson;
import io.sluice.service.query.NotReadyException;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.eclipse.jetty.http.BadMessageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorTableTest {
    private static final CommandKey KEY = new CommandKey("plant", "c-1");

    @ParameterizedTest
    @CsvSource({
        "OK, 200, NOBODY, 0",
        "FLOW_ALREADY_EXISTS, 409, CALLER, 0",
        "FLOW_VALUE_MISMATCH, 409, CALLER, 0",
        "FLOW_ID_TAKEN, 409, CALLER, 0",
        "FLOW_ID_MISMATCH, 409, CALLER, 0",
        "REVISION_MISMATCH, 412, CALLER, 0",
        "FLOW_NOT_FOUND, 404, CALLER, 0",
        "FLOW_ROUTE_NOT_FOUND, 409, CALLER, 0",
        "FLOWNODE_NOT_FOUND, 404, CALLER, 0",
        "OUTCOME_NOT_FOUND, 404, CALLER, 0",
        "REGION_ALREADY_EXISTS, 409, CALLER, 0",
        "REGION_NOT_FOUND, 404, CALLER, 0",
        "REGION_BUSY, 503, TEMPORARY, 1",
        "REGION_NOT_WRITABLE, 409, CALLER, 0",
        "REGION_TRUNCATED, 409, CALLER, 0",
        "SCHEMA_OUTDATED, 409, CALLER, 0",
        "STALE_INDEX_SOURCE, 409, CALLER, 0",
        "MANIFEST_WRITE_FAILED, 502, TEMPORARY, 0",
        "NOT_FOUND, 404, CALLER, 0",
        "METHOD_NOT_ALLOWED, 405, CALLER, 0",
        "UNSUPPORTED, 422, CALLER, 0",
        "INVALID_ARGUMENT, 400, CALLER, 0",
        "MALFORMED, 400, CALLER, 0",
        "TOO_LARGE, 413, CALLER, 0",
        "MISROUTED, 500, OURS, 0",
        "NOT_READY, 503, TEMPORARY, 1",
        "NOT_OWNER, 421, TEMPORARY, 0",
        "INTERNAL, 500, OURS, 0",
    })
    void eachRow(String code, int status, Fault fault, int retryAfterSecs) {
        assertThat(ErrorTable.rows())
                .hasSize(28)
                .filteredOn(row -> row.code().equals(code))
                .containsExactly(new Row(code, status, fault, retryAfterSecs));
    }

    @ParameterizedTest
    @EnumSource(OutcomeCode.class)
    void everyOutcomeCodeHasARow(OutcomeCode code) {
        assertThat(ErrorTable.of(code).code()).isEqualTo(code.name());
    }

    @Test
    void eachThrowable() {
        assertThat(ErrorTable.of(RefusedRequestException.invalid("x")).code()).isEqualTo("INVALID_ARGUMENT");
        assertThat(ErrorTable.of(new RefusedRequestException(ErrorTable.OUTCOME_NOT_FOUND, "x")))
                .isEqualTo(ErrorTable.OUTCOME_NOT_FOUND);
        assertThat(ErrorTable.of(refusal("{")).code()).isEqualTo("MALFORMED");
        assertThat(ErrorTable.of(refusal("{}")).code()).isEqualTo("INVALID_ARGUMENT");
        assertThat(ErrorTable.of(new BadMessageException(400)).code()).isEqualTo("MALFORMED");
        assertThat(ErrorTable.of(new BadMessageException(413)).code()).isEqualTo("TOO_LARGE");
        assertThat(ErrorTable.of(notReady())).isEqualTo(ErrorTable.NOT_READY);
        assertThat(ErrorTable.of(notSent(new IOException("no broker")))).isEqualTo(ErrorTable.NOT_READY);
        assertThat(ErrorTable.of(notSent(new RecordTooLargeException("1 MiB"))).code())
                .isEqualTo("TOO_LARGE");
        assertThat(ErrorTable.of(new RejectedExecutionException("full"))).isEqualTo(ErrorTable.NOT_READY);
        assertThat(ErrorTable.of(new IllegalStateException("bug"))).isEqualTo(ErrorTable.INTERNAL);
        assertThat(ErrorTable.of(new StackOverflowError())).isEqualTo(ErrorTable.INTERNAL);
    }

    @Test
    void whatFuturesWrapIsUnwrapped() {
        assertThat(ErrorTable.of(new CompletionException(new CompletionException(notReady()))))
                .isEqualTo(ErrorTable.NOT_READY);
    }

    @ParameterizedTest
    @CsvSource({
        "400, MALFORMED",
        "404, NOT_FOUND",
        "405, METHOD_NOT_ALLOWED",
        "413, TOO_LARGE",
        "421, NOT_OWNER",
        "414, TOO_LARGE",
        "431, TOO_LARGE",
        "408, MALFORMED",
        "500, INTERNAL",
        "501, INTERNAL",
        "503, NOT_READY"
    })
    void eachStatusOfTheHttpServerItself(int status, String code) {
        assertThat(ErrorTable.ofHttp(status).code()).isEqualTo(code);
    }

    @Test
    void theListOfCodesInTheDocumentationIsThisTable() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        ErrorTable.rows().forEach(row -> expected.put(row.code(), shownStatus(row)));

        Map<String, String> documented = new TreeMap<>();
        table("errors.md", "| code | HTTP |").forEach(cells -> documented.put(cells[0], cells[1]));
        assertThat(documented).isEqualTo(expected);
    }

    @Test
    void theListOfStatusesInTheDocumentationIsThisTable() throws IOException {
        Map<String, TreeSet<String>> expected = new TreeMap<>();
        ErrorTable.rows().stream()
                .filter(row -> row != ErrorTable.OK && !row.code().equals("MISROUTED"))
                .forEach(row -> expected.computeIfAbsent(statusWithHeader(row), status -> new TreeSet<>())
                        .add(row.code()));

        Map<String, TreeSet<String>> documented = new TreeMap<>();
        table("http.md", "| HTTP | codes |")
                .forEach(cells -> documented.put(
                        cells[0],
                        new TreeSet<>(Arrays.asList(
                                cells[1].replaceAll(" \\([^)]*\\)", "").split(", ")))));
        assertThat(documented).isEqualTo(expected);
    }

    private static String shownStatus(Row row) {
        return switch (row.code()) {
            case "OK" -> "200, 201";
            // An answer to a record, not to a request.
            case "MISROUTED" -> "-";
            default -> row.retryAfterSecs() == 0 ? "" + row.status() : row.status() + ", `Retry-After`";
        };
    }

    private static String statusWithHeader(Row row) {
        if (row.retryAfterSecs() > 0) {
            return row.status() + " with `Retry-After`";
        }
        return row == ErrorTable.METHOD_NOT_ALLOWED ? row.status() + " with `Allow`" : "" + row.status();
    }

    /** The rows of the table that begins with these headings. */
    private static List<String[]> table(String document, String headings) throws IOException {
        Path file = Path.of(System.getProperty("basedir", ""))
                .toAbsolutePath()
                .resolveSibling("docs")
                .resolve(document);
        return Files.readAllLines(file).stream()
                .dropWhile(line -> !line.startsWith(headings))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.substring(2).split(" \\| "))
                .map(cells -> Arrays.stream(cells)
                        .map(cell -> cell.replaceAll(" \\|$", ""))
                        .toArray(String[]::new))
                .toList();
    }

    private static Throwable refusal(String body) {
        try {
            new FlowCommandJson(InstantSource.system()).createFlow(body.getBytes(), "plant", "me");
            throw new AssertionError("not refused");
        } catch (RuntimeException e) {
            return e;
        }
    }

    private static NotReadyException notReady() {
        return make(
                NotReadyException.class,
                new Class<?>[] {String.class, Position.class, Throwable.class},
                "starting",
                null,
                null);
    }

    private static CommandNotSentException notSent(Exception cause) {
        return make(
                CommandNotSentException.class,
                new Class<?>[] {CommandKey.class, String.class, Throwable.class},
                KEY,
                "why",
                cause);
    }

    /** These are made by their own packages only. */
    private static <T> T make(Class<T> type, Class<?>[] parameters, Object... arguments) {
        try {
            Constructor<T> constructor = type.getDeclaredConstructor(parameters);
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
