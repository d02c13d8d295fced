package io.sluice.schemas.region;

import io.sluice.avro.RemovedFilesRow;
import io.sluice.avro.WaitingCommand;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import java.nio.ByteBuffer;
import java.util.List;

/** The values of the region store's rows and of the states topic, to and from bytes. Thread-safe; equal values give equal bytes. */
public final class RegionRecordCodec {
    private final SingleObject singleObject;
    private final RegionCommandCodec commands;

    public RegionRecordCodec(SingleObject singleObject) {
        this.singleObject = singleObject;
        this.commands = new RegionCommandCodec(singleObject);
    }

    public static byte[] encode(RegionRecord r) {
        return SingleObject.encode(new io.sluice.avro.RegionRecord(
                r.regionId(),
                r.incarnation(),
                RegionAvro.toAvro(r.role()),
                io.sluice.avro.RegionState.valueOf(r.state().name()),
                r.stateCommandId(),
                r.epoch(),
                r.manifestVersion(),
                RegionAvro.toAvro(r.metadata()),
                RegionAvro.toAvro(r.sstFormat()),
                r.appendMode(),
                r.flushedEntryId(),
                r.flushedSequence(),
                r.committedSequence(),
                r.truncatedEntryId(),
                RegionAvro.toAvro(r.compactionTimeWindow()),
                r.fileCount(),
                r.queued(),
                toAvro(r.writeInFlight())));
    }

    /** @throws UndecodableException if the bytes are not the record of a region */
    public RegionRecord decodeRecord(byte[] bytes) {
        io.sluice.avro.RegionRecord r = singleObject.decode(bytes, io.sluice.avro.RegionRecord.class);
        return RegionAvro.checked(
                "RegionRecord",
                () -> new RegionRecord(
                        r.getRegionId(),
                        r.getIncarnation(),
                        RegionAvro.fromAvro("role", r.getRole(), RegionRole.class),
                        RegionAvro.fromAvro("state", r.getState(), RegionState.class),
                        r.getStateCommandId(),
                        r.getEpoch(),
                        r.getManifestVersion(),
                        RegionAvro.fromAvro(r.getMetadata()),
                        RegionAvro.fromAvro("sst_format", r.getSstFormat(), SstFormat.class),
                        r.getAppendMode(),
                        r.getFlushedEntryId(),
                        r.getFlushedSequence(),
                        r.getCommittedSequence(),
                        r.getTruncatedEntryId(),
                        RegionAvro.fromAvro("compaction_time_window", r.getCompactionTimeWindow()),
                        r.getFileCount(),
                        r.getQueued(),
                        fromAvro(r.getWriteInFlight())));
    }

    /** The value of a file row. */
    public static byte[] encode(FileMeta file) {
        return SingleObject.encode(RegionAvro.toAvro(file));
    }

    /** @throws UndecodableException if the bytes are not a file */
    public FileMeta decodeFile(byte[] bytes) {
        return RegionAvro.requireId(RegionAvro.fromAvro(singleObject.decode(bytes, io.sluice.avro.FileMeta.class)));
    }

    /** The value of a removed or cleanup row. */
    public static byte[] encode(RemovedFiles removed) {
        return SingleObject.encode(
                new RemovedFilesRow(removed.removedAtMs(), RegionAvro.removedToAvro(removed.files())));
    }

    /** @throws UndecodableException if the bytes are not removed files */
    public RemovedFiles decodeRemoved(byte[] bytes) {
        return RegionAvro.fromAvro(singleObject.decode(bytes, RemovedFilesRow.class));
    }

    /** The value of a queue row. */
    public static byte[] encode(QueuedCommand queued) {
        return SingleObject.encode(new io.sluice.avro.QueuedCommand(
                ByteBuffer.wrap(RegionCommandCodec.encode(queued.command())), queued.commandOffset()));
    }

    /** @throws UndecodableException if the bytes are not a command that waits */
    public QueuedCommand decodeQueued(byte[] bytes) {
        io.sluice.avro.QueuedCommand q = singleObject.decode(bytes, io.sluice.avro.QueuedCommand.class);
        byte[] command = new byte[q.getCommand().remaining()];
        q.getCommand().get(command);
        return RegionAvro.checked(
                "QueuedCommand", () -> new QueuedCommand(commands.decode(command), q.getCommandOffset()));
    }

    /** The value of a record in the states topic. */
    public static byte[] encode(RegionStateRecord s) {
        return SingleObject.encode(new io.sluice.avro.RegionStateRecord(
                s.regionId(),
                s.state(),
                io.sluice.avro.Admission.valueOf(s.admission().name()),
                s.epoch(),
                s.manifestVersion(),
                s.schemaVersion()));
    }

    /**
     * An admission that only later versions know is one to wait at.
     *
     * @throws UndecodableException if the bytes are not the state of a region
     */
    public RegionStateRecord decodeState(byte[] bytes) {
        io.sluice.avro.RegionStateRecord s = singleObject.decode(bytes, io.sluice.avro.RegionStateRecord.class);
        return new RegionStateRecord(
                s.getRegionId(),
                s.getState(),
                Admission.valueOf(s.getAdmission().name()),
                s.getEpoch(),
                s.getManifestVersion(),
                s.getSchemaVersion());
    }

    private static io.sluice.avro.WriteInFlight toAvro(WriteInFlight write) {
        return write == null
                ? null
                : new io.sluice.avro.WriteInFlight(
                        write.version(),
                        io.sluice.avro.RegionWriteKind.valueOf(write.kind().name()),
                        write.commands().stream()
                                .map(c -> new WaitingCommand(c.commandId(), c.issuedAtNanos(), c.who()))
                                .toList());
    }

    private static WriteInFlight fromAvro(io.sluice.avro.WriteInFlight write) {
        if (write == null) {
            return null;
        }
        List<WriteInFlight.Waiting> waiting = write.getCommands().stream()
                .map(c -> new WriteInFlight.Waiting(c.getCommandId(), c.getIssuedAt(), c.getWho()))
                .toList();
        return new WriteInFlight(
                write.getVersion(),
                RegionAvro.fromAvro("kind of the write in flight", write.getKind(), RegionWriteKind.class),
                waiting);
    }
}
