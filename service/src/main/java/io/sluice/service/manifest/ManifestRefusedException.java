package io.sluice.service.manifest;

import io.sluice.service.common.Finding;

/** A manifest directory is not what it has to be. Its finding says what is wrong. */
final class ManifestRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Finding finding;

    ManifestRefusedException(Finding finding) {
        super(finding.toString());
        this.finding = finding;
    }

    Finding finding() {
        return finding;
    }
}
