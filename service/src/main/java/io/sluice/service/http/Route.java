package io.sluice.service.http;

import io.sluice.service.query.FlowQueries;
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
record Route(String method, String template, Set<String> queryNames, Handling handling) {
    /** What a route is about, which decides what positions mean to it, and who answers. */
    sealed interface Handling {}

    /** The service itself: no positions, answered by whoever is asked. */
    record Service(Function<Request, Reply> endpoint) implements Handling {}

    /** Sends a command: its answer has the position of its decision. */
    record Command(Endpoint endpoint) implements Handling {}

    /**
     * Looks something up: answered by whoever holds the partition, and may be asked to wait for positions.
     *
     * @param ofCatalog answers a request that is about one catalog; null when none is
     * @param ofAll answers a request that names no catalog; null when every one does
     */
    record Read(LookUp ofCatalog, Gather ofAll) implements Handling {}

    /** Answers a command, later. Must not wait for anything but disk. */
    interface Endpoint {
        CompletableFuture<Reply> answer(Request request);
    }

    /** Answers a read from the copies it is given. Must not wait for anything but disk. */
    interface LookUp {
        Reply answer(Request request, FlowQueries queries);
    }

    static Route service(String template, Function<Request, Reply> endpoint) {
        return new Route("GET", template, Set.of(), new Service(endpoint));
    }

    static Route command(String method, String template, Set<String> moreQueryNames, Endpoint endpoint) {
        return new Route(method, template, withWait(moreQueryNames), new Command(endpoint));
    }

    /** A read about one catalog. */
    static Route read(String template, Set<String> moreQueryNames, LookUp lookUp) {
        return new Route("GET", template, withWait(moreQueryNames), new Read(lookUp, null));
    }

    /** A read about all catalogs. */
    static Route gather(String template, Gather gather) {
        return new Route("GET", template, withWait(Set.of()), new Read(null, gather));
    }

    /** A read about one catalog if the query names it, else about all. */
    static Route readOrGather(String template, LookUp lookUp, Gather gather) {
        return new Route("GET", template, withWait(Set.of(Request.CATALOG)), new Read(lookUp, gather));
    }

    /** The segments of the template. */
    List<String> segments() {
        return List.of(template.split("/", -1));
    }

    static boolean isVariable(String segment) {
        return segment.startsWith("{");
    }

    private static Set<String> withWait(Set<String> names) {
        Set<String> all = new HashSet<>(names);
        all.add(Request.WAIT);
        return Set.copyOf(all);
    }
}
