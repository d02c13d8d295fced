package io.sluice.tests.architecture.broken.topology.flow;

import io.sluice.tests.architecture.broken.client.KnowsTopology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;

/** A decider that asks everybody but its view. */
public class ImpureDecider {
    KnowsTopology client;
    Record<byte[], byte[]> record;
    Logger log;

    Object decide(Path file) {
        boolean known = Files.exists(file);
        return known
                ? Instant.now()
                : System.currentTimeMillis()
                        + new Random().nextInt()
                        + UUID.randomUUID().toString();
    }
}
