package io.sluice.topology.common;

import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.UndecodableException;

/**
 * The envelope of commands (docs/behaviour.md 2.1, rows 1 to 3): decodes a record, or says why it cannot be
 * decided and whom to answer. Thread-safe.
 */
public final class CommandReader<C extends Command> {
    private final CommandRules<C> rules;
    private final int commandMaxBytes;
    private final int partitionCount;

    public CommandReader(CommandRules<C> rules, int commandMaxBytes, int partitionCount) {
        this.rules = rules;
        this.commandMaxBytes = commandMaxBytes;
        this.partitionCount = partitionCount;
    }

    /** What a record turned out to be. */
    public sealed interface Read<C extends Command> {}

    /** A command that can be decided here. */
    public record Decidable<C extends Command>(C command) implements Read<C> {}

    /**
     * A record that cannot be decided here.
     *
     * @param code MALFORMED, TOO_LARGE or MISROUTED
     * @param commandId whom to answer, or null when no id can be found
     * @param recordUnder the key under which the answer becomes the id's outcome; null when it is only an answer to this record
     */
    public record Refused<C extends Command>(OutcomeCode code, String reason, String commandId, CommandKey recordUnder)
            implements Read<C> {}

    public Read<C> read(CommandRecord record) {
        if (record.key().length > commandMaxBytes) {
            // An answer would carry this key, and be larger than what its topic takes.
            return new Refused<>(
                    OutcomeCode.TOO_LARGE,
                    "the key has " + record.key().length + " bytes, allowed are " + commandMaxBytes,
                    null,
                    null);
        }
        String headerId = record.headerCommandId();
        if (headerId != null && !CommandKey.isCommandId(headerId)) {
            headerId = null;
        }
        CommandKey key;
        try {
            key = CommandKey.decode(record.key());
        } catch (UndecodableException e) {
            return new Refused<>(OutcomeCode.MALFORMED, e.getMessage(), headerId, null);
        }
        if (headerId != null && !headerId.equals(key.commandId())) {
            return new Refused<>(
                    OutcomeCode.MALFORMED,
                    "header sluice-command-id says \"" + headerId + "\", the key says \"" + key.commandId()
                            + "\": the key must be " + keyForm(),
                    headerId,
                    null);
        }
        int expected = Partitions.of(key.partitionKey(), partitionCount);
        boolean rightPartition = expected == record.partition();
        CommandKey recordUnder = rightPartition ? key : null;
        C command;
        try {
            command = rules.decode(record.value());
            requireSamePartitionKey(key, command.envelope());
        } catch (UndecodableException e) {
            return new Refused<>(OutcomeCode.MALFORMED, e.getMessage(), key.commandId(), recordUnder);
        }
        String bodyId = command.envelope().commandId();
        if (!key.commandId().equals(bodyId)) {
            return keyedBySomethingElse(key, bodyId);
        }
        if (record.value().length > commandMaxBytes) {
            return new Refused<>(
                    OutcomeCode.TOO_LARGE,
                    "the encoded command has " + record.value().length + " bytes, allowed are " + commandMaxBytes,
                    key.commandId(),
                    recordUnder);
        }
        if (!rightPartition) {
            return new Refused<>(
                    OutcomeCode.MISROUTED,
                    noun() + " \"" + Texts.shortened(key.partitionKey()) + "\" belongs to partition " + expected
                            + " of " + partitionCount + ", the command was sent to partition " + record.partition()
                            + ": the partition is (murmur2(utf8(" + noun() + ")) & 0x7fffffff) % " + partitionCount,
                    key.commandId(),
                    null);
        }
        return new Decidable<>(command);
    }

    /**
     * A record keyed by something else, say by flow name, would be lost to compaction: its body gives it away. Its sender waits
     * for the body's id, and what the key holds instead is nobody's id.
     */
    private Refused<C> keyedBySomethingElse(CommandKey key, String bodyId) {
        return new Refused<>(
                OutcomeCode.MALFORMED,
                "the body's command_id is \"" + Texts.shortened(bodyId) + "\", the key says \"" + key.commandId()
                        + "\": the key must be " + keyForm(),
                CommandKey.isCommandId(bodyId) ? bodyId : key.commandId(),
                null);
    }

    private void requireSamePartitionKey(CommandKey key, CommandEnvelope envelope) {
        if (!key.partitionKey().equals(envelope.partitionKey())) {
            throw new UndecodableException("the body's " + noun() + " is \"" + Texts.shortened(envelope.partitionKey())
                    + "\", the key says \"" + Texts.shortened(key.partitionKey()) + "\"");
        }
    }

    private String noun() {
        return rules.family().partitionKey();
    }

    private String keyForm() {
        return "<" + noun() + ">/<command id>";
    }
}
