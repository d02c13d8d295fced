package io.sluice.service.manifest;

/** The process ends here. An error, so that nothing handles it. */
final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash(String where) {
        super(where);
    }
}
