package io.sluice.service.writer;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.ManifestWriteKind;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.service.common.FolderLock.HeldException;
import io.sluice.service.manifest.ManifestDirectory;
import io.sluice.service.manifest.ManifestDirectory.CatchUp;
import io.sluice.service.manifest.ManifestDirectory.CheckpointResult;
import io.sluice.service.manifest.ManifestDirectory.DropResult;
import io.sluice.service.manifest.ManifestDirectory.WriteResult;
import io.sluice.service.manifest.ManifestWriteUnknownException;
import io.sluice.service.writer.OpenDirectories.Held;
import io.sluice.service.writer.OpenDirectories.Tip;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps manifests in a directory with a folder per region, which is named by its id.
 *
 * <p>A folder is believed to hold what is real only while it is open and it was the same command that wrote its last version here and
 * there: otherwise it is made to hold the store's state first. It may be behind or missing (the region was written on another disk
 * meanwhile), ahead (of writes that never became real), or another region's, dropped under the same id. After a failure it is closed,
 * so that this is asked again.
 *
 * <p>Threading as {@link ManifestStorage}: thread-safe, but of one region at a time.
 */
final class DirectoryStorage implements ManifestStorage {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryStorage.class);
    // Each of them locks a file.
    private static final int MOST_OPEN = 256;

    private final Path root;
    private final ManifestDirectory.Settings settings;
    private final OpenDirectories open;

    DirectoryStorage(Path root, ManifestDirectory.Settings settings) {
        this(root, settings, MOST_OPEN);
    }

    /** @param mostOpen folders that stay open between writes */
    DirectoryStorage(Path root, ManifestDirectory.Settings settings, int mostOpen) {
        this.root = root.toAbsolutePath().normalize();
        this.settings = settings;
        this.open = new OpenDirectories(mostOpen);
    }

    /** Makes the directory if it is missing. Later on that is a failure: its disk may not be there. */
    static DirectoryStorage prepared(Path root, ManifestDirectory.Settings settings) {
        try {
            Files.createDirectories(root);
        } catch (IOException e) {
            LOG.error(
                    "manifest directory {} cannot be made ({}): changes of regions will be refused until it is there and can be"
                            + " written to",
                    root,
                    e.toString());
        }
        return new DirectoryStorage(root, settings);
    }

    Path folder(long regionId) {
        return root.resolve(U64.text(regionId));
    }

    @Override
    public WriteOutcome write(OpenOrder order) {
        long regionId = order.order().regionId();
        if (order.order().kind() == ManifestWriteKind.DROP) {
            // Asked once more under the lock: who stood still meanwhile must not remove what another one has made
            // since.
            return drop(regionId, () -> {
                order.before().get();
                return true;
            });
        }
        ManifestDirectory directory = null;
        Tip written = null;
        try {
            Held held = open.take(regionId);
            directory = held == null ? ManifestDirectory.open(folder(regionId), settings) : held.directory();
            if (held == null || !isNext(order, held.holds())) {
                catchUp(directory, order);
            }
            if (directory.write(order.delta()) instanceof WriteResult.NotWritten failure) {
                return new WriteOutcome.NotDone(failure.forOperator(), failure.reason());
            }
            written = Tip.of(OrderKey.of(order.order()));
            return WriteOutcome.Done.ENTIRELY;
        } catch (ManifestWriteUnknownException e) {
            return new WriteOutcome.Unknown(e.getMessage());
        } catch (HeldException e) {
            return notBegun(order, new WriteOutcome.HeldElsewhere(heldElsewhere(regionId, e)));
        } catch (IOException e) {
            return notBegun(order, new WriteOutcome.NotDone(false, e.getMessage()));
        } finally {
            giveBack(regionId, directory, written);
        }
    }

    /** Whether a directory holds the version before the ordered one as it is real, or the ordered one by an earlier attempt. */
    private static boolean isNext(OpenOrder order, Tip holds) {
        OrderKey key = OrderKey.of(order.order());
        return holds != null && (holds.equals(before(order)) || holds.equals(Tip.of(key)));
    }

    private static Tip before(OpenOrder order) {
        ManifestWriteOrder wanted = order.order();
        return wanted.kind() == ManifestWriteKind.CREATE
                ? new Tip(wanted.incarnation(), null, null)
                : new Tip(wanted.incarnation(), wanted.version() - 1, order.lastCommandId());
    }

    private void catchUp(ManifestDirectory directory, OpenOrder order) throws IOException {
        Long found = directory.lastVersion();
        CatchUp done = directory.catchUp(order.before().get(), order.delta());
        if (done != CatchUp.UNCHANGED && found != null) {
            LOG.info(
                    "manifest directory {} ended with version {}, which is not what region {} is: it was {}",
                    folder(order.order().regionId()),
                    U64.text(found),
                    U64.text(order.order().regionId()),
                    done == CatchUp.TRIMMED
                            ? "rid of versions that never became real"
                            : "written anew as a checkpoint of the store's state");
        }
    }

    /** An attempt that could not even begin has still to know that no earlier one came further. */
    private WriteOutcome notBegun(OpenOrder order, WriteOutcome otherwise) {
        Path folder = folder(order.order().regionId());
        try {
            return ManifestDirectory.isWritten(folder, order.delta())
                    ? new WriteOutcome.Unknown(
                            "version " + U64.text(order.order().version()) + " is in " + folder
                                    + ", but the directory cannot be opened to make sure of it: " + reason(otherwise))
                    : otherwise;
        } catch (ManifestWriteUnknownException e) {
            return new WriteOutcome.Unknown(e.getMessage());
        }
    }

    private WriteOutcome drop(long regionId, BooleanSupplier isToBe) {
        ManifestDirectory directory = null;
        try {
            Held held = open.take(regionId);
            directory = held == null ? ManifestDirectory.open(folder(regionId), settings) : held.directory();
            if (!isToBe.getAsBoolean()) {
                return WriteOutcome.Done.ENTIRELY;
            }
            DropResult result = directory.drop();
            return result instanceof DropResult.Dropped dropped
                    ? new WriteOutcome.Done(dropped.leftover())
                    : new WriteOutcome.NotDone(false, ((DropResult.NotDropped) result).reason());
        } catch (ManifestWriteUnknownException e) {
            return new WriteOutcome.Unknown(e.getMessage());
        } catch (HeldException e) {
            return notMarked(regionId, new WriteOutcome.HeldElsewhere(heldElsewhere(regionId, e)));
        } catch (IOException e) {
            return notMarked(regionId, new WriteOutcome.NotDone(false, e.getMessage()));
        } finally {
            giveBack(regionId, directory, null);
        }
    }

    private WriteOutcome notMarked(long regionId, WriteOutcome otherwise) {
        Path folder = folder(regionId);
        try {
            return ManifestDirectory.isDropping(folder)
                    ? new WriteOutcome.Unknown(folder
                            + " is marked as being dropped, but its removal cannot be finished: " + reason(otherwise))
                    : otherwise;
        } catch (IOException e) {
            return new WriteOutcome.Unknown(folder + " may be marked as being dropped, or may not: " + e.getMessage());
        }
    }

    /** Keeps it open if it holds what is real. */
    private void giveBack(long regionId, ManifestDirectory directory, Tip holds) {
        if (directory == null) {
            return;
        }
        if (holds == null) {
            directory.close();
        } else {
            open.put(regionId, new Held(directory, holds));
        }
    }

    private static String reason(WriteOutcome outcome) {
        return outcome instanceof WriteOutcome.HeldElsewhere held
                ? held.reason()
                : ((WriteOutcome.NotDone) outcome).reason();
    }

    private String heldElsewhere(long regionId, HeldException e) {
        return folder(regionId) + " is being written by "
                + (e.isHere() ? "another instance in this process" : "the process with id " + e.getMessage())
                + ": it must end before this one can write there";
    }

    @Override
    public void checkpointIfDue(ManifestWriteOrder written, Supplier<RegionManifest> state) {
        long regionId = written.regionId();
        Held held = open.take(regionId);
        if (held == null) {
            return;
        }
        // Refused: something is wrong with the directory, which catching up with the store's state mends.
        boolean refused = false;
        try {
            if (Objects.equals(held.holds(), Tip.of(OrderKey.of(written)))
                    && held.directory().isCheckpointDue()) {
                refused = !checkpoint(held.directory(), regionId, state.get());
            }
        } finally {
            giveBack(regionId, held.directory(), refused ? null : held.holds());
        }
    }

    /** @return whether it was not refused */
    private boolean checkpoint(ManifestDirectory directory, long regionId, RegionManifest state) {
        if (state == null) {
            return true;
        }
        String version = U64.text(state.manifestVersion());
        try {
            CheckpointResult result = directory.checkpoint(state);
            if (result instanceof CheckpointResult.Refused refused) {
                LOG.error(
                        "checkpoint of region {} at version {} is refused: {}. The directory is written anew with the next change",
                        U64.text(regionId),
                        version,
                        refused.reason());
                return false;
            }
            String leftover = ((CheckpointResult.Done) result).cleanUpFailure();
            if (leftover != null) {
                LOG.warn(
                        "files that checkpoint {} of region {} stands for are still there, a later one deletes them: {}",
                        version,
                        U64.text(regionId),
                        leftover);
            }
        } catch (IOException e) {
            LOG.warn(
                    "checkpoint of region {} at version {} failed, the next version tries again: {}",
                    U64.text(regionId),
                    version,
                    e.getMessage());
        }
        return true;
    }

    @Override
    public WriteOutcome clear(long regionId, BooleanSupplier isGone) {
        // Without a look a folder would be made only to be removed, and its lock file would stay.
        return Files.exists(folder(regionId), LinkOption.NOFOLLOW_LINKS)
                ? drop(regionId, isGone)
                : WriteOutcome.Done.ENTIRELY;
    }

    @Override
    public void restore(long regionId, Supplier<RegionManifest> state) {
        Held held = open.take(regionId);
        try (ManifestDirectory directory =
                held == null ? ManifestDirectory.open(folder(regionId), settings) : held.directory()) {
            RegionManifest now = state.get();
            if (now != null) {
                directory.catchUp(now, null);
            }
        } catch (HeldException e) {
            LOG.warn("{}", heldElsewhere(regionId, e));
        } catch (IOException e) {
            LOG.warn(
                    "what never became real of region {} is still in its directory, the next change takes it away: {}",
                    U64.text(regionId),
                    e.getMessage());
        }
    }

    @Override
    public Set<Long> unfinishedDrops() {
        Set<Long> found = new HashSet<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(root)) {
            for (Path folder : folders) {
                Long regionId = U64.parseOrNull(folder.getFileName().toString());
                if (regionId != null && ManifestDirectory.isDropping(folder)) {
                    found.add(regionId);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("cannot look for regions in {} whose removal was not finished: {}", root, e.toString());
        }
        return found;
    }

    @Override
    public void retain(LongPredicate regions) {
        open.retain(regions);
    }

    @Override
    public void close() {
        open.retain(regionId -> false);
    }
}
