package io.sluice.service.writer;

import io.sluice.service.manifest.ManifestDirectory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * Directories that stay open between two writes: opening one costs more than a write, and an open one costs a file. Who works on one
 * takes it out; so one that is in here can be closed at any time.
 *
 * <p>Thread-safe: everything is guarded by this object. Invariant: not more than a certain number, the latest used ones.
 */
final class OpenDirectories {
    private final int most;
    // In the order in which they were put in, so that the first was not used for longest.
    private final Map<Long, Held> idle = new LinkedHashMap<>();
    private LongPredicate wanted = regionId -> true;

    /**
     * An open directory.
     *
     * @param holds what it ends with: it is known to be in it and real; null when that is not known
     */
    record Held(ManifestDirectory directory, Tip holds) {}

    /**
     * The last version of a region, and whose it is: two writers may have made it differently, of which only one is real. Immutable.
     *
     * @param version the bits of a u64; null when there is none yet
     * @param commandId as far as it is known
     */
    record Tip(long incarnation, Long version, String commandId) {
        static Tip of(OrderKey written) {
            return new Tip(written.incarnation(), written.version(), written.commandId());
        }
    }

    OpenDirectories(int most) {
        this.most = most;
    }

    /** The directory of a region, which is the caller's from now on; or null. */
    synchronized Held take(long regionId) {
        return idle.remove(regionId);
    }

    /** Gives one back, or for the first time. It is closed if nobody wants it any more. */
    synchronized void put(long regionId, Held held) {
        if (!wanted.test(regionId)) {
            held.directory().close();
            return;
        }
        idle.put(regionId, held);
        if (idle.size() > most) {
            Iterator<Held> first = idle.values().iterator();
            first.next().directory().close();
            first.remove();
        }
    }

    /** Closes those of other regions; one that is taken out, when it is given back. */
    synchronized void retain(LongPredicate regions) {
        wanted = regions;
        List<Long> others = new ArrayList<>();
        for (long regionId : idle.keySet()) {
            if (!regions.test(regionId)) {
                others.add(regionId);
            }
        }
        others.forEach(regionId -> idle.remove(regionId).directory().close());
    }

    synchronized int size() {
        return idle.size();
    }
}
