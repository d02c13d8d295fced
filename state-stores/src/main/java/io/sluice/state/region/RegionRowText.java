package io.sluice.state.region;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.state.common.RowTexts;

/** Keys of the rows of the region store as text, for people. Stateless. */
public final class RegionRowText {
    private RegionRowText() {}

    /** Never fails: a key that is none is shown in hexadecimal. */
    public static String of(byte[] key) {
        return RowTexts.orHex(key, () -> text(key));
    }

    private static String text(byte[] key) {
        for (RegionKeyFamily family : RegionKeyFamily.values()) {
            if (key.length > 0 && key[0] == family.tag()) {
                return text(family, key);
            }
        }
        throw new NoncanonicalKeyException("a key without a known tag");
    }

    private static String text(RegionKeyFamily family, byte[] key) {
        switch (family) {
            case REGION -> {
                return region(RegionIndex.decodeKey(key));
            }
            case QUEUE -> {
                RegionQueueIndex.Key queue = RegionQueueIndex.decodeKey(key);
                return region(queue.regionId()) + "/queue/" + U64.text(queue.arrival());
            }
            case FILE -> {
                RegionFileIndex.Key file = RegionFileIndex.decodeKey(key);
                return region(file.regionId()) + "/file/" + file.fileId();
            }
            case REMOVED -> {
                return removed(RemovedFileIndex.decodeKey(key));
            }
            case CLEANUP -> {
                CleanupIndex.Key cleanup = CleanupIndex.decodeKey(key);
                return region(cleanup.regionId()) + "/cleanup/" + cleanup.fileId();
            }
            case WRITE -> {
                return region(WriteOrderIndex.decodeKey(key)) + "/write";
            }
            case WAITING -> {
                RegionQueueIndex.WaitingKey waiting = RegionQueueIndex.decodeWaitingKey(key);
                return region(waiting.regionId()) + "/waiting/" + waiting.commandId();
            }
            case DELTA -> {
                ManifestDeltaIndex.Key delta = ManifestDeltaIndex.decodeKey(key);
                return region(delta.regionId()) + "/delta/" + U64.text(delta.version());
            }
            default -> {
                return RowTexts.ofCommon(key);
            }
        }
    }

    private static String removed(RemovedFileIndex.Key removed) {
        return region(removed.regionId()) + "/removed/" + removed.file().fileId()
                + (removed.file() instanceof DataFile ? "" : "/index") + "/" + U64.text(removed.version()) + "/"
                + removed.action();
    }

    private static String region(long regionId) {
        return "region/" + U64.text(regionId);
    }
}
