package io.sluice.tests.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.util.function.Predicate;

/** What {@code /health/ready} of an instance says. Immutable. */
public record Health(int status, JsonNode json) {
    private static final Duration WITHIN = LocalSluice.WITHIN;
    private static final long LOOK_EVERY_MS = 100;

    public static Health of(ServeProcess instance) {
        HttpApi.Answer answer = new HttpApi(instance.url()).get("/health/ready");
        return new Health(answer.status(), answer.json());
    }

    /** Waits until it is as wanted. */
    public static Health await(ServeProcess instance, Predicate<Health> wanted) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + WITHIN.toNanos();
        Health health = of(instance);
        while (!wanted.test(health)) {
            if (System.nanoTime() > deadlineNanos) {
                throw new AssertionError(instance.instanceId() + " is not as wanted: " + health);
            }
            Thread.sleep(LOOK_EVERY_MS);
            health = of(instance);
        }
        return health;
    }

    public boolean isReady() {
        return status == 200;
    }

    /** Whether every partition has an owner and one standby, at different addresses. */
    public boolean isSpread() {
        for (JsonNode partition : json.path("partitions")) {
            JsonNode standbys = partition.path("standbys");
            if (!partition.path("owner").isTextual()
                    || standbys.size() != 1
                    || standbys.get(0).equals(partition.get("owner"))) {
                return false;
            }
        }
        return json.path("partitions").size() > 0;
    }

    /** Address of who decides a partition of flows, or null. */
    public String owner(int partition) {
        return ofFlows(partition).path("owner").textValue();
    }

    /** What the instance has of a partition of flows. */
    public String here(int partition) {
        return ofFlows(partition).path("here").textValue();
    }

    private JsonNode ofFlows(int partition) {
        for (JsonNode one : json.path("partitions")) {
            if (one.path("family").asText().equals("flow")
                    && one.path("partition").asInt() == partition) {
                return one;
            }
        }
        return MissingNode.getInstance();
    }
}
