package io.sluice.service.cut;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.TopicNames;
import io.sluice.service.cut.CutException.Reason;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Where the changelogs begin and end, all asked for at once. Stateless. */
public final class ChangelogEnds {
    private static final Duration WITHIN = Duration.ofSeconds(10);

    private ChangelogEnds() {}

    /**
     * One changelog partition.
     *
     * @param begin offset of the first record that may be there
     * @param committed behind the last record that is certainly committed
     * @param end behind the last record, of open transactions too
     */
    public record Ends(long begin, long committed, long end) {
        /** Whether a transaction is open, or was when it was looked at. */
        public boolean isOpen() {
            return committed < end;
        }
    }

    /** The changelog of a family's partition. */
    public static TopicPartition changelog(FamilyPartition partition) {
        return new TopicPartition(changelog(partition.family()), partition.partition());
    }

    private static String changelog(CommandFamily family) {
        return TopicNames.APPLICATION_ID + "-" + family.store() + "-changelog";
    }

    /**
     * The ends of all partitions of the families.
     *
     * @param kafka client settings, at least {@code bootstrap.servers}
     * @throws CutException if they cannot be known
     */
    public static SortedMap<FamilyPartition, Ends> of(Map<String, Object> kafka, Set<CommandFamily> families) {
        Map<String, Object> config = new HashMap<>(kafka);
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) WITHIN.toMillis());
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) WITHIN.toMillis());
        Admin admin = Admin.create(config);
        try {
            return of(admin, families);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CutException(Reason.INTERRUPTED, "interrupted while the brokers were asked", e);
        } catch (TimeoutException e) {
            throw unreachable(kafka, e);
        } catch (ExecutionException e) {
            throw failed(kafka, e.getCause());
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private static SortedMap<FamilyPartition, Ends> of(Admin admin, Set<CommandFamily> families)
            throws InterruptedException, ExecutionException, TimeoutException {
        SortedMap<FamilyPartition, TopicPartition> partitions = new TreeMap<>();
        Map<String, TopicDescription> topics = await(admin.describeTopics(
                        families.stream().map(ChangelogEnds::changelog).collect(Collectors.toSet()))
                .allTopicNames());
        for (CommandFamily family : families) {
            int count = topics.get(changelog(family)).partitions().size();
            for (int partition = 0; partition < count; partition++) {
                FamilyPartition one = new FamilyPartition(family, partition);
                partitions.put(one, changelog(one));
            }
        }
        // The committed ends first: what is committed later is behind them, in all partitions alike.
        Map<TopicPartition, Long> committed =
                ends(admin, partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
        Map<TopicPartition, Long> ends = ends(admin, partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
        Map<TopicPartition, Long> begins =
                ends(admin, partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
        SortedMap<FamilyPartition, Ends> all = new TreeMap<>();
        partitions.forEach((partition, topic) ->
                all.put(partition, new Ends(begins.get(topic), committed.get(topic), ends.get(topic))));
        return all;
    }

    private static Map<TopicPartition, Long> ends(
            Admin admin, SortedMap<FamilyPartition, TopicPartition> partitions, OffsetSpec spec, IsolationLevel level)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<TopicPartition, OffsetSpec> asked =
                partitions.values().stream().collect(Collectors.toMap(partition -> partition, partition -> spec));
        Map<TopicPartition, ListOffsetsResultInfo> answered =
                await(admin.listOffsets(asked, new ListOffsetsOptions(level)).all());
        return answered.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, offset -> offset.getValue().offset()));
    }

    private static <T> T await(KafkaFuture<T> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static CutException failed(Map<String, Object> kafka, Throwable cause) {
        if (cause instanceof org.apache.kafka.common.errors.TimeoutException) {
            return unreachable(kafka, cause);
        }
        if (cause instanceof UnknownTopicOrPartitionException) {
            return new CutException(
                    Reason.MISSING,
                    "a changelog does not exist at " + brokers(kafka) + ": " + cause.getMessage()
                            + " Are these the brokers of Sluice, and was it started there?",
                    cause);
        }
        return new CutException(
                Reason.REFUSED,
                "the brokers at " + brokers(kafka) + " do not say where the changelogs end: " + cause
                        + ". The principal needs Describe and Read on the topics " + TopicNames.APPLICATION_ID
                        + "-*-changelog.",
                cause);
    }

    private static CutException unreachable(Map<String, Object> kafka, Throwable cause) {
        return new CutException(
                Reason.UNREACHABLE,
                "no broker answers at " + brokers(kafka) + " within " + WITHIN.toSeconds()
                        + " s. Check the address, and that the brokers run.",
                cause);
    }

    private static Object brokers(Map<String, Object> kafka) {
        return kafka.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
    }
}
