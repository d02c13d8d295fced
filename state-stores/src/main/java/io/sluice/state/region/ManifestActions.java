package io.sluice.state.region;

import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.ManifestAction.PartitionExprChange;
import io.sluice.schemas.region.ManifestAction.TruncateAll;
import io.sluice.schemas.region.ManifestAction.TruncatePartial;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.RemovedFiles;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Applies the actions of a manifest to its content (docs/behaviour.md, section 4.5): the one function that does, for what is
 * decided here, for replays and for imports. So it takes foreign history as it is: what a command must not do was refused before
 * it became an action.
 *
 * <p>Stateless. Never refuses. Depends on nothing but the content and the delta.
 */
public final class ManifestActions {
    private ManifestActions() {}

    /**
     * Applies a delta: its actions in their order, then its version, which counts even if they changed nothing.
     *
     * @param undatedMs when something was removed by an action that does not say when: the time of the import, epoch milliseconds
     */
    public static void apply(ManifestDelta delta, long undatedMs, ManifestContent content) {
        List<ManifestAction> actions = delta.actions();
        for (int i = 0; i < actions.size(); i++) {
            ManifestAction action = actions.get(i);
            Set<RemovedFile> removed = apply(action, content);
            if (!removed.isEmpty()) {
                Long timestampMs = timestampMs(action);
                content.addRemoved(
                        delta.version(), i, new RemovedFiles(timestampMs == null ? undatedMs : timestampMs, removed));
            }
        }
        content.setMarks(content.marks().atVersion(delta.version()));
    }

    private static Set<RemovedFile> apply(ManifestAction action, ManifestContent content) {
        if (action instanceof Change change) {
            content.setMetadata(change.metadata());
            content.setMarks(content.marks().withFormat(change.sstFormat(), change.appendMode()));
            return Set.of();
        }
        if (action instanceof PartitionExprChange change) {
            RegionMetadata metadata = content.metadata();
            if (metadata != null) {
                content.setMetadata(metadata.withPartitionExpr(change.partitionExpr()));
            }
            return Set.of();
        }
        if (action instanceof Edit edit) {
            return edit(edit, content);
        }
        if (action instanceof TruncateAll truncate) {
            return truncateAll(truncate, content);
        }
        Set<RemovedFile> removed = new LinkedHashSet<>();
        if (action instanceof TruncatePartial truncate) {
            remove(truncate.filesToRemove(), content, removed);
        }
        return removed;
    }

    private static Set<RemovedFile> edit(Edit edit, ManifestContent content) {
        Set<RemovedFile> removed = new LinkedHashSet<>();
        for (FileMeta added : edit.filesToAdd()) {
            FileMeta before = content.file(added.fileId());
            if (before != null && before.hasIndex() && isIndexGone(before, added)) {
                removed.add(new IndexFile(before.fileId(), before.indexVersion()));
            }
            content.putFile(added);
        }
        remove(edit.filesToRemove(), content, removed);
        content.setMarks(content.marks()
                .raisedTo(
                        edit.flushedEntryId(),
                        edit.flushedSequence(),
                        edit.committedSequence(),
                        edit.compactionTimeWindow()));
        return removed;
    }

    private static boolean isIndexGone(FileMeta before, FileMeta now) {
        return !now.hasIndex() || Long.compareUnsigned(now.indexVersion(), before.indexVersion()) > 0;
    }

    private static Set<RemovedFile> truncateAll(TruncateAll truncate, ManifestContent content) {
        Set<RemovedFile> removed = new LinkedHashSet<>();
        content.eraseFiles().forEach(file -> removed.add(new DataFile(file.fileId(), file.indexFileVersion())));
        content.setMarks(content.marks().truncatedAt(truncate.truncatedEntryId(), truncate.truncatedSequence()));
        return removed;
    }

    /** The version of a file's index is the manifest's own: what a command or a foreign delta says about it may be stale. */
    private static void remove(Iterable<FileMeta> files, ManifestContent content, Set<RemovedFile> removed) {
        for (FileMeta named : files) {
            FileMeta current = content.file(named.fileId());
            FileMeta known = current != null && current.hasIndex() ? current : named;
            removed.add(new DataFile(named.fileId(), known.indexFileVersion()));
            content.eraseFile(named.fileId());
        }
    }

    private static Long timestampMs(ManifestAction action) {
        if (action instanceof Edit edit) {
            return edit.timestampMs();
        }
        if (action instanceof TruncateAll truncate) {
            return truncate.timestampMs();
        }
        return action instanceof TruncatePartial truncate ? truncate.timestampMs() : null;
    }
}
