package io.sluice.schemas.flow;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.FlowDefinition.FlownodeIdSpec;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;

/** Flow commands to and from the bytes of the commands topic. Thread-safe. */
public final class FlowCommandCodec {
    private final SingleObject singleObject;

    public FlowCommandCodec(SingleObject singleObject) {
        this.singleObject = singleObject;
    }

    public static byte[] encode(FlowCommand command) {
        CommandEnvelope envelope = command.envelope();
        if (command instanceof CreateFlow create) {
            return SingleObject.encode(new io.sluice.avro.CreateFlow(
                    envelope.commandId(),
                    envelope.partitionKey(),
                    envelope.issuedAtNanos(),
                    envelope.who(),
                    create.flowName(),
                    create.flowId(),
                    create.orReplace(),
                    create.createIfNotExists(),
                    toAvro(create.definition())));
        }
        if (command instanceof ReplaceFlow replace) {
            return SingleObject.encode(new io.sluice.avro.ReplaceFlow(
                    envelope.commandId(),
                    envelope.partitionKey(),
                    envelope.issuedAtNanos(),
                    envelope.who(),
                    replace.flowName(),
                    replace.flowId(),
                    replace.expectedRevision(),
                    toAvro(replace.definition())));
        }
        if (command instanceof DropFlow drop) {
            return SingleObject.encode(new io.sluice.avro.DropFlow(
                    envelope.commandId(),
                    envelope.partitionKey(),
                    envelope.issuedAtNanos(),
                    envelope.who(),
                    drop.flowName(),
                    drop.flowId(),
                    drop.expectedRevision(),
                    drop.ifExists()));
        }
        if (command instanceof CommentFlow comment) {
            return SingleObject.encode(new io.sluice.avro.CommentFlow(
                    envelope.commandId(),
                    envelope.partitionKey(),
                    envelope.issuedAtNanos(),
                    envelope.who(),
                    comment.flowName(),
                    comment.comment()));
        }
        if (command instanceof ImportFlow imported) {
            return SingleObject.encode(new io.sluice.avro.ImportFlow(
                    envelope.commandId(),
                    envelope.partitionKey(),
                    envelope.issuedAtNanos(),
                    envelope.who(),
                    FlowRecordCodec.toAvro(imported.flow()),
                    imported.orReplace()));
        }
        ImportFlowIds ids = (ImportFlowIds) command;
        return SingleObject.encode(new io.sluice.avro.ImportFlowIds(
                envelope.commandId(),
                envelope.partitionKey(),
                envelope.issuedAtNanos(),
                envelope.who(),
                ids.nextFlowId()));
    }

    /**
     * Decodes any kind of flow command.
     *
     * @throws UndecodableException if the bytes are not a flow command
     */
    public FlowCommand decode(byte[] bytes) {
        String kind = singleObject.writerSchema(bytes).getFullName();
        return switch (kind) {
            case "io.sluice.avro.CreateFlow" -> fromAvro(singleObject.decode(bytes, io.sluice.avro.CreateFlow.class));
            case "io.sluice.avro.ReplaceFlow" -> fromAvro(singleObject.decode(bytes, io.sluice.avro.ReplaceFlow.class));
            case "io.sluice.avro.DropFlow" -> fromAvro(singleObject.decode(bytes, io.sluice.avro.DropFlow.class));
            case "io.sluice.avro.CommentFlow" -> fromAvro(singleObject.decode(bytes, io.sluice.avro.CommentFlow.class));
            case "io.sluice.avro.ImportFlow" -> fromAvro(singleObject.decode(bytes, io.sluice.avro.ImportFlow.class));
            case "io.sluice.avro.ImportFlowIds" ->
                fromAvro(singleObject.decode(bytes, io.sluice.avro.ImportFlowIds.class));
            default ->
                throw new UndecodableException("value is a " + Texts.shortened(kind)
                        + ", which is no flow command: expected CreateFlow, ReplaceFlow, DropFlow, CommentFlow,"
                        + " ImportFlow or ImportFlowIds");
        };
    }

