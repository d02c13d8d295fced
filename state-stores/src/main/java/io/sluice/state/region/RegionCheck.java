package io.sluice.state.region;

import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.region.ManifestChunk;
import io.sluice.schemas.region.ManifestCodec;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.QueuedCommand;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.schemas.region.WriteInFlight;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.state.common.OutcomeCheck;
import io.sluice.state.common.RowFinding;
import io.sluice.state.common.RowFinding.Code;
import io.sluice.state.common.RowFinding.Mend;
import io.sluice.state.common.RowMerge;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowStore;
import io.sluice.state.common.UnknownRows;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Checks a region store: every row can be read, belongs to a region that is there, and agrees with its record. Only the waiting rows,
 * the number of waiting commands and an order that nobody waits for follow from other rows; what else is wrong is said, and not
 * mended: files and versions of a manifest are in no other row, and taking the rest away would lose more.
 *
 * <p>Thread-safe; one check is one thread's. Never fails because of a row. Holds some 100 bytes per region.
 */
public final class RegionCheck {
    private static final String NO_REGION = "there is no such region";

    private final RegionRecordCodec codec;
    private final ManifestCodec manifests;
    private final OutcomeCheck outcomes;

    public RegionCheck(SingleObject singleObject) {
        codec = new RegionRecordCodec(singleObject);
        manifests = new ManifestCodec(singleObject);
        outcomes = new OutcomeCheck(new OutcomeCodec(singleObject));
    }

    /**
     * Checks the rows of one partition.
     *
     * @param scratch has no rows at first; gets those that should be there
     * @param isHere whether the rows of a region, by its id in decimal, belong into this partition
     * @param nowMs as for {@link OutcomeCheck#check}
     * @param findings is told what is wrong, row by row
     */
    public void check(
            RowScanner stored, RowStore scratch, Predicate<String> isHere, long nowMs, Consumer<RowFinding> findings) {
        new Run(stored, scratch, isHere, findings).run();
        outcomes.check(stored, scratch, isHere, nowMs, findings);
    }

    /** What the other rows of a region have to agree with; nothing when its record cannot be read. */
    private static final class Region {
        private final boolean readable;
        private final long incarnation;
        private final Long version;
        private final long fileCount;
        private final int queued;
        private final WriteInFlight write;
        // What its rows say.
        private long files;
        private int waiting;
        private boolean hasOrder;
        private Long lastDelta;

        Region(RegionRecord region) {
            readable = region != null;
            incarnation = readable ? region.incarnation() : 0;
            version = readable ? region.manifestVersion() : null;
            fileCount = readable ? region.fileCount() : 0;
            queued = readable ? region.queued() : 0;
            write = readable ? region.writeInFlight() : null;
        }
    }

    /** Checks one row; throws when it cannot be read. */
    @FunctionalInterface
    private interface RowCheck {
        void check(byte[] key, byte[] value);
    }

    /** One check. */
    private final class Run {
        private final RowScanner stored;
        private final RowStore derived;
        private final Predicate<String> isHere;
        private final Consumer<RowFinding> findings;
        private final Map<Long, Region> regions = new HashMap<>();
        /** Regions with a waiting command that cannot be read. */
        private final Set<Long> unknownQueues = new HashSet<>();

        Run(RowScanner stored, RowStore derived, Predicate<String> isHere, Consumer<RowFinding> findings) {
            this.stored = stored;
            this.derived = derived;
            this.isHere = isHere;
            this.findings = findings;
        }

        void run() {
            checkEach(RegionKeyFamily.REGION, this::checkRegion);
            checkEach(RegionKeyFamily.FILE, this::checkFile);
            checkEach(RegionKeyFamily.REMOVED, this::checkRemoved);
            checkEach(RegionKeyFamily.CLEANUP, this::checkCleanup);
            checkEach(RegionKeyFamily.QUEUE, this::checkQueued);
            checkEach(RegionKeyFamily.WRITE, this::checkOrder);
            checkEach(RegionKeyFamily.DELTA, this::checkDelta);
            RowMerge.of(stored, derived, RegionKeyFamily.WAITING.prefix(), new WaitingDifferences());
            regions.forEach(this::checkWhole);
            UnknownRows.check(stored, RegionKeyFamily.values(), RegionRowText::of, findings);
        }

