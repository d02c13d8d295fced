package io.sluice.topology.flow;

import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.topology.common.CommandRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Records of the commands topic as well-behaved and other producers write them. Stateless. */
final class CommandRecords {
    static final int PARTITION_COUNT = 8;

    private CommandRecords() {}

    /** As a producer should write it. */
    static CommandRecord of(FlowCommand command) {
        return keyed(keyOf(command), command);
    }

    /** A well-formed body under any key, without a header. */
    static CommandRecord keyed(String key, FlowCommand command) {
        return record(key, FlowCommandCodec.encode(command), null, partitionOf(command.catalog()));
    }

    /** Any value under a command's own key. */
    static CommandRecord withValue(FlowCommand command, byte[] value) {
        return record(keyOf(command), value, null, partitionOf(command.catalog()));
    }

    static CommandRecord withHeader(CommandRecord record, String header) {
        return new CommandRecord(record.key(), record.value(), header, record.partition(), record.offset());
    }

    static CommandRecord onPartition(CommandRecord record, int partition) {
        return new CommandRecord(record.key(), record.value(), record.headerCommandId(), partition, record.offset());
    }

    static CommandRecord atOffset(CommandRecord record, long offset) {
        return new CommandRecord(record.key(), record.value(), record.headerCommandId(), record.partition(), offset);
    }

    static CommandRecord record(String key, byte[] value, String header, int partition) {
        return new CommandRecord(key.getBytes(StandardCharsets.UTF_8), value, header, partition, 17);
    }

    static String keyOf(FlowCommand command) {
        return new CommandKey(command.catalog(), command.envelope().commandId()).toString();
    }

    static int partitionOf(String catalog) {
        return Partitions.of(catalog, PARTITION_COUNT);
    }

    /** A command whose body ends early. */
    static byte[] cutOff(FlowCommand command) {
        byte[] whole = FlowCommandCodec.encode(command);
        return Arrays.copyOf(whole, whole.length - 3);
    }

    /** A record of another kind: encoded as it should be, but no command. */
    static byte[] outcomeBytes(String commandId) {
        return OutcomeCodec.encode(new Outcome(
                commandId, OutcomeCode.OK, "", "greptime", 1024L, "f", 1L, true, new Position("flow", 0, 1), "kafka"));
    }

    /** A create whose encoded form has exactly this many bytes. */
    static FlowCommand createOfSize(FlowCommands create, int bytes) {
        int rest = bytes - FlowCommandCodec.encode(create.sql("").build()).length;
        // The length of the text takes more bytes the longer the text is.
        for (int sqlLength = rest; sqlLength > rest - 8; sqlLength--) {
            FlowCommand sized = create.sql("x".repeat(sqlLength)).build();
            if (FlowCommandCodec.encode(sized).length == bytes) {
                return sized;
            }
        }
        throw new IllegalArgumentException("no text makes a command of " + bytes + " bytes");
    }
}
