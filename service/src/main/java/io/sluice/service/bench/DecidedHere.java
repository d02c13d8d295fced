package io.sluice.service.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.common.Partitions;
import io.sluice.service.client.Reply;
import io.sluice.service.client.ServiceClient;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which partitions of flows an instance decides itself. Immutable.
 *
 * @param partitions those that it decides
 * @param partitionCount of all instances together
 */
record DecidedHere(Set<Integer> partitions, int partitionCount) {
    DecidedHere {
        partitions = Set.copyOf(partitions);
    }

    /**
     * As the instance says.
     *
     * @throws BenchFailure if it is not ready
     */
    static DecidedHere ask(ServiceClient service) {
        Reply ready = service.get("/health/ready");
        if (!ready.isOk()) {
            throw BenchFailure.failed(
                    "the instance at " + service.url() + " cannot answer now: " + ready.message() + ". Try again.",
                    null);
        }
        Set<Integer> here = new TreeSet<>();
        int count = 0;
        for (JsonNode one : ready.body().path("partitions")) {
            if (one.path("family").asText().equals("flow")) {
                count++;
                if (one.path("here").asText().equals("active")) {
                    here.add(one.path("partition").asInt());
                }
            }
        }
        if (count == 0) {
            throw BenchFailure.failed(
                    "the instance at " + service.url() + " names no partitions. Is it a Sluice of this version?", null);
        }
        return new DecidedHere(here, count);
    }

    /** Whether it decides the partition of a catalog. */
    boolean includes(String catalog) {
        return partitions.contains(Partitions.of(catalog, partitionCount));
    }
}