        private void checkEach(RegionKeyFamily family, RowCheck check) {
            stored.scanPrefix(family.prefix(), (key, value) -> {
                try {
                    check.check(key, value);
                } catch (NoncanonicalKeyException e) {
                    report(Code.NONCANONICAL_KEY, key, "no " + family.label() + " row has such a key", Mend.NONE);
                } catch (UndecodableException e) {
                    report(Code.UNDECODABLE_ROW, key, e.getMessage(), Mend.NONE);
                }
                return true;
            });
        }

        private void report(Code code, byte[] key, String message, Mend mend) {
            findings.accept(new RowFinding(code, key, RegionRowText.of(key), message, mend));
        }

        private void contradiction(byte[] key, String message) {
            report(Code.UNDECODABLE_ROW, key, message, Mend.NONE);
        }

        /** The region of a row; null after it was said that there is none. */
        private Region regionOf(long regionId, byte[] key) {
            Region region = regions.get(regionId);
            if (region == null) {
                report(Code.ORPHAN_ROW, key, NO_REGION, Mend.NONE);
            }
            return region;
        }

        private void checkRegion(byte[] key, byte[] value) {
            long regionId = RegionIndex.decodeKey(key);
            regions.put(regionId, new Region(null));
            RegionRecord region = codec.decodeRecord(value);
            if (region.regionId() != regionId) {
                contradiction(key, "is the record of region " + U64.text(region.regionId()));
            } else if (!isHere.test(U64.text(regionId))) {
                report(Code.ORPHAN_ROW, key, "the region belongs into another partition", Mend.NONE);
            } else {
                regions.put(regionId, new Region(region));
            }
        }

        // Files.

        private void checkFile(byte[] key, byte[] value) {
            RegionFileIndex.Key file = RegionFileIndex.decodeKey(key);
            Region region = regionOf(file.regionId(), key);
            if (region != null) {
                region.files++;
            }
            if (!codec.decodeFile(value).fileId().equals(file.fileId())) {
                contradiction(key, "is about another file");
            }
        }

        private void checkRemoved(byte[] key, byte[] value) {
            RemovedFileIndex.Key removed = RemovedFileIndex.decodeKey(key);
            regionOf(removed.regionId(), key);
            RemovedFiles said = codec.decodeRemoved(value);
            if (!said.files().equals(Set.of(removed.file()))) {
                contradiction(key, "is about another file");
            }
        }

        /** Also of regions that are gone. */
        private void checkCleanup(byte[] key, byte[] value) {
            CleanupIndex.Key cleanup = CleanupIndex.decodeKey(key);
            RemovedFiles said = codec.decodeRemoved(value);
            boolean isIts = said.files().size() == 1
                    && said.files().stream().map(RemovedFile::fileId).allMatch(cleanup.fileId()::equals);
            if (!isIts) {
                contradiction(key, "is about another file");
            }
        }

        // Commands that wait.

        private void checkQueued(byte[] key, byte[] value) {
            RegionQueueIndex.Key place = RegionQueueIndex.decodeKey(key);
            Region region = regionOf(place.regionId(), key);
            if (region != null) {
                region.waiting++;
            }
            QueuedCommand queued;
            try {
                queued = codec.decodeQueued(value);
            } catch (UndecodableException e) {
                unknownQueues.add(place.regionId());
                throw e;
            }
            if (queued.command().regionId() != place.regionId() || queued.commandOffset() != place.arrival()) {
                unknownQueues.add(place.regionId());
                contradiction(
                        key,
                        "is the command at offset " + queued.commandOffset() + " about region "
                                + U64.text(queued.command().regionId()));
            } else {
                RegionQueueIndex.deriveWaiting(
                        derived, place.regionId(), queued.command().envelope().commandId());
            }
        }

        private final class WaitingDifferences implements RowMerge.Differences {
            @Override
            public void missing(byte[] key, byte[] wanted) {
                report(Code.MISSING_ROW, key, "the command waits in the queue of its region", Mend.put(wanted));
            }

