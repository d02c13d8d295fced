package io.sluice.service.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.TopicNames;
import io.sluice.service.cluster.PeerClient;
import io.sluice.service.common.ProgramVersion;
import io.sluice.service.metrics.Meters;
import io.sluice.service.runtime.Health;
import io.sluice.service.runtime.HealthReport;
import io.sluice.service.runtime.HealthReport.PartitionHealth;
import io.sluice.service.runtime.RestoreProgress;
import io.sluice.topology.guard.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Locale;

/** The requests about the service itself. Thread-safe. */
final class ServiceEndpoints {
    private final Health health;
    private final String bootstrapServers;
    private final Meters meters;

    /**
     * @param health how the instance is
     * @param bootstrapServers of the installation
     * @param meters what is measured in it
     */
    ServiceEndpoints(Health health, String bootstrapServers, Meters meters) {
        this.health = health;
        this.bootstrapServers = bootstrapServers;
        this.meters = meters;
    }

    /** Says nothing about the partitions: a process is to be started again only when that would help. */
    Reply live(Request request) {
        Health.OfProcess process = health.process();
        return process.broken()
                .map(why -> Reply.notReady("must be started again: " + why, json -> {}))
                .orElseGet(() -> Reply.json(200, identity("live", process)));
    }

    /** The instance can answer, and what it knows about every partition; also in the refusal, where it is needed most. */
    Reply ready(Request request) {
        HealthReport report = health.report();
        if (report.notReady().isEmpty()) {
            ObjectNode json = identity("ready", report.process());
            writeKnown(report, json);
            return Reply.json(200, json);
        }
        return Reply.notReady("not ready: " + report.notReady().get(), json -> {
            json.put("instance_id", report.process().instanceId());
            writeKnown(report, json);
        });
    }

    Reply version(Request request) {
        return Reply.json(
                200,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("name", "sluice")
                        .put("version", ProgramVersion.text())
                        .put("java", Runtime.version().toString()));
    }

    /** Where the topics are, for those who read them themselves. */
    Reply installation(Request request) {
        return Reply.json(
                200,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("application_id", TopicNames.APPLICATION_ID)
                        .put("bootstrap_servers", bootstrapServers));
    }

    Reply openApi(Request request) {
        try (InputStream in = ServiceEndpoints.class.getResourceAsStream("/openapi.json")) {
            return Reply.json(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Not JSON: whoever collects metrics reads this. */
    Reply metrics(Request request) {
        return Reply.text(Meters.CONTENT_TYPE, meters.exposition());
    }

    private static ObjectNode identity(String status, Health.OfProcess process) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("status", status)
                .put("instance_id", process.instanceId())
                .put("incarnation", process.incarnation());
    }

    private static void writeKnown(HealthReport report, ObjectNode json) {
        writePartitions(report, json.putArray("partitions"));
        ObjectNode addresses = json.putObject("addresses");
        addresses.put("caught_up", report.addressesBehind().isEmpty());
        report.addressesBehind().ifPresent(why -> addresses.put("why", why));
        writeRestoring(report.restoring(), json.putArray("restoring"));
        json.putObject("topics")
                .put(Severity.LOSS.label(), report.topics().losses())
                .put(Severity.WARNING.label(), report.topics().warnings())
                .put("looked_at", report.topics().lookedAt().toString());
    }

    private static void writeRestoring(RestoreProgress restoring, ArrayNode list) {
        for (RestoreProgress.OfStore store : restoring.stores()) {
            ObjectNode one = list.addObject();
            one.put("store", store.store());
            one.put("partitions", store.partitions());
            one.put("partitions_done", store.partitionsDone());
            one.put("records", store.records());
            one.put("offsets_done", store.offsetsDone());
            one.put("offsets_total", store.offsetsTotal());
            one.put("records_per_s", store.recordsPerSecond());
            one.put("seconds_left", store.timeLeft().map(Duration::toSeconds).orElse(null));
        }
    }

    private static void writePartitions(HealthReport report, ArrayNode list) {
        for (PartitionHealth partition : report.partitions()) {
            ObjectNode one = list.addObject();
            one.put("family", partition.partition().family().label());
            one.put("partition", partition.partition().partition());
            one.put("owner", partition.owner().map(PeerClient::address).orElse(null));
            ArrayNode standbys = one.putArray("standbys");
            partition.standbys().forEach(standby -> standbys.add(PeerClient.address(standby)));
            one.put("here", partition.here().name().toLowerCase(Locale.ROOT));
            one.put("lag", partition.lag().isPresent() ? partition.lag().getAsLong() : null);
        }
    }
}
