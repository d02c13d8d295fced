package io.sluice.service.cluster;

import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Barriers that go nowhere and are kept; of each partition the first has offset 0. Thread-safe. */
public final class RecordedBarriers implements AutoCloseable {
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final Barriers barriers = new Barriers(producer, "sluice-1");

    public Barriers barriers() {
        return barriers;
    }

    /** The topics and partitions they were written to, in order: {@code sluice.flow.commands-2}. */
    public List<String> written() {
        return producer.history().stream()
                .map(barrier -> barrier.topic() + "-" + barrier.partition())
                .toList();
    }

    @Override
    public void close() {
        barriers.close();
    }
}
