package io.sluice.service.http;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * One method on one path. Immutable.
 *
 * @param template path with variables in braces: {@code /v1/catalogs/{catalog}/flows}
 * @param queryNames the query parameters it takes
 */
record Route(String method, String template, Kind kind, Set<String> queryNames, Endpoint endpoint) {
    /** What a route is about, which decides what positions mean to it. */
    enum Kind {
        /** The service itself: no positions. */
        SERVICE,
        /** Sends a command: its answer has the position of its decision. */
        COMMAND,
        /** Looks something up: may be asked to wait for positions. */
        READ
    }

    /** Answers a request, at once or later. Must not wait for anything but disk. */
    interface Endpoint {
        CompletableFuture<Reply> answer(Request request);
    }

    static Route service(String template, Function<Request, Reply> endpoint) {
        return new Route("GET", template, Kind.SERVICE, Set.of(), atOnce(endpoint));
    }

    static Route command(String method, String template, Set<String> moreQueryNames, Endpoint endpoint) {
        return new Route(method, template, Kind.COMMAND, withWait(moreQueryNames), endpoint);
    }

    static Route read(String template, Set<String> moreQueryNames, Function<Request, Reply> endpoint) {
        return new Route("GET", template, Kind.READ, withWait(moreQueryNames), atOnce(endpoint));
    }

    /** The segments of the template. */
    List<String> segments() {
        return List.of(template.split("/", -1));
    }

    static boolean isVariable(String segment) {
        return segment.startsWith("{");
    }

    private static Endpoint atOnce(Function<Request, Reply> endpoint) {
        return request -> CompletableFuture.completedFuture(endpoint.apply(request));
    }

    private static Set<String> withWait(Set<String> names) {
        Set<String> all = new HashSet<>(names);
        all.add(Request.WAIT);
        return Set.copyOf(all);
    }
}
