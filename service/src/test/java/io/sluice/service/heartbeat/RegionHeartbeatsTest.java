package io.sluice.service.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.region.RegionStateKey;
import io.sluice.service.query.NotReadyException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** For which partitions an instance says that it decides, and what it says. */
class RegionHeartbeatsTest {
    private static final SingleObject SINGLE_OBJECT = new SingleObject(KnownSchemas.shipped());

    private final MockProducer<byte[], byte[]> topic =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final Map<FamilyPartition, Supplier<Cursor>> cursors = new ConcurrentHashMap<>();
    private final RegionHeartbeats heartbeats = new RegionHeartbeats(
            topic,
            partition -> cursors.getOrDefault(partition, RegionHeartbeatsTest::notHere)
                    .get(),
            IntStream.range(0, 4).mapToObj(RegionHeartbeatsTest::region).toList());

    @AfterEach
    void close() {
        heartbeats.close();
    }

    @Test
    void eachPartitionThatIsDecidedHereIsHeardOfAndNoOther() {
        decides(1, new Cursor(7, 20));
        decides(3, Cursor.START);

        heartbeats.beat();

        assertThat(sent()).containsExactly(Map.entry(1, new Cursor(7, 20)), Map.entry(3, Cursor.START));
        assertThat(topic.history()).allSatisfy(record -> {
            assertThat(record.topic()).isEqualTo(TopicNames.REGION_STATES);
            assertThat(RegionStateKey.isHeartbeat(record.key())).isTrue();
        });
    }

    @Test
    void aHeartbeatSaysHowFarThePartitionIsNow() {
        decides(1, new Cursor(7, 20));
        heartbeats.beat();

        decides(1, new Cursor(9, 25));
        heartbeats.beat();

        assertThat(sent()).containsExactly(Map.entry(1, new Cursor(7, 20)), Map.entry(1, new Cursor(9, 25)));
    }

    @Test
    void anInstanceThatMayHaveBeenReplacedSaysNothing() {
        decides(1, new Cursor(7, 20));
        heartbeats.beat();
        topic.clear();

        // Looked at anew each time: that it decided a moment ago says nothing.
        cursors.remove(region(1));
        heartbeats.beat();

        assertThat(topic.history()).isEmpty();
    }

    @Test
    void aPartitionThatCannotBeReadKeepsNoneOfTheOthers() {
        cursors.put(region(0), () -> {
            throw new UndecodableException("broken cursor");
        });
        decides(1, new Cursor(7, 20));

        heartbeats.beat();
        heartbeats.beat();

        assertThat(sent()).containsExactly(Map.entry(1, new Cursor(7, 20)), Map.entry(1, new Cursor(7, 20)));
    }

    @Test
    void oneThatCannotBeWrittenIsFollowedByTheNext() {
        decides(1, new Cursor(7, 20));
        heartbeats.beat();
        topic.errorNext(new TimeoutException("nobody there"));
        topic.sendException = new KafkaException("cannot send");
        heartbeats.beat();
        topic.sendException = null;

        heartbeats.beat();

        assertThat(topic.completeNext()).isTrue();
        assertThat(sent()).hasSize(2);
    }

    @Test
    void itDoesNotWaitForTheBrokers() {
        decides(1, new Cursor(7, 20));
        decides(2, new Cursor(8, 20));

        // Nobody acknowledges anything.
        heartbeats.beat();
        heartbeats.beat();

        assertThat(sent()).hasSize(4);
    }

    @Test
    void onceStartedItGoesOnWhateverHappens() {
        cursors.put(region(0), () -> {
            throw new IllegalStateException("unexpected");
        });
        decides(1, new Cursor(7, 20));

        heartbeats.start();

        await().until(() -> topic.history().size() >= 2);
    }

    @Test
    void nothingIsSentOnceItIsClosed() {
        decides(1, new Cursor(7, 20));
        heartbeats.start();
        await().until(() -> !topic.history().isEmpty());

        heartbeats.close();
        int sent = topic.history().size();
        heartbeats.beat();

        assertThat(topic.closed()).isTrue();
        assertThat(topic.history()).hasSize(sent);
    }

    private static FamilyPartition region(int partition) {
        return new FamilyPartition(CommandFamily.REGION, partition);
    }

    private static Cursor notHere() {
        throw new NotReadyException("this instance does not decide it", null, null);
    }

    private void decides(int partition, Cursor cursor) {
        cursors.put(region(partition), () -> cursor);
    }

    private List<Map.Entry<Integer, Cursor>> sent() {
        return topic.history().stream().map(RegionHeartbeatsTest::told).toList();
    }

    private static Map.Entry<Integer, Cursor> told(ProducerRecord<byte[], byte[]> record) {
        return Map.entry(record.partition(), Cursor.decode(SINGLE_OBJECT, record.value()));
    }
}
