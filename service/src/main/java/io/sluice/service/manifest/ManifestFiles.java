package io.sluice.service.manifest;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * The directory of a region, as far as its manifest goes (docs/formats.md, section 8.1). Names are those of files in
 * {@code manifest/}, plain.
 *
 * <p>Threading: one thread. Invariants: what a method did is on the disk when it returns; a file is there with all of its content or
 * not at all; when a method throws it may have been done all the same, unless it says otherwise.
 */
interface ManifestFiles {
    /**
     * What stands in {@code manifest/}.
     *
     * @param sizeBytes on the disk
     * @param isFolder a folder, and so none of the files of a manifest
     */
    record Listed(String name, long sizeBytes, boolean isFolder) {}

    /** All there is in {@code manifest/}, in no order, without what is still being written. A directory that is missing is empty. */
    List<Listed> list() throws IOException;

    /** @throws NoSuchFileException if it is not there, and for no other reason */
    byte[] read(String name) throws IOException;

    /** @throws FileAlreadyExistsException if it is there already; it is as it was */
    void create(String name, byte[] content) throws IOException;

    /** Puts a file in the place of the one that is there, if any, in one step. */
    void replace(String name, byte[] content) throws IOException;

    /** Deletes many in one go; one that is not there is deleted already. After a failure some are gone. */
    void deleteAll(List<String> names) throws IOException;

    /** Deletes one; if it is not there it is deleted already. */
    void delete(String name) throws IOException;

    /** Makes sure that all that is seen in the directory is on the disk: after a failure it may be seen and not be there. */
    void sync() throws IOException;

    /** Makes the directories, and takes away what an earlier attempt left half written. Only for the one who writes. */
    void prepare() throws IOException;

    /** Whether the region is being dropped. */
    boolean isDropping() throws IOException;

    /** Marks the region as being dropped. */
    void markDropping() throws IOException;

    /** Takes the mark back. */
    void unmarkDropping() throws IOException;

    /** Deletes the directory of the region, the mark last. */
    void removeRegion() throws IOException;

    /** Whether staged changes lie beside the manifest. */
    boolean hasStaging() throws IOException;

    /** Where a file is, for messages. */
    String path(String name);

    /** Where the directory is, for messages. */
    String path();
}
