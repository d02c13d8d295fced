package io.sluice.topology.region;

import static io.sluice.topology.region.RegionSamples.REGION;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.AlterRegion;
import io.sluice.schemas.region.CompactRegion;
import io.sluice.schemas.region.ConfirmDeleted;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.DiscardUnflushed;
import io.sluice.schemas.region.DropRegion;
import io.sluice.schemas.region.EditRegion;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.ImportRegion;
import io.sluice.schemas.region.IndexKind;
import io.sluice.schemas.region.PublishIndex;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.SetRegionRole;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.TruncateRegion;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Region commands as docs/behaviour.md writes them: files are {@code "+C -A -B"}, added and removed. Immutable.
 *
 * @param commandId null for one of the scenario's
 */
record RegionCommands(String commandId, long issuedAtSeconds, long regionId, Body body) {
    private static final long SECOND = 1_000_000_000L;

    /** What there is besides the envelope. */
    @FunctionalInterface
    interface Body {
        RegionCommand in(CommandEnvelope envelope, long regionId);
    }

    private static RegionCommands of(Body body) {
        return new RegionCommands(null, 1000, REGION, body);
    }

    RegionCommands as(String id) {
        return new RegionCommands(id, issuedAtSeconds, regionId, body);
    }

    RegionCommands at(long seconds) {
        return new RegionCommands(commandId, seconds, regionId, body);
    }

    RegionCommands of(long otherRegionId) {
        return new RegionCommands(commandId, issuedAtSeconds, otherRegionId, body);
    }

    RegionCommand build(String id) {
        return body.in(new CommandEnvelope(U64.text(regionId), id, issuedAtSeconds * SECOND), regionId);
    }

    static RegionCommands create() {
        return create(RegionRole.LEADER, 0);
    }

    static RegionCommands create(RegionRole role, long flushedEntryId) {
        return of((envelope, regionId) -> new CreateRegion(
                envelope, regionId, RegionSamples.metadata(regionId, 0), null, null, flushedEntryId, role));
    }

    static RegionCommands create(RegionMetadata metadata) {
        return of((envelope, regionId) ->
                new CreateRegion(envelope, regionId, metadata, null, null, 0, RegionRole.LEADER));
    }

    static RegionCommands alter(RegionMetadata metadata) {
        return alter(metadata, null);
    }

    static RegionCommands alter(RegionMetadata metadata, Boolean appendMode) {
        return of((envelope, regionId) -> new AlterRegion(envelope, regionId, metadata, null, appendMode));
    }

    static RegionCommands edit(String files) {
        return of((envelope, regionId) -> new EditRegion(envelope, regionId, added(files), removed(files), null));
    }

    static RegionCommands flush(String files, Long entryId, Long sequence) {
        return flush(files, entryId, sequence, null);
    }

    static RegionCommands flush(String files, Long entryId, Long sequence, Long committed) {
        return of((envelope, regionId) ->
                new FlushRegion(envelope, regionId, added(files), removed(files), null, entryId, sequence, committed));
    }

    static RegionCommands compact(String files) {
        return of((envelope, regionId) -> new CompactRegion(envelope, regionId, added(files), removed(files), null));
    }

    static RegionCommands truncateAll(long entryId, long sequence) {
        return of((envelope, regionId) ->
                new TruncateRegion(envelope, regionId, new TruncateRegion.What.All(entryId, sequence)));
    }

    /** Files are letters. */
    static RegionCommands truncateFiles(String letters) {
        List<UUID> fileIds = letters.chars()
                .mapToObj(letter -> RegionSamples.id((char) letter))
                .toList();
        return of(
                (envelope, regionId) -> new TruncateRegion(envelope, regionId, new TruncateRegion.What.Files(fileIds)));
    }

    static RegionCommands truncateRanges(TimeRange... ranges) {
        return of((envelope, regionId) ->
                new TruncateRegion(envelope, regionId, new TruncateRegion.What.TimeRanges(List.of(ranges))));
    }

    static RegionCommands discard(long entryId, long sequence) {
        return of((envelope, regionId) -> new DiscardUnflushed(envelope, regionId, entryId, sequence));
    }

    static RegionCommands publishIndex(FileMeta source, long schemaVersion, long indexVersion) {
        return of((envelope, regionId) -> new PublishIndex(
                envelope, regionId, source, schemaVersion, List.of(IndexKind.INVERTED), List.of(), 7, indexVersion));
    }

    static RegionCommands drop() {
        return of(DropRegion::new);
    }

    static RegionCommands confirmDeleted(RemovedFile... files) {
        return of((envelope, regionId) -> new ConfirmDeleted(envelope, regionId, Set.of(files)));
    }

    static RegionCommands restore(RegionManifest manifest, RegionRole role, boolean orReplace) {
        return of((envelope, regionId) -> new ImportRegion(envelope, regionId, manifest, role, orReplace));
    }

    static RegionCommands role(RegionRole role) {
        return of((envelope, regionId) -> new SetRegionRole(envelope, regionId, role));
    }

    private static List<FileMeta> added(String files) {
        return listed(files, "+");
    }

    private static List<FileMeta> removed(String files) {
        return listed(files, "-");
    }

    private static List<FileMeta> listed(String files, String sign) {
        return Stream.of(files.split(" "))
                .filter(text -> text.startsWith(sign))
                .map(text -> RegionSamples.file(text.charAt(1)))
                .toList();
    }
}
