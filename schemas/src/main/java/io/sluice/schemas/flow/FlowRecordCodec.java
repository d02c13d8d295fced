package io.sluice.schemas.flow;

import io.sluice.schemas.common.SingleObject;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The values of the flow store's rows and of the routes topic, to and from bytes. Thread-safe; equal values give equal bytes. */
public final class FlowRecordCodec {
    private final SingleObject singleObject;

    public FlowRecordCodec(SingleObject singleObject) {
        this.singleObject = singleObject;
    }

    public static byte[] encode(FlowRecord record) {
        return SingleObject.encode(toAvro(record));
    }

    static io.sluice.avro.FlowRecord toAvro(FlowRecord r) {
        return new io.sluice.avro.FlowRecord(
                r.catalog(),
                r.flowId(),
                r.flowName(),
                r.revision(),
                r.commandId(),
                r.sourceTableIds(),
                FlowAvro.tablesToAvro(r.allSourceTableNames()),
                FlowAvro.tablesToAvro(r.unresolvedSourceTableNames()),
                FlowAvro.toAvro(r.sinkTableName()),
                FlowAvro.routesToAvro(r.routes()),
                FlowAvro.toAvro(r.queryContext()),
                r.rawSql(),
                r.expireAfterSecs(),
                r.evalIntervalSecs(),
                r.comment(),
                r.options(),
                io.sluice.avro.FlowStatus.valueOf(r.status().name()),
                r.createdTimeNanos(),
                r.updatedTimeNanos(),
                FlowAvro.toAvro(r.evalSchedule()));
    }

    /** @throws io.sluice.schemas.common.UndecodableException if the bytes are not a flow record */
    public FlowRecord decodeRecord(byte[] bytes) {
        return fromAvro(singleObject.decode(bytes, io.sluice.avro.FlowRecord.class));
    }

    static FlowRecord fromAvro(io.sluice.avro.FlowRecord r) {
        return new FlowRecord(
                r.getCatalog(),
                r.getFlowId(),
                r.getFlowName(),
                r.getRevision(),
                r.getCommandId(),
                r.getSourceTableIds(),
                FlowAvro.tablesFromAvro(r.getAllSourceTableNames()),
                FlowAvro.tablesFromAvro(r.getUnresolvedSourceTableNames()),
                FlowAvro.fromAvro(r.getSinkTableName()),
                FlowAvro.routesFromAvro(r.getRoutes()),
                FlowAvro.fromAvro(r.getQueryContext()),
                r.getRawSql(),
                r.getExpireAfterSecs(),
                r.getEvalIntervalSecs(),
                r.getComment(),
                FlowAvro.sorted(r.getOptions()),
                FlowStatus.valueOf(r.getStatus().name()),
                r.getCreatedTime(),
                r.getUpdatedTime(),
                FlowAvro.fromAvro(r.getEvalSchedule()));
    }

    public static byte[] encode(Peer peer) {
        return SingleObject.encode(FlowAvro.toAvro(peer));
    }

    /** @throws io.sluice.schemas.common.UndecodableException if the bytes are not a peer */
    public Peer decodePeer(byte[] bytes) {
        return FlowAvro.fromAvro(singleObject.decode(bytes, io.sluice.avro.Peer.class));
    }

    /** The value of a name row. */
    public static byte[] encodeFlowId(long flowId) {
        return SingleObject.encode(new io.sluice.avro.FlowNameRow(flowId));
    }

    /** @throws io.sluice.schemas.common.UndecodableException if the bytes are not the value of a name row */
    public long decodeFlowId(byte[] bytes) {
        return singleObject.decode(bytes, io.sluice.avro.FlowNameRow.class).getFlowId();
    }

    /** The value of an allocator row. */
    public static byte[] encodeNextFlowId(long nextFlowId) {
        return SingleObject.encode(new io.sluice.avro.FlowIdAllocatorRow(nextFlowId));
    }

    /** @throws io.sluice.schemas.common.UndecodableException if the bytes are not the value of an allocator row */
    public long decodeNextFlowId(byte[] bytes) {
        return singleObject
                .decode(bytes, io.sluice.avro.FlowIdAllocatorRow.class)
                .getNextFlowId();
    }

    /** The value of a record in the routes topic. */
    public static byte[] encode(FlownodeRoute route) {
        FlowRecord f = route.flow();
        return SingleObject.encode(new io.sluice.avro.FlownodeRoute(
                f.catalog(),
                f.flowId(),
                f.flowName(),
                route.partitionId(),
                FlowAvro.toAvro(route.peer()),
                f.revision(),
                f.commandId(),
                f.sourceTableIds(),
                FlowAvro.tablesToAvro(f.allSourceTableNames()),
                FlowAvro.toAvro(f.sinkTableName()),
                FlowAvro.toAvro(f.queryContext()),
                f.rawSql(),
                f.expireAfterSecs(),
                f.evalIntervalSecs(),
                f.comment(),
                f.options(),
                f.createdTimeNanos(),
                f.updatedTimeNanos(),
                FlowAvro.toAvro(f.evalSchedule())));
    }

    /**
     * The flow of a decoded route knows only this one partition.
     *
     * @throws io.sluice.schemas.common.UndecodableException if the bytes are not a route
     */
    public FlownodeRoute decodeRoute(byte[] bytes) {
        io.sluice.avro.FlownodeRoute r = singleObject.decode(bytes, io.sluice.avro.FlownodeRoute.class);
        Peer peer = FlowAvro.fromAvro(r.getPeer());
        SortedMap<Long, Peer> onlyThis = new TreeMap<>();
        onlyThis.put(r.getPartitionId(), peer);
        return new FlownodeRoute(
                r.getPartitionId(),
                peer,
                new FlowRecord(
                        r.getCatalog(),
                        r.getFlowId(),
                        r.getFlowName(),
                        r.getRevision(),
                        r.getCommandId(),
                        r.getSourceTableIds(),
                        FlowAvro.tablesFromAvro(r.getAllSourceTableNames()),
                        List.of(),
                        FlowAvro.fromAvro(r.getSinkTableName()),
                        onlyThis,
                        FlowAvro.fromAvro(r.getQueryContext()),
                        r.getRawSql(),
                        r.getExpireAfterSecs(),
                        r.getEvalIntervalSecs(),
                        r.getComment(),
                        FlowAvro.sorted(r.getOptions()),
                        FlowStatus.ACTIVE,
                        r.getCreatedTime(),
                        r.getUpdatedTime(),
                        FlowAvro.fromAvro(r.getEvalSchedule())));
    }
}
