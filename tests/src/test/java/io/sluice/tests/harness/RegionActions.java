package io.sluice.tests.harness;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.AlterRegion;
import io.sluice.schemas.region.CompactRegion;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.EditRegion;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.TruncateRegion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;

/**
 * What storage engines ask of many regions: flushes mostly, compactions, now and then an alter, a truncate or an edit. Each region's
 * commands are made from the outcomes that are known, so most are accepted, and some meet what others changed meanwhile.
 *
 * <p>Used by the thread that asks for commands, and by others once that has ended.
 */
public final class RegionActions implements Function<SteadyLoad<RegionCommand>, RegionCommand> {
    private static final long FIRST_REGION = (2048L << 32) + 1;
    private static final long ISSUED_AT_NANOS = 1_790_000_000_000_000_000L;

    private final Random random;
    private final List<Region> regions = new ArrayList<>();
    private long commands;

    /** What the sender of commands knows of a region. */
    private static final class Region {
        private final long id;
        private final Map<UUID, FileMeta> live = new LinkedHashMap<>();
        private final Deque<RegionCommand> open = new ArrayDeque<>();
        private long schemaVersion;
        private long entryId;

        private Region(long id) {
            this.id = id;
        }
    }

    public RegionActions(int regionCount, long seed) {
        random = new Random(seed);
        for (int i = 0; i < regionCount; i++) {
            regions.add(new Region(FIRST_REGION + i));
        }
    }

    /** The regions that are worked on. */
    public List<Long> regionIds() {
        return regions.stream().map(region -> region.id).toList();
    }

    /** One more flush of every region, after the load has ended. */
    public List<RegionCommand> oneFlushEach() {
        return regions.stream()
                .map(region -> {
                    commands++;
                    return action(region, 0);
                })
                .toList();
    }

    @Override
    public RegionCommand apply(SteadyLoad<RegionCommand> load) {
        long number = commands++;
        if (number < regions.size()) {
            return create(regions.get((int) number));
        }
        Region region = regions.get(random.nextInt(regions.size()));
        learn(region, load);
        RegionCommand command = action(region, random.nextInt(100));
        region.open.add(command);
        return command;
    }

    /** Takes in the outcomes of a region's commands, in the order in which they were sent. */
    private static void learn(Region region, SteadyLoad<RegionCommand> load) {
        while (!region.open.isEmpty()) {
            RegionCommand command = region.open.peek();
            Outcome outcome = load.outcome(command.key());
            if (outcome == null) {
                return;
            }
            region.open.remove();
            if (outcome.isOk()) {
                learn(region, command);
            }
        }
    }

    private static void learn(Region region, RegionCommand command) {
        if (command instanceof FlushRegion flush) {
            flush.filesToAdd().forEach(file -> region.live.put(file.fileId(), file));
        } else if (command instanceof CompactRegion compact) {
            compact.filesToRemove().forEach(file -> region.live.remove(file.fileId()));
            compact.filesToAdd().forEach(file -> region.live.put(file.fileId(), file));
        } else if (command instanceof EditRegion edit) {
            edit.filesToAdd().forEach(file -> region.live.put(file.fileId(), file));
            edit.filesToRemove().forEach(file -> region.live.remove(file.fileId()));
        } else if (command instanceof TruncateRegion truncate
                && truncate.what() instanceof TruncateRegion.What.Files files) {
            files.fileIds().forEach(region.live::remove);
        } else if (command instanceof TruncateRegion) {
            region.live.clear();
        }
    }

    private RegionCommand create(Region region) {
        return new CreateRegion(
                envelope(region), region.id, Regions.metadata(region.id, 0), null, null, 0, RegionRole.LEADER);
    }

    /** @param percent 0 to 99: 80 of 100 are flushes, 10 compactions */
    private RegionCommand action(Region region, int percent) {
        if (percent < 80) {
            region.entryId++;
            return new FlushRegion(
                    envelope(region),
                    region.id,
                    List.of(newFile(region)),
                    List.of(),
                    null,
                    region.entryId,
                    region.entryId * 10,
                    region.entryId * 10);
        }
        if (percent < 90) {
            return new CompactRegion(envelope(region), region.id, List.of(newFile(region)), some(region, 4), null);
        }
        if (percent < 93) {
            region.schemaVersion++;
            return new AlterRegion(
                    envelope(region), region.id, Regions.metadata(region.id, region.schemaVersion), null, null);
        }
        if (percent < 97) {
            return new EditRegion(
                    envelope(region),
                    region.id,
                    List.of(newFile(region)),
                    percent < 95 ? List.of() : some(region, 1),
                    null);
        }
        List<UUID> fileIds = some(region, 2).stream().map(FileMeta::fileId).toList();
        return new TruncateRegion(
                envelope(region),
                region.id,
                percent < 98
                        ? new TruncateRegion.What.All(region.entryId, region.entryId * 10)
                        : new TruncateRegion.What.Files(fileIds));
    }

    private static List<FileMeta> some(Region region, int most) {
        return region.live.values().stream().limit(most).toList();
    }

    private FileMeta newFile(Region region) {
        return Regions.file(region.id, new UUID(random.nextLong(), random.nextLong()), region.entryId * 1_000);
    }

    private CommandEnvelope envelope(Region region) {
        return new CommandEnvelope(U64.text(region.id), "r-" + commands, ISSUED_AT_NANOS + commands * 1_000_000L);
    }
}
