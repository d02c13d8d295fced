package io.sluice.tests.architecture.broken.service.query;

import io.javalin.Javalin;
import io.micrometer.core.instrument.Counter;
import io.sluice.state.common.RowStore;
import java.util.logging.Logger;
import org.apache.kafka.server.util.ShutdownableThread;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.processor.internals.StreamThread;
import picocli.CommandLine;

/** A class of the service in the wrong place for all it does. */
public class KnowsEverything {
    static int counter;

    CommandLine commandLine;
    Counter requests;
    Javalin javalin;
    Logger logger;
    ShutdownableThread brokerThread;
    StreamThread streamThread;

    void write(RowStore rows) {
        counter++;
        rows.put(new byte[0], new byte[0]);
        new StreamsBuilder().globalTable("everything");
    }
}
