package io.sluice.service.common;

/** Which version of Sluice this is. Stateless. */
public final class ProgramVersion {
    private ProgramVersion() {}

    /** What the jar says; a build that runs from its classes has none. */
    public static String text() {
        String version = ProgramVersion.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
