package io.sluice.client;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * What a {@link CompactedFollower} tells. Called on its thread; what is thrown ends it, but for {@link TryAgainException}. May
 * close the follower.
 */
public interface CompactedListener {
    /** All that is in the partitions follows. A sweep that was going on is void. */
    void sweepBegins();

    /**
     * The brokers said where the partitions end: what comes from there on could not be read yet when they were asked. Called in a
     * sweep, after it began, and about every second between two.
     *
     * @param askedMs when they were asked, by the follower's clock
     */
    default void endsKnown(long askedMs, Map<TopicPartition, Long> ends) {}

    /** Everything that was there to be read at that time, by the follower's clock, was handed over. */
    default void allRead(long askedMs) {}

    /** A record; its key and value may be anything or null. In a sweep or, between two, as it comes. */
    void record(ConsumerRecord<byte[], byte[]> record);

    /**
     * Everything that was in the partitions when the sweep began was handed over. What was not met in it is gone, unless
     * {@link #recordsLost} was called before the sweep.
     *
     * @param positions up to where the partitions were handed over
     */
    void sweepCompleted(Map<TopicPartition, Long> positions);

    /** Between sweeps: all records before these positions were handed over. Called once per batch. */
    default void reached(Map<TopicPartition, Long> positions) {}

    /**
     * A partition no longer has records that it had. A sweep follows, and that a record is not met in it proves nothing.
     *
     * @param position up to where it was read before
     * @param found what was found instead, for people
     */
    default void recordsLost(TopicPartition partition, long position, String found) {}
}
