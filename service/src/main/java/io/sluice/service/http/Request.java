package io.sluice.service.http;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Names;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.U64;
import io.sluice.service.cluster.Headers;
import io.sluice.service.query.FamilyPartitions;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A request as endpoints see it: every part is checked when it is asked for, and refused by name.
 *
 * <p>Threading: one thread at a time. Invariant: once the query was read, there is no parameter that the route does
 * not take, and none twice.
 */
final class Request {
    static final String WAIT = "wait";
    static final String CATALOG = "catalog";
    static final String FLOWNODE = "flownode";
    static final String REGION = "region";
    static final String PREFER = "Prefer";
    static final String STALE = "stale";
    private static final String IF_MATCH = "If-Match";
    private static final String U64_RANGE = "0 to 18446744073709551615";
    private static final int DEFAULT_LIMIT = 1000;
    private static final long MAX_WAIT_MS = 600_000;
    private static final Pattern REVISION = Pattern.compile("\"(0|[1-9][0-9]*)\"");

    /** Few digits: there never are so many partitions, and any number of them is one. */
    private static final Pattern PARTITION = Pattern.compile("([a-z]+):(0|[1-9][0-9]{0,8})");

    /** So much more than the limit is read and thrown away, so that the sender gets to see the answer. */
    private static final long DISCARDED_BYTES = 8L * 1024 * 1024;

    private final HttpServletRequest http;
    private final RouteTable.Match match;
    private final Map<String, String> query = new HashMap<>();
    private final int maxBodyBytes;
    private byte[] question;

    Request(HttpServletRequest http, RouteTable.Match match, int maxBodyBytes) {
        this.http = http;
        this.match = match;
        this.maxBodyBytes = maxBodyBytes;
    }

    /**
     * Reads the query; before that it counts as empty.
     *
     * @throws RefusedRequestException if a parameter is unknown, given twice, or no text
     */
    void readQuery() {
        String raw = http.getQueryString();
        if (raw == null || raw.isEmpty()) {
            return;
        }
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = UriText.decodeQuery(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : UriText.decodeQuery(pair.substring(equals + 1));
            if (!route().queryNames().contains(name)) {
                throw RefusedRequestException.invalid(
                        "unknown query parameter \"" + Texts.shortened(name) + "\": allowed "
                                + (route().queryNames().isEmpty()
                                        ? "is none"
                                        : "are " + String.join(", ", new TreeSet<>(route().queryNames()))));
            }
            if (query.put(name, value) != null) {
                throw RefusedRequestException.invalid(
                        "query parameter " + name + " is given twice: allowed is each parameter once");
            }
        }
    }

    Route route() {
        return match.route();
    }

    /** The value of a variable of the path. */
    String path(String name) {
        return match.variables().get(name);
    }

    /** The catalog of the path. */
    String catalog() {
        return requireCatalog(path(CATALOG));
    }

    /** The catalog that the query restricts this request to, or null when it is about all. */
    String queryCatalog() {
        String catalog = query.get(CATALOG);
        return catalog == null ? null : requireCatalog(catalog);
    }

    long pathU32(String name) {
        Long value = U64.parseOrNull(path(name));
        if (value == null || !U32.fits(value)) {
            throw refused("path part " + name, path(name), "0 to " + U32.MAX);
        }
        return value;
    }

    /** The bits of a u64. */
    long pathU64(String name) {
        Long value = U64.parseOrNull(path(name));
        if (value == null) {
            throw refused("path part " + name, path(name), U64_RANGE);
        }
        return value;
    }

    /** The flownode of the path, as the bits of a u64. */
    long pathFlownode() {
        return pathU64("flownode_id");
    }

    /** The region of the path, as the bits of a u64. */
    long pathRegion() {
        return pathU64("region_id");
    }

    /** The value of a query parameter, or null. */
    String query(String name) {
        return query.get(name);
    }

    boolean queryFlag(String name) {
        String value = query.get(name);
        if (value == null || value.equals("false")) {
            return false;
        }
        if (!value.equals("true")) {
            throw refused("query parameter " + name, value, "true or false");
        }
        return true;
    }

    int queryInt(String name, int min, int max, int whenAbsent) {
        String text = query.get(name);
        if (text == null) {
            return whenAbsent;
        }
        Long value = U64.parseOrNull(text);
        if (value == null || value < min || value > max) {
            throw refused("query parameter " + name, text, "a whole number from " + min + " to " + max);
        }
        return value.intValue();
    }

    /** How many elements a page of a listing has at most; 0 for all. */
    int limit() {
        return queryInt("limit", 0, Integer.MAX_VALUE - 1, DEFAULT_LIMIT);
    }

    /** How long the caller wants to wait, in milliseconds. */
    long waitMs(int min, int whenAbsent) {
        return queryInt(WAIT, min, (int) MAX_WAIT_MS, whenAbsent);
    }

    /** All values of a header, joined by commas; null when there is none. */
    String header(String name) {
        List<String> values = Collections.list(http.getHeaders(name));
        return values.isEmpty() ? null : String.join(",", values);
    }

    /** Whether a standby's answer will do (RFC 7240). */
    boolean prefersStale() {
        String preferences = header(PREFER);
        return preferences != null
                && Arrays.stream(preferences.split(",", -1))
                        .anyMatch(one -> one.strip().equalsIgnoreCase(STALE));
    }