    private static CreateFlow fromAvro(io.sluice.avro.CreateFlow c) {
        return new CreateFlow(
                new CommandEnvelope(c.getCatalog(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getFlowName(),
                c.getFlowId(),
                c.getOrReplace(),
                c.getCreateIfNotExists(),
                fromAvro(c.getDefinition()));
    }

    private static ReplaceFlow fromAvro(io.sluice.avro.ReplaceFlow c) {
        return new ReplaceFlow(
                new CommandEnvelope(c.getCatalog(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getFlowName(),
                c.getFlowId(),
                c.getExpectedRevision(),
                fromAvro(c.getDefinition()));
    }

    private static DropFlow fromAvro(io.sluice.avro.DropFlow c) {
        return new DropFlow(
                new CommandEnvelope(c.getCatalog(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getFlowName(),
                c.getFlowId(),
                c.getExpectedRevision(),
                c.getIfExists());
    }

    private static CommentFlow fromAvro(io.sluice.avro.CommentFlow c) {
        return new CommentFlow(
                new CommandEnvelope(c.getCatalog(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                c.getFlowName(),
                c.getComment());
    }

    private static ImportFlow fromAvro(io.sluice.avro.ImportFlow c) {
        return new ImportFlow(
                new CommandEnvelope(c.getCatalog(), c.getCommandId(), c.getIssuedAt(), c.getWho()),
                FlowRecordCodec.fromAvro(c.getFlow()),
                c.getOrReplace());
    }

    private static ImportFlowIds fromAvro(io.sluice.avro.ImportFlowIds c) {
        return new ImportFlowIds(
                new CommandEnvelope(c.getCatalog(), c.getCommandId(), c.getIssuedAt(), c.getWho()), c.getNextFlowId());
    }

    private static io.sluice.avro.FlowDefinition toAvro(FlowDefinition d) {
        return new io.sluice.avro.FlowDefinition(
                FlowAvro.toAvro(d.sinkTableName()),
                d.sourceTableIds(),
                FlowAvro.tablesToAvro(d.allSourceTableNames()),
                FlowAvro.tablesToAvro(d.unresolvedSourceTableNames()),
                d.flowRoutes() == null
                        ? null
                        : d.flowRoutes().stream()
                                .map(r -> new io.sluice.avro.FlowRoute(r.partitionId(), FlowAvro.toAvro(r.peer())))
                                .toList(),
                d.flownodeIds() == null
                        ? null
                        : d.flownodeIds().stream()
                                .map(r -> new io.sluice.avro.FlownodeId(r.partitionId(), r.flownodeId()))
                                .toList(),
                FlowAvro.toAvro(d.queryContext()),
                d.rawSql(),
                toAvro(d.expireAfter()),
                toAvro(d.evalInterval()),
                d.comment(),
                d.options());
    }

    private static FlowDefinition fromAvro(io.sluice.avro.FlowDefinition d) {
        return new FlowDefinition(
                FlowAvro.fromAvro(d.getSinkTableName()),
                d.getSourceTableIds(),
                FlowAvro.tablesFromAvro(d.getAllSourceTableNames()),
                FlowAvro.tablesFromAvro(d.getUnresolvedSourceTableNames()),
                d.getFlowRoutes() == null
                        ? null
                        : d.getFlowRoutes().stream()
                                .map(r -> new RouteSpec(r.getPartitionId(), FlowAvro.fromAvro(r.getPeer())))
                                .toList(),
                d.getFlownodeIds() == null
                        ? null
                        : d.getFlownodeIds().stream()
                                .map(r -> new FlownodeIdSpec(r.getPartitionId(), r.getFlownodeId()))
                                .toList(),
                FlowAvro.fromAvro(d.getFlowContext()),
                d.getRawSql(),
                durationFromAvro(d.getExpireAfter()),
                durationFromAvro(d.getEvalIntervalSecs()),
                d.getComment(),
                FlowAvro.sorted(d.getOptions()));
    }

    private static Object toAvro(DurationSpec duration) {
        if (duration == null) {
            return null;
        }
        return duration instanceof DurationSpec.Seconds seconds
                ? (Object) seconds.value()
                : ((DurationSpec.Text) duration).value();
    }

    private static DurationSpec durationFromAvro(Object value) {
        if (value == null) {
            return null;
        }
        return value instanceof Long seconds ? DurationSpec.ofSeconds(seconds) : DurationSpec.ofText(value.toString());
    }
}
