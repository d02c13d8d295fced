package io.sluice.service.http;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.query.Queries;
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
    sealed interface Handling {
        /**
         * The partitions that a request is about.
         *
         * @param all there are
         * @throws RefusedRequestException if the request does not say it right
         */
        List<FamilyPartition> scope(Request request, FamilyPartitions all);
    }

    /** The service itself: no positions, answered by whoever is asked. */
    record Service(Function<Request, Reply> endpoint) implements Handling {
        @Override
        public List<FamilyPartition> scope(Request request, FamilyPartitions all) {
            return List.of();
        }
    }

    /**
     * Sends a command: its answer has the position of its decision.
     *
     * @param deciders one of them decides it
     */
    record Command(Partitions deciders, Endpoint endpoint) implements Handling {
        @Override
        public List<FamilyPartition> scope(Request request, FamilyPartitions all) {
            return deciders.of(request, all);
        }
    }

    /**
     * Looks something up: answered by whoever holds the partition, and may be asked to wait for positions.
     *
     * @param one the partition of a request that is about one
     * @param ofOne answers a request that is about one partition; null when none is
     * @param ofSeveral answers any other; null when there is none
     * @param showsPeers whether its answers show flownodes with their addresses, as {@link PeerOverlay} finds them
     */
    record Read(Partition one, LookUp ofOne, Gather ofSeveral, boolean showsPeers) implements Handling {
        @Override
        public List<FamilyPartition> scope(Request request, FamilyPartitions all) {
            FamilyPartition partition = one.of(request, all);
            return partition == null ? ofSeveral.asks(request, all) : List.of(partition);
        }
    }

    /** Says which partitions a request may be about. */
    interface Partitions {
        /** Those of regions: which one, only the body says. */
        Partitions OF_REGIONS = (request, all) -> all.of(CommandFamily.REGION);

        /**
         * @param all there are
         * @throws RefusedRequestException if the request does not say it right
         */
        List<FamilyPartition> of(Request request, FamilyPartitions all);
    }

    /** Says which partition a request is about. */
    interface Partition {
        /** That of the catalog in the path. */
        Partition OF_CATALOG = (request, all) -> all.ofCatalog(request.catalog());

        /** That of the flownode in the path. */
        Partition OF_FLOWNODE = (request, all) -> all.ofFlownode(request.pathFlownode());

        /** That of the region in the path. */
        Partition OF_REGION = (request, all) -> all.ofRegion(request.pathRegion());

        /** None: the request is about several. */
        Partition NONE = (request, all) -> null;

        /**
         * @param all there are
         * @return null when the request is about several
         * @throws RefusedRequestException if the request does not say it right
         */
        FamilyPartition of(Request request, FamilyPartitions all);
    }

    /** Answers a command, later. Must not wait for anything but disk. */
    interface Endpoint {
        CompletableFuture<Reply> answer(Request request);
    }

    /** Answers a read from the copies it is given. Must not wait for anything but disk. */
    interface LookUp {
        Reply answer(Request request, Queries queries);
    }

    static Route service(String template, Function<Request, Reply> endpoint) {
        return new Route("GET", template, Set.of(), new Service(endpoint));
    }

    /** A command to whoever decides the partition. */
    static Route command(
            String method, String template, Set<String> moreQueryNames, Partition decider, Endpoint endpoint) {
        return commandToOneOf(
                method, template, moreQueryNames, (request, all) -> List.of(decider.of(request, all)), endpoint);
    }

    /** A command to one of several partitions. */
    static Route commandToOneOf(
            String method, String template, Set<String> moreQueryNames, Partitions deciders, Endpoint endpoint) {
        return new Route(method, template, withWait(moreQueryNames), new Command(deciders, endpoint));
    }

    /** A read about one partition. */
    static Route read(String template, Set<String> moreQueryNames, Partition one, LookUp lookUp) {
        return new Route("GET", template, withWait(moreQueryNames), new Read(one, lookUp, null, false));
    }

    /** A read about one partition, which takes a body. */
    static Route readWithBody(String template, Partition one, LookUp lookUp) {
        return new Route("POST", template, withWait(Set.of()), new Read(one, lookUp, null, false));
    }

    /** A read about several partitions. */
    static Route gather(String template, Set<String> moreQueryNames, Gather gather) {
        return new Route("GET", template, withWait(moreQueryNames), new Read(Partition.NONE, null, gather, false));
    }

    /** A read about one partition if the request says so, else about several. */
    static Route readOrGather(
            String template, Set<String> moreQueryNames, Partition one, LookUp lookUp, Gather gather) {
        return new Route("GET", template, withWait(moreQueryNames), new Read(one, lookUp, gather, false));
    }

    /** This read, whose answers show peers. */
    Route showingPeers() {
        Read read = (Read) handling;
        return new Route(method, template, queryNames, new Read(read.one(), read.ofOne(), read.ofSeveral(), true));
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