    /** The partition that another instance asks this one for, or null when the request comes from outside. */
    FamilyPartition forwardedFor(FamilyPartitions partitions) {
        String text = header(Headers.PARTITION);
        if (text == null) {
            return null;
        }
        Matcher matcher = PARTITION.matcher(text.strip());
        FamilyPartition partition = matcher.matches()
                ? CommandFamily.ofLabel(matcher.group(1))
                        .map(family -> new FamilyPartition(family, Integer.parseInt(matcher.group(2))))
                        .orElse(null)
                : null;
        if (partition == null || !partitions.has(partition)) {
            throw refused("header " + Headers.PARTITION, text, partitions.ranges());
        }
        return partition;
    }

    /**
     * This request for another instance: as it came, but for how long it may wait. What no URI may hold, and is taken from
     * callers all the same, is percent-encoded.
     */
    String pathAndQuery(long waitMs) {
        String raw = http.getQueryString();
        Stream<String> others = raw == null || raw.isEmpty()
                ? Stream.empty()
                : Arrays.stream(raw.split("&", -1)).filter(pair -> !isWait(pair));
        return UriText.encodeForbidden(http.getRequestURI() + "?"
                + Stream.concat(others, Stream.of(WAIT + "=" + waitMs)).collect(Collectors.joining("&")));
    }

    private static boolean isWait(String pair) {
        int equals = pair.indexOf('=');
        return UriText.decodeQuery(equals < 0 ? pair : pair.substring(0, equals))
                .equals(WAIT);
    }

    /** The u64 in If-Match, or null when there is none. */
    Long expectedRevision() {
        String text = header(IF_MATCH);
        if (text == null) {
            return null;
        }
        Matcher matcher = REVISION.matcher(text.strip());
        Long revision = matcher.matches() ? U64.parseOrNull(matcher.group(1)) : null;
        if (revision == null) {
            throw RefusedRequestException.invalid("header If-Match is " + Texts.shortened(text)
                    + ": allowed is one revision in double quotes, \"3\"");
        }
        return revision;
    }

    /** For commands that know no expected revision: to drop the condition silently would be worse than to refuse it. */
    void refuseExpectedRevision() {
        if (header(IF_MATCH) != null) {
            throw RefusedRequestException.invalid(
                    "header If-Match is given: allowed is it for requests that replace or drop a flow only");
        }
    }

    /**
     * Reads what a look-up is about besides its path and query, if it comes in a body; to be done before anything is waited for.
     *
     * @throws RefusedRequestException TOO_LARGE
     */
    void readQuestion() {
        if (!route().method().equals("GET")) {
            question = body();
        }
    }

    /** The body of a look-up, kept since it may be asked several times, and of others; null when it is a GET. */
    byte[] question() {
        return question;
    }

    /**
     * The body, which is there once.
     *
     * @throws RefusedRequestException TOO_LARGE
     */
    byte[] body() {
        try {
            InputStream in = http.getInputStream();
            byte[] body = http.getContentLengthLong() > maxBodyBytes ? null : in.readNBytes(maxBodyBytes + 1);
            if (body == null || body.length > maxBodyBytes) {
                discard(in);
                throw new RefusedRequestException(
                        ErrorTable.of(OutcomeCode.TOO_LARGE),
                        "the body is too large: allowed are " + maxBodyBytes + " bytes");
            }
            return body;
        } catch (IOException e) {
            throw new RefusedRequestException(
                    ErrorTable.of(OutcomeCode.MALFORMED), "the body could not be read to its end: " + e.getMessage());
        }
    }

    private static void discard(InputStream in) throws IOException {
        byte[] buffer = new byte[16 * 1024];
        long left = DISCARDED_BYTES;
        while (left > 0) {
            int read = in.read(buffer);
            if (read < 0) {
                return;
            }
            left -= read;
        }
    }

    /** The flownode that the query restricts this request to, as the bits of a u64; or null when it is about all. */
    Long queryFlownode() {
        return queryU64(FLOWNODE);
    }

    /** The bits of the region that the query names, or null when it names none. */
    Long queryRegion() {
        return queryU64(REGION);
    }

    /** The bits of a u64, or null when the query does not say it. */
    Long queryU64(String name) {
        String text = query.get(name);
        Long value = text == null ? null : U64.parseOrNull(text);
        if (text != null && value == null) {
            throw refused("query parameter " + name, text, U64_RANGE);
        }
        return value;
    }

    /** A u32, or null when the query does not say it. */
    Long queryU32(String name) {
        String text = query.get(name);
        Long value = text == null ? null : U64.parseOrNull(text);
        if (text != null && (value == null || !U32.fits(value))) {
            throw refused("query parameter " + name, text, "0 to " + U32.MAX);
        }
        return value;
    }

    private static String requireCatalog(String catalog) {
        if (!Names.isName(catalog)) {
            throw refused("catalog", catalog, "a name that matches " + Names.PATTERN);
        }
        return catalog;
    }

    private static RefusedRequestException refused(String what, String value, String allowed) {
        return RefusedRequestException.invalid(what + " is \"" + Texts.shortened(value) + "\": allowed is " + allowed);
    }
}
