package io.sluice.state.region;

import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.QueuedCommand;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFiles;
import java.util.Objects;
import java.util.Set;

/** What a decision about a region made true. Applying a fact never fails and depends on nothing but the rows it changes. */
public sealed interface RegionFact {
    /** The bits of a u64. */
    long regionId();

    /** The record of the region is now this; its files are what they were. */
    record RegionRecorded(RegionRecord region) implements RegionFact {
        public RegionRecorded {
            Objects.requireNonNull(region, "region");
        }

        @Override
        public long regionId() {
            return region.regionId();
        }
    }

    /**
     * The manifest of the region has one more version. Version 0 begins a region: whatever was left of one with its id is gone.
     *
     * @param region its record from now on
     * @param commandId the command that made the version; of merged ones the first
     * @param keptFrom the bits of a u64: deltas of versions below are not kept any more
     */
    record ManifestAdvanced(RegionRecord region, String commandId, ManifestDelta delta, long keptFrom)
            implements RegionFact {
        public ManifestAdvanced {
            Objects.requireNonNull(region, "region");
            Objects.requireNonNull(commandId, "commandId");
            Objects.requireNonNull(delta, "delta");
        }

        @Override
        public long regionId() {
            return region.regionId();
        }
    }

    /**
     * The region is this now, with this manifest, whatever it was: it was imported.
     *
     * @param region says the same as the manifest where both say something
     */
    record RegionRestored(RegionRecord region, RegionManifest manifest) implements RegionFact {
        public RegionRestored {
            Objects.requireNonNull(region, "region");
            Objects.requireNonNull(manifest, "manifest");
        }

        @Override
        public long regionId() {
            return region.regionId();
        }
    }

    /** The region is gone, with everything but its files to be deleted. */
    record RegionDropped(long regionId) implements RegionFact {}

    /** The writer has to write this. */
    record WriteOrdered(ManifestWriteOrder order) implements RegionFact {
        public WriteOrdered {
            Objects.requireNonNull(order, "order");
        }

        @Override
        public long regionId() {
            return order.regionId();
        }
    }

    /** The writer did, or could not, write what it had to. */
    record WriteSettled(long regionId) implements RegionFact {}

    /** A command waits. */
    record CommandQueued(long arrival, QueuedCommand queued) implements RegionFact {
        public CommandQueued {
            Objects.requireNonNull(queued, "queued");
        }

        @Override
        public long regionId() {
            return queued.command().regionId();
        }
    }

    /** A command does not wait any more. */
    record CommandLeftQueue(long regionId, long arrival, String commandId) implements RegionFact {
        public CommandLeftQueue {
            Objects.requireNonNull(commandId, "commandId");
        }
    }

    /** These files were written and will never be in the manifest: somebody has to delete them. */
    record FilesGivenUp(long regionId, RemovedFiles files) implements RegionFact {
        public FilesGivenUp {
            Objects.requireNonNull(files, "files");
        }
    }

    /** These files are deleted: nobody has to remember them. A data file also counts as one that was given up. */
    record FilesDeleted(long regionId, Set<RemovedFile> files) implements RegionFact {
        public FilesDeleted {
            files = Set.copyOf(files);
        }
    }
}
