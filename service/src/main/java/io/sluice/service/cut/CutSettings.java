package io.sluice.service.cut;

import io.sluice.schemas.common.CommandFamily;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What to cut, and with what. Immutable.
 *
 * @param kafka client settings, at least {@code bootstrap.servers}
 * @param families whose changelogs are read
 * @param at where they end
 * @param folder a folder is made in it for the time of the cut, about as large as the rows
 * @param threads that read, each a partition at a time
 * @param progress is told how far the reading is
 */
public record CutSettings(
        Map<String, Object> kafka,
        Set<CommandFamily> families,
        CutAt at,
        Path folder,
        int threads,
        CutProgress progress) {
    public CutSettings {
        kafka = Map.copyOf(kafka);
        families = Set.copyOf(families);
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(progress, "progress");
        if (threads < 1) {
            throw new IllegalArgumentException("threads is " + threads + ", it must be at least 1");
        }
    }

    /** All families at their last cursor rows, in the folder for temporary files, with a thread per processor. */
    public static CutSettings of(Map<String, Object> kafka) {
        return new CutSettings(
                kafka,
                EnumSet.allOf(CommandFamily.class),
                CutAt.LAST_CURSOR,
                Path.of(System.getProperty("java.io.tmpdir")),
                Runtime.getRuntime().availableProcessors(),
                CutProgress.NONE);
    }

    /** Only these families. */
    public CutSettings withFamilies(Set<CommandFamily> only) {
        return new CutSettings(kafka, only, at, folder, threads, progress);
    }

    /** Ending there. */
    public CutSettings withEnd(CutAt end) {
        return new CutSettings(kafka, families, end, folder, threads, progress);
    }

    /** Telling somebody how far the reading is. */
    public CutSettings withProgress(CutProgress listener) {
        return new CutSettings(kafka, families, at, folder, threads, listener);
    }

    /** Working in this folder. */
    public CutSettings withFolder(Path workFolder) {
        return new CutSettings(kafka, families, at, workFolder, threads, progress);
    }
}
