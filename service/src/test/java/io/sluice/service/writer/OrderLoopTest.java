package io.sluice.service.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.ManifestCodec;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.service.manifest.ManifestDirectory;
import io.sluice.service.writer.RegionStates.Deciding;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which orders reach the writer, from the topic and from the store, as partitions come and go. */
class OrderLoopTest {
    private static final long R = 8796093022211L;

    @TempDir
    private Path folder;

    private WriterRig rig;
    private DecidedRegions regions;
    private int partition;
    private MockConsumer<byte[], byte[]> consumer;
    private OrderTopic topic;
    private OrderLoop loop;
    private final Map<Integer, Long> ends = new HashMap<>();

    @BeforeEach
    void start() {
        rig = new WriterRig(folder, 10);
        regions = rig.regions();
        partition = regions.partitionOf(R);
        regions.followedBy(this::append);
        IntStream.range(0, DecidedRegions.PARTITIONS).forEach(other -> regions.deciding(other, Deciding.NO));
        loop = new OrderLoop(regions, rig.writes(), Set.of(), rig.timer()::nanoTime);
        openTopic();
    }

    private void openTopic() {
        consumer = new MockConsumer<>("latest");
        IntStream.range(0, DecidedRegions.PARTITIONS)
                .forEach(other -> consumer.updateEndOffsets(Map.of(ofOrders(other), ends.getOrDefault(other, 0L))));
        topic = new OrderTopic(consumer, DecidedRegions.SINGLE_OBJECT);
        loop.restart();
    }

    private static TopicPartition ofOrders(int number) {
        return new TopicPartition(TopicNames.REGION_WRITES, number);
    }

    private void append(ManifestWriteOrder order) {
        append(order.regionId(), ManifestCodec.encode(order));
    }

    private void append(long regionId, byte[] value) {
        int to = regions.partitionOf(regionId);
        long offset = ends.merge(to, 1L, Long::sum) - 1;
        consumer.updateEndOffsets(Map.of(ofOrders(to), offset + 1));
        if (consumer.assignment().contains(ofOrders(to))) {
            byte[] key = U64.text(regionId).getBytes(StandardCharsets.UTF_8);
            consumer.addRecord(new ConsumerRecord<>(TopicNames.REGION_WRITES, to, offset, key, value));
        }
    }

    /** A step of the loop, and what it brings. */
    private boolean step() {
        boolean any = loop.step(topic, Duration.ZERO);
        rig.settle();
        return any;
    }

    private void pass(Duration duration) {
        rig.pass(duration);
    }

    private void gain() {
        regions.deciding(partition, Deciding.YES);
        pass(Duration.ofMillis(300));
        step();
    }

    @Test
    void withoutAPartitionThereIsNothingToWaitFor() {
        assertThat(step()).isFalse();
        gain();
        assertThat(step()).isTrue();
    }

    @Test
    void whatIsOpenWhenAPartitionIsGainedIsDone() {
        String created = regions.create(R);
        assertThat(step()).isFalse();
        assertThat(regions.code(created)).isNull();

        gain();
        assertThat(regions.code(created)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void whatIsOrderedAfterwardsComesByTheTopic() {
        gain();
        String created = regions.create(R);
        step();
        assertThat(regions.code(created)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void whatTheStoreShowsLateAtTheStartIsFoundByTheSecondSweep() {
        regions.storeLags(true);
        String created = regions.create(R);
        gain();
        regions.storeLags(false);
        step();
        assertThat(regions.code(created))
                .as("it was ordered before the topic was followed")
                .isNull();

        pass(Duration.ofSeconds(1));
        step();
        assertThat(regions.code(created)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void whatTheTopicLostIsFoundByALaterSweep() {
        gain();
        pass(Duration.ofSeconds(1));
        step();
        regions.nobodyFollows();
        String created = regions.create(R);
        pass(Duration.ofSeconds(9));
        step();
        assertThat(regions.code(created)).isNull();
        pass(Duration.ofSeconds(1));
        step();
        assertThat(regions.code(created)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void aSweepThatCannotReadIsMadeAgain() {
        String created = regions.create(R);
        regions.readable(partition, false);
        gain();
        assertThat(regions.code(created)).isNull();
        regions.readable(partition, true);
        step();
        assertThat(regions.code(created)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void whatWasOrderedWhileTheTopicWasNotFollowedIsFoundAtOnce() {
        gain();
        pass(Duration.ofSeconds(1));
        step();
        regions.nobodyFollows();
        String created = regions.create(R);
        openTopic();
        step();
        assertThat(regions.code(created)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void aPartitionThatIsLostIsNotWrittenAnyMore() throws Exception {
        gain();
        regions.create(R);
        step();
        regions.deciding(partition, Deciding.NO);
        pass(Duration.ofMillis(300));
        assertThat(step()).isFalse();
        String flushed = regions.flush(R);
        pass(Duration.ofMinutes(1));
        step();

        assertThat(regions.code(flushed)).isNull();
        ManifestDirectory.open(rig.folder(R), new ManifestDirectory.Settings(10, false))
                .close();
        gain();
        assertThat(regions.code(flushed)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void aPartitionThatIsLostWhileTheTopicFailsIsLetGoOf() throws Exception {
        gain();
        regions.create(R);
        step();
        regions.deciding(partition, Deciding.NO);
        openTopic();
        assertThat(step()).isFalse();
        ManifestDirectory.open(rig.folder(R), new ManifestDirectory.Settings(10, false))
                .close();
    }

    @Test
    void aPartitionThatCannotBeReadForAMomentIsKept() {
        gain();
        regions.deciding(partition, Deciding.UNKNOWN);
        pass(Duration.ofMillis(300));
        assertThat(step()).isTrue();
        String created = regions.create(R);
        step();
        assertThat(regions.code(created)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void aPartitionThatCannotBeReadIsNotGained() {
        regions.deciding(partition, Deciding.UNKNOWN);
        assertThat(step()).isFalse();
    }

    @Test
    void partitionsThatStayAreNotReadFromTheirEndAgain() {
        gain();
        String created = regions.create(R);
        regions.deciding((partition + 1) % DecidedRegions.PARTITIONS, Deciding.YES);
        pass(Duration.ofMillis(300));
        step();
        assertThat(regions.code(created)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void tombstonesAndWhatCannotBeReadAreSkipped() {
        gain();
        append(R, null);
        append(R, new byte[] {1, 2, 3});
        String created = regions.create(R);
        step();
        assertThat(regions.code(created)).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void aTopicThatFailsIsForTheCaller() {
        gain();
        consumer.setPollException(new KafkaException("no broker"));
        assertThatThrownBy(this::step).isInstanceOf(KafkaException.class);
    }

    @Test
    void removalsThatWereNotFinishedAreFinishedWithTheirPartition() throws Exception {
        Files.createDirectories(rig.manifestFolder(R));
        Files.createFile(rig.folder(R).resolve(".dropping"));
        loop = new OrderLoop(regions, rig.writes(), Set.of(R), rig.timer()::nanoTime);
        step();
        assertThat(rig.folder(R)).exists();
        gain();
        assertThat(rig.folder(R)).doesNotExist();
    }
}
