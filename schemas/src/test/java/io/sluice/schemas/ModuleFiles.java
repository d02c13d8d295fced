package io.sluice.schemas;

import java.nio.file.Path;

/** Where the files of this module are while its tests run. Stateless. */
final class ModuleFiles {
    private ModuleFiles() {}

    /** A path below the module's directory. */
    static Path path(String relative) {
        return Path.of(System.getProperty("basedir", "")).resolve(relative);
    }
}
