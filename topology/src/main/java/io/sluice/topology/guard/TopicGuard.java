package io.sluice.topology.guard;

import io.sluice.topology.common.Deadline;
import io.sluice.topology.common.TopicCreationException;
import io.sluice.topology.common.TopicCreationException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Purpose: looks whether the topics of an installation can be trusted with what is in them (K-3, K-12, K-13), and puts their
 * settings right when it is asked to.
 *
 * <p>Threading: one thread at a time.
 *
 * <p>Invariants: a look changes nothing. Mending writes only settings of the table on topics, never deletes, never makes.
 */
public final class TopicGuard {
    private final Admin admin;
    private final TopicWishes wishes;
    private final KafkaTools tools;

    /** Asks through the given client, which stays the caller's to close. */
    public TopicGuard(Admin admin, TopicWishes wishes, KafkaTools tools) {
        this.admin = Objects.requireNonNull(admin, "admin");
        this.wishes = Objects.requireNonNull(wishes, "wishes");
        this.tools = Objects.requireNonNull(tools, "tools");
    }

    /**
     * Compares the cluster as it is now.
     *
     * @throws TopicCreationException when it cannot be looked at in time
     */
    public GuardReport check(Duration within) {
        try {
            ClusterDescription cluster = new ClusterReader(admin, tools).read(wishes, Deadline.in(within));
            return new GuardReport(TopicComparison.compare(wishes, cluster, tools));
        } catch (InterruptedException | InterruptException e) {
            throw interrupted(e);
        }
    }

    /**
     * Writes the settings of which a report says that they have to be written on a topic.
     *
     * @return what was written
     * @throws TopicCreationException when the cluster refuses one of them; the others may be written then
     */
    public List<Remedy.SetOnTopic> mend(GuardReport report, Duration within) {
        List<Remedy.SetOnTopic> remedies = new ArrayList<>();
        Map<ConfigResource, Collection<AlterConfigOp>> changes = new LinkedHashMap<>();
        for (TopicFinding finding : report.findings()) {
            // Not those of the brokers' own topics: others rely on them too.
            if (finding.remedy() instanceof Remedy.SetOnTopic set
                    && wishes.table().find(set.topic()).isPresent()) {
                remedies.add(set);
                changes.computeIfAbsent(
                                new ConfigResource(ConfigResource.Type.TOPIC, set.topic()), one -> new ArrayList<>())
                        .add(new AlterConfigOp(new ConfigEntry(set.setting(), set.value()), OpType.SET));
            }
        }
        if (changes.isEmpty()) {
            return remedies;
        }
        try {
            admin.incrementalAlterConfigs(changes, new AlterConfigsOptions().timeoutMs((int) within.toMillis()))
                    .all()
                    .get();
            return remedies;
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (ExecutionException e) {
            throw new TopicCreationException(
                    Reason.REFUSED,
                    "the settings of topics "
                            + changes.keySet().stream()
                                    .map(ConfigResource::name)
                                    .toList()
                            + " could not all be written: " + e.getCause()
                            + ". Grant your principal AlterConfigs on them, or have it done by whoever looks after the"
                            + " cluster.",
                    e.getCause());
        }
    }

    private static TopicCreationException interrupted(Exception e) {
        Thread.currentThread().interrupt();
        return new TopicCreationException(
                Reason.INTERRUPTED, "interrupted while the topics were being compared with what they have to be", e);
    }
}
