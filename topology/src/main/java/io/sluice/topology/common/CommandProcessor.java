package io.sluice.topology.common;

import io.sluice.schemas.common.BarrierKey;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.TopicNames;
import io.sluice.state.common.KeyValueStoreRows;
import io.sluice.topology.common.CommandHandler.Answer;
import io.sluice.topology.common.CommandHandler.DeadLetter;
import io.sluice.topology.common.CommandHandler.Settled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
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
 * Settles the commands of one partition, and the reports on what they set off, inside Kafka Streams: rows, outcome, records for other topics and dead letters of a
 * command are written in one transaction.
 *
 * <p>Threading: one instance per task, on its stream thread. Nothing is decoded before this point, so no record can stop the
 * thread: bytes come in, and what they mean is decided here.
 */
public final class CommandProcessor implements Processor<byte[], byte[], RoutedKey, byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(CommandProcessor.class);

    private final CommandFamily family;
    private final IntFunction<CommandHandler<?>> handlers;
    private final DecisionLimits limits;
    private final IdleCommit idleCommit;
    private final DecisionListener listener;

    private ProcessorContext<RoutedKey, byte[]> context;
    private KeyValueStoreRows rows;
    private CommandHandler<?> handler;

    /** @param handlers makes the handler of a partition */
    public CommandProcessor(
            CommandFamily family,
            IntFunction<CommandHandler<?>> handlers,
            DecisionLimits limits,
            IdleCommit idleCommit,
            DecisionListener listener) {
        this.family = family;
        this.handlers = handlers;
        this.limits = limits;
        this.idleCommit = idleCommit;
        this.listener = listener;
    }

    @Override
    public void init(ProcessorContext<RoutedKey, byte[]> taskContext) {
        context = taskContext;
        rows = new KeyValueStoreRows(taskContext.getStateStore(family.store()));
        handler = handlers.apply(taskContext.taskId().partition());
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
        CommandRecord read =
                new CommandRecord(key, record.value(), commandIdIn(record.headers()), at.partition(), at.offset());
        if (!at.topic().equals(family.commandsTopic())) {
            forward(settleReport(read), read, at.topic(), record.timestamp());
        } else if (BarrierKey.matches(key)) {
            forward(handler.pass(rows, at.offset()), record.timestamp());
        } else {
            forward(settle(read), read, at.topic(), record.timestamp());
            listener.taken(family, Math.max(0, context.currentSystemTimeMs() - record.timestamp()));
        }
        idleCommit.decided(context, this);
    }

    @Override
    public void close() {
        idleCommit.left(this);
    }

    private void forward(Settled settled, CommandRecord read, String topic, long timestampMs) {
        for (Answer answer : settled.answers()) {
            forwardAnswer(answer, read.partition(), timestampMs);
            tell(answer);
        }
        forward(settled.records(), timestampMs);
        if (settled.deadLetter() != null) {
            forwardDeadLetter(read, topic, settled.deadLetter(), timestampMs);
            listener.deadLettered(family, settled.deadLetter().code());
        }
    }

    private void tell(Answer answer) {
        if (answer.settles() == null) {
            listener.repeated(family);
        } else {
            listener.settled(family, answer.settles(), answer.outcome().code());
        }
    }

    private Settled settle(CommandRecord command) {
        return settle(command, () -> handler.settle(command, rows, context.currentSystemTimeMs()));
    }

    private Settled settleReport(CommandRecord report) {
        Settled settled = settle(report, () -> handler.report(report.value(), rows, context.currentSystemTimeMs()));
        if (settled.ignored() != null) {
            LOG.info("ignored, since it is late or repeated: {}", settled.ignored());
        }
        return settled;
    }

    private Settled settle(CommandRecord read, Supplier<Settled> settling) {
        try {
            return settling.get();
        } catch (TimeoutException e) {
            // The schemas topic could not be read, so nothing is known about this record: the task starts again from
            // its last
            // commit and tries once more, while the thread and its other tasks go on.
            LOG.warn("cannot look up the schema of the record at offset {}, trying again", read.offset(), e);
            throw new TaskCorruptedException(Set.of(context.taskId()));
        }
    }

    private void forward(List<TopicRecord> records, long timestampMs) {
        for (TopicRecord one : records) {
            context.forward(new Record<>(one.key(), one.value(), timestampMs), one.sink());
        }
    }

    private void forwardAnswer(Answer answer, int partition, long timestampMs) {
        Headers headers = new RecordHeaders();
        headers.add(TopicNames.SLUICE_COMMAND_ID, answer.commandId().getBytes(StandardCharsets.UTF_8));
        // In the partition of the command: that is where the janitor finds it again.
        RoutedKey key = new RoutedKey(answer.key(), partition);
        context.forward(
                new Record<>(key, answer.encoded(), timestampMs, headers), CommandTopology.outcomesSink(family));
    }

    private void forwardDeadLetter(CommandRecord command, String topic, DeadLetter why, long timestampMs) {
        context.forward(
                new Record<>(
                        new RoutedKey(DeadLetters.key(topic, command.partition(), command.offset()), 0),
                        DeadLetters.value(command.value(), limits.commandMaxBytes()),
                        timestampMs,
                        DeadLetters.headers(
                                why.code(), why.reason(), command.key(), command.value(), limits.commandMaxBytes())),
                CommandTopology.deadLettersSink(family));
    }

    private static String commandIdIn(Headers headers) {
        Header header = headers.lastHeader(TopicNames.SLUICE_COMMAND_ID);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