            @Override
            public void extra(byte[] key, byte[] value) {
                try {
                    RegionQueueIndex.WaitingKey waiting = RegionQueueIndex.decodeWaitingKey(key);
                    if (!unknownQueues.contains(waiting.regionId())) {
                        report(Code.ORPHAN_ROW, key, "no such command waits", Mend.DELETE);
                    }
                } catch (NoncanonicalKeyException e) {
                    report(Code.NONCANONICAL_KEY, key, "no waiting row has such a key", Mend.DELETE);
                }
            }

            @Override
            public void different(byte[] key, byte[] value, byte[] wanted) {
                report(
                        Code.UNDECODABLE_ROW,
                        key,
                        "has " + value.length + " bytes, a waiting row has none",
                        Mend.put(wanted));
            }
        }

        // What the writer does and did.

        private void checkOrder(byte[] key, byte[] value) {
            Region region = regionOf(WriteOrderIndex.decodeKey(key), key);
            if (region != null) {
                region.hasOrder = true;
            }
            ManifestWriteOrder order = manifests.decodeOrder(value);
            if (order.regionId() != WriteOrderIndex.decodeKey(key)) {
                contradiction(key, "is the order of region " + U64.text(order.regionId()));
            } else if (region != null && region.readable && region.write == null) {
                report(Code.ORPHAN_ROW, key, "the region has no write in flight", Mend.DELETE);
            } else if (region != null && region.readable && !isOrderOf(region, order)) {
                contradiction(
                        key,
                        "is the order of command " + order.commandId() + " for version " + U64.text(order.version())
                                + ", in flight is command " + region.write.commandId() + ", version "
                                + U64.text(region.write.version()));
            }
        }

        private boolean isOrderOf(Region region, ManifestWriteOrder order) {
            return order.commandId().equals(region.write.commandId())
                    && order.version() == region.write.version()
                    && order.incarnation() == region.incarnation;
        }

        private void checkDelta(byte[] key, byte[] value) {
            ManifestDeltaIndex.Key id = ManifestDeltaIndex.decodeKey(key);
            Region region = regionOf(id.regionId(), key);
            if (region != null) {
                if (region.lastDelta != null && id.version() != region.lastDelta + 1) {
                    report(
                            Code.VERSION_GAP,
                            key,
                            "the version before it that is there is " + U64.text(region.lastDelta),
                            Mend.NONE);
                }
                region.lastDelta = id.version();
            }
            ManifestChunk chunk = manifests.decodeChunk(value);
            if (chunk.regionId() != id.regionId() || chunk.version() != id.version()) {
                contradiction(
                        key, "is version " + U64.text(chunk.version()) + " of region " + U64.text(chunk.regionId()));
            } else if (region != null && region.readable && chunk.incarnation() != region.incarnation) {
                contradiction(key, "is of another region that had this id before");
            }
        }

        private void checkWhole(long regionId, Region region) {
            if (!region.readable) {
                return;
            }
            byte[] key = RegionIndex.key(regionId);
            if (region.files != region.fileCount) {
                report(
                        Code.OUT_OF_RANGE,
                        key,
                        "says that it has " + region.fileCount + " files, but there are rows of " + region.files
                                + "; `sluice region verify` compares them with its directory",
                        Mend.NONE);
            }
            if (region.waiting != region.queued) {
                RegionRecord record = codec.decodeRecord(stored.get(key));
                report(
                        Code.OUT_OF_RANGE,
                        key,
                        "says that " + region.queued + " commands wait, but there are rows of " + region.waiting,
                        Mend.put(RegionRecordCodec.encode(record.withQueued(region.waiting))));
            }
            if (region.write != null && !region.hasOrder) {
                report(
                        Code.MISSING_ROW,
                        WriteOrderIndex.key(regionId),
                        "a write is in flight, but what is to be written is not there: import the region to set it free",
                        Mend.NONE);
            }
            if (region.lastDelta != null && !region.lastDelta.equals(region.version)) {
                report(
                        Code.VERSION_GAP,
                        key,
                        "is at version " + (region.version == null ? "none" : U64.text(region.version))
                                + ", the last version whose delta is there is " + U64.text(region.lastDelta),
                        Mend.NONE);
            }
        }
    }
}
