package io.sluice.service.manifest;

import java.io.IOException;

/** Nobody knows whether it was written: it must be asked for again, and nothing may be concluded until that has an answer. */
public final class ManifestWriteUnknownException extends IOException {
    private static final long serialVersionUID = 1L;

    ManifestWriteUnknownException(String message, IOException cause) {
        super(message, cause);
    }
}
