package io.sluice.topology.flow;

import io.sluice.schemas.common.BarrierKey;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.state.common.KeyValueStoreRows;
import io.sluice.topology.common.CommandRecord;
import io.sluice.topology.common.DeadLetters;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.IdleCommit;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.RoutedKey;
import io.sluice.topology.flow.FlowCommandHandler.Answer;
import io.sluice.topology.flow.FlowCommandHandler.Settled;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles the flow commands of one partition inside Kafka Streams: rows, outcome, route changes and dead letters of a command
 * are written in one transaction.
 *
 * <p>Threading: one instance per task, on its stream thread. Nothing is decoded before this point, so no record can stop the
 * thread: bytes come in, and what they mean is decided here.
 */
final class FlowCommandProcessor implements Processor<byte[], byte[], RoutedKey, byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(FlowCommandProcessor.class);

    private final SingleObject singleObject;
    private final DecisionLimits limits;
    private final PartitionCounts counts;
    private final IdleCommit idleCommit;

    private ProcessorContext<RoutedKey, byte[]> context;
    private KeyValueStoreRows rows;
    private FlowCommandHandler handler;

    FlowCommandProcessor(
            SingleObject singleObject, DecisionLimits limits, PartitionCounts counts, IdleCommit idleCommit) {
        this.singleObject = singleObject;
        this.limits = limits;
        this.counts = counts;
        this.idleCommit = idleCommit;
    }

    @Override
    public void init(ProcessorContext<RoutedKey, byte[]> taskContext) {
        context = taskContext;
        rows = new KeyValueStoreRows(taskContext.getStateStore(TopicNames.FLOW_STORE));
        handler = new FlowCommandHandler(
                singleObject, limits, taskContext.taskId().partition(), counts.flow());
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (record.value() == null) {
            // The janitor's tombstone of a settled command: nothing to decide, and nothing to commit at once.
            return;
        }
        RecordMetadata at = context.recordMetadata()
                .orElseThrow(() -> new IllegalStateException("a source record without its partition and offset"));
        byte[] key = record.key() == null ? new byte[0] : record.key();
        if (BarrierKey.matches(key)) {
            handler.pass(rows, at.offset());
            idleCommit.decided(context, this);
            return;
        }
        CommandRecord command =
                new CommandRecord(key, record.value(), commandIdIn(record.headers()), at.partition(), at.offset());
        Settled settled = settle(command);
        if (settled.answer() != null) {
            forwardAnswer(command, settled.answer(), record.timestamp());
        }
        for (RouteChange route : settled.routes()) {
            RoutedKey routeKey = new RoutedKey(
                    route.key().encode(), Partitions.of(route.key().partitionKey(), counts.flownode()));
            context.forward(new Record<>(routeKey, route.value(), record.timestamp()), FlowTopology.ROUTES_SINK);
        }
        if (settled.deadLetter() != null) {
            context.forward(
                    new Record<>(
                            new RoutedKey(DeadLetters.key(at.topic(), at.partition(), at.offset()), 0),
                            DeadLetters.value(record.value(), limits.commandMaxBytes()),
                            record.timestamp(),
                            DeadLetters.headers(
                                    settled.deadLetter().code(),
                                    settled.deadLetter().reason(),
                                    command.key(),
                                    record.value(),
                                    limits.commandMaxBytes())),
                    FlowTopology.DEAD_LETTERS_SINK);
        }
        idleCommit.decided(context, this);
    }

    @Override
    public void close() {
        idleCommit.left(this);
    }

    private Settled settle(CommandRecord command) {
        try {
            return handler.settle(command, rows, context.currentSystemTimeMs());
        } catch (TimeoutException e) {
            // The schemas topic could not be read, so nothing is known about this record: the task starts again from
            // its last
            // commit and tries once more, while the thread and its other tasks go on.
            LOG.warn("cannot look up the schema of the record at offset {}, trying again", command.offset(), e);
            throw new TaskCorruptedException(Set.of(context.taskId()));
        }
    }

    private void forwardAnswer(CommandRecord command, Answer answer, long timestampMs) {
        Headers headers = new RecordHeaders();
        headers.add(TopicNames.SLUICE_COMMAND_ID, answer.commandId().getBytes(StandardCharsets.UTF_8));
        // The command's own key, whatever it is, in its own partition: that is how the janitor finds the command again.
        RoutedKey key = new RoutedKey(command.key(), command.partition());
        context.forward(new Record<>(key, answer.encoded(), timestampMs, headers), FlowTopology.OUTCOMES_SINK);
    }

    private static String commandIdIn(Headers headers) {
        Header header = headers.lastHeader(TopicNames.SLUICE_COMMAND_ID);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
